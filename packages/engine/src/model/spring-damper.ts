/**
 * Springs and dampers given by time constant τ (s) and damping ratio ζ, for the inertia I that the joint moves in the
 * initial pose: k = I / (τ ζ)², d = 2 I / τ, to which the damping of the joint adds. I is the inverse of the mean inverse weight of its dofs, the inertia that a force on them
 * meets while all other joints are free.
 */
import type { Joint } from '../scene/joint.ts';
import type { Model } from './model.ts';

/** Replaces the stiffness of the joints that have a spring-damper, and adds to their damping. */
export function resolveSpringDampers(model: Model, joints: readonly Joint[]): void {
  const inverse = model.inverseWeight.dof;
  for (let j = 0; j < joints.length; j++) {
    const [timeConstant, ratio] = joints[j].springDamper ?? [0, 0];
    if (!(timeConstant > 0 && ratio > 0)) continue;
    const first = model.joint.dofStart[j];
    const end = j + 1 < joints.length ? model.joint.dofStart[j + 1] : model.size.velocity;
    let sum = 0;
    for (let d = first; d < end; d++) sum += inverse[d];
    const inertia = (end - first) / sum;
    const time = timeConstant * ratio;
    model.joint.stiffness[j] = inertia / (time * time);
    model.dof.damping.fill((joints[j].damping ?? 0) + (2 * inertia) / timeConstant, first, end);
  }
}
