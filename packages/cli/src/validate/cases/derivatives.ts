/** Derivatives of a step: every kind of joint, actuator, constraint and contact alone, against centred differences of whole steps. */
import type { Actuator, Body, Joint, Scene, Shape, Simulation } from '@nexdyn/engine';
import { linearize } from '@nexdyn/engine/derivatives';
import { formatMarkdownTable } from '../../markdown-table.ts';
import { FREE, simulate } from '../case-scene.ts';
import { ALL, type ComparedFormulation, type ValidationCase, type Verdict } from '../validation-case.ts';

/** Largest error of an entry, in shares of the sizes of its row and column: of central differences of a solve at round-off. */
const TOLERANCE = 1e-6;
/**
 * Under `ipc` a solve ends where points move by less than 1e-11 m/s: over differences of 2e-7 m that is an error of 5e-5 of the differences, not of
 * the derivative.
 */
const BARRIER_TOLERANCE = 1e-4;

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

const KINDS: Readonly<Record<string, { title: string; parts: Partial<Scene> }>> = {
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
};

function measureError(formulation: ComparedFormulation, { parts }: { parts: Partial<Scene> }): number {
  const simulation: Simulation = simulate(formulation, {
    ...parts,
    options: { timestep: 0.004, ipc: { frictionPasses: 1 } },
  });
  const { velocity, control } = simulation.state;
  const isFree = parts.shapes !== undefined;
  for (let i = 0; i < velocity.length; i++)
    velocity[i] = isFree ? [0.6, 0.3, -0.05, 0.2, 0.3, 0.1][i]! : 0.8 * Math.sin(2 + 3 * i);
  control.fill(0.7);
  simulation.step(2);
  return linearize(simulation, { check: true, inputs: ['state', 'control', 'appliedForce'] }).report.check!.error;
}

export const DERIVATIVES: readonly ValidationCase[] = Object.entries(KINDS).map(([kind, about]) => ({
  name: `derivative-${kind}`,
  group: 'derivatives',
  title: `largest relative error of an entry of A, B and F, ${about.title}`,
  unit: '1',
  source: 'centred differences of fourth order of whole steps, solved to round-off',
  basis:
    '1e-6, the error of such differences; 1e-4 under ipc, whose solves end at 1e-11 m/s, which is 5e-5 of a difference',
  // `ccp`, and `ipc` with joints, take differences themselves: there is nothing to compare
  formulations: about.parts.shapes ? ['mujoco', 'sap', 'ipc'] : ['mujoco', 'sap'],
  run: (formulation) => ({
    value: measureError(formulation, about),
    expected: 0,
    tolerance: formulation === 'ipc' ? BARRIER_TOLERANCE : TOLERANCE,
  }),
}));

/** One row per kind, one column per formulation, with the worst error. */
export function formatDerivatives(verdicts: readonly Verdict[]): string {
  const kinds = Object.keys(KINDS).filter((kind) => verdicts.some((one) => one.case === `derivative-${kind}`));
  if (kinds.length === 0) return '';
  const rows = kinds.map((kind) => [
    kind,
    ...ALL.map((formulation) => {
      const found = verdicts.find((one) => one.case === `derivative-${kind}` && one.formulation === formulation);
      return found ? found.value.toExponential(1) : 'differences';
    }),
  ]);
  return `## Derivatives by kind

Largest relative error of a derivative of a step against centred differences of whole steps. \`differences\`: the formulation takes them this way itself, so there is
nothing to compare.

${formatMarkdownTable(['what moves', ...ALL], rows)}`;
}
