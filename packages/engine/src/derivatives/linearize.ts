/**
 * The step near a state as a linear map on the tangent space (tangent.ts):
 *   δx⁺ = A δx + B δu + P δθ,   δy = C δx + D δu + E δθ
 * x state, u controls, θ parameters, y outputs. The simulation stays as it is: derivatives are taken on a twin.
 */
import { NexdynError } from '../error.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import { suggestSpelling } from '../scene/spelling.ts';
import type { Simulation } from '../simulation.ts';
import { checkJacobian } from './derivative-check.ts';
import { type DerivativeReport, measureClampMargin, readModes } from './derivative-report.ts';
import { checkDistance, type DistanceForce, describeDistance } from './distance-force.ts';
import { checkOutputs, type Output } from './outputs.ts';
import type { StepColumn } from './step-columns.ts';
import { type Input, resolveInputs } from './step-inputs.ts';
import { type Side, StepMap } from './step-map.ts';

/** How derivatives are taken. */
export interface LinearizeOptions {
  /** What they are taken by: `state`, `control`, `appliedForce`, paths of parameters. Default: state and control. */
  inputs?: readonly Input[];
  /** Numbers besides the next state. Default: none. */
  outputs?: readonly Output[];
  /** Implicit function theorem, or centred differences of whole steps. Default: `implicit`. */
  method?: 'implicit' | 'difference';
  /** Whether the result is compared with centred differences, entry by entry. Default: false. */
  check?: boolean;
  /** At a kink: the derivative of one side instead of the mean of both; by differences. Default: centred. */
  side?: Side;
  /** Force between shapes that do not touch yet, in derivatives alone: a gradient exists before touch. Default: none. */
  fromDistance?: DistanceForce;
  /** What becomes of a step whose solve did not converge: a word in the report, or an error. Default: `report`. */
  unconverged?: 'report' | 'error';
}

/** A linear map near a state. Matrices are row-major. */
export interface Linearization {
  /** Numbers of a tangent vector of the state: n. */
  readonly size: number;
  /** ∂state⁺/∂state, n × n. */
  readonly A: Float64Array;
  /**
   * The same with what a step reads of the one before, where its integrator has two steps (`bdf2`), wholeSize × wholeSize: of several steps,
   * these matrices multiply, and their eigenvalues are those of the motion. Elsewhere it is A.
   */
  readonly wholeA: Float64Array;
  /** Rows of `wholeA`. */
  readonly wholeSize: number;
  /** ∂state⁺/∂control, n × controls. */
  readonly B: Float64Array;
  /** ∂state⁺/∂parameters, n × parameters. */
  readonly P: Float64Array;
  /** ∂state⁺/∂applied forces, n × dofs. */
  readonly F: Float64Array;
  /** ∂outputs/∂state, outputs × n. */
  readonly C: Float64Array;
  /** ∂outputs/∂control, outputs × controls. */
  readonly D: Float64Array;
  /** ∂outputs/∂parameters, outputs × parameters. */
  readonly E: Float64Array;
  /** Values of the outputs after the step. */
  readonly outputs: Float64Array;
  /** Names of rows and columns. */
  readonly names: {
    readonly state: readonly string[];
    readonly control: readonly string[];
    readonly parameter: readonly string[];
    readonly output: readonly string[];
  };
  /** Values of the parameters. */
  readonly parameters: Float64Array;
  readonly report: DerivativeReport;
}

/** A Jacobian of a step: rows are the whole state and the outputs; columns state, control, force, parameters. */
export interface StepJacobian {
  readonly map: StepMap;
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
  readonly report: DerivativeReport;
}

/** Derivatives of the next step. */
export function linearize(simulation: Simulation, options: LinearizeOptions = {}): Linearization {
  const map = createStepMap(simulation, options);
  map.wantsCondition = true;
  return readLinearization(evaluateJacobian(map, simulation.snapshot(), options));
}

/** The step map of some options. */
export function createStepMap(simulation: Simulation, options: LinearizeOptions): StepMap {
  const { inputs = ['state', 'control'], outputs = [], method = 'implicit', fromDistance } = options;
  checkOutputs(outputs);
  requireChoice('method', method, ['implicit', 'difference']);
  requireChoice('side', options.side ?? 'centred', ['centred', 'forward', 'backward']);
  requireChoice('unconverged', options.unconverged ?? 'report', ['report', 'error']);
  if (fromDistance) checkDistance(fromDistance);
  return new StepMap(simulation, resolveInputs(simulation, inputs), outputs, method, fromDistance);
}

function requireChoice(path: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  throw new NexdynError('invalid-argument', `there is no ${path} '${value}'`, {
    path,
    hint: suggestSpelling(value, known, 'there are'),
  });
}

/** The whole Jacobian of the step from a snapshot. */
export function evaluateJacobian(map: StepMap, snapshot: Float64Array, options: LinearizeOptions): StepJacobian {
  map.begin(snapshot, options.side);
  const report = createReport(map, options);
  const columns = map.listColumns();
  const values = new Float64Array(map.rows * columns.length);
  const column = new Float64Array(map.rows);
  if (map.isReversible) map.writeRows(values, columns.length);
  const rank = (c: number): number => (map.keepsPositions(columns[c]) ? 0 : 1);
  const order = columns.map((_, c) => c).sort((a, b) => rank(a) - rank(b));
  for (const c of order) {
    const input = columns[c];
    if (map.isReversible && input.kind !== 'parameter') continue;
    map.differentiate(input, column, options.side);
    for (let r = 0; r < map.rows; r++) values[r * columns.length + c] = column[r];
    noteSilence(report, map, input, column);
  }
  report.kinks.push(...map.kinks);
  report.jumps.push(...map.jumps);
  const jacobian = { map, rows: map.rows, columns: columns.length, values, report };
  if (options.check === true) report.check = checkJacobian(jacobian);
  return jacobian;
}

/** Notes parameters whose derivative is zero. */
export function noteSilence(report: DerivativeReport, map: StepMap, input: StepColumn, column: Float64Array): void {
  if (input.kind !== 'parameter' || column.some((entry) => entry !== 0)) return;
  const { unread, path } = map.inputs.parameters[input.index];
  if (unread === undefined) report.withoutEffect.push(path);
  else report.unread.push(`${path}: ${unread}`);
}

/** What is known of the step of a map. */
export function createReport(map: StepMap, { unconverged = 'report' }: LinearizeOptions): DerivativeReport {
  const { twin } = map;
  const { status, residual } = twin.report;
  // at round-off a solve has nothing more to gain
  const isConverged = status === 'converged' || status === 'stalled';
  if (!isConverged && unconverged === 'error') {
    throw new NexdynError('invalid-argument', `the step at ${twin.time} s did not converge: it is ${status}`, {
      hint: `its residual is ${residual}; derivatives of it would be wrong by as much`,
    });
  }
  const { modes, margin } = readModes(twin);
  return {
    method: map.isImplicit ? 'implicit' : 'difference',
    status,
    isConverged,
    residual,
    modes,
    margin: Math.min(margin, measureClampMargin(twin), twin.formulation.held?.sideMargin ?? Infinity),
    kinks: [],
    jumps: [],
    condition: map.wantsCondition ? map.estimateCondition() : undefined,
    smoothing: listSmoothing(map),
    reason: map.reason,
    unread: [],
    withoutEffect: [],
    check: undefined,
  };
}

/** What is said of contacts with signed-distance fields, where their points are not resolved by a barrier. */
const SEARCHED =
  'points on signed-distance fields come from a search of few steps, and derivatives of such contacts may be off by some percent';

function listSmoothing(map: StepMap): string[] {
  const { solvedShapes, model } = map.twin;
  const { options } = model;
  const { smoothing, clearance } = findFormulation(options.formulation);
  const words = [...(smoothing?.(options.formulations[options.formulation]) ?? [])];
  if (options.hasExactEllipsoids) words.push('points of ellipsoids are exact, not those of the search of MuJoCo');
  if (!clearance && solvedShapes.placed.some(({ field }) => field !== undefined)) words.push(SEARCHED);
  if (map.distance) words.push(describeDistance(map.distance));
  return words;
}

/** Cuts a Jacobian into its matrices. */
export function readLinearization({ map, rows, columns, values, report }: StepJacobian): Linearization {
  const { tangent, inputs, outputs } = map;
  const n = tangent.size;
  const from = tangent.wholeSize;
  const cut = (firstRow: number, rowCount: number, firstColumn: number, count: number): Float64Array => {
    const out = new Float64Array(rowCount * count);
    for (let r = 0; r < rowCount; r++) {
      const at = (firstRow + r) * columns + firstColumn;
      out.set(values.subarray(at, at + count), r * count);
    }
    return out;
  };
  const stateColumns = inputs.hasState ? n : 0;
  const control = inputs.hasState ? from : 0;
  const force = control + inputs.controls;
  const parameter = force + inputs.forces;
  const count = inputs.parameters.length;
  const actuators = map.twin.model.actuator.name;
  const A = cut(0, n, 0, stateColumns);
  return {
    size: n,
    A,
    wholeA: from === n ? A : cut(0, from, 0, inputs.hasState ? from : 0),
    wholeSize: from,
    B: cut(0, n, control, inputs.controls),
    F: cut(0, n, force, inputs.forces),
    P: cut(0, n, parameter, count),
    C: cut(from, rows - from, 0, stateColumns),
    D: cut(from, rows - from, control, inputs.controls),
    E: cut(from, rows - from, parameter, count),
    outputs: Float64Array.from(outputs.values),
    names: {
      state: tangent.listNames(),
      control: Array.from({ length: inputs.controls }, (_, i) => `control of ${actuators[i] || i}`),
      parameter: inputs.parameters.map(({ path }) => path),
      output: outputs.names,
    },
    parameters: Float64Array.from(inputs.parameters, ({ value }) => value),
    report,
  };
}
