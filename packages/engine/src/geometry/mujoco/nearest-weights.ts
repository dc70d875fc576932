/**
 * Weights λ of the point of a simplex nearest to the origin, by signed volumes, with the decisions of MuJoCo at ties and for flat
 * simplices: a weight counts only if its volume has strictly the sign of the whole.
 *
 * Montanari, Petrinic, Barbieri, Improving the GJK algorithm, ACM Trans. Graph. 36 (2017).
 */

const TINY = 1e-15;

/** Weights of the four corners. */
export const lambda: Float64Array = /* @__PURE__ */ new Float64Array(4);
/** Projection of the origin, weights of a triangle, weights of a segment. */
const projection = /* @__PURE__ */ new Float64Array(3);
const three = /* @__PURE__ */ new Float64Array(3);
const two = /* @__PURE__ */ new Float64Array(2);

/** Leaves the weights of the simplex of the first `count` points in `lambda`; points are `stride` numbers apart. */
export function weighSimplex(v: Float64Array, stride: number, count: number): void {
  lambda.fill(0);
  if (count === 4) weighTetrahedron(v, stride);
  else if (count === 3) {
    weighTriangle(v, 0, stride, 2 * stride);
    lambda.set(three);
  } else if (count === 2) {
    weighSegment(v, 0, stride);
    lambda.set(two);
  } else lambda[0] = 1;
}

function hasSameSign(a: number, b: number): boolean {
  return (a > 0 && b > 0) || (a < 0 && b < 0);
}

function determinant(v: Float64Array, a: number, b: number, c: number): number {
  return (
    v[a] * (v[b + 1] * v[c + 2] - v[b + 2] * v[c + 1]) +
    v[a + 1] * (v[b + 2] * v[c] - v[b] * v[c + 2]) +
    v[a + 2] * (v[b] * v[c + 1] - v[b + 1] * v[c])
  );
}

function weighTetrahedron(v: Float64Array, s: number): void {
  const c0 = -determinant(v, s, 2 * s, 3 * s);
  const c1 = determinant(v, 0, 2 * s, 3 * s);
  const c2 = -determinant(v, 0, s, 3 * s);
  const c3 = determinant(v, 0, s, 2 * s);
  const whole = c0 + c1 + c2 + c3;
  const in0 = hasSameSign(whole, c0);
  const in1 = hasSameSign(whole, c1);
  const in2 = hasSameSign(whole, c2);
  const in3 = hasSameSign(whole, c3);
  if (in0 && in1 && in2 && in3) {
    lambda[0] = c0 / whole;
    lambda[1] = c1 / whole;
    lambda[2] = c2 / whole;
    lambda[3] = c3 / whole;
    return;
  }
  // the nearest of the faces the origin is beyond
  let least = Number.POSITIVE_INFINITY;
  if (!in0) least = tryFace(v, s, 0, 1, 2, 3, least);
  if (!in1) least = tryFace(v, s, 1, 0, 2, 3, least);
  if (!in2) least = tryFace(v, s, 2, 0, 1, 3, least);
  if (!in3) tryFace(v, s, 3, 0, 1, 2, least);
}

function tryFace(v: Float64Array, s: number, left: number, i: number, j: number, k: number, least: number): number {
  weighTriangle(v, i * s, j * s, k * s);
  let squared = 0;
  for (let n = 0; n < 3; n++) {
    const x = three[0] * v[i * s + n] + three[1] * v[j * s + n] + three[2] * v[k * s + n];
    squared += x * x;
  }
  if (!(squared < least)) return least;
  lambda[left] = 0;
  lambda[i] = three[0];
  lambda[j] = three[1];
  lambda[k] = three[2];
  return squared;
}

function weighTriangle(v: Float64Array, a: number, b: number, c: number): void {
  if (!projectOrigin(projection, 0, v, a, b, c)) {
    weighSegment(v, a, b);
    three[0] = two[0];
    three[1] = two[1];
    three[2] = 0;
    return;
  }
  const whole = weighInPlane(three, v, a, b, c, projection, 0);
  const in0 = hasSameSign(whole, three[0]);
  const in1 = hasSameSign(whole, three[1]);
  const in2 = hasSameSign(whole, three[2]);
  if (in0 && in1 && in2) {
    for (let k = 0; k < 3; k++) three[k] /= whole;
    return;
  }
  let least = Number.POSITIVE_INFINITY;
  if (!in0) least = tryEdge(v, 0, 1, 2, b, c, least);
  if (!in1) least = tryEdge(v, 1, 0, 2, a, c, least);
  if (!in2) tryEdge(v, 2, 0, 1, a, b, least);
}

function tryEdge(v: Float64Array, left: number, i: number, j: number, p: number, q: number, least: number): number {
  weighSegment(v, p, q);
  let squared = 0;
  for (let n = 0; n < 3; n++) {
    const x = two[0] * v[p + n] + two[1] * v[q + n];
    squared += x * x;
  }
  if (!(squared < least)) return least;
  three[left] = 0;
  three[i] = two[0];
  three[j] = two[1];
  return squared;
}

function weighSegment(v: Float64Array, a: number, b: number): void {
  const dx = v[b] - v[a];
  const dy = v[b + 1] - v[a + 1];
  const dz = v[b + 2] - v[a + 2];
  const scale = -((v[b] * dx + v[b + 1] * dy + v[b + 2] * dz) / (dx * dx + dy * dy + dz * dz));
  // along the axis of the longest shadow, the last of equal ones
  let axis = 0;
  let whole = v[a] - v[b];
  for (let k = 1; k < 3; k++) {
    const shadow = v[a + k] - v[b + k];
    if (Math.abs(shadow) >= Math.abs(whole)) {
      whole = shadow;
      axis = k;
    }
  }
  const p = v[b + axis] + scale * (axis === 0 ? dx : axis === 1 ? dy : dz);
  const one = p - v[b + axis];
  const other = v[a + axis] - p;
  const isInside = hasSameSign(whole, one) && hasSameSign(whole, other);
  two[0] = isInside ? one / whole : 0;
  two[1] = isInside ? other / whole : 1;
}

/** Writes the foot of the origin on the plane of three points; false if they have no plane. */
export function projectOrigin(out: Float64Array, o: number, v: Float64Array, a: number, b: number, c: number): boolean {
  const x1 = v[b] - v[a];
  const y1 = v[b + 1] - v[a + 1];
  const z1 = v[b + 2] - v[a + 2];
  const x2 = v[c] - v[a];
  const y2 = v[c + 1] - v[a + 1];
  const z2 = v[c + 2] - v[a + 2];
  const x3 = v[c] - v[b];
  const y3 = v[c + 1] - v[b + 1];
  const z3 = v[c + 2] - v[b + 2];
  return (
    tryNormal(out, o, v, b, y3 * z1 - z3 * y1, z3 * x1 - x3 * z1, x3 * y1 - y3 * x1, false) ??
    tryNormal(out, o, v, a, y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2, false) ??
    tryNormal(out, o, v, c, y2 * z3 - z2 * y3, z2 * x3 - x2 * z3, x2 * y3 - y2 * x3, true) ??
    true
  );
}

/** The foot by one of three normals; undefined if the next should be tried. */
function tryNormal(
  out: Float64Array,
  o: number,
  v: Float64Array,
  at: number,
  nx: number,
  ny: number,
  nz: number,
  isLast: boolean,
): boolean | undefined {
  const along = nx * v[at] + ny * v[at + 1] + nz * v[at + 2];
  const squared = nx * nx + ny * ny + nz * nz;
  if (!isLast) {
    if (squared === 0) return false;
    if (along === 0 || !(squared > TINY)) return undefined;
  }
  const s = along / squared;
  out[o] = nx * s;
  out[o + 1] = ny * s;
  out[o + 2] = nz * s;
  return true;
}

/** Writes the signed areas of p with the edges of a triangle, seen along the axis in which it is largest; returns the whole area. */
export function weighInPlane(
  out: Float64Array,
  v: Float64Array,
  a: number,
  b: number,
  c: number,
  p: Float64Array,
  o: number,
): number {
  const area = (x: number, y: number): number =>
    v[b + x] * v[c + y] -
    v[b + y] * v[c + x] -
    v[a + x] * v[c + y] +
    v[a + y] * v[c + x] +
    v[a + x] * v[b + y] -
    v[a + y] * v[b + x];
  const m0 = area(1, 2);
  const m1 = area(0, 2);
  const m2 = area(0, 1);
  const s0 = Math.abs(m0);
  const s1 = Math.abs(m1);
  const s2 = Math.abs(m2);
  let x = 0;
  let y = 1;
  let whole = m2;
  if (s0 >= s1 && s0 >= s2) {
    x = 1;
    y = 2;
    whole = m0;
  } else if (s1 >= s2) {
    y = 2;
    whole = m1;
  }
  const px = p[o + x];
  const py = p[o + y];
  out[0] = px * v[b + y] + py * v[c + x] + v[b + x] * v[c + y] - px * v[c + y] - py * v[b + x] - v[c + x] * v[b + y];
  out[1] = px * v[c + y] + py * v[a + x] + v[c + x] * v[a + y] - px * v[a + y] - py * v[c + x] - v[a + x] * v[c + y];
  out[2] = px * v[a + y] + py * v[b + x] + v[a + x] * v[b + y] - px * v[b + y] - py * v[a + x] - v[b + x] * v[a + y];
  return whole;
}
