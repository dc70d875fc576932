import type { ShownState } from '../view3d/viewport.ts';

/** How far two states of a scene are apart: the largest distance of a body, or of a vertex of a soft one, from its twin, m. */
export function measureDifference(one: ShownState, two: ShownState): number {
  let most = 0;
  const look = (a: Float32Array, b: Float32Array, width: number): void => {
    for (let o = 0; o + width <= Math.min(a.length, b.length); o += width) {
      most = Math.max(most, Math.hypot(a[o]! - b[o]!, a[o + 1]! - b[o + 1]!, a[o + 2]! - b[o + 2]!));
    }
  };
  look(one.poses, two.poses, 7);
  if (one.soft && two.soft) look(one.soft.positions, two.soft.positions, 3);
  return most;
}
