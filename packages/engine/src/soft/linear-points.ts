/** Linear tetrahedra as elements with one point each, for what is added to any kind of element: fibers and viscosity. */
import type { Memory } from '../linear-algebra/memory.ts';
import type { ElementPoints } from './element-points.ts';
import type { RestShape } from './rest-shape.ts';

export function createLinearPoints(
  { tetrahedra, inverseRest, volume, rest }: RestShape,
  memory: Memory,
): ElementPoints {
  const count = volume.length;
  const start = memory.i32(count + 1);
  const pointStart = memory.i32(count + 1);
  const shapeStart = memory.i32(count);
  const shape = memory.f64(12 * count);
  for (let t = 0; t < count; t++) {
    start[t + 1] = 4 * (t + 1);
    pointStart[t + 1] = t + 1;
    shapeStart[t] = 12 * t;
    for (let k = 0; k < 9; k++) {
      shape[12 * t + 3 + k] = inverseRest[9 * t + k];
      shape[12 * t + (k % 3)] -= inverseRest[9 * t + k];
    }
  }
  return {
    kind: 'tet4',
    vertexStart: start,
    pointStart,
    vertex: tetrahedra,
    weight: volume,
    law: new Uint8Array(count),
    shapeStart,
    shape,
    mass: memory.f64(rest.length / 3),
  };
}
