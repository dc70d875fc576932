/**
 * What a comparison of formulations comes to, in sentences: how deep each lets bodies sink in, what it costs, where it creeps, gains energy or stops short,
 * and how far apart the runs end. It also tells which rows of the comparison do not apply to this scene, and whether each formulation has
 * kept what it promises. It knows runs only by their numbers and formulations only by their traits.
 */
import { findFormulation } from '../scene/formulation-table.ts';
import type { MetricName } from './metrics.ts';

/** A run as far as a verdict needs it. */
export interface JudgedRun {
  /** Name of its formulation. */
  readonly formulation: string;
  /** Options of its formulation; those left out are taken to be the defaults. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Worst of all steps; NaN or none where a metric has no meaning. */
  readonly metrics: Readonly<Partial<Record<MetricName, { readonly max: number }>>>;
  /** Steps that were taken. */
  readonly steps: number;
  /** Steps that stopped before their tolerance. */
  readonly unconverged: number;
  /** Time of a step, s. */
  readonly stepTime: number;
  /** Energy at the end less that at the start and less the work that was done on it, J. */
  readonly energyChange: number;
  /** How far its end is from that of the run that all are compared with, m; none for that one. */
  readonly difference?: number | undefined;
}

/** What a formulation promises whatever the scene, and whether a run has kept it. */
export interface Guarantee {
  /** What the formulation promises of its contacts. */
  readonly promise: 'no intersection' | 'exact cone' | 'none';
  /** None where nothing is promised, or nothing touched. */
  readonly isKept: boolean | undefined;
}

/** What matters of several runs of one scene, in sentences. */
export interface Verdict {
  /** The most important first. */
  readonly sentences: readonly string[];
  /** Rows that do not apply here, and why. */
  readonly silent: ReadonlyMap<MetricName, string>;
  /** By the order of the runs. */
  readonly guarantees: readonly Guarantee[];
}

/** Rows about contacts. */
const OF_CONTACT: readonly MetricName[] = [
  'penetration',
  'gap',
  'coneViolation',
  'signorini',
  'signoriniVelocity',
  'dissipationError',
  'coulombComplementarity',
  'coneComplementarity',
  'creep',
  'contacts',
  'normalForce',
];

/** Depth and distance that are round-off, m; slip that nobody sees, m/s. */
const ROUND_OFF = 1e-9;
const LEAST_CREEP = 1e-5;
/** Times that count as the same, and values that count as apart. */
const SAME_COST = 1.4;
const APART = 10;
/** Forces outside a cone by rounding, share of the normal force. */
const CONE_ROUND_OFF = 1e-9;

/** Says what matters of several runs of one scene. */
export function judgeRuns(runs: readonly JudgedRun[]): Verdict {
  if (runs.length === 0) return { sentences: [], silent: new Map(), guarantees: [] };
  const touches = runs.some((run) => worst(run, 'contacts') > 0);
  const silent = listSilent(runs, touches);
  const sentences = [
    ...(touches ? describeDepths(runs) : []),
    ...describeCosts(runs),
    ...(touches ? describeCreep(runs) : []),
    ...describeGain(runs),
    ...describeShortfalls(runs),
    ...describeDistance(runs),
    ...describeSilence(silent, touches),
  ];
  return { sentences, silent, guarantees: runs.map(judgeGuarantee) };
}

/** What a formulation promises, and whether a run has kept it. */
export function judgeGuarantee(run: JudgedRun): Guarantee {
  const { resolves, keepsCone, leastFriction = 0, options } = findFormulation(run.formulation);
  const given = { ...options.defaults(1e-3, {}), ...run.options };
  const hasTouched = worst(run, 'contacts') > 0;
  if (resolves.keepsDistance)
    return { promise: 'no intersection', isKept: hasTouched ? worst(run, 'penetration') === 0 : undefined };
  if (!keepsCone?.(given)) return { promise: 'none', isKept: undefined };
  // a cone without friction is a little wider where the formulation always has some
  const most = Math.max(CONE_ROUND_OFF, leastFriction) * Math.max(1, worst(run, 'normalForce'));
  return { promise: 'exact cone', isKept: hasTouched ? worst(run, 'coneViolation') <= most : undefined };
}

/** As in `7.3 mm`: two digits and a prefix. */
export function formatSize(value: number, unit: string): string {
  const size = Math.abs(value);
  if (!(size > 0)) return `0 ${unit}`;
  const [factor, prefix] = PREFIXES.find(([least]) => size >= 0.9995 * least) ?? PREFIXES.at(-1)!;
  return `${Number((value / factor).toPrecision(2))} ${prefix}${unit}`;
}

const PREFIXES = [
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
  [1e-12, 'p'],
] as const;

function worst({ metrics }: JudgedRun, name: MetricName): number {
  const value = metrics[name]?.max ?? Number.NaN;
  return Number.isFinite(value) ? value : 0;
}

function quote({ formulation }: JudgedRun): string {
  return `\`${formulation}\``;
}

/** As in `a, b and c`. */
function join(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function describeDepths(runs: readonly JudgedRun[]): string[] {
  const sinking = runs
    .filter((run) => worst(run, 'penetration') > ROUND_OFF)
    .sort((a, b) => worst(b, 'penetration') - worst(a, 'penetration'));
  const others = runs.filter((run) => !sinking.includes(run));
  const parts = sinking.map((run, i) => {
    const depth = formatSize(worst(run, 'penetration'), 'm');
    return `${quote(run)} ${i === 0 ? 'lets bodies sink by' : 'by'} ${depth}`;
  });
  const rest = others.length > 0 ? `${join(others.map(quote))} ${others.length > 1 ? 'keep' : 'keeps'} them apart` : '';
  if (parts.length === 0) return [`Nothing sinks: ${rest}.`];
  return [`${join(parts)}${rest && `; ${rest}`}.`];
}

function describeCosts(runs: readonly JudgedRun[]): string[] {
  const timed = runs.filter(({ stepTime }) => stepTime > 0).sort((a, b) => a.stepTime - b.stepTime);
  const [fastest, ...others] = timed;
  if (!fastest || others.length === 0) return [];
  const same = others.filter(({ stepTime }) => stepTime < SAME_COST * fastest.stepTime);
  const dearer = others.filter((run) => !same.includes(run));
  const parts = dearer.map((run, i) => {
    const factor = Number((run.stepTime / fastest.stepTime).toPrecision(2));
    return `${quote(run)} ${i === 0 ? 'takes ' : ''}${factor} times${i === 0 ? ' as long' : ''}`;
  });
  const alike = same.length > 0 ? `${join(same.map(quote))} ${same.length > 1 ? 'cost' : 'costs'} about the same` : '';
  const comparison = [alike, join(parts)].filter(Boolean).join('; ');
  return [`A step of ${quote(fastest)} takes ${formatSize(fastest.stepTime, 's')}; ${comparison}.`];
}

function describeCreep(runs: readonly JudgedRun[]): string[] {
  const sorted = [...runs].sort((a, b) => worst(b, 'creep') - worst(a, 'creep'));
  const [most, least] = [sorted[0]!, sorted.at(-1)!];
  const speed = worst(most, 'creep');
  if (speed < LEAST_CREEP || speed < APART * worst(least, 'creep')) return [];
  const rest = worst(least, 'creep') > 0 ? `at ${formatSize(worst(least, 'creep'), 'm/s')}` : 'not at all';
  return [
    `Contacts that should stick creep at up to ${formatSize(speed, 'm/s')} under ${quote(most)}, ${rest} under ${quote(least)}.`,
  ];
}

function describeGain(runs: readonly JudgedRun[]): string[] {
  const scale = Math.max(...runs.map(({ energyChange }) => Math.abs(energyChange)));
  const gaining = runs.filter(({ energyChange }) => energyChange > 1e-9 && energyChange > 1e-3 * scale);
  if (gaining.length === 0) return [];
  const parts = gaining.map((run) => `${quote(run)} creates ${formatSize(run.energyChange, 'J')}`);
  return [`${join(parts)} from nothing.`];
}

function describeShortfalls(runs: readonly JudgedRun[]): string[] {
  return runs
    .filter(({ unconverged }) => unconverged > 0)
    .map((run) => `${quote(run)} missed its tolerance in ${run.unconverged} of ${run.steps} steps.`);
}

function describeDistance(runs: readonly JudgedRun[]): string[] {
  // the first that has not diverged
  const first = runs.find(({ difference }) => difference === undefined);
  const others = runs.filter(({ difference }) => difference !== undefined && Number.isFinite(difference));
  if (!first || others.length === 0) return [];
  const farthest = others.reduce((a, b) => (b.difference! > a.difference! ? b : a));
  const nearest = others.reduce((a, b) => (b.difference! < a.difference! ? b : a));
  if (farthest.difference! <= ROUND_OFF) return ['All runs end up in the same place.'];
  const distance = formatSize(farthest.difference!, 'm');
  if (others.length === 1 || farthest.difference! < APART * nearest.difference!)
    return [
      `The other ${others.length === 1 ? 'run ends up' : 'runs end up at most'} ${distance} away from ${quote(first)}.`,
    ];
  const near = formatSize(nearest.difference!, 'm');
  return [`${quote(farthest)} ends up ${distance} away from ${quote(first)}, ${quote(nearest)} ${near}.`];
}

function listSilent(runs: readonly JudgedRun[], touches: boolean): Map<MetricName, string> {
  const silent = new Map<MetricName, string>();
  if (!touches) for (const name of OF_CONTACT) silent.set(name, 'nothing touches');
  const isZero = (name: MetricName): boolean => runs.every((run) => worst(run, name) === 0);
  if (isZero('jointDrift')) silent.set('jointDrift', 'no joint can separate');
  if (isZero('limitViolation')) silent.set('limitViolation', 'no limit is reached');
  if (isZero('iterations')) silent.set('iterations', 'nothing is left to solve');
  silent.set('residual', 'each solver has its own');
  return silent;
}

function describeSilence(silent: ReadonlyMap<MetricName, string>, touches: boolean): string[] {
  // otherwise the rows themselves give the reason
  return touches ? [] : [`Nothing touches, so ${silent.size} rows do not apply.`];
}
