/**
 * Parameters of a scene from a recorded motion, by Gauss-Newton with damping (Levenberg-Marquardt) and bounds:
 *   minimise ½ Σ_k |q_k(θ) ⊖ q_k|²,   (Jᵀ J + λ D) δθ = −Jᵀ r
 * q_k(θ) positions of the simulation at the recorded times, on the tangent space, from the first recorded state. J by centred differences
 * of whole runs, over wider ones where a step gains far less than they promised. Beside a minimum it looks for a better place, since contacts that come
 * and go make many of them. At the end the curvature Jᵀ J says what the data can tell: σ² (Jᵀ J)⁻¹ is the covariance of θ, with σ² the mean square of
 * the residual, and directions of θ along which it vanishes are combinations that the data cannot tell apart.
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), section 10.3.
 */
import { NexdynError } from '../error.ts';
import { solveSmallSystem } from '../linear-algebra/small-system.ts';
import type { Simulation } from '../simulation.ts';
import { findEigenvectors } from './eigenvectors.ts';
import type { Parameter } from './parameter.ts';
import { type RecordedMotion, RecordedRun, scaleOf } from './recorded-run.ts';
import { resolveInputs } from './step-inputs.ts';

/** Singular value, as a share of the largest, below which a combination cannot be told. */
const BLIND = 1e-6;
/** Normal distribution: 95 % lie within. */
const CONFIDENCE = 1.96;
const MOST_TRIALS = 12;
/** Shares of a parameter over which differences are taken where those at a point mislead, one after the other. */
const WIDER = [1e-4, 1e-3, 1e-2];
/** Share of the promised decrease below which a Jacobian has misled, and the relative decrease that is worth a look. */
const MISLED = 0.25;
const WORTH = 1e-4;
/** How often a fit goes on from a better place beside its minimum, how far it looks, in shares of a parameter, and what is better. */
const MOST_ROUNDS = 8;
const AROUND = [0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001].flatMap((share) => [-share, share]);
const NOTABLE = 0.99;
/** Residual, as a share of that of the start, from which on nothing is left to gain. */
const FITTED = 1e-6;
/** A share of a parameter that moves a run, shares of which only rounding sees, and how many times more the first must move it. */
const VISIBLE = 1e-2;
const INVISIBLE = [1e-11, -1e-11, 1e-10];
const NOISE = 100;
const UNBOUNDED: readonly [number, number] = [-Infinity, Infinity];

/** How parameters are fitted. */
export interface FitOptions {
  /** Paths, as in `bodies.cube.mass`. */
  parameters: readonly string[];
  data: RecordedMotion;
  /** Lower and upper bound by path. Default: what the scene allows. */
  bounds?: Readonly<Record<string, readonly [number, number]>>;
  /** Largest number of iterations. Default: 30. */
  iterations?: number;
  /** Relative change of all parameters at which to stop. Default: 1e-9. */
  tolerance?: number;
}

/** A parameter after the fit. */
export interface FittedParameter {
  readonly path: string;
  readonly start: number;
  readonly value: number;
  /** Standard error; Infinity where the data cannot tell. */
  readonly error: number;
  /** In which it lies with 95 % probability, if residuals are noise. */
  readonly interval: readonly [number, number];
  /** Whether it stands at one of its bounds. */
  readonly isAtBound: boolean;
}

/** What a fit has found. */
export interface Fit {
  readonly parameters: readonly FittedParameter[];
  readonly isConverged: boolean;
  readonly iterations: number;
  /** Root mean square of the residual before and after, m and rad. */
  readonly rmsBefore: number;
  readonly rms: number;
  /**
   * Correlation of the residuals of neighbouring frames, −1 to 1: near 0 of noise. Near 1 the model does not follow the data at these values, and
   * intervals are far too narrow.
   */
  readonly pattern: number;
  /** Combinations of relative changes of parameters that the data cannot tell, by path. */
  readonly blind: readonly Readonly<Record<string, number>>[];
  /** Ratio of the largest and smallest singular value in relative changes. */
  readonly condition: number;
  /** Combinations of relative changes, the best known first: shares by path, and the standard error, Infinity where the data cannot tell. */
  readonly directions: readonly { readonly shares: Readonly<Record<string, number>>; readonly uncertainty: number }[];
  /** Correlation of the errors of two parameters, −1 to 1, in their order. */
  readonly correlation: readonly (readonly number[])[];
  /** Simulated less recorded positions before and after, on the tangent space, frame by frame without the first, m and rad. */
  readonly residualBefore: Float64Array;
  readonly residual: Float64Array;
}

/** Fits parameters to a recorded motion; the simulation gives the scene and stays as it is. */
export function fit(simulation: Simulation, options: FitOptions): Fit {
  const { parameters } = resolveInputs(simulation, options.parameters);
  if (parameters.length === 0) throw new NexdynError('invalid-argument', 'there are no parameters to fit');
  const run = new RecordedRun(simulation, parameters, options.data);
  const bounds = parameters.map(({ path }): readonly [number, number] => options.bounds?.[path] ?? UNBOUNDED);
  const start = Float64Array.from(parameters, ({ value }, i) => clamp(value, bounds[i]));
  let theta: Float64Array = start.slice();
  const first = run.measure(theta);
  if (!first) throw new NexdynError('invalid-argument', 'the run with the parameters of the scene is not finite');
  const before = first.slice();
  let residual: Float64Array = first;
  const { iterations: most = 30, tolerance = 1e-9 } = options;
  const size = simulation.model.size.velocity;
  let damping = 1e-3;
  let iterations = 0;
  let isConverged = false;
  let jacobian = run.differentiate(theta);
  refuseBlind(run, theta, residual, jacobian, parameters);
  let share = 0;
  let rounds = 0;
  let isAtRest = false;
  while (iterations < most) {
    if (isAtRest) {
      const better = rounds++ < MOST_ROUNDS ? lookAround(run, theta, residual, before, bounds) : undefined;
      if (!better) break;
      theta = better.theta;
      residual = better.residual;
      isAtRest = false;
      damping = 1e-3;
      share = 0;
      jacobian = run.differentiate(theta);
    }
    iterations++;
    isConverged = false;
    const now = sumSquares(residual);
    // where nothing is left to gain, a step that would still be short is one of rounding
    const least = now <= FITTED * FITTED * sumSquares(before) ? Math.max(tolerance, FITTED) : tolerance;
    let hasMoved = false;
    let isMisled = false;
    for (let trial = 0; trial < MOST_TRIALS && !hasMoved && !isConverged; trial++) {
      const next = takeStep(theta, jacobian, residual, damping, bounds);
      const change = Math.max(...next.map((value, i) => Math.abs(value - theta[i]) / scaleOf(theta[i])));
      const found = run.measure(next);
      isMisled ||= trial === 0 && gainsLess(theta, next, jacobian, residual, found);
      if (found && sumSquares(found) < now) {
        theta = next;
        residual = found;
        damping = Math.max(0.1 * damping, 1e-12);
        hasMoved = true;
      } else damping *= 10;
      // a step that is this short leads nowhere, up or down
      if (change < least) isConverged = true;
    }
    if (isMisled && share < WIDER.length) {
      // contacts that come and go make the slope at a point another one than that of its surroundings
      isConverged = false;
      jacobian = run.differentiate(theta, WIDER[share++]);
      continue;
    }
    if (hasMoved) {
      // slopes at the point itself as soon as they lead on again: over wider differences a fit converges slowly
      if (!isMisled) share = 0;
      const crawls = isMisled && sumSquares(residual) > NOTABLE * now;
      isAtRest = isConverged || crawls;
      if (!crawls) jacobian = run.differentiate(theta, share > 0 ? WIDER[share - 1] : undefined);
    } else {
      isConverged ||= gradientIsSmall(jacobian, residual);
      isAtRest = true;
    }
  }
  return describeFit(parameters, start, theta, bounds, jacobian, residual, { isConverged, iterations, before, size });
}

/**
 * A place beside a minimum that fits better: where contacts come and go, the sum of squares has many minima, and slopes lead to the nearest.
 * Undefined where there is none, or nothing left to gain.
 */
function lookAround(
  run: RecordedRun,
  theta: Float64Array,
  residual: Float64Array,
  before: Float64Array,
  bounds: readonly (readonly [number, number])[],
): { theta: Float64Array; residual: Float64Array } | undefined {
  if (sumSquares(residual) <= FITTED * FITTED * sumSquares(before)) return undefined;
  let best: { theta: Float64Array; residual: Float64Array } | undefined;
  let least = NOTABLE * sumSquares(residual);
  for (let i = 0; i < theta.length; i++) {
    for (const share of AROUND) {
      const next = theta.slice();
      next[i] = clamp(theta[i] + share * scaleOf(theta[i]), bounds[i]);
      const found = next[i] === theta[i] ? undefined : run.measure(next);
      if (!found || !(sumSquares(found) < least)) continue;
      least = sumSquares(found);
      best = { theta: next, residual: found };
    }
  }
  return best;
}

/** θ + δθ within its bounds; those at a bound that the step would leave are held. */
function takeStep(
  theta: Float64Array,
  jacobian: readonly Float64Array[],
  residual: Float64Array,
  damping: number,
  bounds: readonly (readonly [number, number])[],
): Float64Array {
  const n = theta.length;
  const scale = Float64Array.from(theta, scaleOf);
  const gradient = jacobian.map((column, i) => scale[i] * dot(column, residual));
  const isHeld = gradient.map((slope, i) => (slope > 0 ? theta[i] <= bounds[i][0] : theta[i] >= bounds[i][1]));
  const matrix = new Float64Array(n * n);
  const step = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++)
      matrix[i * n + j] = isHeld[i] || isHeld[j] ? 0 : scale[i] * scale[j] * dot(jacobian[i], jacobian[j]);
    matrix[i * n + i] = isHeld[i] ? 1 : matrix[i * n + i] * (1 + damping) + 1e-300;
    step[i] = isHeld[i] ? 0 : -gradient[i];
  }
  solveSmallSystem(matrix, step, n);
  return theta.map((value, i) => clamp(value + scale[i] * step[i], bounds[i]));
}

/** Whether a step gained far less than the Jacobian promised. */
function gainsLess(
  theta: Float64Array,
  next: Float64Array,
  jacobian: readonly Float64Array[],
  residual: Float64Array,
  found: Float64Array | undefined,
): boolean {
  const promised = residual.slice();
  jacobian.forEach((column, i) => {
    for (let r = 0; r < promised.length; r++) promised[r] += column[r] * (next[i] - theta[i]);
  });
  const now = sumSquares(residual);
  const promise = now - sumSquares(promised);
  return promise > WORTH * now && !(found && now - sumSquares(found) > MISLED * promise);
}

/**
 * A parameter on which no frame depends has no answer: the value of the scene is none. Neither has one by which runs differ as much over a
 * share of it that only rounding sees.
 */
function refuseBlind(
  run: RecordedRun,
  theta: Float64Array,
  residual: Float64Array,
  jacobian: readonly Float64Array[],
  parameters: readonly Parameter[],
): void {
  const isBlind = parameters.map((_, i) => {
    if (jacobian[i].every((entry) => entry === 0)) return true;
    const rounding = INVISIBLE.map((share) => run.measureChange(theta, i, share, residual) ?? 0);
    return (run.measureChange(theta, i, VISIBLE, residual) ?? Infinity) < NOISE * Math.max(...rounding);
  });
  const blind = parameters.filter((_, i) => isBlind[i]);
  if (blind.length === 0) return;
  const names = blind.map(({ path, unread }) => (unread ? `${path} (${unread})` : path)).join(', ');
  throw new NexdynError('invalid-argument', `the recorded motion does not depend on ${names}`, {
    hint: 'leave it out, or record a motion in which it acts',
  });
}

/** How a fit ended; `size`: numbers of a frame. */
interface Ending {
  readonly isConverged: boolean;
  readonly iterations: number;
  readonly before: Float64Array;
  readonly size: number;
}

function measurePattern(residual: Float64Array, size: number): number {
  let sum = 0;
  for (let i = size; i < residual.length; i++) sum += residual[i] * residual[i - size];
  const square = sumSquares(residual);
  return square > 0 ? sum / square : 0;
}

function describeFit(
  parameters: readonly Parameter[],
  start: Float64Array,
  theta: Float64Array,
  bounds: readonly (readonly [number, number])[],
  jacobian: readonly Float64Array[],
  residual: Float64Array,
  { isConverged, iterations, before, size }: Ending,
): Fit {
  const n = theta.length;
  const scale = Float64Array.from(theta, scaleOf);
  const curvature = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) curvature[i * n + j] = scale[i] * scale[j] * dot(jacobian[i], jacobian[j]);
  const { values, vectors } = findEigenvectors(curvature, n);
  const largest = Math.max(...values);
  const variance = sumSquares(residual) / Math.max(1, residual.length - n);
  const isBlind = values.map((value) => !(value > BLIND * BLIND * largest));
  const fitted = parameters.map(({ path }, i): FittedParameter => {
    let sum = 0;
    values.forEach((value, k) => {
      const share = vectors[k][i] * vectors[k][i];
      if (!isBlind[k]) sum += (share * variance) / value;
      else if (share > 1e-6) sum = Infinity;
    });
    const error = scale[i] * Math.sqrt(sum);
    const interval = [theta[i] - CONFIDENCE * error, theta[i] + CONFIDENCE * error] as const;
    const isAtBound = theta[i] <= bounds[i][0] || theta[i] >= bounds[i][1];
    return { path, start: start[i], value: theta[i], error, interval, isAtBound };
  });
  const blind = vectors
    .filter((_, k) => isBlind[k])
    .map((vector) => Object.fromEntries(parameters.map(({ path }, i) => [path, vector[i]])));
  return {
    parameters: fitted,
    isConverged,
    iterations,
    rmsBefore: rootMeanSquare(before),
    rms: rootMeanSquare(residual),
    pattern: measurePattern(residual, size),
    blind,
    condition: Math.sqrt(largest / Math.max(...[Math.min(...values), 1e-300])),
    directions: vectors
      .map((vector, k) => ({
        shares: Object.fromEntries(parameters.map(({ path }, i) => [path, vector[i]])),
        uncertainty: isBlind[k] ? Infinity : Math.sqrt(variance / values[k]),
      }))
      .sort((a, b) => (a.uncertainty === b.uncertainty ? 0 : a.uncertainty - b.uncertainty)),
    correlation: correlate(values, vectors, isBlind, n),
    residualBefore: before,
    residual,
  };
}

/** Of the covariance V Λ⁻¹ Vᵀ; what the data cannot tell counts as very little told. */
function correlate(
  values: readonly number[] | Float64Array,
  vectors: readonly ArrayLike<number>[],
  isBlind: readonly boolean[],
  n: number,
): number[][] {
  const least = Math.max(...values) * BLIND * BLIND;
  const covariance = (i: number, j: number): number => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += (vectors[k][i] * vectors[k][j]) / (isBlind[k] ? least : values[k]);
    return sum;
  };
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (__, j) => covariance(i, j) / Math.sqrt(covariance(i, i) * covariance(j, j))),
  );
}

function gradientIsSmall(jacobian: readonly Float64Array[], residual: Float64Array): boolean {
  const size = Math.sqrt(sumSquares(residual));
  return jacobian.every(
    (column) => Math.abs(dot(column, residual)) <= 1e-6 * size * Math.sqrt(sumSquares(column)) + 1e-300,
  );
}

const clamp = (value: number, [low, high]: readonly [number, number]): number => Math.min(high, Math.max(low, value));
const sumSquares = (vector: Float64Array): number => dot(vector, vector);
const rootMeanSquare = (vector: Float64Array): number => Math.sqrt(sumSquares(vector) / vector.length);

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
