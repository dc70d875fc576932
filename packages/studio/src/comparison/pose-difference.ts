/**
 * How far two states of a scene are apart: the largest distance of a mark from its twin, m. Bodies have four marks, so that turning
 * counts as well as moving: `readMarks` of the engine says which; here they move with the poses that are drawn. Soft bodies are
 * marked at every vertex.
 */
import type { SceneDrawing } from '../session/scene-drawing.ts';
import { transformPoint } from '../view3d/bounds.ts';
import type { ShownState } from '../view3d/viewport.ts';

export function measureDifference(
  { gyration }: Pick<SceneDrawing, 'gyration'>,
  one: ShownState,
  two: ShownState,
): number {
  let most = 0;
  for (let body = 0; 4 * body < gyration.length; body++) {
    const [x, y, z, radius] = gyration.subarray(4 * body, 4 * body + 4) as unknown as [number, number, number, number];
    for (let k = 0; k < 4; k++) {
      const mark = [x, y, z].map((part, i) => (i === k - 1 ? part + radius : part));
      most = Math.max(most, distanceOf(transformPoint(one.poses, body, mark), transformPoint(two.poses, body, mark)));
    }
  }
  const [a, b] = [one.soft?.positions ?? [], two.soft?.positions ?? []];
  for (let o = 0; o + 3 <= Math.min(a.length, b.length); o += 3) {
    most = Math.max(most, distanceOf([a[o]!, a[o + 1]!, a[o + 2]!], [b[o]!, b[o + 1]!, b[o + 2]!]));
  }
  return most;
}

function distanceOf(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}
