/** A place for something new: on what is fixed, with nothing that moves above or below it, as near as possible to where it was wanted. */
import type { Point } from './rotation.ts';

/** What lies highest at a place: its height, m, and whether it can move. */
export type LookDown = (x: number, y: number) => { height: number; isMoving: boolean } | undefined;

/** Distance between places that are tried, and the farthest one, m. */
const STEP = 0.1;
const FAR = 3;
/** Looks along each side of a footprint. */
const LOOKS = 5;
/** Room left around it, m. */
const ROOM = 0.02;

/** Where something as wide as `radius` can stand; on top of everything at the place that was wanted where all places are taken. */
export function findFreePlace(look: LookDown, [x, y]: readonly [number, number], radius: number): Point {
  let highest = 0;
  for (const [dx, dy] of listShifts()) {
    const found = measureSpot(look, x + dx, y + dy, radius + ROOM);
    if (dx === 0 && dy === 0) highest = found.height ?? 0;
    if (found.isFree) return [tidy(x + dx), tidy(y + dy), tidy(found.height ?? 0)];
  }
  return [x, y, tidy(highest)];
}

function measureSpot(
  look: LookDown,
  x: number,
  y: number,
  radius: number,
): { height: number | undefined; isFree: boolean } {
  let height: number | undefined;
  let isFree = true;
  for (let i = 0; i < LOOKS; i++) {
    for (let j = 0; j < LOOKS; j++) {
      const [u, v] = [(2 * i) / (LOOKS - 1) - 1, (2 * j) / (LOOKS - 1) - 1];
      const seen = look(x + u * radius, y + v * radius);
      if (!seen) continue;
      height = Math.max(height ?? seen.height, seen.height);
      isFree &&= !seen.isMoving;
    }
  }
  // nothing would hold it where there is no ground
  return { height, isFree: isFree && height !== undefined };
}

/** From near to far, to the right first. */
function listShifts(): (readonly [number, number])[] {
  const count = Math.round(FAR / STEP);
  const shifts: (readonly [number, number])[] = [];
  for (let i = -count; i <= count; i++) for (let j = -count; j <= count; j++) shifts.push([i * STEP, j * STEP]);
  return shifts.sort(([a, b], [c, d]) => Math.hypot(a, b) - Math.hypot(c, d) || c - a || d - b);
}

/** To hundredths of a millimetre: what a ray says of a floor has round-off. */
function tidy(length: number): number {
  return Math.round(1e5 * length) / 1e5 || 0;
}
