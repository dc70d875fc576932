/** Mechanisms with and without loops, for comparing coordinates and formulations. Lengths in m, masses in kg. */
import type { Body, Scene, SceneOptions } from '@nexdyn/engine';

/** Time constants and impedance with which loops are closed as hard as the time step allows. */
const HARD = { solref: [1e-6, 1], solimp: [0.9999, 0.9999, 0.001, 0.5, 2] } as {
  solref: [number, number];
  solimp: [number, number, number, number, number];
};

function bar(name: string, length: number, mass: number, rest: Omit<Body, 'name' | 'inertia'>): Body {
  return {
    name,
    inertia: {
      kind: 'principal',
      mass,
      center: [length / 2, 0, 0],
      moments: [1e-3 * mass, (mass * length ** 2) / 12 + 1e-3 * mass, (mass * length ** 2) / 12 + 1e-3 * mass],
    },
    ...rest,
  };
}

const AXIS: [number, number, number] = [0, 1, 0];

/** Crank, coupler and rocker between two fixed points: a parallelogram that swings under gravity. */
export function fourBar(options: SceneOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options,
    bodies: [
      bar('crank', 0.4, 1, {
        joints: [{ kind: 'hinge', axis: AXIS }],
        orientation: [Math.cos(0.5), 0, Math.sin(0.5), 0],
        bodies: [
          bar('coupler', 0.8, 2, {
            position: [0.4, 0, 0],
            orientation: [Math.cos(0.5), 0, -Math.sin(0.5), 0],
            joints: [{ kind: 'hinge', axis: AXIS }],
          }),
        ],
      }),
      bar('rocker', 0.4, 1.5, {
        position: [0.8, 0, 0],
        orientation: [Math.cos(0.5), 0, Math.sin(0.5), 0],
        joints: [{ kind: 'hinge', axis: AXIS }],
      }),
    ],
    equalities: [{ kind: 'connect', body1: 'rocker', body2: 'coupler', anchor: [0.4, 0, 0], mujoco: HARD }],
  };
}

/** A crank turns, a rod follows, a piston slides. */
export function sliderCrank(options: SceneOptions): Scene {
  // the crank stands at 1 rad; the rod reaches down to the line on which the piston slides
  const crank = 0.2;
  const rod = 0.5;
  const lean = Math.asin((crank * Math.sin(1)) / rod);
  const foot = crank * Math.cos(1) + rod * Math.cos(lean);
  return {
    format: 'nexdyn-scene',
    version: 1,
    options,
    bodies: [
      bar('crank', crank, 1, {
        joints: [{ kind: 'hinge', axis: AXIS, damping: 0.02 }],
        orientation: [Math.cos(0.5), 0, -Math.sin(0.5), 0],
        bodies: [
          bar('rod', rod, 0.5, {
            position: [crank, 0, 0],
            orientation: [Math.cos((lean + 1) / 2), 0, Math.sin((lean + 1) / 2), 0],
            joints: [{ kind: 'hinge', axis: AXIS }],
          }),
        ],
      }),
      {
        name: 'piston',
        position: [foot, 0, 0],
        joints: [{ kind: 'slide', axis: [1, 0, 0], stiffness: 20, springReference: 0.05 }],
        inertia: { kind: 'principal', mass: 0.8, moments: [1e-3, 1e-3, 1e-3] },
      },
    ],
    equalities: [{ kind: 'connect', body1: 'rod', body2: 'piston', anchor: [rod, 0, 0], mujoco: HARD }],
  };
}

/** Six joints of different kinds in a row, springs, dampers and drives among them; starts turned. */
export function arm(options: SceneOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options,
    bodies: [
      bar('base', 0.2, 3, {
        joints: [{ kind: 'hinge', name: 'yaw', axis: [0, 0, 1], damping: 0.3, armature: 0.05 }],
        bodies: [
          bar('shoulder', 0.4, 2, {
            position: [0.2, 0, 0],
            joints: [{ kind: 'hinge', name: 'lift', axis: AXIS, stiffness: 8, damping: 0.2 }],
            bodies: [
              bar('boom', 0.3, 1, {
                position: [0.4, 0, 0],
                joints: [{ kind: 'slide', name: 'reach', axis: [1, 0, 0], stiffness: 400, damping: 5 }],
                bodies: [
                  bar('wrist', 0.2, 0.5, {
                    position: [0.3, 0, 0],
                    joints: [{ kind: 'ball', name: 'wrist', damping: 0.01 }],
                    bodies: [
                      bar('hand', 0.1, 0.3, {
                        position: [0.2, 0, 0],
                        joints: [
                          { kind: 'hinge', name: 'pan', axis: [0, 0, 1], stiffness: 0.5 },
                          { kind: 'hinge', name: 'tilt', axis: AXIS, stiffness: 0.5 },
                        ],
                      }),
                    ],
                  }),
                ],
              }),
            ],
          }),
        ],
      }),
    ],
    actuators: [
      { name: 'yaw', kind: 'position', transmission: { kind: 'joint', joint: 'yaw' }, stiffness: 5, damping: 0.4 },
      { name: 'lift', kind: 'motor', transmission: { kind: 'joint', joint: 'lift' } },
    ],
    keyframes: [
      {
        position: [0.3, -0.4, 0.02, Math.cos(0.2), Math.sin(0.2), 0, 0, 0.3, -0.2],
        velocity: [1, -0.5, 0.1, 0.5, -1, 0.7, 2, -1],
        control: [0.5, 3],
      },
    ],
  };
}
