/** Where everything stands as the scene is written. */
import { matrixFromQuaternion } from '../linear-algebra/quaternion.ts';
import { computeInitialPoses } from '../model/initial-pose.ts';
import type { Model } from '../model/model.ts';
import { PointPlaces, type TermPoint } from './point-term.ts';
import type { Configuration } from './term.ts';

/** Where bodies and soft vertices are in the initial pose of a model. */
export function createInitialConfiguration(model: Model): Configuration {
  const { position, orientation } = computeInitialPoses(model.body);
  const bodyRotation = new Float64Array(9 * model.size.body);
  for (let b = 0; b < model.size.body; b++) matrixFromQuaternion(bodyRotation, 9 * b, orientation, 4 * b);
  return { bodyPosition: Float64Array.from(position), bodyRotation, softPosition: model.soft.rest.slice() };
}

/** Distance of two points there, m. */
export function measureInitialDistance(model: Model, points: readonly [TermPoint, TermPoint]): number {
  const p = new Float64Array(6);
  new PointPlaces(model, points).read(p, createInitialConfiguration(model));
  return Math.hypot(p[0] - p[3], p[1] - p[4], p[2] - p[5]);
}
