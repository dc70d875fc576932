/** Where a shape stands in the scene, as in `bodies[3].shapes[0]`; numbers from the shapes on are soft bodies. */
import type { Model } from '../../model/model.ts';
import { bodyPath, indexScene } from '../../model/scene-index.ts';

export function describeShapePath({ scene, size }: Model, s: number): string {
  if (s >= size.shape) return `softBodies[${s - size.shape}]`;
  const index = indexScene(scene);
  const body = index.shapeBody[s];
  const above = bodyPath(index, body);
  return `${above === '' ? '' : `${above}.`}shapes[${s - index.shapeBody.indexOf(body)}]`;
}
