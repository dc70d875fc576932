/**
 * Morton codes: a point is given the cell of a regular grid it lies in, and the bits of the cell's three numbers are
 * interleaved, … z₁ y₁ x₁ z₀ y₀ x₀. Points with neighbouring codes lie near each other, so sorting by code lays out space.
 * (Morton 1966; Lauterbach et al. 2009, Fast BVH construction on GPUs.)
 *
 * The grid spans the centres of the boxes with 2¹⁰ cells along each axis: a code has 30 bits.
 */
import { UNBOUNDED } from '../bounds/unbounded.ts';

// 1024, less a part in a million: the last centre falls into the last cell whatever the rounding
const CELLS = 1023.999;
const LAST = 1023;

const grid = /* @__PURE__ */ new Float64Array(6);

/** Codes of the items order[from] up to order[to − 1], by the centres of their boxes in a grid fitted to them: codes[item]. */
export function writeMortonCodes(
  codes: Int32Array,
  boxes: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
): void {
  fitGrid(boxes, order, from, to);
  const lowX = grid[0];
  const lowY = grid[1];
  const lowZ = grid[2];
  const scaleX = grid[3];
  const scaleY = grid[4];
  const scaleZ = grid[5];
  for (let i = from; i < to; i++) {
    const item = order[i];
    const o = 6 * item;
    const x = clampCell((0.5 * boxes[o] + 0.5 * boxes[o + 3] - lowX) * scaleX);
    const y = clampCell((0.5 * boxes[o + 1] + 0.5 * boxes[o + 4] - lowY) * scaleY);
    const z = clampCell((0.5 * boxes[o + 2] + 0.5 * boxes[o + 5] - lowZ) * scaleZ);
    codes[item] = spread(x) | (spread(y) << 1) | (spread(z) << 2);
  }
}

/** Low x y z of the centres and cells per metre along x y z (0 where all agree). Endless boxes do not stretch the grid. */
function fitGrid(boxes: Float64Array, order: Int32Array, from: number, to: number): void {
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  for (let i = from; i < to; i++) {
    const o = 6 * order[i];
    if (boxes[o] > -UNBOUNDED && boxes[o + 3] < UNBOUNDED) {
      const x = 0.5 * boxes[o] + 0.5 * boxes[o + 3];
      if (x < lowX) lowX = x;
      if (x > highX) highX = x;
    }
    if (boxes[o + 1] > -UNBOUNDED && boxes[o + 4] < UNBOUNDED) {
      const y = 0.5 * boxes[o + 1] + 0.5 * boxes[o + 4];
      if (y < lowY) lowY = y;
      if (y > highY) highY = y;
    }
    if (boxes[o + 2] > -UNBOUNDED && boxes[o + 5] < UNBOUNDED) {
      const z = 0.5 * boxes[o + 2] + 0.5 * boxes[o + 5];
      if (z < lowZ) lowZ = z;
      if (z > highZ) highZ = z;
    }
  }
  grid[0] = lowX;
  grid[1] = lowY;
  grid[2] = lowZ;
  grid[3] = highX > lowX ? CELLS / (highX - lowX) : 0;
  grid[4] = highY > lowY ? CELLS / (highY - lowY) : 0;
  grid[5] = highZ > lowZ ? CELLS / (highZ - lowZ) : 0;
}

/** Whole part between 0 and 1023; 0 for NaN. */
function clampCell(x: number): number {
  return x > 0 ? (x < LAST ? x | 0 : LAST) : 0;
}

/** Moves bit k of a ten-bit number to bit 3 k. */
function spread(x: number): number {
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}
