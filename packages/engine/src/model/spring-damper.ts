/**
 * Springs and dampers given by time constant τ (s) and damping ratio ζ, for the inertia I that the joint moves in the
 * initial pose: k = I / (τ ζ)², d = 2 I / τ. I is the inverse of the mean of (M⁻¹)ᵢᵢ over the dofs i of the joint: what
 * a push on them feels while all other joints are free.
 */
import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import type { Joint } from '../scene/joint.ts';
import type { Model } from './model.ts';
import type { RestDynamics } from './rest-dynamics.ts';

/** Replace stiffness and damping of the joints that have a spring-damper. */
export function resolveSpringDampers(model: Model, joints: readonly Joint[], dynamics: RestDynamics): void {
  let inverse: Float64Array | undefined;
  for (let j = 0; j < joints.length; j++) {
    const [timeConstant, ratio] = joints[j].springDamper ?? [0, 0];
    if (!(timeConstant > 0 && ratio > 0)) continue;
    inverse ??= invertDiagonal(model, dynamics);
    const first = model.joint.dofStart[j];
    const end = j + 1 < joints.length ? model.joint.dofStart[j + 1] : model.size.velocity;
    let sum = 0;
    for (let d = first; d < end; d++) sum += inverse[d];
    const inertia = (end - first) / sum;
    const time = timeConstant * ratio;
    model.joint.stiffness[j] = inertia / (time * time);
    model.dof.damping.fill((2 * inertia) / timeConstant, first, end);
  }
}

// (M⁻¹)ᵢᵢ at the initial pose, one solve per dof
function invertDiagonal(model: Model, dynamics: RestDynamics): Float64Array {
  const { rowStart, column } = model.massMatrix;
  const count = model.size.velocity;
  const factor = Float64Array.from(dynamics().massMatrix);
  const inverseDiagonal = new Float64Array(count);
  factorTree(factor, inverseDiagonal, rowStart, column);
  const result = new Float64Array(count);
  const x = new Float64Array(count);
  for (let d = 0; d < count; d++) {
    x.fill(0);
    x[d] = 1;
    solveTree(x, factor, inverseDiagonal, rowStart, column);
    result[d] = x[d];
  }
  return result;
}
