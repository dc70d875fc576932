/**
 * When two shapes on their way through a step first touch, by conservative advancement with the tests of the narrow phase:
 *   t ← t + gap / (closing speed)
 * Between convex shapes the plane across the nearest points keeps them apart while nothing crosses it, so the closing speed is that
 * along its normal, and what passes by takes few steps. Elsewhere it is the whole relative speed, with steps of at least a quarter of
 * the thinner shape: shorter than what could jump over the other.
 * Source: Mirtich, Impulse-based dynamic simulation (1996), conservative advancement.
 */
import { ContactPoints } from '../../geometry/contact-points.ts';
import { CORE } from '../../geometry/convex/core-kind.ts';
import type { PairTest } from '../../geometry/pair-test.ts';
import { SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import type { MovingShape } from './moving-shape.ts';

const MOST_STEPS = 400;
const BISECTIONS = 12;
/** Gap that counts as touching, and least step, shares of the thinner shape. */
const TOUCH_SHARE = 1e-3;
const STEP_SHARE = 0.25;

const points = /* @__PURE__ */ new ContactPoints();

/** The time of the first touch in [0, end], s, or −1; `thin` is the thickness of the thinner shape, m. The shapes stand there then. */
export function findFirstTouch(test: PairTest, a: MovingShape, b: MovingShape, thin: number, end: number): number {
  const one = SHAPE_TABLE[a.placed.kind];
  const two = SHAPE_TABLE[b.placed.kind];
  // the normal of a plane stays what it is
  const isConvex = one.isEndless || two.isEndless || (one.core !== CORE.none && two.core !== CORE.none);
  const swing = a.swing + b.swing;
  const vx = b.velocity[0] - a.velocity[0];
  const vy = b.velocity[1] - a.velocity[1];
  const vz = b.velocity[2] - a.velocity[2];
  const fastest = Math.sqrt(vx * vx + vy * vy + vz * vz) + swing;
  const near = TOUCH_SHARE * thin;
  let t = 0;
  let before = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const n = probe(test, a, b, t, fastest * (end - t) + near);
    if (n < 0) return -1;
    const gap = points.gap[n];
    if (gap < 0 && t > before) return bisect(test, a, b, before, t, near);
    if (gap <= near) return t;
    const { normal } = points;
    const along = -(normal[3 * n] * vx + normal[3 * n + 1] * vy + normal[3 * n + 2] * vz);
    const closing = isConvex ? along + swing : fastest;
    if (!(closing > 0)) return -1;
    before = t;
    const safe = (gap - 0.5 * near) / closing;
    t += isConvex ? safe : Math.max(safe, (STEP_SHARE * thin) / fastest);
    if (t > end) return -1;
  }
  return -1;
}

// the last time at which they do not overlap yet, between one at which they do not and one at which they do
function bisect(test: PairTest, a: MovingShape, b: MovingShape, from: number, to: number, near: number): number {
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = 0.5 * (from + to);
    const n = probe(test, a, b, middle, near);
    if (n >= 0 && points.gap[n] < 0) to = middle;
    else from = middle;
  }
  a.moveTo(to);
  b.moveTo(to);
  return to;
}

// the nearest of the points at time t, or −1 where all are beyond the reach
function probe(test: PairTest, a: MovingShape, b: MovingShape, t: number, reach: number): number {
  a.moveTo(t);
  b.moveTo(t);
  points.clear();
  test(points, a.placed, b.placed, reach);
  let nearest = points.count > 0 ? 0 : -1;
  for (let n = 1; n < points.count; n++) if (points.gap[n] < points.gap[nearest]) nearest = n;
  return nearest;
}
