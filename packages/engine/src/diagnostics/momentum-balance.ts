/**
 * Whether the forces of a step explain its motion:
 *   r = Â (v⁺ − v) − h (f + c)        relative to the largest of |D Â v|, |D Â v⁺|, |D h f|, |D h b|, |D h c|, D = diag(M)^(−½)
 * Â is M and what the integrator takes implicitly, f the smooth forces of the step, b the weight and Coriolis forces in them (servos at rest
 * carry the weight, so that f is the round-off of both), c = Jᵀ f_contact of the contact forces as
 * they are reported. Where a tree has other constraints than contacts (joints of body coordinates, equalities, limits, dry
 * friction), c is what the formulation says its constraints did to that tree. So it is for torques of contacts that are found after the
 * step: they act on the turn of the whole step, the reported contact has its end alone, and both differ by half of that turn.
 * What moves by less than 1e-9 m/s counts as at rest: the momentum of that speed is the least that r is compared with.
 * D makes metres and radians comparable: |D p|² is twice an energy. Not defined for Runge-Kutta steps, nor where nothing rigid
 * moves: forces inside soft bodies are not reported.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { addBiasRate } from '../dynamics/bias-rate.ts';
import { computeFreeMotion } from '../dynamics/free-motion.ts';
import { addTensionMetric, assembleMetric, takesForceRates } from '../dynamics/integrate.ts';
import { isRungeKutta } from '../dynamics/runge-kutta.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { multiplyTree } from '../linear-algebra/tree-ldl.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { addContactForces } from './contact-motion.ts';

/** The forces of a step, as it reports them. */
export interface StepForces {
  /** Contacts with their forces, and the workspace whose poses they belong to. */
  readonly contacts: ContactSet;
  readonly poses: Workspace;
  /** Workspace of the step: smooth and constraint forces. */
  readonly work: Workspace;
  /** Whether the formulation moves bodies by M alone. */
  readonly usesMassAlone: boolean;
}

/** m/s. */
const AT_REST = 1e-9;

export class MomentumBalance {
  /** Per dof: whether its tree has constraints besides contacts. */
  readonly #isHeld: Uint8Array;
  /** Whether soft bodies are attached to rigid ones, which is not a contact. */
  readonly #hasSoft: boolean;
  readonly #matrix: Float64Array;
  readonly #change: Float64Array;
  readonly #product: Float64Array;
  readonly #push: Float64Array;
  /** |D p|² of all bodies at that speed. */
  readonly #least: number;

  constructor(model: Model) {
    const n = model.size.velocity;
    this.#isHeld = findHeldDofs(model);
    this.#hasSoft = model.size.softBody > 0;
    this.#matrix = new Float64Array(model.size.massMatrix);
    this.#change = new Float64Array(n);
    this.#product = new Float64Array(n);
    this.#push = new Float64Array(n);
    const { mass, lastDof } = model.body;
    this.#least = AT_REST ** 2 * mass.reduce((sum, m, b) => sum + (lastDof[b] < 0 ? 0 : m), 0);
  }

  /** `before` and its workspace stand at the start of the step; M is there, or that of the step. */
  measure(model: Model, before: State, work: Workspace, after: Float64Array, h: number, step: StepForces): number {
    if (isRungeKutta(model.options.integrator) || model.size.velocity === 0) return Number.NaN;
    const { rowStart } = model.massMatrix;
    const { smoothForce, biasForce, constraintForce } = step.work;
    // M in the middle of the step
    if (model.options.integrator === 'midpoint') work.massMatrix.set(step.work.middleMass);
    const isUnsymmetric = this.#assemble(model, before, work, h, step);
    const push = this.#push;
    push.fill(0);
    addContactForces(push, model, step.poses, step.contacts);

    // three products with Â, weighed by D
    const change = this.#change;
    const v = before.velocity;
    const old = this.#weigh(model, work, v, isUnsymmetric);
    const reached = this.#weigh(model, work, after, isUnsymmetric);
    // Coriolis forces change v⁺ beyond the linear equation of the solve, see inertial-motion.ts
    const { takesMeanVelocity } = work.plan.inertial;
    for (let i = 0; i < change.length; i++)
      change[i] = takesMeanVelocity ? h * step.work.acceleration[i] : after[i] - v[i];
    this.#multiply(model, work, change, isUnsymmetric);
    let error = 0;
    let smooth = 0;
    let contact = 0;
    let bias = 0;
    for (let i = 0; i < change.length; i++) {
      const weight = 1 / work.massMatrix[rowStart[i + 1] - 1];
      const f = h * smoothForce[i];
      // bodies that contacts move after the step have six dofs, the last three of rotation
      const isTold = this.#isHeld[i] === 1 || (step.usesMassAlone && (this.#hasSoft || i % 6 > 2));
      const c = h * (isTold ? constraintForce[i] : push[i]);
      error += weight * (this.#product[i] - f - c) ** 2;
      smooth += weight * f * f;
      bias += weight * (h * biasForce[i]) ** 2;
      contact += weight * c * c;
    }
    const scale = Math.max(old, reached, smooth, bias, contact, this.#least);
    return scale > 0 ? Math.sqrt(error / scale) : 0;
  }

  // |D Â x|²
  #weigh(model: Model, work: Workspace, x: Float64Array, isUnsymmetric: boolean): number {
    const { rowStart } = model.massMatrix;
    this.#multiply(model, work, x, isUnsymmetric);
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += this.#product[i] ** 2 / work.massMatrix[rowStart[i + 1] - 1];
    return sum;
  }

  // Â, lower part in the matrix; where it is not symmetric, the rates of both parts in the workspace
  #assemble(model: Model, before: State, work: Workspace, h: number, step: StepForces): boolean {
    if (step.usesMassAlone) {
      this.#matrix.set(work.massMatrix);
      return false;
    }
    // rates of forces need what the free motion leaves
    if (takesForceRates(model, work)) computeFreeMotion(model, before, work, h);
    // tension of links as in the step
    work.tension.isInMetric = false;
    assembleMetric(this.#matrix, model, before, work, h);
    addTensionMetric(this.#matrix, model, step.work);
    const { plan, forceRate, forceRateUpper } = work;
    if (plan.biasRate === 'none') return false;
    forceRateUpper.set(forceRate);
    if (plan.biasRate === 'all') addBiasRate(model, before, work, 0, model.size.velocity, h);
    else {
      for (let n = 0; n < plan.loneFreeBodies.length; n++) {
        const first = model.body.dofStart[plan.loneFreeBodies[n]];
        addBiasRate(model, before, work, first, first + 6, h);
      }
    }
    return true;
  }

  // product ← Â x
  #multiply(model: Model, work: Workspace, x: Float64Array, isUnsymmetric: boolean): void {
    const { rowStart, column } = model.massMatrix;
    const out = this.#product;
    if (!isUnsymmetric) {
      multiplyTree(out, this.#matrix, x, rowStart, column);
      return;
    }
    const { massMatrix, forceRate, forceRateUpper } = work;
    for (let i = 0; i < out.length; i++) {
      const last = rowStart[i + 1] - 1;
      let sum = (massMatrix[last] + forceRate[last]) * x[i];
      for (let k = rowStart[i]; k < last; k++) {
        sum += (massMatrix[k] + forceRate[k]) * x[column[k]];
        out[column[k]] += (massMatrix[k] + forceRateUpper[k]) * x[i];
      }
      out[i] = sum;
    }
  }
}

// trees with joints that are limited or rub, and bodies that joints of body coordinates hold; all where something joins trees
function findHeldDofs(model: Model): Uint8Array {
  const { joint, dof, tendon, body, constraintJoint, size } = model;
  const isHeld = new Uint8Array(size.velocity);
  const joinsTrees = size.equality > 0 || tendon.limited.some(Boolean) || tendon.frictionLoss.some(Boolean);
  if (joinsTrees) return isHeld.fill(1);
  const heldRoots = new Set<number>();
  for (let j = 0; j < size.joint; j++) if (joint.limited[j]) heldRoots.add(body.root[joint.body[j]]);
  for (let i = 0; i < size.velocity; i++) if (dof.frictionLoss[i]) heldRoots.add(body.root[dof.body[i]]);
  for (let c = 0; c < constraintJoint.kind.length; c++) {
    heldRoots.add(body.root[constraintJoint.body1[c]]);
    heldRoots.add(body.root[constraintJoint.body2[c]]);
  }
  for (let i = 0; i < size.velocity; i++) if (heldRoots.has(body.root[dof.body[i]])) isHeld[i] = 1;
  return isHeld;
}
