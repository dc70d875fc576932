/** solref and solimp to impedance, stiffness and damping: the compiled twin of the engine's formulation/mujoco/impedance.ts, in the same order of operations. */

const LEAST: f64 = 1e-4;
const MOST: f64 = 0.9999;
const SMALL: f64 = 1e-15;
/** Powers from here on, and such that are not whole, are left to the twin. */
const MOST_POWER: f64 = 16;
/** Time constant, s, and damping ratio where signs make no sense. */
const DEFAULT_TIME: f64 = 0.02;
const DEFAULT_RATIO: f64 = 1;

/** d, K in 1/s² and B in 1/s. */
export let impedance: f64 = 0;
export let stiffness: f64 = 0;
export let damping: f64 = 0;

/** Sets all three for a distance; false where the power is not one of those above. */
export function setImpedance(solref: usize, solimp: usize, distance: f64, safePeriod: f64): bool {
  const power: f64 = Math.max(1, load<f64>(solimp, 32));
  if (power != Math.floor(power) || power >= MOST_POWER) return false;
  const first: f64 = clamp(load<f64>(solimp));
  const end: f64 = clamp(load<f64>(solimp, 8));
  impedance = interpolate(
    first,
    end,
    Math.max(0, load<f64>(solimp, 16)),
    clamp(load<f64>(solimp, 24)),
    power,
    distance,
  );
  let time: f64 = load<f64>(solref);
  let ratio: f64 = load<f64>(solref, 8);
  // one of each sign makes no sense
  if (time > 0 != ratio > 0) {
    time = DEFAULT_TIME;
    ratio = DEFAULT_RATIO;
  }
  if (time > 0) {
    time = Math.max(time, safePeriod);
    stiffness = 1 / Math.max(SMALL, end * end * time * time * ratio * ratio);
    damping = 2 / Math.max(SMALL, end * time);
  } else {
    stiffness = -time / (end * end);
    damping = -ratio / end;
  }
  return true;
}

/** R of a row with inverse weight w. */
export function regularize(w: f64): f64 {
  return Math.max(SMALL, ((1 - impedance) / impedance) * w);
}

function interpolate(first: f64, end: f64, width: f64, middle: f64, power: f64, distance: f64): f64 {
  if (first == end || width <= SMALL) return 0.5 * (first + end);
  const x: f64 = distance / width;
  if (x >= 1) return end;
  if (x == 0) return first;
  if (power == 1) return first + x * (end - first);
  const y: f64 =
    x <= middle ? raise(x, power) / raise(middle, power - 1) : 1 - raise(1 - x, power) / raise(1 - middle, power - 1);
  return first + y * (end - first);
}

function raise(x: f64, power: f64): f64 {
  let product: f64 = x;
  for (let n: i32 = 1; n < <i32>power; n++) product *= x;
  return product;
}

@inline
function clamp(value: f64): f64 {
  return Math.min(MOST, Math.max(LEAST, value));
}
