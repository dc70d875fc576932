/**
 * Coulomb's and Signorini's problem (coulomb-shift.ts) by sweeps over the contacts: each in turn gets the impulse that the law asks for with the
 * others as they are, solved by a projected fixed point of its own,
 *
 *   γ_b ← P_b(γ_b − (u_b + s(u_b) e_n)/λmax(N_bb)),     u_b = N_bb γ_b + (what the others do)   until nothing changes
 *
 * No cone program is solved on the way, so there is none that may have no solution. The residual is that of the loop over cone programs (coulomb-loop.ts).
 * Source: Jourdan, Alart and Jean, A Gauss-Seidel like algorithm to solve frictional contact problems (1998).
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { checkDeadlineSometimes } from '../../step-deadline.ts';
import { OUTCOME, type SolveTrace } from '../solve-trace.ts';
import { findBlockCurvature } from './block-curvature.ts';
import type { BlockProgram } from './cone-program.ts';
import type { ConeOptions } from './cone-run.ts';
import { findBlockShift, findCoulombShift } from './coulomb-shift.ts';
import { NaturalMap } from './natural-map.ts';
import { projectBlock } from './projection.ts';

/** Steps of the fixed point of a contact, and the share of its impulse below which a step changes nothing. */
const LOCAL_STEPS = 60;
const LOCAL_TOLERANCE = 1e-12;
/** Sweeps in which the residual has to halve, and where it is within some tolerances. */
const PATIENCE = 100;
const NEAR_PATIENCE = 300;
const NEAR = 10;

export class ContactSweeps {
  readonly #memory: Memory;
  readonly #map: NaturalMap;
  #size = 0;
  #gamma: Float64Array;
  #trial: Float64Array;
  #velocity: Float64Array;
  #dual: Float64Array;
  #best: Float64Array;
  #shift: Float64Array;
  /** Of a block: u without a change of its own impulse, u, and the change. */
  #base: Float64Array;
  #own: Float64Array;
  #change: Float64Array;
  /** Per block: λmax of its matrix and where that begins. */
  #curvature: Float64Array;
  #matrixStart: Int32Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#map = new NaturalMap(memory);
    this.#gamma = memory.f64(0);
    this.#trial = memory.f64(0);
    this.#velocity = memory.f64(0);
    this.#dual = memory.f64(0);
    this.#best = memory.f64(0);
    this.#shift = memory.f64(0);
    this.#base = memory.f64(0);
    this.#own = memory.f64(0);
    this.#change = memory.f64(0);
    this.#curvature = memory.f64(0);
    this.#matrixStart = memory.i32(0);
  }

  /** Starts at the impulse given, which lies in the cones; leaves the best γ there and u = N γ + p in `velocity`. An entry of the trace is a sweep. */
  solve(
    program: BlockProgram,
    impulse: Float64Array,
    velocity: Float64Array,
    options: ConeOptions,
    trace: SolveTrace,
  ): boolean {
    const { size: n, cones, linear } = program;
    if (this.#size < n) this.#grow(2 * n);
    const gamma = this.#gamma;
    const map = this.#map;
    for (let i = 0; i < n; i++) gamma[i] = impulse[i];
    this.#measureBlocks(program);
    program.beginBlocks(gamma);
    map.curvature = options.curvature;
    map.begin(linear, cones, n, options.reference);
    let least = Number.POSITIVE_INFINITY;
    let half = Number.POSITIVE_INFINITY;
    let since = 0;
    let isDone = false;
    for (let sweep = 0; ; sweep++) {
      this.#measure(program);
      if (sweep > 0) trace.add(this.#findObjective(program), map.residual, 1);
      if (map.residual < least) {
        least = map.residual;
        for (let i = 0; i < n; i++) this.#best[i] = gamma[i];
        isDone = map.residual <= options.tolerance && map.velocityResidual <= options.velocityTolerance;
      }
      if (least <= half) {
        half = 0.5 * least;
        since = sweep;
      }
      if (isDone || sweep === options.iterations || !Number.isFinite(map.residual)) break;
      if (sweep - since > (least <= NEAR * options.tolerance ? NEAR_PATIENCE : PATIENCE)) break;
      checkDeadlineSometimes('contact sweeps');
      for (let b = 0; b < cones.count; b++) this.#relax(program, b);
    }
    for (let i = 0; i < n; i++) {
      gamma[i] = this.#best[i];
      impulse[i] = this.#best[i];
    }
    program.multiply(velocity, impulse);
    for (let i = 0; i < n; i++) velocity[i] += linear[i];
    trace.close(isDone ? OUTCOME.converged : OUTCOME.iterationLimit, n, this.#findObjective(program), least);
    return isDone;
  }

  #measure(program: BlockProgram): void {
    const { size: n, cones, linear } = program;
    const velocity = this.#velocity;
    const dual = this.#dual;
    program.multiply(velocity, this.#gamma);
    for (let i = 0; i < n; i++) dual[i] = velocity[i] += linear[i];
    findCoulombShift(this.#shift, velocity, cones);
    for (let b = 0; b < cones.count; b++) dual[cones.rowStart[b]] += this.#shift[b];
    this.#map.measure(this.#gamma, dual, cones, n);
  }

  // ½ γᵀ N γ + pᵀ γ; no minimum is meant
  #findObjective({ size: n, linear }: BlockProgram): number {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += 0.5 * this.#gamma[i] * (this.#velocity[i] + linear[i]);
    return sum;
  }

  #relax(program: BlockProgram, b: number): void {
    const { cones, linear, diagonal } = program;
    const curvature = this.#curvature[b];
    // a block that nothing moves has nothing to gain
    if (curvature === 0) return;
    const gamma = this.#gamma;
    const trial = this.#trial;
    const base = this.#base;
    const own = this.#own;
    const first = cones.rowStart[b];
    const d = cones.rowStart[b + 1] - first;
    const at = this.#matrixStart[b];
    program.blockProduct(base, b);
    for (let i = 0; i < d; i++) {
      base[i] += linear[first + i];
      own[i] = base[i];
      trial[first + i] = gamma[first + i];
    }
    for (let step = 0; step < LOCAL_STEPS; step++) {
      own[0] += findBlockShift(own, 0, cones, b);
      for (let i = 0; i < d; i++) {
        this.#change[i] = trial[first + i];
        trial[first + i] -= own[i] / curvature;
      }
      projectBlock(trial, trial, cones, b);
      let change = 0;
      let size = 0;
      for (let i = 0; i < d; i++) {
        change = Math.max(change, Math.abs(trial[first + i] - this.#change[i]));
        size = Math.max(size, Math.abs(trial[first + i]));
      }
      for (let i = 0; i < d; i++) {
        let sum = base[i];
        for (let j = 0; j < d; j++) sum += diagonal[at + i * d + j] * (trial[first + j] - gamma[first + j]);
        own[i] = sum;
      }
      if (!(change > LOCAL_TOLERANCE * size)) break;
    }
    let isMoved = false;
    for (let i = 0; i < d; i++) {
      this.#change[i] = trial[first + i] - gamma[first + i];
      if (this.#change[i] !== 0) isMoved = true;
      gamma[first + i] = trial[first + i];
    }
    if (isMoved) program.addBlock(b, this.#change);
  }

  #measureBlocks(program: BlockProgram): void {
    const { count, rowStart } = program.cones;
    program.prepareBlocks();
    let largest = 0;
    for (let b = 0, at = 0; b < count; b++) {
      const d = rowStart[b + 1] - rowStart[b];
      this.#matrixStart[b] = at;
      this.#curvature[b] = findBlockCurvature(program.diagonal, at, d);
      largest = Math.max(largest, this.#curvature[b]);
      at += d * d;
    }
    for (let b = 0; b < count; b++) if (this.#curvature[b] <= 1e-15 * largest) this.#curvature[b] = 0;
  }

  // a block is no longer than all rows, and there are no more blocks than rows
  #grow(n: number): void {
    const memory = this.#memory;
    this.#size = n;
    this.#gamma = memory.f64(n);
    this.#trial = memory.f64(n);
    this.#velocity = memory.f64(n);
    this.#dual = memory.f64(n);
    this.#best = memory.f64(n);
    this.#shift = memory.f64(n);
    this.#base = memory.f64(n);
    this.#own = memory.f64(n);
    this.#change = memory.f64(n);
    this.#curvature = memory.f64(n);
    this.#matrixStart = memory.i32(n);
  }
}
