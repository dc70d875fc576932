// What the lessons share: heads, floors, bodies, colours.
export const BLUE = [0.1843, 0.4353, 0.8706, 1];
export const ORANGE = [0.9412, 0.5412, 0.1412, 1];
export const TEAL = [0.1216, 0.6196, 0.5608, 1];
export const SAND = [0.8471, 0.698, 0.4784, 1];
export const STEEL = [0.4824, 0.5294, 0.5961, 1];
const PALE = [0.8745, 0.8941, 0.9176, 1];

export function head(name, description, options) {
  return {
    name,
    description,
    options: { timestep: 0.002, mujoco: { cone: 'elliptic', impedanceRatio: 10 }, ...options },
  };
}

export const floor = (rest = {}) => ({ kind: 'plane', name: 'floor', color: PALE, ...rest });

/** Marks on the floor at every half metre. */
export const marks = (length) =>
  Array.from({ length: Math.round(2 * length) + 1 }, (_, i) =>
    box(`mark ${i}`, [0.006, 0.25, 0.001], { position: [i / 2, 0, 0.001], contact: 'none', color: STEEL }),
  );

export const free = (name, position, shapes, rest = {}) => ({
  name,
  position,
  joints: [{ kind: 'free' }],
  shapes,
  ...rest,
});

export const box = (name, halfSize, rest = {}) => ({ kind: 'box', name, halfSize, ...rest });
export const ball = (name, radius, rest = {}) => ({ kind: 'sphere', name, radius, ...rest });
export const question = (text, answers, correct, reason) => ({ text, answers, correct, reason });
