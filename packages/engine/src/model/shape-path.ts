import type { Model } from './model.ts';

/** Where a shape is in the scene, as in `bodies[3].shapes[0]`; numbers from the shapes on are soft bodies. */
export function describeShapePath({ body, shape, size }: Model, s: number): string {
  if (s >= size.shape) return `softBodies[${s - size.shape}]`;
  const b = shape.body[s];
  const above = body.path[b];
  return `${above === '' ? '' : `${above}.`}shapes[${s - shape.body.indexOf(b)}]`;
}
