/**
 * Ties and clamped edges of soft bodies under `ipc`, by augmented Lagrangian:
 *   ψ = λ·C + ½ μ |C|²      after a minimisation λ ← λ + μ C, until |C| is within `jointTolerance`
 *   tie to a rigid body     C = x − p(body), exact at every iterate
 *   tie to a soft body      C = C₀ + Σ Bᵢ (xᵢ − xᵢ₀), linear in the step: B of soft/tie-place.ts at its start
 *   clamp                   C = C₀ + s − s₀ − r t·w, s = r θ of the edge, t its tangent at the start, w the rotation vector of the body since
 * λ in N is the force of the attachment, −λ on the vertex. μ is γ times what resists at the vertex: m/h² and the stiffness of its elements.
 * What the linearisation leaves open is closed in the next step.
 */
import type { Workspace } from '../../../dynamics/workspace.ts';
import { atan2 } from '../../../linear-algebra/elementary.ts';
import type { Model } from '../../../model/model.ts';
import { measureStiffness } from '../../../soft/elastic-energy.ts';
import type { SoftBodies } from '../../../soft/soft-bodies.ts';
import { TiePlace } from '../../../soft/tie-place.ts';
import type { ConstraintImpulses } from '../../../state/constraint-impulses.ts';
import type { State } from '../../../state/state.ts';
import type { Configuration, GradientSink, HessianSink, Term } from '../../../term/term.ts';
import { isBroken } from '../../soft-rows/attachment-rows.ts';
import { measureTurn } from '../../soft-rows/tie-rows.ts';

/** Most that growth may make of γ over the rounds of a step, and the fall of |C| in a round with which γ stays as it is. */
const MOST_GROWTH = 1e4;
const ENOUGH_FALL = 0.1;
/** |C| above which multipliers of the last step mean nothing: bodies were moved by hand; m. */
const MULTIPLIERS_VALID_BELOW = 1e-3;
/** Vertices of a tie at most. */
const MOST = 6;

export class AttachmentTerm implements Term {
  readonly name: string = 'attachments';
  readonly isEmpty: boolean;
  /** Three rows per tie, then one per clamp. */
  readonly #rows: number;
  readonly #model: Model;
  readonly #soft: SoftBodies | undefined;
  readonly #multiplier: Float64Array;
  readonly #penalty: Float64Array;
  readonly #residual: Float64Array;
  /** Per tie and clamp: whether it acts in this step. */
  readonly #isActive: Uint8Array;
  /** Ties at the start of the step: vertices, B, and C₀ − Σ Bᵢ xᵢ₀; of clamps C₀ − s₀ and t. */
  readonly #count: Int32Array;
  readonly #vertex: Int32Array;
  readonly #block: Float64Array;
  readonly #constant: Float64Array;
  readonly #tangent: Float64Array;
  /** Rotation of the bodies of clamps at the start. */
  readonly #startRotation: Float64Array;
  readonly #tie = new TiePlace();
  /** Per soft body: stiffness of an element per mass of a vertex, N/(m kg). */
  #stiffness: Float64Array | undefined;
  #h = 1;
  #worst = Infinity;
  #growth = 1;

  constructor(model: Model, soft: SoftBodies | undefined) {
    const ties = model.soft.tie.vertex.length;
    const clamps = model.soft.clamp.edge.length;
    this.#model = model;
    this.#soft = soft;
    this.isEmpty = ties + clamps === 0 || soft === undefined;
    this.#rows = 3 * ties + clamps;
    this.#multiplier = new Float64Array(this.#rows);
    this.#penalty = new Float64Array(ties + clamps);
    this.#residual = new Float64Array(this.#rows);
    this.#isActive = new Uint8Array(ties + clamps);
    this.#count = new Int32Array(ties);
    this.#vertex = new Int32Array(MOST * ties);
    this.#block = new Float64Array(9 * MOST * ties);
    this.#constant = new Float64Array(this.#rows);
    this.#tangent = new Float64Array(3 * clamps);
    this.#startRotation = new Float64Array(9 * clamps);
  }

  /** Residuals, penalties and multipliers at the start of a step; `first` is the number of its first entry among the impulses. */
  prepare(state: State, work: Workspace, h: number, first: number): void {
    if (this.isEmpty) return;
    const { tie, clamp } = this.#model.soft;
    const { jointPenalty } = this.#model.options.ipc;
    this.#h = h;
    this.#worst = Infinity;
    this.#growth = 1;
    const ties = tie.vertex.length;
    for (let k = 0; k < ties; k++) {
      this.#isActive[k] = isBroken(this.#model, state, tie.of[k]) ? 0 : 1;
      this.#tie.read(this.#model, work, state.softDirector, k);
      this.#keepTie(k, work.softPosition);
      this.#penalty[k] = jointPenalty * this.#measureResistance(tie.vertex[k]);
    }
    for (let k = 0; k < clamp.edge.length; k++) {
      this.#isActive[ties + k] = isBroken(this.#model, state, clamp.of[k]) ? 0 : 1;
      const start = clamp.radius[k] * measureTurn(tangent, this.#model, work, state.softDirector, k);
      this.#residual[3 * ties + k] = start;
      this.#constant[3 * ties + k] = start - work.softPosition[3 * clamp.angle[k]];
      this.#tangent.set(tangent, 3 * k);
      this.#startRotation.set(work.bodyRotation.subarray(9 * clamp.body[k], 9 * clamp.body[k] + 9), 9 * k);
      this.#penalty[ties + k] = jointPenalty * this.#measureResistance(clamp.angle[k]);
    }
    this.#readMultipliers(state.impulses, h, first);
  }

  // vertices, B and the constant part of C
  #keepTie(k: number, x: Float64Array): void {
    const { count, vertex, block, residual } = this.#tie;
    this.#count[k] = count;
    for (let c = 0; c < 3; c++) {
      this.#residual[3 * k + c] = residual[c];
      this.#constant[3 * k + c] = residual[c];
    }
    for (let n = 0; n < count; n++) {
      this.#vertex[MOST * k + n] = vertex[n];
      for (let i = 0; i < 9; i++) this.#block[9 * (MOST * k + n) + i] = block[9 * n + i];
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++) this.#constant[3 * k + r] -= block[9 * n + 3 * r + c] * x[3 * vertex[n] + c];
    }
  }

  // m/h² and the stiffness of the elements at a vertex, N/m
  #measureResistance(vertex: number): number {
    const parts = this.#soft?.parts ?? [];
    this.#stiffness ??= Float64Array.from(parts, ({ mesh, rest }) => {
      const { low, high, pairCount } = mesh.pattern;
      let square = 0;
      let pairs = 0;
      for (let p = 0; p < pairCount; p++) {
        if (low[p] >= mesh.pointCount || high[p] >= mesh.pointCount) continue;
        for (let c = 0; c < 3; c++) square += (rest[3 * low[p] + c] - rest[3 * high[p] + c]) ** 2;
        pairs++;
      }
      const whole = mesh.mass.reduce((sum, mass) => sum + mass, 0);
      return (measureStiffness(mesh) / whole) * (pairs / square);
    });
    let n = 0;
    while (n + 1 < parts.length && parts[n + 1].first <= vertex) n++;
    const mass = parts[n].mesh.mass[vertex - parts[n].first];
    return mass * (1 / (this.#h * this.#h) + this.#stiffness[n]);
  }

  value(x: Configuration): number {
    this.#evaluate(x);
    let energy = 0;
    for (let r = 0; r < this.#rows; r++) {
      if (this.#isActive[this.#itemOf(r)] === 0) continue;
      const c = this.#residual[r];
      energy += this.#multiplier[r] * c + 0.5 * this.#penalty[this.#itemOf(r)] * c * c;
    }
    return energy;
  }

  addGradient(x: Configuration, out: GradientSink): void {
    this.#evaluate(x);
    const { tie, clamp } = this.#model.soft;
    const ties = tie.vertex.length;
    for (let k = 0; k < ties; k++) {
      if (this.#isActive[k] === 0) continue;
      for (let c = 0; c < 3; c++) push[c] = this.#slope(3 * k + c, k);
      for (let n = MOST * k; n < MOST * k + this.#count[k]; n++) {
        const B = this.#block;
        const o = 9 * n;
        out.addVertex(
          this.#vertex[n],
          B[o] * push[0] + B[o + 3] * push[1] + B[o + 6] * push[2],
          B[o + 1] * push[0] + B[o + 4] * push[1] + B[o + 7] * push[2],
          B[o + 2] * push[0] + B[o + 5] * push[1] + B[o + 8] * push[2],
        );
      }
      const b = tie.body[k];
      if (b < 0) continue;
      this.#readArm(x, k);
      const [ax, ay, az] = arm;
      const [fx, fy, fz] = push;
      out.addBody(b, -fx, -fy, -fz, az * fy - ay * fz, ax * fz - az * fx, ay * fx - ax * fy);
    }
    for (let k = 0; k < clamp.edge.length; k++) {
      const item = ties + k;
      if (this.#isActive[item] === 0) continue;
      const slope = this.#slope(3 * ties + k, item);
      out.addVertex(clamp.angle[k], slope, 0, 0);
      this.#readAxis(x, k);
      const r = -clamp.radius[k] * slope;
      out.addBody(clamp.body[k], 0, 0, 0, r * axis[0], r * axis[1], r * axis[2]);
    }
  }

  /** Gauss-Newton: μ Jᵀ J. */
  addHessian(x: Configuration, out: HessianSink): void {
    const { tie, clamp } = this.#model.soft;
    const ties = tie.vertex.length;
    for (let k = 0; k < ties; k++) {
      if (this.#isActive[k] === 0) continue;
      const hasBody = tie.body[k] >= 0;
      const width = (hasBody ? 6 : 0) + 3 * this.#count[k];
      const J = new Float64Array(3 * width);
      if (hasBody) this.#writeBodyColumns(J, width, x, k);
      for (let n = 0; n < this.#count[k]; n++)
        for (let r = 0; r < 3; r++)
          for (let c = 0; c < 3; c++)
            J[width * r + (hasBody ? 6 : 0) + 3 * n + c] = this.#block[9 * (MOST * k + n) + 3 * r + c];
      out.addBlock(
        hasBody ? [tie.body[k]] : [],
        this.#vertex.subarray(MOST * k, MOST * k + this.#count[k]),
        squareRows(J, 3, width, this.#penalty[k]),
      );
    }
    for (let k = 0; k < clamp.edge.length; k++) {
      if (this.#isActive[ties + k] === 0) continue;
      const J = new Float64Array(9);
      this.#readAxis(x, k);
      for (let c = 0; c < 3; c++) J[3 + c] = -clamp.radius[k] * axis[c];
      J[6] = 1;
      out.addBlock([clamp.body[k]], [clamp.angle[k]], squareRows(J, 1, 9, this.#penalty[ties + k]));
    }
  }

  // −1 and [a]× of the point of the body
  #writeBodyColumns(J: Float64Array, width: number, x: Configuration, k: number): void {
    this.#readArm(x, k);
    const [ax, ay, az] = arm;
    for (let r = 0; r < 3; r++) J[width * r + r] = -1;
    J[4] = -az;
    J[5] = ay;
    J[width + 3] = az;
    J[width + 5] = -ax;
    J[2 * width + 3] = -ay;
    J[2 * width + 4] = ax;
  }

  /** After a minimisation: whether all rows are within the tolerance. */
  isWithinTolerance(): boolean {
    const { joints, jointTolerance } = this.#model.options.ipc;
    return this.isEmpty || joints === 'penalty' || this.#measureWorst() <= jointTolerance;
  }

  /** λ ← λ + μ C; penalties grow where this does not bring the rows nearer fast enough. */
  updateMultipliers(): void {
    const { joints, jointPenaltyGrowth } = this.#model.options.ipc;
    if (this.isEmpty || joints === 'penalty') return;
    const worst = this.#measureWorst();
    for (let r = 0; r < this.#rows; r++)
      if (this.#isActive[this.#itemOf(r)] === 1)
        this.#multiplier[r] += this.#penalty[this.#itemOf(r)] * this.#residual[r];
    if (worst > ENOUGH_FALL * this.#worst && this.#growth < MOST_GROWTH) {
      this.#growth *= jointPenaltyGrowth;
      for (let k = 0; k < this.#penalty.length; k++) this.#penalty[k] *= jointPenaltyGrowth;
    }
    this.#worst = worst;
  }

  /** Keeps λ h for the next step, an entry per tie and clamp behind those of joints. */
  writeMultipliers(out: ConstraintImpulses, h: number, first: number): void {
    if (this.isEmpty) return;
    const ties = this.#model.soft.tie.vertex.length;
    for (let k = 0; k < this.#isActive.length; k++) {
      const rows = k < ties ? 3 : 1;
      const from = k < ties ? 3 * k : 2 * ties + k;
      for (let c = 0; c < rows; c++) push[c] = h * this.#multiplier[from + c];
      if (this.#isActive[k] === 1) out.add(0, first + k, push, 0, rows);
    }
  }

  /** Forces on tied vertices and torques on clamped edges, behind those of vertices that are points of bodies. */
  readForces(out: Float64Array): void {
    const { attachment, tie, clamp } = this.#model.soft;
    const first = 3 * attachment.vertex.length;
    const ties = 3 * tie.vertex.length;
    const isPenalty = this.#model.options.ipc.joints === 'penalty';
    for (let r = 0; r < this.#rows; r++) {
      if (this.#isActive[this.#itemOf(r)] === 0) continue;
      const force = this.#multiplier[r] + (isPenalty ? this.#penalty[this.#itemOf(r)] * this.#residual[r] : 0);
      out[first + r] = -force * (r < ties ? 1 : clamp.radius[r - ties]);
    }
  }

  #readMultipliers(impulses: ConstraintImpulses, h: number, first: number): void {
    this.#multiplier.fill(0);
    const { joints } = this.#model.options.ipc;
    if (joints === 'penalty' || this.#model.options.disabled.has('warmStart')) return;
    if (this.#measureWorst() > MULTIPLIERS_VALID_BELOW) return;
    const ties = this.#model.soft.tie.vertex.length;
    impulses.rewind();
    for (let k = 0; k < this.#isActive.length; k++) {
      const at = impulses.find(0, first + k);
      if (at < 0) continue;
      const rows = k < ties ? 3 : 1;
      const to = k < ties ? 3 * k : 2 * ties + k;
      for (let c = 0; c < rows; c++) this.#multiplier[to + c] = impulses.value[at + c] / h;
    }
  }

  #measureWorst(): number {
    let worst = 0;
    for (let r = 0; r < this.#rows; r++)
      if (this.#isActive[this.#itemOf(r)] === 1) worst = Math.max(worst, Math.abs(this.#residual[r]));
    return worst;
  }

  #itemOf(row: number): number {
    const ties = this.#model.soft.tie.vertex.length;
    return row < 3 * ties ? Math.trunc(row / 3) : row - 2 * ties;
  }

  // ∂ψ/∂C
  #slope(row: number, item: number): number {
    return this.#multiplier[row] + this.#penalty[item] * this.#residual[row];
  }

  #evaluate(x: Configuration): void {
    const { tie, clamp } = this.#model.soft;
    const ties = tie.vertex.length;
    for (let k = 0; k < ties; k++) {
      if (this.#isActive[k] === 0) continue;
      const b = tie.body[k];
      if (b >= 0) {
        this.#readArm(x, k);
        for (let c = 0; c < 3; c++)
          this.#residual[3 * k + c] = x.softPosition[3 * tie.vertex[k] + c] - x.bodyPosition[3 * b + c] - arm[c];
        continue;
      }
      for (let r = 0; r < 3; r++) {
        let sum = this.#constant[3 * k + r];
        for (let n = MOST * k; n < MOST * k + this.#count[k]; n++)
          for (let c = 0; c < 3; c++) sum += this.#block[9 * n + 3 * r + c] * x.softPosition[3 * this.#vertex[n] + c];
        this.#residual[3 * k + r] = sum;
      }
    }
    for (let k = 0; k < clamp.edge.length; k++) {
      this.#readRotation(x, k);
      const along =
        turned[0] * this.#tangent[3 * k] + turned[1] * this.#tangent[3 * k + 1] + turned[2] * this.#tangent[3 * k + 2];
      this.#residual[3 * ties + k] =
        this.#constant[3 * ties + k] + x.softPosition[3 * clamp.angle[k]] - clamp.radius[k] * along;
    }
  }

  // R q of a tie to a rigid body, into `arm`
  #readArm({ bodyRotation }: Configuration, k: number): void {
    const { body, point } = this.#model.soft.tie;
    const m = 9 * body[k];
    for (let c = 0; c < 3; c++)
      arm[c] =
        bodyRotation[m + 3 * c] * point[3 * k] +
        bodyRotation[m + 3 * c + 1] * point[3 * k + 1] +
        bodyRotation[m + 3 * c + 2] * point[3 * k + 2];
  }

  // w of R R₀ᵀ = exp(w), into `turned`
  #readRotation({ bodyRotation }: Configuration, k: number): void {
    const m = 9 * this.#model.soft.clamp.body[k];
    const from = this.#startRotation;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let i = 0; i < 3; i++) sum += bodyRotation[m + 3 * r + i] * from[9 * k + 3 * c + i];
        relative[3 * r + c] = sum;
      }
    }
    turned[0] = 0.5 * (relative[7] - relative[5]);
    turned[1] = 0.5 * (relative[2] - relative[6]);
    turned[2] = 0.5 * (relative[3] - relative[1]);
    const sine = Math.sqrt(turned[0] ** 2 + turned[1] ** 2 + turned[2] ** 2);
    const cosine = 0.5 * (relative[0] + relative[4] + relative[8] - 1);
    const angle = atan2(sine, cosine);
    if (sine > 1e-12) for (let c = 0; c < 3; c++) turned[c] *= angle / sine;
    // (1 − ½ angle cot ½ angle)/angle²
    lift = angle < 1e-2 ? 1 / 12 : (1 - (0.5 * angle * (1 + cosine)) / sine) / (angle * angle);
  }

  // ∂(t·w)/∂dθ = t + ½ w × t + b w × (w × t), into `axis`
  #readAxis(x: Configuration, k: number): void {
    this.#readRotation(x, k);
    const [wx, wy, wz] = turned;
    const [tx, ty, tz] = this.#tangent.subarray(3 * k, 3 * k + 3);
    const [ux, uy, uz] = [wy * tz - wz * ty, wz * tx - wx * tz, wx * ty - wy * tx];
    axis[0] = tx + 0.5 * ux + lift * (wy * uz - wz * uy);
    axis[1] = ty + 0.5 * uy + lift * (wz * ux - wx * uz);
    axis[2] = tz + 0.5 * uz + lift * (wx * uy - wy * ux);
  }
}

// μ Jᵀ J
function squareRows(J: Float64Array, rows: number, width: number, scale: number): Float64Array {
  const block = new Float64Array(width * width);
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < width; j++) {
      let sum = 0;
      for (let r = 0; r < rows; r++) sum += J[width * r + i] * J[width * r + j];
      block[width * i + j] = scale * sum;
    }
  }
  return block;
}

const push = /* @__PURE__ */ new Float64Array(6);
const arm = /* @__PURE__ */ new Float64Array(3);
const axis = /* @__PURE__ */ new Float64Array(3);
const turned = /* @__PURE__ */ new Float64Array(3);
const tangent = /* @__PURE__ */ new Float64Array(3);
const relative = /* @__PURE__ */ new Float64Array(9);
/** b of the rotation read last. */
let lift = 0;
