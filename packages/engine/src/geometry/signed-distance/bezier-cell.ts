/**
 * One cell of a quadratic spline in Bézier form: 27 control values b at the nodes 0, ½, 1 along each axis, x fastest. Value and
 * slope at a point of the cell are means (weights non-negative, of sum one) of the controls, so the controls bound them.
 */

/**
 * @param b 27 control values, out
 * @param c coefficients of the B-splines
 * @param n the first of the cell's 3 × 3 × 3 coefficients
 * @param stepY from a coefficient to the next along y
 * @param stepZ and along z
 */
export function readControlNet(b: Float64Array, c: Float64Array, n: number, stepY: number, stepZ: number): void {
  // c₀ c₁ c₂ along a line become ½(c₀ + c₁), c₁, ½(c₁ + c₂); first x, then y, then z
  for (let l = 0; l < 9; l++) {
    const m = n + (l % 3) * stepY + Math.floor(l / 3) * stepZ;
    b[3 * l] = 0.5 * (c[m] + c[m + 1]);
    b[3 * l + 1] = c[m + 1];
    b[3 * l + 2] = 0.5 * (c[m + 1] + c[m + 2]);
  }
  for (let l = 0; l < 9; l++) halveEnds(b, (l % 3) + 9 * Math.floor(l / 3), 3);
  for (let l = 0; l < 9; l++) halveEnds(b, l, 9);
}

function halveEnds(b: Float64Array, o: number, step: number): void {
  b[o] = 0.5 * (b[o] + b[o + step]);
  b[o + 2 * step] = 0.5 * (b[o + step] + b[o + 2 * step]);
}

/** Largest square of the control vectors of the gradient, all raised to degree two, in a cell of edge one. */
export function findSteepestControl(b: Float64Array): number {
  let largest = 0;
  for (let z = 0; z < 3; z++) {
    for (let y = 0; y < 3; y++) {
      for (let x = 0; x < 3; x++) {
        const gx = slopeAt(b, 3 * y + 9 * z, 1, x);
        const gy = slopeAt(b, x + 9 * z, 3, y);
        const gz = slopeAt(b, x + 3 * y, 9, z);
        largest = Math.max(largest, gx * gx + gy * gy + gz * gz);
      }
    }
  }
  return largest;
}

function slopeAt(b: Float64Array, o: number, step: number, at: number): number {
  if (at === 1) return b[o + 2 * step] - b[o];
  return at === 0 ? 2 * (b[o + step] - b[o]) : 2 * (b[o + 2 * step] - b[o + step]);
}
