/** Scenes with one thing each on which derivatives of a step are compared: every kind of joint, constraint, actuator, contact and soft body. */
import type { Actuator, Body, Equality, Joint, Scene, Shape, SoftBody, Tendon } from '@nexdyn/engine';
import { FREE } from '../case-scene.ts';

export interface DerivativeKind {
  title: string;
  parts: Partial<Scene>;
  /** When derivatives are taken: after two steps with velocities of their own, after so many from rest, or where something begins to push. */
  when?: number | 'touch';
}

const inertia: Body['inertia'] = { kind: 'principal', mass: 2, center: [0.1, 0.02, -0.3], moments: [0.05, 0.06, 0.04] };
const HINGE: Joint = { kind: 'hinge', axis: [0, 1, 0] };
const SLIDE: Joint = { kind: 'slide', axis: [1, 0.3, 0.2] };

/** Two links on joints of a kind; sites on both and on the world. */
const chain = (joint: Joint, second: Joint = joint): Partial<Scene> => ({
  sites: [{ name: 'hook', position: [0.5, 0.1, -0.2] }],
  bodies: [
    {
      name: 'upper',
      joints: [{ ...joint, name: 'shoulder' }],
      inertia,
      sites: [{ name: 'knee', position: [0.1, 0, -0.4] }],
      bodies: [
        {
          name: 'lower',
          position: [0.1, 0, -0.5],
          joints: [{ ...second, name: 'elbow' }],
          inertia,
          sites: [{ name: 'hand', position: [0.05, 0.02, -0.5] }],
        },
      ],
    },
  ],
});

const tie = (equality: Equality, joint: Joint = HINGE): Partial<Scene> => ({
  ...chain(joint),
  equalities: [equality],
});
/** A body that flies, tied to the world or to another one. */
const fly = (equality: Equality): Partial<Scene> => ({
  bodies: [
    { name: 'one', position: [0, 0, 1], joints: FREE, inertia },
    { name: 'two', position: [0.4, 0.1, 1.1], joints: FREE, inertia },
  ],
  equalities: [equality],
});

const SPATIAL: Tendon = {
  kind: 'spatial',
  name: 'cord',
  path: [
    { kind: 'site', site: 'hook' },
    { kind: 'site', site: 'hand' },
  ],
};
const FIXED: Tendon = {
  kind: 'fixed',
  name: 'cord',
  terms: [
    { joint: 'shoulder', coefficient: 0.6 },
    { joint: 'elbow', coefficient: -0.4 },
  ],
};
const string = (tendon: object): Partial<Scene> => ({ ...chain(HINGE), tendons: [tendon as Tendon] });

const JOINT = { kind: 'joint' as const, joint: 'elbow' };
const drive = (actuator: object, parts: Partial<Scene> = chain(HINGE)): Partial<Scene> => ({
  ...parts,
  actuators: [{ transmission: JOINT, ...actuator } as Actuator],
});

/** Gap at which bodies start, m: in the range of the barrier, and where the others reach within a step. */
const GAP = 2e-4;

const slide = (shape: object, height: number): Partial<Scene> => ({
  shapes: [{ kind: 'plane', friction: 0 } as Shape],
  bodies: [
    {
      name: 'body',
      position: [0, 0, height],
      joints: FREE,
      shapes: [{ ...shape, friction: 0.4, density: 500 } as Shape],
    },
  ],
});

/** A soft block, which falls or lies on the ground. */
const soften = (parts: object, elasticity: object = {}): Partial<Scene> => ({
  materials: [{ name: 'rubber', friction: 0.5 }],
  shapes: [{ kind: 'plane', material: 'rubber' } as Shape],
  softBodies: [
    {
      name: 'block',
      mesh: { kind: 'box', halfSize: [0.1, 0.05, 0.05], cells: [1, 1, 1] },
      elasticity: {
        model: 'neoHookean',
        youngsModulus: 2e4,
        poissonRatio: 0.3,
        stiffnessDamping: 0.01,
        density: 500,
        ...elasticity,
      },
      material: 'rubber',
      ...parts,
    } as SoftBody,
  ],
});
const hang = { position: [0, 0, 1], pinned: [0, 1] };

export const SINGLE_KINDS: Readonly<Record<string, DerivativeKind>> = {
  hinge: { title: 'two links on hinges', parts: chain({ kind: 'hinge', axis: [0.2, 1, 0.1] }) },
  slide: { title: 'two links on slides', parts: chain(SLIDE) },
  ball: { title: 'two links on balls', parts: chain({ kind: 'ball' }) },
  free: { title: 'a body that flies and tumbles', parts: { bodies: [{ name: 'one', joints: FREE, inertia }] } },
  spring: {
    title: 'springs, dampers and armature of hinges',
    parts: chain({ ...HINGE, stiffness: 30, damping: 0.5, armature: 0.1, springReference: 0.2 } as Joint),
  },
  'ball-spring': {
    title: 'springs and dampers of balls',
    parts: chain({ kind: 'ball', stiffness: 30, damping: 0.5 } as Joint),
  },
  'dry-friction': { title: 'dry friction of hinges', parts: chain({ ...HINGE, frictionLoss: 0.3 } as Joint) },
  'slide-friction': { title: 'dry friction of slides', parts: chain({ ...SLIDE, frictionLoss: 3 } as Joint) },
  limit: { title: 'hinges at their limits', parts: chain({ ...HINGE, limit: { range: [-0.3, 0.004] } } as Joint) },
  'slide-limit': {
    title: 'slides at their limits',
    parts: chain({ ...SLIDE, limit: { range: [-0.3, 0.004] } } as Joint),
  },
  'ball-limit': {
    title: 'balls at their limits',
    parts: chain({ kind: 'ball', limit: { range: [0, 0.01] } } as Joint),
    when: 30,
  },
  connect: {
    title: 'two bodies that share a point',
    parts: fly({ kind: 'connect', body1: 'one', body2: 'two', anchor: [0.2, 0, 0] }),
  },
  weld: { title: 'two bodies that are welded', parts: fly({ kind: 'weld', body1: 'one', body2: 'two' }) },
  distance: {
    title: 'two bodies at a distance',
    parts: fly({ kind: 'distance', body1: 'one', body2: 'two', point1: [0.05, 0, 0], point2: [0, 0.05, 0] }),
  },
  gear: {
    title: 'hinges that turn together, by a polynomial',
    parts: tie({ kind: 'joint', joint1: 'shoulder', joint2: 'elbow', coefficients: [0, 0.7, 0.3, 0, 0] }),
  },
  'tendon-tie': {
    title: 'a tendon of constant length',
    parts: { ...string(FIXED), equalities: [{ kind: 'tendon', tendon1: 'cord' }] },
  },
  'tendon-spring': {
    title: 'a tendon with spring and damper',
    parts: string({ ...SPATIAL, stiffness: 40, damping: 1 }),
  },
  'tendon-limit': { title: 'a tendon at its limit', parts: string({ ...SPATIAL, limit: { range: [0, 0.95] } }) },
  'tendon-friction': { title: 'dry friction of a tendon', parts: string({ ...FIXED, frictionLoss: 0.4 }) },
  motor: { title: 'a motor', parts: drive({ kind: 'motor' }) },
  'ball-motor': {
    title: 'a motor of a ball',
    parts: drive({ kind: 'motor', transmission: { ...JOINT, gear: [0.5, 1, -0.3] } }, chain({ kind: 'ball' })),
  },
  'site-motor': {
    title: 'a motor at a site',
    parts: drive({ kind: 'motor', transmission: { kind: 'site', site: 'hand', gear: [1, 0.5, 0, 0.1, 0, 0.2] } }),
  },
  'tendon-motor': {
    title: 'a motor on a tendon',
    parts: drive({ kind: 'motor', transmission: { kind: 'tendon', tendon: 'cord' } }, string(SPATIAL)),
  },
  'crank-motor': {
    title: 'a motor on a crank',
    parts: drive({
      kind: 'motor',
      transmission: { kind: 'crank', crankSite: 'knee', sliderSite: 'hand', rodLength: 0.9 },
    }),
  },
  servo: { title: 'a position servo', parts: drive({ kind: 'position', stiffness: 50, damping: 2 }) },
  'slow-servo': {
    title: 'a position servo with a filter',
    parts: drive({ kind: 'position', stiffness: 50, damping: 2, timeConstant: 0.05 }),
  },
  pid: {
    title: 'a controller with an integral',
    parts: drive({ kind: 'pid', stiffness: 50, damping: 2, integral: 20, integralLimit: 1 }),
  },
  velocity: { title: 'a velocity servo', parts: drive({ kind: 'velocity', gain: 3 }) },
  general: {
    title: 'an affine actuator',
    parts: drive({ kind: 'general', gain: [2, 0.3, -0.1], bias: [0.2, -3, -0.2] }),
  },
  ...Object.fromEntries(
    (['integrator', 'filter', 'filterExact'] as const).map((activation) => [
      activation,
      {
        title: `an affine actuator with a state (${activation})`,
        parts: drive({
          kind: 'general',
          gain: [1.5, 0, 0],
          bias: [0, -2, -0.1],
          activation: { kind: activation, timeConstant: 0.1 },
        }),
      },
    ]),
  ),
  muscle: { title: 'a muscle', parts: drive({ kind: 'muscle', lengthRange: [-0.5, 0.5], force: 10 }) },
  'dc-motor': {
    title: 'a direct-current motor with inductance',
    parts: drive({ kind: 'dcMotor', resistance: 2, motorConstant: 0.3, inductance: 0.01 }),
  },
  adhesion: {
    title: 'a ball that a ground holds back',
    parts: {
      ...slide({ kind: 'sphere', radius: 0.1 }, 0.1 + GAP),
      actuators: [{ kind: 'adhesion', transmission: { kind: 'body', body: 'body' }, gain: 3 }],
    },
    when: 8,
  },
  sphere: { title: 'a sphere that slides and rolls', parts: slide({ kind: 'sphere', radius: 0.1 }, 0.1 + GAP) },
  capsule: {
    title: 'a capsule that slides and rolls',
    parts: slide({ kind: 'capsule', radius: 0.05, halfLength: 0.1 }, 0.15 + GAP),
  },
  box: { title: 'a box that slides', parts: slide({ kind: 'box', halfSize: [0.1, 0.12, 0.1] }, 0.1 + GAP) },
  'ball-at-rest': { title: 'a ball that sticks', parts: slide({ kind: 'sphere', radius: 0.1 }, 0.1 + GAP), when: 20 },
  'box-at-rest': {
    title: 'a box that sticks on four corners',
    parts: slide({ kind: 'box', halfSize: [0.1, 0.12, 0.1] }, 0.1 + GAP),
    when: 20,
  },
  rolling: {
    title: 'a ball with friction against spin and roll',
    parts: slide({ kind: 'sphere', radius: 0.1, spinFriction: 0.01, rollFriction: 0.002 }, 0.1 + GAP),
    when: 4,
  },
  pressure: {
    title: 'a ball on a patch of pressure',
    parts: {
      shapes: [{ kind: 'plane', contact: 'hydroelastic' } as Shape],
      bodies: [
        {
          name: 'body',
          position: [0, 0, 0.098],
          joints: FREE,
          shapes: [
            {
              kind: 'sphere',
              radius: 0.1,
              friction: 0.4,
              density: 500,
              contact: 'hydroelastic',
              hydroelastic: { modulus: 1e5 },
            } as Shape,
          ],
        },
      ],
    },
  },
  soft: { title: 'a soft block that is pinned', parts: soften(hang) },
  'soft-linear': { title: 'a linear soft block', parts: soften(hang, { model: 'linear' }) },
  'soft-corotated': { title: 'a corotated soft block', parts: soften(hang, { model: 'corotated' }) },
  'soft-svk': {
    title: 'a soft block of Saint Venant and Kirchhoff',
    parts: soften(hang, { model: 'saintVenantKirchhoff' }),
  },
  'soft-driven': {
    title: 'a soft block with driven vertices',
    parts: soften({
      position: [0, 0, 1],
      driven: [{ vertices: [0, 1], times: [0, 1], displacements: [0, 0, 0, 0.3, 0.1, 0.2] }],
    }),
  },
  'soft-quadratic': { title: 'a soft block of quadratic elements', parts: soften({ ...hang, element: 'tet10' }) },
  cloth: {
    title: 'a cloth that is pinned',
    parts: {
      softBodies: [
        {
          name: 'cloth',
          position: [0, 0, 1],
          mesh: { kind: 'grid', size: [0.2, 0.2], cells: [2, 2], thickness: 0.004 },
          elasticity: { model: 'saintVenantKirchhoff', youngsModulus: 1e6, poissonRatio: 0.3, density: 500 },
          pinned: [0, 1],
        } as unknown as SoftBody,
      ],
    },
  },
  rod: {
    title: 'a rod that is pinned',
    parts: {
      softBodies: [
        {
          name: 'rod',
          position: [0, 0, 1],
          mesh: { kind: 'polyline', points: [0, 0, 0, 0.06, 0.01, 0, 0.12, 0, 0.01, 0.18, 0.02, 0], radius: 0.01 },
          elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, density: 500 },
          pinned: [0],
        } as unknown as SoftBody,
      ],
    },
  },
  'soft-contact': { title: 'a soft block on the ground', parts: soften({ position: [0, 0, 0.0502] }), when: 8 },
};
