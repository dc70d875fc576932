/**
 * Parameters of a scene from a recorded motion, by Gauss-Newton with damping (Levenberg-Marquardt) and bounds:
 *   minimise ½ Σ_k |q_k(θ) ⊖ q_k|²,   (Jᵀ J + λ D) δθ = −Jᵀ r
 * q_k(θ) positions of the simulation at the recorded times, on the tangent space, from the first recorded state. J by centred differences
 * of whole runs. At the end the curvature Jᵀ J says what the data can tell: σ² (Jᵀ J)⁻¹ is the covariance of θ, with σ² the mean square of
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
  /** Combinations of relative changes of parameters that the data cannot tell, by path. */
  readonly blind: readonly Readonly<Record<string, number>>[];
  /** Ratio of the largest and smallest singular value in relative changes. */
  readonly condition: number;
}

/** Fits parameters to a recorded motion; the simulation gives the scene and stays as it is. */
export function fit(simulation: Simulation, options: FitOptions): Fit {
  const { parameters } = resolveInputs(simulation, options.parameters);
  if (parameters.length === 0) throw new NexdynError('invalid-argument', 'there are no parameters to fit');
  const run = new RecordedRun(simulation, parameters, options.data);
  const bounds = parameters.map(({ path }): readonly [number, number] => options.bounds?.[path] ?? UNBOUNDED);
  const start = Float64Array.from(parameters, ({ value }, i) => clamp(value, bounds[i]));
  let theta: Float64Array = start.slice();
  let residual = run.measure(theta);
  if (!residual) throw new NexdynError('invalid-argument', 'the run with the parameters of the scene is not finite');
  const before = rootMeanSquare(residual);
  const { iterations: most = 30, tolerance = 1e-9 } = options;
  let damping = 1e-3;
  let iterations = 0;
  let isConverged = false;
  let jacobian = run.differentiate(theta);
  refuseBlind(jacobian, parameters);
  while (iterations < most && !isConverged) {
    iterations++;
    let hasMoved = false;
    for (let trial = 0; trial < MOST_TRIALS && !hasMoved && !isConverged; trial++) {
      const next = takeStep(theta, jacobian, residual, damping, bounds);
      const change = Math.max(...next.map((value, i) => Math.abs(value - theta[i]) / scaleOf(theta[i])));
      const found = run.measure(next);
      if (found && sumSquares(found) < sumSquares(residual)) {
        theta = next;
        residual = found;
        damping = Math.max(0.1 * damping, 1e-12);
        hasMoved = true;
      } else damping *= 10;
      // a step that is this short leads nowhere, up or down
      if (change < tolerance) isConverged = true;
    }
    if (!hasMoved) {
      isConverged ||= gradientIsSmall(jacobian, residual);
      break;
    }
    jacobian = run.differentiate(theta);
  }
  return describeFit(parameters, start, theta, bounds, jacobian, residual, { isConverged, iterations, before });
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

/** A parameter on which no frame depends has no answer: the value of the scene is none. */
function refuseBlind(jacobian: readonly Float64Array[], parameters: readonly Parameter[]): void {
  const blind = parameters.filter((_, i) => jacobian[i].every((entry) => entry === 0));
  if (blind.length === 0) return;
  const names = blind.map(({ path, unread }) => (unread ? `${path} (${unread})` : path)).join(', ');
  throw new NexdynError('invalid-argument', `the recorded motion does not depend on ${names}`, {
    hint: 'leave it out, or record a motion in which it acts',
  });
}

function describeFit(
  parameters: readonly Parameter[],
  start: Float64Array,
  theta: Float64Array,
  bounds: readonly (readonly [number, number])[],
  jacobian: readonly Float64Array[],
  residual: Float64Array,
  { isConverged, iterations, before }: { isConverged: boolean; iterations: number; before: number },
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
    rmsBefore: before,
    rms: rootMeanSquare(residual),
    blind,
    condition: Math.sqrt(largest / Math.max(...[Math.min(...values), 1e-300])),
  };
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
