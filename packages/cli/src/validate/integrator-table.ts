/**
 * What each integrator keeps under each formulation, measured:
 *   torque-free   a box of edges 0.2 0.4 0.6 m, spun at 10 rad/s about its middle axis, 10 s at 1/60 s: largest change of kinetic energy
 *                 and of angular momentum, relative
 *   pendulum      a bar on a hinge, let go at 30°, 20 s at 1/60 s: the largest angle of the last two seconds
 *   order         slope of the error between steps of 10 and 5 ms, of a pendulum on a ball joint after 0.4 s
 *   solves        minimisations per step: the cost
 */

import type { Coordinates, Integrator, Simulation } from '@nexdyn/engine';
import { formatMarkdownTable } from '../markdown-table.ts';
import { FREE, simulate } from './case-scene.ts';
import { FINE } from './order-scenes.ts';
import type { ComparedFormulation } from './validation-case.ts';

const STEP = 1 / 60;

/** Minimisations per step, where that is not one. */
const SOLVES: Partial<Record<Integrator, number>> = { rk4: 4, rkmk4: 4, midpoint: 2 };

export type Choice = readonly [ComparedFormulation, Coordinates, Integrator];

const CHOICES: readonly Choice[] = [
  ['mujoco', 'joint', 'semiImplicit'],
  ['mujoco', 'joint', 'euler'],
  ['mujoco', 'joint', 'implicitfast'],
  ['mujoco', 'joint', 'implicit'],
  ['mujoco', 'joint', 'rk4'],
  ['mujoco', 'joint', 'rkmk4'],
  ['mujoco', 'body', 'semiImplicit'],
  ['sap', 'joint', 'semiImplicit'],
  ['sap', 'joint', 'midpoint'],
  ['sap', 'body', 'semiImplicit'],
  ['ccp', 'joint', 'semiImplicit'],
  ['ccp', 'joint', 'midpoint'],
  ['ccp', 'body', 'semiImplicit'],
  ['ipc', 'body', 'semiImplicit'],
  ['ipc', 'body', 'bdf2'],
];

/** Largest relative change of kinetic energy and angular momentum of a tumbling box. */
export function measureTumbling([formulation, coordinates, integrator]: Choice): { energy: number; momentum: number } {
  const shape = { kind: 'box', halfSize: [0.1, 0.2, 0.3], mass: 1 } as const;
  const simulation = simulate(
    formulation,
    {
      options: { gravity: [0, 0, 0], timestep: STEP, integrator },
      bodies: [{ name: 'a', joints: FREE, shapes: [{ ...shape, halfSize: [0.1, 0.2, 0.3] }] }],
    },
    coordinates,
  );
  simulation.setVelocity('a', { angular: [0.1, 10, 0.1] });
  const start = simulation.energy().kinetic;
  const { angular } = simulation.momentum();
  const size = Math.hypot(...angular);
  const most = { energy: 0, momentum: 0 };
  for (let n = 0; n < 600; n++) {
    simulation.step();
    const now = simulation.momentum().angular;
    most.energy = Math.max(most.energy, Math.abs(simulation.energy().kinetic / start - 1));
    most.momentum = Math.max(most.momentum, Math.hypot(...now.map((x, k) => x - angular[k]!)) / size);
  }
  return most;
}

/** Amplitude of a pendulum after 20 s that began with 30°, degrees. */
export function measureAmplitude([formulation, coordinates, integrator]: Choice): number {
  const simulation = simulate(
    formulation,
    {
      options: { timestep: STEP, integrator, disable: ['contact'] },
      bodies: [
        {
          name: 'a',
          position: [0, 0, 2],
          joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 1, 0] }],
          shapes: [
            { kind: 'capsule', radius: 0.03, halfLength: 0.47, position: tilted(0.5), orientation: TILT, mass: 1 },
          ],
        },
      ],
    },
    coordinates,
  );
  let most = 0;
  for (let n = 0; n < 1200; n++) {
    simulation.step();
    // the scene is written at 30°: the joint counts from there
    if (n >= 1080) most = Math.max(most, Math.abs((simulation.jointPosition('pivot') * 180) / Math.PI - 30));
  }
  return most;
}

const ANGLE = Math.PI / 6;
const TILT: [number, number, number, number] = [Math.cos(ANGLE / 2), 0, -Math.sin(ANGLE / 2), 0];

// a point below the pivot, turned by 30°
function tilted(length: number): [number, number, number] {
  return [length * Math.sin(ANGLE), 0, -length * Math.cos(ANGLE)];
}

/** Observed order on a pendulum on a ball joint. */
export function measureOrder(choice: Choice): number {
  const truth = swing(['mujoco', 'joint', 'rkmk4'], 2e-4);
  const distance = (end: readonly number[]): number => Math.hypot(...end.map((value, k) => value - truth[k]!));
  return Math.log2(distance(swing(choice, 0.01)) / distance(swing(choice, 0.005)));
}

// where the body is and how it is turned after 0.4 s
function swing([formulation, coordinates, integrator]: Choice, timestep: number): readonly number[] {
  const moments = [0.02, 0.03, 0.01] as [number, number, number];
  const simulation: Simulation = simulate(
    formulation,
    {
      options: { timestep, integrator, ...FINE },
      bodies: [
        {
          name: 'a',
          joints: [{ kind: 'ball' }],
          inertia: { kind: 'principal', mass: 1, center: [0.1, 0.05, -0.5], moments },
        },
      ],
    },
    coordinates,
  );
  const spin: [number, number, number] = [2, -3, 1];
  if (coordinates === 'joint') simulation.state.velocity.set(spin);
  else simulation.setVelocity('a', { linear: [0, 0, 0], angular: spin });
  simulation.step(Math.round(0.4 / timestep));
  return simulation.pose('a').orientation;
}

/** The table. */
export function formatIntegrators(): string {
  const rows = CHOICES.map((choice) => {
    const { energy, momentum } = measureTumbling(choice);
    const solves = SOLVES[choice[2]] ?? 1;
    const numbers = [energy, momentum].map((value) => (value < 1e-10 ? '0' : value.toPrecision(2)));
    return [
      ...choice,
      ...numbers,
      measureAmplitude(choice).toFixed(1),
      measureOrder(choice).toFixed(1),
      String(solves),
    ];
  });
  const headings = [
    'formulation',
    'coordinates',
    'integrator',
    'energy',
    'angular momentum',
    'pendulum, degrees',
    'order',
    'solves',
  ];
  return `## Integrators

What each integrator keeps. _Energy_ and _angular momentum_: largest relative change of a tumbling box without torques, 10 s at 1/60 s; 0 stands for round-off. _Pendulum_: amplitude
after 20 s at 1/60 s, 30° at the start. _Order_: observed on a spherical pendulum. _Solves_: minimisations per step.

${formatMarkdownTable(headings, rows, (column) => column > 2)}`;
}
