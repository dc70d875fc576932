/** Derivatives of a step: every kind of joint, actuator, constraint and contact alone, against centred differences of whole steps. */
import type { Actuator, Body, Joint, Scene, Shape, Simulation, SoftBody } from '@nexdyn/engine';
import { linearize } from '@nexdyn/engine/derivatives';
import { formatMarkdownTable } from '../../markdown-table.ts';
import { FREE, simulate } from '../case-scene.ts';
import { ALL, type ComparedFormulation, type ValidationCase, type Verdict } from '../validation-case.ts';

/** Largest error of an entry, in shares of the sizes of its row and column: of central differences of a solve at round-off. */
const TOLERANCE = 1e-6;

const inertia: Body['inertia'] = { kind: 'principal', mass: 2, center: [0.1, 0.02, -0.3], moments: [0.05, 0.06, 0.04] };

const chain = (joint: Joint): Body[] => [
  {
    name: 'upper',
    joints: [{ ...joint, name: 'shoulder' }],
    inertia,
    bodies: [{ name: 'lower', position: [0.1, 0, -0.5], joints: [{ ...joint, name: 'elbow' }], inertia }],
  },
];

const HINGE: Joint = { kind: 'hinge', axis: [0, 1, 0] };
const drive = (actuator: Partial<Actuator>): Partial<Scene> => ({
  bodies: chain(HINGE),
  actuators: [{ transmission: { kind: 'joint', joint: 'elbow' }, ...actuator } as Actuator],
});
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

/** Gap at which bodies start, m: in the range of the barrier, and where the others reach within a step. */
const GAP = 2e-4;

/** A soft block, which falls or lies on the ground. */
const soften = (parts: object): Partial<Scene> => ({
  materials: [{ name: 'rubber', friction: 0.5 }],
  shapes: [{ kind: 'plane', material: 'rubber' } as Shape],
  softBodies: [
    {
      name: 'block',
      mesh: { kind: 'box', halfSize: [0.1, 0.05, 0.05], cells: [1, 1, 1] },
      elasticity: { model: 'neoHookean', youngsModulus: 2e4, poissonRatio: 0.3, stiffnessDamping: 0.01, density: 500 },
      material: 'rubber',
      ...parts,
    } as SoftBody,
  ],
});

/** What moves; where it is at rest, derivatives are taken after so many steps. */
interface Kind {
  title: string;
  parts: Partial<Scene>;
  rest?: number;
}

const KINDS: Readonly<Record<string, Kind>> = {
  hinge: { title: 'two links on hinges', parts: { bodies: chain({ kind: 'hinge', axis: [0.2, 1, 0.1] }) } },
  slide: { title: 'two links on slides', parts: { bodies: chain({ kind: 'slide', axis: [1, 0.3, 0.2] }) } },
  ball: { title: 'two links on balls', parts: { bodies: chain({ kind: 'ball' }) } },
  spring: {
    title: 'springs, dampers and armature of hinges',
    parts: { bodies: chain({ ...HINGE, stiffness: 30, damping: 0.5, armature: 0.1, springReference: 0.2 } as Joint) },
  },
  'dry-friction': {
    title: 'dry friction of hinges',
    parts: { bodies: chain({ ...HINGE, frictionLoss: 0.3 } as Joint) },
  },
  limit: {
    title: 'hinges at their limits',
    parts: { bodies: chain({ ...HINGE, limit: { range: [-0.3, 0.004] } } as Joint) },
  },
  motor: { title: 'a motor', parts: drive({ kind: 'motor' } as Partial<Actuator>) },
  servo: {
    title: 'a position servo',
    parts: drive({ kind: 'position', stiffness: 50, damping: 2 } as Partial<Actuator>),
  },
  sphere: { title: 'a sphere that slides and rolls', parts: slide({ kind: 'sphere', radius: 0.1 }, 0.1 + GAP) },
  capsule: {
    title: 'a capsule that slides and rolls',
    parts: slide({ kind: 'capsule', radius: 0.05, halfLength: 0.1 }, 0.15 + GAP),
  },
  box: { title: 'a box that slides', parts: slide({ kind: 'box', halfSize: [0.1, 0.12, 0.1] }, 0.1 + GAP) },
  'ball-at-rest': { title: 'a ball that sticks', parts: slide({ kind: 'sphere', radius: 0.1 }, 0.1 + GAP), rest: 20 },
  'box-at-rest': {
    title: 'a box that sticks on four corners',
    parts: slide({ kind: 'box', halfSize: [0.1, 0.12, 0.1] }, 0.1 + GAP),
    rest: 20,
  },
  soft: { title: 'a soft block that is pinned', parts: soften({ position: [0, 0, 1], pinned: [0, 1] }) },
  'soft-contact': { title: 'a soft block on the ground', parts: soften({ position: [0, 0, 0.0502] }), rest: 8 },
};

function measureError(formulation: ComparedFormulation, { parts, rest }: Kind): number {
  const simulation: Simulation = simulate(formulation, {
    ...parts,
    options: { timestep: 0.004, ipc: { frictionPasses: 1 } },
  });
  const { velocity, softVelocity, control } = simulation.state;
  const isFree = parts.shapes !== undefined;
  for (let i = 0; i < softVelocity.length; i++) softVelocity[i] = 0.05 * Math.sin(i);
  for (let i = 0; rest === undefined && i < velocity.length; i++)
    velocity[i] = isFree ? [0.6, 0.3, -0.05, 0.2, 0.3, 0.1][i]! : 0.8 * Math.sin(2 + 3 * i);
  control.fill(0.7);
  simulation.step(rest ?? 2);
  const { method, check } = linearize(simulation, { check: true, inputs: ['state', 'control', 'appliedForce'] }).report;
  // differences agree with themselves
  return method === 'implicit' ? check!.error : Infinity;
}

export const DERIVATIVES: readonly ValidationCase[] = Object.entries(KINDS).map(([kind, about]) => ({
  name: `derivative-${kind}`,
  group: 'derivatives',
  title: `largest relative error of an entry of A, B and F, ${about.title}`,
  unit: '1',
  source: 'centred differences of fourth order of whole steps, solved to round-off',
  basis: '1e-6, the error of such differences',
  formulations: ALL,
  run: (formulation) => ({ value: measureError(formulation, about), expected: 0, tolerance: TOLERANCE }),
}));

/** One row per kind, one column per formulation, with the worst error. */
export function formatDerivatives(verdicts: readonly Verdict[]): string {
  const kinds = Object.keys(KINDS).filter((kind) => verdicts.some((one) => one.case === `derivative-${kind}`));
  if (kinds.length === 0) return '';
  const rows = kinds.map((kind) => [
    kind,
    ...ALL.map((formulation) => {
      const found = verdicts.find((one) => one.case === `derivative-${kind}` && one.formulation === formulation);
      return found ? found.value.toExponential(1) : '–';
    }),
  ]);
  return `## Derivatives by kind

Largest relative error of a derivative of a step, by the implicit function theorem, against centred differences of whole steps. Rounding of these differences is about 1e-7 under
\`ipc\`, whose velocities are differences of positions, and 1e-9 elsewhere.

${formatMarkdownTable(['what moves', ...ALL], rows)}`;
}
