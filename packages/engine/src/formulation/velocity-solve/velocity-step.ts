/**
 * The frame of a step over velocities: free motion before the solve, acceleration and constraint force after it.
 *   v* = v + h a₀ + s      a = (v⁺ − s − v)/h      f = Jᵀ γ/h
 * a₀ is the acceleration without constraints, s the shift of inertial-motion.ts, A the symmetric part of the integrator's matrix.
 */

import type { ContactSet } from '../../collision/contact-set.ts';
import { assembleMetric, solveAcceleration } from '../../dynamics/integrate.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import type { Forest } from '../../objective/forest.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import type { Contradictions } from '../contradictions.ts';
import type { StepReport } from '../formulation.ts';
import { hasAttachmentRows } from '../soft-rows/attachment-rows.ts';
import { gatherStart } from '../soft-rows/soft-motion.ts';
import type { VelocityBuilder } from './velocity-builder.ts';
import type { VelocitySolver } from './velocity-solver.ts';

export class VelocityStep {
  /** v⁺ of the dofs that constraints touch. */
  readonly velocity: Float64Array;
  /** With soft bodies: impulses Jᵀ γ of all dofs; else the constraint force of the workspace has them. */
  readonly impulse: Float64Array;
  readonly hasSoft: boolean;
  readonly #model: Model;
  readonly #soft: SoftBodies;
  readonly #builder: VelocityBuilder;
  readonly #hasAttachments: boolean;
  readonly #start: Float64Array;
  readonly #metric: Float64Array;
  readonly #factor: Float64Array;
  readonly #inverseDiagonal: Float64Array;

  constructor(model: Model, forest: Forest, soft: SoftBodies, builder: VelocityBuilder, memory: Memory) {
    const dofs = forest.start[forest.count];
    const nv = model.size.velocity;
    this.#model = model;
    this.#soft = soft;
    this.#builder = builder;
    this.#hasAttachments = hasAttachmentRows(model);
    this.hasSoft = dofs > nv;
    this.velocity = memory.f64(dofs);
    this.#start = memory.f64(this.hasSoft ? dofs : 0);
    this.impulse = memory.f64(this.hasSoft ? dofs : 0);
    this.#metric = memory.f64(model.size.massMatrix);
    this.#factor = memory.f64(model.size.massMatrix);
    this.#inverseDiagonal = memory.f64(nv);
    const { problem, delassus } = builder;
    problem.metric = this.#metric;
    problem.target = builder.freeVelocity;
    problem.softMetric = soft.parts.map(({ work }) => work.hessian);
    delassus.factor = this.#factor;
    delassus.inverseDiagonal = this.#inverseDiagonal;
  }

  /** The problem of a step; v of all dofs at its start. */
  assemble(state: State, work: Workspace, contacts: ContactSet, h: number): Float64Array {
    const builder = this.#builder;
    builder.mocapMotion.begin(state, work);
    builder.rows.drives.begin(state, work, h);
    builder.terms.begin(state, work, h);
    this.#solveFreeMotion(state, work, h);
    builder.problem.clear();
    const start = this.#gatherStart(state);
    if (contacts.count > 0 || builder.rows.isNeeded || this.#hasAttachments || !work.terms.isEmpty) {
      this.#factorMetric(state, work, h);
      builder.h = h;
      builder.startVelocity = start;
      builder.build(state, work, contacts);
    }
    return start;
  }

  // a₀ in the workspace, and v*, by which bodies would move
  #solveFreeMotion(state: State, work: Workspace, h: number): void {
    const { freeVelocity } = this.#builder;
    const nv = this.#model.size.velocity;
    work.constraintForce.fill(0);
    solveAcceleration(this.#model, state, work, h);
    for (let i = 0; i < nv; i++) freeVelocity[i] = state.velocity[i] + h * work.acceleration[i] + work.advanceShift[i];
    if (this.hasSoft) freeVelocity.set(this.#soft.freeVelocity, nv);
  }

  #gatherStart(state: State): Float64Array {
    if (!this.hasSoft) return state.velocity;
    gatherStart(this.#start, this.#soft, state);
    return this.#start;
  }

  // A and its factor; M alone where negative damping has left A without one
  #factorMetric(state: State, work: Workspace, h: number): void {
    const { kernels, rowStart, column } = work.plan;
    const metric = this.#metric;
    const factor = this.#factor;
    this.#builder.problem.mass = work.massMatrix;
    assembleMetric(metric, this.#model, state, work, h);
    factor.set(metric);
    if (kernels.factorTree(factor, this.#inverseDiagonal, rowStart, column) < 0) return;
    metric.set(work.massMatrix);
    factor.set(metric);
    kernels.factorTree(factor, this.#inverseDiagonal, rowStart, column);
  }

  /** Where the solver puts Jᵀ γ. */
  impulseOf(work: Workspace): Float64Array {
    return this.hasSoft ? this.impulse : work.constraintForce;
  }

  /** Acceleration and constraint force of what is constrained. */
  writeMotion(state: State, work: Workspace, { islands }: VelocitySolver, h: number): void {
    const { dof, dofStart, count } = islands;
    const { velocity, impulse, hasSoft } = this;
    const nv = this.#model.size.velocity;
    for (let s = 0; s < dofStart[count]; s++) {
      const i = dof[s];
      if (i >= nv) {
        work.softVelocity[i - nv] = velocity[i];
        continue;
      }
      if (hasSoft) work.constraintForce[i] = impulse[i];
      work.acceleration[i] = (velocity[i] - work.advanceShift[i] - state.velocity[i]) / h;
      work.constraintForce[i] /= h;
    }
  }

  /** A copy of v⁺ of all dofs, for derivatives and where the next solve is one more of the same step. */
  copySolution({ islands }: VelocitySolver): Float64Array {
    const { problem, freeVelocity } = this.#builder;
    const solution = freeVelocity.slice();
    const { dof, dofStart, count } = islands;
    if (problem.rowCount > 0) for (let s = 0; s < dofStart[count]; s++) solution[dof[s]] = this.velocity[dof[s]];
    return solution;
  }
}

/** A step, what builds and solves its problem, and what looks for contradictions in it. */
export interface SolvedStep {
  readonly step: VelocityStep;
  readonly builder: VelocityBuilder;
  readonly solver: VelocitySolver;
  readonly contradictions: Contradictions;
}

/** Solves again without what cannot be had; whether there is such a thing. */
export function resolveContradictions(
  { step, builder, solver, contradictions }: SolvedStep,
  state: State,
  work: Workspace,
  contacts: ContactSet,
  report: StepReport,
): boolean {
  const { velocity } = step;
  const { freeVelocity } = builder;
  const push = step.impulseOf(work);
  const motion = { x: velocity, target: freeVelocity, push, scale: 1 };
  if (solver.held || !contradictions.find(motion, state, work, contacts)) return false;
  let isReal = false;
  for (const withJoints of [false, true]) {
    if (contradictions.drop(contacts, withJoints)) isReal = true;
    report.trace.clear();
    solver.repeat(freeVelocity, velocity, push, report.trace);
    if (!contradictions.find(motion, state, work, contacts)) break;
  }
  return isReal;
}
