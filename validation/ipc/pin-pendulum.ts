/**
 * Pendulums whose bars hang on pins through holes, beside the same bars on hinges. The upper link of the double pendulum is two plates
 * with a pin between them, so that nothing pulls to the side.
 */
import type { Body, Quaternion, Scene, Shape, Simulation, Vec3 } from '@nexdyn/engine';
import { build } from './checked-scene.ts';
import { createDrilledBar } from './drilled-bar.ts';

const PIN_RADIUS = 0.02;
/** From hole to hole, m. */
const PITCH = 0.9;
const GHOST = { collisionGroups: 0, collisionMask: 0 };

const meshes = [
  createDrilledBar('bar', { length: 1, halfWidth: 0.05, halfThickness: 0.02, holeRadius: 0.021, corners: 48 }),
];

const pin = (more: Partial<Shape> = {}): Shape =>
  ({
    kind: 'capsule',
    radius: PIN_RADIUS,
    halfLength: 0.12,
    orientation: [Math.SQRT1_2, Math.SQRT1_2, 0, 0],
    friction: 0,
    mass: 0.5,
    ...more,
  }) as Shape;
const bar = (more: Partial<Shape> = {}): Shape =>
  ({ kind: 'triangleMesh', mesh: 'bar', friction: 0, ...more }) as Shape;
const fork = (more: Partial<Shape> = {}): Shape[] => [
  bar({ position: [0, 0.05, 0], ...more }),
  bar({ position: [0, -0.05, 0], ...more }),
  pin({ position: [0, 0, -PITCH], ...more }),
];
const turn = (angle: number): Quaternion => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];

/** The same mechanism twice: held by contact alone, and by hinges without contact. */
export interface Twins {
  pinned: Simulation;
  hinged: Simulation;
}

/** One bar, let go at an angle from the vertical, rad. */
export function buildPendulum(angle: number, h: number): Twins {
  const orientation = turn(angle);
  return buildTwins(
    h,
    [{ name: 'bar', orientation, joints: [{ kind: 'free' }], shapes: [bar()] }],
    [{ name: 'bar', orientation, joints: [{ kind: 'hinge', axis: [0, 1, 0] }], shapes: [bar(GHOST)] }],
  );
}

/** Two links, let go at angles from the vertical, rad. */
export function buildDoublePendulum(upper: number, lower: number, h: number): Twins {
  const end: Vec3 = [-PITCH * Math.sin(upper), 0, -PITCH * Math.cos(upper)];
  const hinge: Body['joints'] = [{ kind: 'hinge', axis: [0, 1, 0] }];
  return buildTwins(
    h,
    [
      { name: 'upper', orientation: turn(upper), joints: [{ kind: 'free' }], shapes: fork() },
      { name: 'lower', position: end, orientation: turn(lower), joints: [{ kind: 'free' }], shapes: [bar()] },
    ],
    [
      {
        name: 'upper',
        orientation: turn(upper),
        joints: hinge,
        shapes: fork(GHOST),
        bodies: [
          {
            name: 'lower',
            position: [0, 0, -PITCH],
            orientation: turn(lower - upper),
            joints: hinge,
            shapes: [bar(GHOST)],
          },
        ],
      },
    ],
  );
}

function buildTwins(h: number, pinned: Body[], hinged: Body[]): Twins {
  // a pin touches its hole, so its steps are of order one: those of the hinge are, too
  const options = { integrator: 'semiImplicit' as const };
  const scene = (shapes: Shape[], bodies: Body[]): Partial<Scene> => ({ meshes, options, shapes, bodies });
  return {
    pinned: build(scene([pin()], pinned), h, { barrierDistance: 1e-4, tolerance: 1e-4 }),
    hinged: build(scene([], hinged), h, { tolerance: 1e-6 }),
  };
}

/** Angle of body b about y, rad. */
export function readAngle({ bodyOrientation: q }: Simulation, b: number): number {
  return 2 * Math.atan2(q[4 * b + 2]!, q[4 * b]!);
}
