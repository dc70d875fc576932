/**
 * The point of a simplex (point, segment, triangle, tetrahedron) nearest to the origin, with its weights λ.
 *
 * Signed volumes: the weights are the signed volumes, areas and lengths cut off by the projection of the origin, areas
 * measured in the coordinate plane where the triangle is largest; where a sign is wrong, the face opposite is searched.
 * Montanari, Petrinic, Barbieri, Improving the GJK algorithm, ACM Trans. Graph. 36 (2017). (Johnson's recursion, which needs
 * no projection, loses its signs by cancellation when the simplex is flat.)
 */

/** Weights of the four corners. */
export const weights: Float64Array = /* @__PURE__ */ new Float64Array(4);
/** The nearest point, m. */
export const nearest: Float64Array = /* @__PURE__ */ new Float64Array(3);

/** Triangles whose corners are within this angle of a line, and tetrahedra within this share of flat, have uncertain signs. */
const THIN = 1e-6;
const FLAT = 1e-14;

// squared distance of the best point so far
const best = /* @__PURE__ */ new Float64Array(1);

/**
 * Finds the nearest point of the simplex with its first `count` corners at w, and leaves it in `nearest` and `weights`.
 * Weights of corners that do not carry it are zero. Returns the squared distance; zero when the origin is in a tetrahedron.
 */
export function findNearestInSimplex(w: Float64Array, count: number): number {
  best[0] = Infinity;
  if (count === 1) takePoint(w, 0);
  else if (count === 2) trySegment(w, 0, 1);
  else if (count === 3) tryTriangle(w, 0, 1, 2);
  else tryTetrahedron(w);
  return best[0];
}

function keep(squared: number, x: number, y: number, z: number): boolean {
  if (!(squared < best[0])) return false;
  best[0] = squared;
  nearest[0] = x;
  nearest[1] = y;
  nearest[2] = z;
  weights[0] = 0;
  weights[1] = 0;
  weights[2] = 0;
  weights[3] = 0;
  return true;
}

function takePoint(w: Float64Array, i: number): void {
  const x = w[3 * i];
  const y = w[3 * i + 1];
  const z = w[3 * i + 2];
  if (keep(x * x + y * y + z * z, x, y, z)) weights[i] = 1;
}

function trySegment(w: Float64Array, i: number, j: number): void {
  const ix = w[3 * i];
  const iy = w[3 * i + 1];
  const iz = w[3 * i + 2];
  const tx = w[3 * j] - ix;
  const ty = w[3 * j + 1] - iy;
  const tz = w[3 * j + 2] - iz;
  const along = -(ix * tx + iy * ty + iz * tz);
  const whole = tx * tx + ty * ty + tz * tz;
  if (!(along > 0 && along < whole)) {
    takePoint(w, along > 0 ? j : i);
    return;
  }
  const s = along / whole;
  const x = ix + s * tx;
  const y = iy + s * ty;
  const z = iz + s * tz;
  if (keep(x * x + y * y + z * z, x, y, z)) {
    weights[i] = 1 - s;
    weights[j] = s;
  }
}

function tryTriangle(w: Float64Array, i: number, j: number, k: number): void {
  const ix = w[3 * i];
  const iy = w[3 * i + 1];
  const iz = w[3 * i + 2];
  const jx = w[3 * j];
  const jy = w[3 * j + 1];
  const jz = w[3 * j + 2];
  const kx = w[3 * k];
  const ky = w[3 * k + 1];
  const kz = w[3 * k + 2];
  const ux = jx - ix;
  const uy = jy - iy;
  const uz = jz - iz;
  const vx = kx - ix;
  const vy = ky - iy;
  const vz = kz - iz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const isThin = !(nn > THIN * THIN * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
  if (isThin) {
    trySegment(w, i, j);
    trySegment(w, j, k);
    trySegment(w, k, i);
    if (!(nn > 0)) return;
  }
  // projection of the origin on the plane
  const s = (nx * ix + ny * iy + nz * iz) / nn;
  const px = s * nx;
  const py = s * ny;
  const pz = s * nz;
  // areas in the coordinate plane of the largest one
  const ax = nx < 0 ? -nx : nx;
  const ay = ny < 0 ? -ny : ny;
  const az = nz < 0 ? -nz : nz;
  let whole: number;
  let ci: number;
  let cj: number;
  let ck: number;
  if (ax >= ay && ax >= az) {
    whole = nx;
    ci = (jy - py) * (kz - pz) - (jz - pz) * (ky - py);
    cj = (ky - py) * (iz - pz) - (kz - pz) * (iy - py);
    ck = (iy - py) * (jz - pz) - (iz - pz) * (jy - py);
  } else if (ay >= az) {
    whole = ny;
    ci = (jz - pz) * (kx - px) - (jx - px) * (kz - pz);
    cj = (kz - pz) * (ix - px) - (kx - px) * (iz - pz);
    ck = (iz - pz) * (jx - px) - (ix - px) * (jz - pz);
  } else {
    whole = nz;
    ci = (jx - px) * (ky - py) - (jy - py) * (kx - px);
    cj = (kx - px) * (iy - py) - (ky - py) * (ix - px);
    ck = (ix - px) * (jy - py) - (iy - py) * (jx - px);
  }
  if (whole < 0) {
    ci = -ci;
    cj = -cj;
    ck = -ck;
  }
  if (ci > 0 && cj > 0 && ck > 0) {
    const sum = ci + cj + ck;
    ci /= sum;
    cj /= sum;
    ck /= sum;
    // the plane of a thin triangle is uncertain, its points are not
    const x = isThin ? ci * ix + cj * jx + ck * kx : px;
    const y = isThin ? ci * iy + cj * jy + ck * ky : py;
    const z = isThin ? ci * iz + cj * jz + ck * kz : pz;
    if (keep(x * x + y * y + z * z, x, y, z)) {
      weights[i] = ci;
      weights[j] = cj;
      weights[k] = ck;
    }
    return;
  }
  if (isThin) return;
  if (!(ci > 0)) trySegment(w, j, k);
  if (!(cj > 0)) trySegment(w, k, i);
  if (!(ck > 0)) trySegment(w, i, j);
}

function tryTetrahedron(w: Float64Array): void {
  // six times the volumes that the origin cuts off: c_i replaces corner i by the origin
  const c0 = tripleProduct(w, 1, 3, 2);
  const c1 = tripleProduct(w, 0, 2, 3);
  const c2 = tripleProduct(w, 0, 3, 1);
  const c3 = tripleProduct(w, 0, 1, 2);
  const whole = c0 + c1 + c2 + c3;
  const sign = whole < 0 ? -1 : 1;
  const isInside0 = sign * c0 > 0;
  const isInside1 = sign * c1 > 0;
  const isInside2 = sign * c2 > 0;
  const isInside3 = sign * c3 > 0;
  const isFlat = !(sign * whole > FLAT * boundVolume(w));
  if (isInside0 && isInside1 && isInside2 && isInside3 && !isFlat) {
    keep(0, 0, 0, 0);
    weights[0] = c0 / whole;
    weights[1] = c1 / whole;
    weights[2] = c2 / whole;
    weights[3] = c3 / whole;
    return;
  }
  if (isFlat || !isInside0) tryTriangle(w, 1, 2, 3);
  if (isFlat || !isInside1) tryTriangle(w, 0, 2, 3);
  if (isFlat || !isInside2) tryTriangle(w, 0, 1, 3);
  if (isFlat || !isInside3) tryTriangle(w, 0, 1, 2);
}

// product of the edges at the first corner
function boundVolume(w: Float64Array): number {
  let product = 1;
  for (let i = 3; i < 12; i += 3) {
    const x = w[i] - w[0];
    const y = w[i + 1] - w[1];
    const z = w[i + 2] - w[2];
    product *= x * x + y * y + z * z;
  }
  return Math.sqrt(product);
}

// w_i · (w_j × w_k) by differences: its error shrinks with the triangle
function tripleProduct(w: Float64Array, i: number, j: number, k: number): number {
  const x = w[3 * i];
  const y = w[3 * i + 1];
  const z = w[3 * i + 2];
  const ux = w[3 * j] - x;
  const uy = w[3 * j + 1] - y;
  const uz = w[3 * j + 2] - z;
  const vx = w[3 * k] - x;
  const vy = w[3 * k + 1] - y;
  const vz = w[3 * k + 2] - z;
  return x * (uy * vz - uz * vy) + y * (uz * vx - ux * vz) + z * (ux * vy - uy * vx);
}
