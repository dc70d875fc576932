/**
 * On which side of the plane through a, b, c the point d lies: the sign of det[a − d, b − d, c − d], without error.
 *
 * A floating-point evaluation with a bound on its error decides almost always; the rest is summed exactly as an expansion
 * of doubles. Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates (1997); the
 * bound is his A, (7 + 56 ε) ε with ε = 2⁻⁵³, times the sum of the magnitudes of the terms.
 */

const ERROR_BOUND = (7 + 56 * 2 ** -53) * 2 ** -53;

/**
 * Positive where d is above the plane, seen from which a, b, c run counter-clockwise; negative below; zero on it.
 * Points are given by the places at which their coordinates begin.
 */
export function orientPoints(points: Float64Array, a: number, b: number, c: number, d: number): number {
  const adx = points[a] - points[d];
  const bdx = points[b] - points[d];
  const cdx = points[c] - points[d];
  const ady = points[a + 1] - points[d + 1];
  const bdy = points[b + 1] - points[d + 1];
  const cdy = points[c + 1] - points[d + 1];
  const adz = points[a + 2] - points[d + 2];
  const bdz = points[b + 2] - points[d + 2];
  const cdz = points[c + 2] - points[d + 2];
  const bxcy = bdx * cdy;
  const cxby = cdx * bdy;
  const cxay = cdx * ady;
  const axcy = adx * cdy;
  const axby = adx * bdy;
  const bxay = bdx * ady;
  const det = adz * (bxcy - cxby) + bdz * (cxay - axcy) + cdz * (axby - bxay);
  const magnitude =
    (Math.abs(bxcy) + Math.abs(cxby)) * Math.abs(adz) +
    (Math.abs(cxay) + Math.abs(axcy)) * Math.abs(bdz) +
    (Math.abs(axby) + Math.abs(bxay)) * Math.abs(cdz);
  const bound = ERROR_BOUND * magnitude;
  // seen from above, det is negative
  if (det > bound || -det > bound) return -det;
  if (magnitude === 0 && areDifferencesExact(points, a, b, c, d)) return 0;
  return -sumExactly(points, a, b, c, d);
}

// the exact determinant, as a double of its sign
function sumExactly(p: Float64Array, a: number, b: number, c: number, d: number): number {
  length = 0;
  if (areDifferencesExact(p, a, b, c, d)) {
    for (let k = 0; k < 3; k++) {
      difference[k] = p[a + k] - p[d + k];
      difference[3 + k] = p[b + k] - p[d + k];
      difference[6 + k] = p[c + k] - p[d + k];
    }
    addDeterminant(difference, 0, 3, 6, 1);
  } else {
    // det[a − d, b − d, c − d] = det[a b c] − det[b c d] + det[c d a] − det[d a b]
    addDeterminant(p, a, b, c, 1);
    addDeterminant(p, b, c, d, -1);
    addDeterminant(p, c, d, a, 1);
    addDeterminant(p, d, a, b, -1);
  }
  return length === 0 ? 0 : terms[length - 1];
}

// whether all coordinates relative to d are doubles
function areDifferencesExact(p: Float64Array, a: number, b: number, c: number, d: number): boolean {
  for (let k = 0; k < 3; k++) {
    const z = p[d + k];
    if (tailOfDifference(p[a + k], z) !== 0) return false;
    if (tailOfDifference(p[b + k], z) !== 0) return false;
    if (tailOfDifference(p[c + k], z) !== 0) return false;
  }
  return true;
}

// add sign · det[x y z] of three rows
function addDeterminant(m: Float64Array, x: number, y: number, z: number, sign: number): void {
  addProduct(sign * m[x], m[y + 1], m[z + 2]);
  addProduct(sign * m[x + 1], m[y + 2], m[z]);
  addProduct(sign * m[x + 2], m[y], m[z + 1]);
  addProduct(-sign * m[x + 2], m[y + 1], m[z]);
  addProduct(-sign * m[x], m[y + 2], m[z + 1]);
  addProduct(-sign * m[x + 1], m[y], m[z + 2]);
}

// add u v w exactly: two roundings, each with its tail
function addProduct(u: number, v: number, w: number): void {
  const high = u * v;
  const low = tailOfProduct(u, v, high);
  const highest = high * w;
  addTerm(tailOfProduct(high, w, highest));
  const middle = low * w;
  addTerm(tailOfProduct(low, w, middle));
  addTerm(middle);
  addTerm(highest);
}

// grow the expansion by one double, dropping zeros; its last term has the sign of the sum
function addTerm(value: number): void {
  if (value === 0) return;
  let carry = value;
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const sum = carry + terms[i];
    const virtual = sum - carry;
    const tail = carry - (sum - virtual) + (terms[i] - virtual);
    carry = sum;
    if (tail !== 0) terms[kept++] = tail;
  }
  if (carry !== 0) terms[kept++] = carry;
  length = kept;
}

function tailOfDifference(x: number, y: number): number {
  const difference = x - y;
  const virtual = x - difference;
  return x - (difference + virtual) + (virtual - y);
}

// Dekker: the rounding error of the product x y
function tailOfProduct(x: number, y: number, product: number): number {
  const cx = 134217729 * x;
  const xHigh = cx - (cx - x);
  const xLow = x - xHigh;
  const cy = 134217729 * y;
  const yHigh = cy - (cy - y);
  const yLow = y - yHigh;
  return xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
}

// at most 4 determinants of 6 products of 4 terms
const terms = /* @__PURE__ */ new Float64Array(96);
const difference = /* @__PURE__ */ new Float64Array(9);
let length = 0;
