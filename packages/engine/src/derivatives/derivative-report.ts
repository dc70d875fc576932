/**
 * What a derivative is worth: how well the step was solved, in which modes its contacts and limits are, and how far the nearest change of
 * mode is. Beyond it another derivative holds; at it there are two.
 *   margin   least change of velocity at a contact or limit, m/s or rad/s, that opens, closes, sticks or slides one
 * The laws of contact and limit are projections of −y/R: y_n decides whether a contact is open, and in the cone law with
 * N = μ y_n, T = |μ_k y_k| the borders are N = μ T and μ N + T = 0 (objective/laws/friction-cone.ts).
 */
import type { SolveStatus } from '../formulation/solve-status.ts';
import { JOINT, type Model } from '../model/model.ts';
import { CONSTRAINT_LAW, type ConvexProblem, LAGGED_WIDTH, SOURCE, ZONE } from '../objective/convex-problem.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { Simulation } from '../simulation.ts';

/** Contacts and limits by mode. */
export interface ModeCounts {
  open: number;
  stick: number;
  slide: number;
  /** Limits of joints and tendons that push. */
  limit: number;
}

/** The entry of a Jacobian that differs most from its centred difference. */
export interface DerivativeCheck {
  /** Difference over √(largest entry of its row · largest of its column), or over the least size that differences can show, without unit. */
  error: number;
  /** Row and column where it is. */
  row: string;
  column: string;
  /** The entry, and the difference. */
  value: number;
  difference: number;
  /**
   * Most by which differences of two lengths are apart, in the same measure, where a second look was needed (derivative-check.ts): what an
   * error below it says of the derivative.
   */
  doubt: number;
}

/** How far a derivative can be trusted. */
export interface DerivativeReport {
  /** How derivatives were taken. */
  method: 'implicit' | 'difference';
  /** How the tightened solve of the step ended. */
  status: SolveStatus;
  /** Whether it met its tolerance, or went down to round-off. */
  isConverged: boolean;
  /** What it left, in the measure of the formulation. */
  residual: number;
  /** Contacts and limits by mode. */
  modes: ModeCounts;
  /** Least change of velocity that changes a mode, m/s or rad/s; Infinity where there is none. */
  margin: number;
  /** Inputs along which the step has a kink here: their entries are the mean of both sides. */
  kinks: string[];
  /** Those among them along which the step itself jumps: their entries are the slopes beside the jump. */
  jumps: string[];
  /** Estimate of the condition of the matrix that was solved with; undefined where it is not known, and of rollouts. */
  condition: number | undefined;
  /** What the formulation, or an option of the derivative, makes smooth or soft, in words. */
  smoothing: readonly string[];
  /** Why derivatives are differences of whole steps where the implicit function theorem was asked for. */
  reason: string | undefined;
  /** Parameters that the formulation never reads: their derivatives are zero for that reason. */
  unread: string[];
  /** Other parameters without effect in this step, such as the friction of bodies that touch nothing. */
  withoutEffect: string[];
  /** With `check`: the entry that differs most from centred differences. */
  check: DerivativeCheck | undefined;
}

/** Rows whose force has a bound to both sides. */
const CLAMPED: ReadonlySet<number> = new Set([SOURCE.dofFriction, SOURCE.tendonFriction, SOURCE.drive]);

/** Modes and margin of the last step of a simulation: of its contacts and limits. */
export function readModes(simulation: Simulation): { modes: ModeCounts; margin: number } {
  const modes: ModeCounts = { open: 0, stick: 0, slide: 0, limit: 0 };
  const { solvedContacts: contacts, formulation, model } = simulation;
  for (let i = 0; i < contacts.count; i++) modes[(['open', 'stick', 'slide'] as const)[contacts.mode[i]]]++;
  const { problem } = formulation;
  if (!problem) return { modes, margin: Infinity };
  // rows of accelerations change velocities by h times as much
  const { unknown } = findFormulation(model.options.formulation);
  const scale = unknown === 'acceleration' ? model.options.timestep : 1;
  const own = formulation.held?.margin;
  let margin = own ?? Infinity;
  margin = Math.min(margin, measureLimitMargin(simulation, problem));
  if (own === undefined) margin = Math.min(margin, measureGapMargin(simulation, problem));
  for (let b = 0; b < problem.blockCount; b++) {
    const source = problem.source[b];
    const first = problem.rows.rowStart[b];
    if (source === SOURCE.jointLimit || source === SOURCE.tendonLimit) {
      const isPushing = problem.data.force[first] > 0;
      if (isPushing) modes.limit++;
      // rigid limits that push have no residual
      if (own === undefined || !isPushing) margin = Math.min(margin, scale * Math.abs(problem.data.residual[first]));
    } else if (source === SOURCE.contact && own === undefined)
      margin = Math.min(margin, scale * measureContactMargin(problem, b, first));
  }
  return { modes, margin };
}

/** Least change of velocity at which dry friction begins to slide or to stick, or a servo reaches or leaves its largest force, m/s or rad/s. */
export function measureClampMargin({ formulation, model }: Simulation): number {
  const { problem } = formulation;
  if (!problem) return Infinity;
  const { source, rows, regularization, low, high } = problem;
  const { residual, force } = problem.data;
  const { unknown } = findFormulation(model.options.formulation);
  const scale = unknown === 'acceleration' ? model.options.timestep : 1;
  let least = Infinity;
  for (let b = 0; b < problem.blockCount; b++) {
    if (!CLAMPED.has(source[b])) continue;
    // f = clamp(−y/R, low, high) has its borders at y = −R low and −R high (objective/laws/spring.ts)
    for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++)
      for (const bound of [low[r], high[r]]) {
        if (!Number.isFinite(bound)) continue;
        // without R what sticks has y = 0, and lets go where its force has changed enough
        const isStuck = regularization[r] === 0 && force[r] > low[r] && force[r] < high[r];
        const way = isStuck
          ? measureGain(problem, b, model) * (bound - force[r])
          : residual[r] + regularization[r] * bound;
        least = Math.min(least, scale * Math.abs(way));
      }
  }
  return least;
}

// about how much velocity along a row of its own its impulse makes: J² over the diagonal of A
function measureGain({ rows, metric }: ConvexProblem, block: number, { massMatrix }: Model): number {
  let gain = 0;
  for (let k = 0; k < rows.columnCount[block]; k++) {
    const dof = rows.column[rows.columnStart[block] + k];
    gain += rows.value[rows.valueStart[block] + k] ** 2 / metric[massMatrix.rowStart[dof + 1] - 1];
  }
  return gain;
}

// limits without a row push as soon as their joint has gone the distance
function measureLimitMargin({ model, state }: Simulation, { source, sourceIndex, blockCount }: ConvexProblem): number {
  const { joint, options } = model;
  const hasRow = new Set<number>();
  for (let b = 0; b < blockCount; b++) if (source[b] === SOURCE.jointLimit) hasRow.add(sourceIndex[b]);
  let least = Infinity;
  for (let j = 0; j < model.size.joint; j++) {
    if (joint.limited[j] === 0 || hasRow.has(j) || (joint.kind[j] !== JOINT.hinge && joint.kind[j] !== JOINT.slide))
      continue;
    const q = state.position[joint.positionStart[j]];
    const distance = Math.min(q - joint.range[2 * j], joint.range[2 * j + 1] - q) - joint.margin[j];
    least = Math.min(least, Math.abs(distance) / options.timestep);
  }
  return least;
}

// contacts without a row, as of bodies that touch exactly, push as soon as their shapes have gone the gap
function measureGapMargin({ model, solvedContacts: contacts }: Simulation, problem: ConvexProblem): number {
  const { source, sourceIndex, blockCount } = problem;
  let least = Infinity;
  let b = 0;
  for (let i = 0; i < contacts.count; i++) {
    // rows of contacts are in the order of the contacts
    while (b < blockCount && (source[b] !== SOURCE.contact || sourceIndex[b] < i)) b++;
    if (b < blockCount && sourceIndex[b] === i) continue;
    const gap = Math.min(Math.abs(contacts.gap[i]), Math.abs(contacts.gap[i] - contacts.margin[i]));
    least = Math.min(least, gap / model.options.timestep);
  }
  return least;
}

function measureContactMargin(problem: ConvexProblem, block: number, first: number): number {
  const { law, friction, rows, low, high } = problem;
  const { residual, zone } = problem.data;
  const end = rows.rowStart[block + 1];
  if (law[block] === CONSTRAINT_LAW.pyramid) {
    // edges y_n ± μ_k y_k open and close
    let least = Infinity;
    for (let r = first + 1; r < end; r++) {
      const side = friction[r] * residual[r];
      const edge = Math.min(Math.abs(residual[first] + side), Math.abs(residual[first] - side));
      least = Math.min(least, edge / Math.sqrt(1 + friction[r] * friction[r]));
    }
    return least;
  }
  if (law[block] === CONSTRAINT_LAW.lagged) return measureLaggedMargin(problem, block, residual[first]);
  if (law[block] !== CONSTRAINT_LAW.cone || !(friction[first] > 0)) {
    let least = Infinity;
    // rows of a given force have no border
    for (let r = first; r < end; r++) if (low[r] !== high[r]) least = Math.min(least, Math.abs(residual[r]));
    return least;
  }
  const mu = friction[first];
  const normal = mu * residual[first];
  let square = 0;
  for (let r = first + 1; r < end; r++) square += (friction[r] * residual[r]) ** 2;
  const tangent = Math.sqrt(square);
  const open = Math.abs(normal - mu * tangent) / (mu * Math.sqrt(1 + mu * mu));
  const slide = Math.abs(mu * normal + tangent) / Math.sqrt(mu ** 4 + mu * mu);
  return zone[first] === ZONE.open ? open : zone[first] === ZONE.slide ? Math.min(open, slide) : slide;
}

// n(v) = h (f₀ − h k v)₊ (1 − d v)₊ has two borders; friction is smooth (objective/laws/lagged-friction.ts)
function measureLaggedMargin({ lagged }: ConvexProblem, block: number, speed: number): number {
  const [h, k, force, d] = lagged.subarray(LAGGED_WIDTH * block);
  const open = k > 0 ? Math.abs(speed - force / (h * k)) : Infinity;
  return Math.min(open, d > 0 ? Math.abs(speed - 1 / d) : Infinity);
}
