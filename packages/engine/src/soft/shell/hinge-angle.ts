/**
 * The angle θ between two triangles that share the edge x₀x₁, with opposite corners x₂ and x₃, rad; its exact gradient and Hessian.
 * θ is zero where they are flat and lies in (−π, π); it is positive where both corners bend to the side that the normal of the
 * triangle x₀x₁x₂ points to. All formulas from the unit normals n₁, n₂ of the triangles, the heights h and the angles α at the ends of the edge.
 * Source: Tamstorf and Grinspun, Discrete bending forces and their Jacobians (2013), sections 3 and 4.
 */
import { atan2 } from '../../linear-algebra/elementary.ts';

/** e₀ = x₁−x₀, e₁ = x₂−x₀, e₂ = x₃−x₀, e₃ = x₂−x₁, e₄ = x₃−x₁, three numbers each. */
const e = /* @__PURE__ */ new Float64Array(15);
const length = /* @__PURE__ */ new Float64Array(5);
const n1 = /* @__PURE__ */ new Float64Array(3);
const n2 = /* @__PURE__ */ new Float64Array(3);
/** m₁, m₂, m₃, m₄, m₀₁, m₀₂: in-plane normals of the edges. */
const m = /* @__PURE__ */ new Float64Array(18);
/** Heights on e₁..e₄ and on e₀ from either side; cosines at the ends. */
const height = /* @__PURE__ */ new Float64Array(6);
const cosine = /* @__PURE__ */ new Float64Array(4);

function readHinge(x: Float64Array, corner: Int32Array, o: number): number {
  const p0 = 3 * corner[o];
  const p1 = 3 * corner[o + 1];
  const p2 = 3 * corner[o + 2];
  const p3 = 3 * corner[o + 3];
  for (let k = 0; k < 3; k++) {
    e[k] = x[p1 + k] - x[p0 + k];
    e[3 + k] = x[p2 + k] - x[p0 + k];
    e[6 + k] = x[p3 + k] - x[p0 + k];
    e[9 + k] = x[p2 + k] - x[p1 + k];
    e[12 + k] = x[p3 + k] - x[p1 + k];
  }
  for (let i = 0; i < 5; i++)
    length[i] = Math.sqrt(e[3 * i] * e[3 * i] + e[3 * i + 1] * e[3 * i + 1] + e[3 * i + 2] * e[3 * i + 2]);
  cross(n1, 0, e, 0, e, 9, 1);
  cross(n2, 0, e, 0, e, 12, -1);
  const area1 = normalize(n1);
  const area2 = normalize(n2);
  height[0] = area1 / length[1];
  height[1] = area2 / length[2];
  height[2] = area1 / length[3];
  height[3] = area2 / length[4];
  height[4] = area1 / length[0];
  height[5] = area2 / length[0];
  cosine[0] = dot(e, 0, e, 3) / (length[0] * length[1]);
  cosine[1] = dot(e, 0, e, 6) / (length[0] * length[2]);
  cosine[2] = -dot(e, 0, e, 9) / (length[0] * length[3]);
  cosine[3] = -dot(e, 0, e, 12) / (length[0] * length[4]);
  // sin θ along the edge, cos θ
  const sx = n1[1] * n2[2] - n1[2] * n2[1];
  const sy = n1[2] * n2[0] - n1[0] * n2[2];
  const sz = n1[0] * n2[1] - n1[1] * n2[0];
  const sine = (sx * e[0] + sy * e[1] + sz * e[2]) / length[0];
  return -atan2(sine, dot(n1, 0, n2, 0));
}

/** θ of the hinge whose four vertices are corner[o..o+4). */
export function measureHinge(x: Float64Array, corner: Int32Array, o: number): number {
  return readHinge(x, corner, o);
}

/** The same; writes ∂θ/∂x of its vertices to gradient[g..g+12). */
export function differentiateHinge(
  gradient: Float64Array,
  g: number,
  x: Float64Array,
  corner: Int32Array,
  o: number,
): number {
  const angle = readHinge(x, corner, o);
  for (let k = 0; k < 3; k++) {
    gradient[g + k] = -(cosine[2] / height[2]) * n1[k] - (cosine[3] / height[3]) * n2[k];
    gradient[g + 3 + k] = -(cosine[0] / height[0]) * n1[k] - (cosine[1] / height[1]) * n2[k];
    gradient[g + 6 + k] = n1[k] / height[4];
    gradient[g + 9 + k] = n2[k] / height[5];
  }
  return angle;
}

/**
 * Writes ∂²θ/∂xₐ∂x_b of the pairs 01, 02, 03, 12, 13 to out, nine numbers each, rows of a. The pair 23 has none; blocks of one vertex
 * are minus the sums of its others.
 */
export function differentiateHingeTwice(out: Float64Array, x: Float64Array, corner: Int32Array, o: number): void {
  readHinge(x, corner, o);
  cross(m, 0, n1, 0, e, 3, 1 / length[1]);
  cross(m, 3, n2, 0, e, 6, -1 / length[2]);
  cross(m, 6, n1, 0, e, 9, -1 / length[3]);
  cross(m, 9, n2, 0, e, 12, 1 / length[4]);
  cross(m, 12, n1, 0, e, 0, -1 / length[0]);
  cross(m, 15, n2, 0, e, 0, 1 / length[0]);
  const square = length[0] * length[0];
  const c31 = cosine[2] / (height[2] * height[0]);
  const c13 = cosine[0] / (height[0] * height[2]);
  const c42 = cosine[3] / (height[3] * height[1]);
  const c24 = cosine[1] / (height[1] * height[3]);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const at = 3 * i + j;
      out[at] = -(
        c31 * m[i] * n1[j] +
        c13 * m[6 + j] * n1[i] +
        (n1[i] * m[12 + j]) / square +
        c42 * m[3 + i] * n2[j] +
        c24 * m[9 + j] * n2[i] +
        (n2[i] * m[15 + j]) / square
      );
      out[9 + at] = -(
        (cosine[2] / (height[2] * height[4])) * m[12 + i] * n1[j] -
        (n1[i] * m[6 + j]) / (height[4] * height[2])
      );
      out[18 + at] = -(
        (cosine[3] / (height[3] * height[5])) * m[15 + i] * n2[j] -
        (n2[i] * m[9 + j]) / (height[5] * height[3])
      );
      out[27 + at] = -(
        (cosine[0] / (height[0] * height[4])) * m[12 + i] * n1[j] -
        (n1[i] * m[j]) / (height[4] * height[0])
      );
      out[36 + at] = -(
        (cosine[1] / (height[1] * height[5])) * m[15 + i] * n2[j] -
        (n2[i] * m[3 + j]) / (height[5] * height[1])
      );
    }
  }
}

function cross(
  out: Float64Array,
  o: number,
  a: Float64Array,
  p: number,
  b: Float64Array,
  q: number,
  scale: number,
): void {
  const x = scale * (a[p + 1] * b[q + 2] - a[p + 2] * b[q + 1]);
  const y = scale * (a[p + 2] * b[q] - a[p] * b[q + 2]);
  const z = scale * (a[p] * b[q + 1] - a[p + 1] * b[q]);
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

function dot(a: Float64Array, p: number, b: Float64Array, q: number): number {
  return a[p] * b[q] + a[p + 1] * b[q + 1] + a[p + 2] * b[q + 2];
}

// gives the length before
function normalize(a: Float64Array): number {
  const size = Math.sqrt(dot(a, 0, a, 0));
  for (let k = 0; k < 3; k++) a[k] /= size;
  return size;
}
