/** The same scene in joint and in body coordinates, in the same motion. */
import { integratePositions, transformPoint } from '../dynamics/poses.ts';
import { computePointVelocity } from '../joint/point-motion.ts';
import { unrotateByQuaternion } from '../linear-algebra/pose.ts';
import type { Evaluation } from './evaluation.ts';
import { createRandom } from './forest.ts';

/** Random joint positions and velocities for `from`, copied to `to`. */
export function copyRandomMotion(from: Evaluation, to: Evaluation, seed: number): void {
  const random = createRandom(seed);
  const draw = (): number => 2 * (random() - 0.5);
  from.state.position.set(from.model.initialPosition);
  integratePositions(from.model, from.state.position, Float64Array.from(from.state.velocity, draw), 0, 1);
  for (let i = 0; i < from.state.velocity.length; i++) from.state.velocity[i] = draw();
  copyMotion(from, to);
}

/** The bodies of `to` where the joints of `from` put them; both are evaluated. */
export function copyMotion(from: Evaluation, to: Evaluation): void {
  from.evaluate();
  const { joint } = to.model;
  const { bodyOrientation, bodyTwist } = from.work;
  const point = new Float64Array(3);
  for (let g = 0; g < to.model.size.joint; g++) {
    const b = joint.body[g];
    transformPoint(point, 0, from.work, b, joint.anchor, 3 * g);
    to.state.position.set(point, 7 * g);
    to.state.position.set(bodyOrientation.subarray(4 * b, 4 * b + 4), 7 * g + 3);
    computePointVelocity(to.state.velocity, 6 * g, from.model, from.work, b, point, 0);
    unrotateByQuaternion(to.state.velocity, 6 * g + 3, bodyOrientation, 4 * b, bodyTwist, 6 * b);
  }
  to.evaluate();
}
