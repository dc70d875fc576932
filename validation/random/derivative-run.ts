/**
 * Derivatives of one step of a random scene, with a drop and some steps before it: every entry against centred differences of whole steps
 * (`check`), the reverse product against the matrix, and the gradient along itself against the steps of a simulation of its own.
 */
import { type BuiltInFormulationId, compileModel, type Scene, Simulation, wasTaken } from '@nexdyn/engine';
import {
  jvp,
  type Linearization,
  type LinearizeOptions,
  linearize,
  type OutputName,
  vjp,
} from '@nexdyn/engine/derivatives';
import { addExtra, type DerivativeExtra } from './derivative-extras.ts';
import { createDerivativeScene, type DerivativeKind } from './derivative-scene.ts';
import { createRandom } from './random-scene.ts';

export interface DerivativeRun {
  seed: number;
  kind: DerivativeKind;
  formulation: BuiltInFormulationId;
  extra?: DerivativeExtra;
  /** Why there is nothing to see, where that is so. */
  skipped?: string;
  method?: string;
  reason?: string;
  status?: string;
  error: number;
  doubt: number;
  row?: string;
  column?: string;
  value?: number;
  difference?: number;
  margin: number;
  kinks: number;
  /** Difference of forward and reverse, as a share. */
  reverse: number;
  /** Slope along the gradient of a random sum over its square, less one; 0 where differences along it lie on a kink. */
  along: number;
  contacts: number;
  seconds: number;
}

const OUTPUTS: readonly OutputName[] = [
  'contactForces',
  'jointForces',
  'sensors',
  'energy',
  'termEnergies',
  'momentum',
];

/** Numbers of a scene by path, those that change what it does smoothly. */
function listParameters(scene: Scene, formulation: string): string[] {
  const out: string[] = ['gravity.0', 'gravity.2'];
  const walk = (path: string, value: unknown): void => {
    if (typeof value === 'number') out.push(path);
    else if (Array.isArray(value)) {
      if (value.length <= 6 && value.every((entry) => typeof entry === 'number'))
        out.push(...value.map((_, k) => `${path}.${k}`));
    } else if (value !== null && typeof value === 'object')
      for (const [key, entry] of Object.entries(value)) if (!LEFT_OUT.has(key)) walk(`${path}.${key}`, entry);
  };
  const bodies = (list: readonly object[] | undefined): void => {
    for (const body of (list ?? []) as Record<string, unknown>[]) {
      out.push(`bodies.${body['name']}.mass`);
      for (const field of ['position', 'orientation', 'gravityCompensation'])
        walk(`bodies.${body['name']}.${field}`, body[field]);
      for (const kind of ['shapes', 'joints', 'sites'])
        for (const item of (body[kind] ?? []) as { name: string }[]) walk(`${kind}.${item.name}`, item);
      bodies(body['bodies'] as object[]);
    }
  };
  bodies(scene.bodies);
  for (const kind of [
    'shapes',
    'actuators',
    'tendons',
    'equalities',
    'materials',
    'softBodies',
    'sites',
    'terms',
  ] as const)
    for (const item of (scene[kind] ?? []) as { name?: string }[]) {
      // a step knows vertices, not where they began
      const { position: _, orientation: __, ...soft } = item as Record<string, unknown>;
      walk(`${kind}.${item.name}`, kind === 'softBodies' ? soft : item);
    }
  walk(formulation, (scene.options as Record<string, unknown>)[formulation] ?? {});
  return out;
}

/** Of an entry, in shares of its row and column; of a product, in shares of the largest; margin of a change of mode, m/s or rad/s. */
const ERROR_BOUND = 1e-6;
const REVERSE_BOUND = 1e-12;
/** The same of soft bodies: rows of the matrix and their sum are solves of their own, with stiff matrices. */
const SOFT_REVERSE_BOUND = 1e-10;
const NEAR_MODE = 1e-5;
/** Length of differences along a direction, of its largest number. */
const DIFFERENCE = 2e-7;
/** How much more than the differences of two lengths among themselves an entry may differ from the nearer one: both may err to one side. */
const DOUBTED = 2;

const LEFT_OUT = new Set([
  'mesh',
  'name',
  'kind',
  'vertices',
  'pinned',
  'driven',
  'attachments',
  'terms',
  'path',
  'activation',
  'transmission',
]);

/** Puts a scene into motion: what falls falls until something touches, and some steps more. */
function prepare(simulation: Simulation, kind: DerivativeKind, seed: number): string | undefined {
  const random = createRandom(seed + 7919);
  const { state, model } = simulation;
  const { velocity, softVelocity, control, activation } = state;
  for (let i = 0; i < velocity.length; i++) velocity[i] = 0.6 * (random() - 0.5);
  for (let i = 0; i < softVelocity.length; i++) softVelocity[i] = 0.1 * (random() - 0.5);
  for (let i = 0; i < control.length; i++) control[i] = 0.2 + 0.5 * random();
  for (let i = 0; i < activation.length; i++) activation[i] = 0.2 + 0.3 * random();
  if (kind === 'pair') velocity[velocity.length - 4] = -1;
  const most = kind === 'tree' ? 2 + Math.floor(40 * random()) : Math.ceil(0.7 / model.options.timestep);
  const more = Math.floor(6 * random());
  let left = most;
  while (left > 0) {
    const { status } = simulation.step();
    if (!wasTaken(status)) return status;
    left--;
    if (kind !== 'tree' && pushes(simulation)) left = Math.min(left, more);
  }
  // nothing is at rest exactly
  for (let i = 0; i < velocity.length; i++) velocity[i]! += 0.02 * (random() - 0.5);
  for (let i = 0; i < softVelocity.length; i++) if (softVelocity[i] !== 0) softVelocity[i]! += 0.02 * (random() - 0.5);
  return undefined;
}

function pushes({ solvedContacts: { force, count } }: Simulation): boolean {
  return force.subarray(0, 6 * count).some((value) => value !== 0);
}

/** What is wrong with a run, in words. At a change of mode, derivatives have two sides; differences that do not agree with themselves say nothing. */
export function findDerivativeFault(run: DerivativeRun): string | undefined {
  const { seed, kind, formulation, extra, error, doubt, margin, kinks, reverse, row, column, value, difference } = run;
  const name = `scene ${seed} (${kind}, ${formulation}${extra ? `, ${extra}` : ''})`;
  if (!(reverse <= (kind === 'soft' ? SOFT_REVERSE_BOUND : REVERSE_BOUND)))
    return `${name}: forward and reverse differ by ${reverse}`;
  if (run.skipped !== undefined || kinks > 0 || margin < NEAR_MODE) return undefined;
  if (!(run.along <= Math.max(ERROR_BOUND, DOUBTED * doubt)))
    return `${name}: along its gradient it differs by ${run.along}, doubt ${doubt}`;
  if (error <= Math.max(ERROR_BOUND, DOUBTED * doubt)) return undefined;
  return `${name}: ${row} by ${column} is ${value}, differences ${difference}: ${error}, doubt ${doubt}`;
}

export function runDerivatives(
  seed: number,
  kind: DerivativeKind,
  formulation: BuiltInFormulationId,
  extra?: DerivativeExtra,
): DerivativeRun {
  const run: DerivativeRun = {
    seed,
    kind,
    formulation,
    ...(extra && { extra }),
    error: 0,
    doubt: 0,
    margin: 0,
    kinks: 0,
    reverse: 0,
    along: 0,
    contacts: 0,
    seconds: 0,
  };
  const start = process.cpuUsage().user;
  const plain = createDerivativeScene(seed, kind);
  const scene = extra ? addExtra(plain, extra, seed) : plain;
  const random = createRandom(seed + 104729);
  const simulation = new Simulation(compileModel(scene, { formulation }));
  const unprepared = prepare(simulation, kind, seed);
  if (unprepared) return { ...run, skipped: unprepared };
  run.contacts = simulation.solvedContacts.count;
  const paths = chooseSome(listParameters(scene, formulation), 4, random);
  const outputs = OUTPUTS.filter(() => random() < 0.3);
  const linear = linearize(simulation, {
    inputs: ['state', 'control', 'appliedForce', ...paths],
    outputs,
    check: true,
  });
  const { report } = linear;
  const check = report.check!;
  Object.assign(run, {
    method: report.method,
    reason: report.reason,
    status: report.status,
    error: check.error,
    doubt: check.doubt,
    row: check.row,
    column: check.column,
    value: check.value,
    difference: check.difference,
    margin: report.margin,
    kinks: report.kinks.length,
    reverse: compareReverse(simulation, linear, { inputs: ['state', 'control', ...paths], outputs }, random),
    along: compareAlong(simulation, random),
    seconds: (process.cpuUsage().user - start) / 1e6,
  });
  return run;
}

function chooseSome<T>(list: readonly T[], count: number, random: () => number): T[] {
  return list
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item);
}

// the gradient of a sum over the next state, along itself, by whole steps
function compareAlong(simulation: Simulation, random: () => number): number {
  const { velocity, softVertex, activation } = simulation.model.size;
  const state = Float64Array.from({ length: 2 * velocity + 6 * softVertex + activation }, () => random() - 0.5);
  const gradient = vjp(simulation, { state });
  const along = jvp(simulation, { state: gradient.state }, { method: 'difference' });
  if (along.report.kinks.length > 0) return 0;
  const slope = along.state.reduce((sum, value, i) => sum + value * state[i]!, 0);
  const square = gradient.state.reduce((sum, value) => sum + value * value, 0);
  // what rounding of positions leaves over the length of the differences, and over h where velocities are differences of positions
  const { formulation, timestep } = simulation.model.options;
  const over = formulation === 'ipc' || formulation === 'ccp' ? timestep : 1;
  const largest = gradient.state.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const weight = state.reduce((sum, value) => sum + Math.abs(value), 0);
  const rounding = (4 * Number.EPSILON * weight * largest) / (over * DIFFERENCE);
  return Math.max(0, Math.abs(slope - square) - rounding) / square;
}

// λᵀ J by the matrix and by a reverse product
function compareReverse(
  simulation: Simulation,
  linear: Linearization,
  options: LinearizeOptions,
  random: () => number,
): number {
  const { A, B, P, C, D, E, size, names, outputs } = linear;
  const cotangent = {
    state: Float64Array.from({ length: size }, () => random() - 0.5),
    outputs: Float64Array.from({ length: outputs.length }, () => random() - 0.5),
  };
  const gradient = vjp(simulation, cotangent, options);
  let worst = 0;
  let largest = 0;
  const compare = (above: Float64Array, below: Float64Array, columns: number, other: (c: number) => number): void => {
    for (let c = 0; c < columns; c++) {
      let sum = 0;
      let scale = 0;
      const add = (matrix: Float64Array, weight: Float64Array): void => {
        for (let r = 0; r < weight.length; r++) {
          sum += weight[r]! * matrix[r * columns + c]!;
          scale += Math.abs(weight[r]! * matrix[r * columns + c]!);
        }
      };
      add(above, cotangent.state);
      add(below, cotangent.outputs);
      worst = Math.max(worst, Math.abs(sum - other(c)));
      largest = Math.max(largest, scale);
    }
  };
  compare(A, C, size, (c) => gradient.state[c]!);
  compare(B, D, names.control.length, (c) => gradient.control[c]!);
  compare(P, E, names.parameter.length, (c) => gradient.parameters[names.parameter[c]!]!);
  return worst / largest;
}
