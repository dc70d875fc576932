/** The worst error of a derivative of a step for everything that it may hold, alone, under every formulation. */
import type { BuiltInFormulationId, Simulation } from '@nexdyn/engine';
import { linearize } from '@nexdyn/engine/derivatives';
import { formatMarkdownTable } from '../../markdown-table.ts';
import { simulate, takeStep } from '../case-scene.ts';
import { ALL, type ComparedFormulation } from '../validation-case.ts';
import { type DerivativeKind, SINGLE_KINDS } from './derivative-kinds.ts';
import { PAIR_KINDS } from './shape-pairs.ts';

export const DERIVATIVE_KINDS: Readonly<Record<string, DerivativeKind>> = { ...SINGLE_KINDS, ...PAIR_KINDS };
export const DERIVATIVE_FORMULATIONS: readonly BuiltInFormulationId[] = [...ALL, 'penalty'];

/** Largest error of an entry, in shares of the sizes of its row and column: of central differences of a solve at round-off. */
export const TOLERANCE = 1e-6;

/** Why an entry of the table may be above the tolerance, by kind and formulation. */
export const EXPLAINED: Readonly<Record<string, string>> = {
  'ellipsoid on field penalty':
    'the search for the deepest point on a signed-distance field ends after 14 steps, here 1e-5 m before its end: its rest changes with the pose',
};

/** Most steps until two shapes touch. */
const MOST_STEPS = 300;

/** Largest relative error of A, B and F; not a number where the step has differences alone. */
export function measureError(formulation: BuiltInFormulationId, { parts, when }: DerivativeKind): number {
  const simulation = simulate(formulation as ComparedFormulation, {
    ...parts,
    options: { timestep: 0.004, ipc: { frictionPasses: 1 }, ...(when === 'touch' && { gravity: [0, 0, 0] }) },
  });
  const { velocity, softVelocity, control } = simulation.state;
  for (let i = 0; i < softVelocity.length; i++) softVelocity[i] = 0.05 * Math.sin(i);
  control.fill(0.7);
  if (when === undefined) {
    const isFree = parts.shapes !== undefined;
    for (let i = 0; i < velocity.length; i++)
      velocity[i] = isFree ? [0.6, 0.3, -0.05, 0.2, 0.3, 0.1][i]! : 0.8 * Math.sin(2 + 3 * i);
  }
  if (when === 'touch') fallUntilTouch(simulation);
  else simulation.step(when ?? 2);
  const { method, check } = linearize(simulation, { check: true, inputs: ['state', 'control', 'appliedForce'] }).report;
  return method === 'implicit' ? check!.error : Number.NaN;
}

// the last body, onto what is below
function fallUntilTouch(simulation: Simulation): void {
  const { velocity } = simulation.state;
  velocity.set([0.05, 0.03, -0.4, 0.2, 0.3, 0.1], velocity.length - 6);
  for (let n = 0; n < MOST_STEPS; n++) {
    takeStep(simulation);
    const { force, count } = simulation.solvedContacts;
    if (force.subarray(0, 6 * count).some((value) => value !== 0)) return;
  }
  throw new Error('nothing touches');
}

/** The cells of a kind; adds what is to be said of them to `notes`. */
export function formatKind(name: string, notes: string[]): string[] {
  const kind = DERIVATIVE_KINDS[name]!;
  const cells = DERIVATIVE_FORMULATIONS.map((formulation) => {
    const error = measureError(formulation, kind);
    if (Number.isNaN(error)) return '–';
    if (error <= TOLERANCE) return error.toExponential(1);
    const why = EXPLAINED[`${name} ${formulation}`];
    notes.push(`- ${name}, \`${formulation}\`: ${why ?? 'not explained'}.`);
    return `**${error.toExponential(1)}**`;
  });
  return [name, kind.title, ...cells];
}

/** One row per kind, one column per formulation. */
export function formatDerivatives(): string {
  const notes: string[] = [];
  const rows = Object.keys(DERIVATIVE_KINDS).map((name) => formatKind(name, notes));
  const above = notes.length > 0 ? `\nAbove 1e-6:\n\n${notes.join('\n')}\n` : '';
  return `## Derivatives by kind

Largest relative error of an entry of A, B and F, each kind alone, by the implicit function theorem against centred differences of fourth order of whole steps solved to
round-off. Rounding of these differences is about 1e-7 under \`ipc\`, whose velocities are differences of positions, and 1e-9 elsewhere; the target is 1e-6. Shapes hit each other
in a general pose, without weight. A dash is a step that is no single minimum, as \`report.reason\` says: it has differences alone, and nothing to compare.

${formatMarkdownTable(['kind', 'what moves', ...DERIVATIVE_FORMULATIONS], rows)}${above}`;
}
