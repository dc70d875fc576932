/**
 * Curvature of the Minkowski difference seen along a direction: H = ∇²h_A(n) + ∇²h_B(−n), h(n) = max n·x over a core, m.
 *
 * Ellipsoid with semi-axes s: h² = Σ (s n)², ∇²h = (D − p pᵀ)/h with D = diag(s²) and p = D n/h the farthest point.
 * Known by its support point s(n) alone: ∇²h = ∂s/∂n by central differences over ε, made symmetric.
 * Cylinder: h = r ρ + l |n_z|, ρ = √(n_x² + n_y²), ∇²h = r/ρ t tᵀ with t across n and the axis. The other cores are flat.
 */
import type { PlacedShape } from '../placed-shape.ts';
import { CORE } from './core-kind.ts';
import type { MinkowskiDifference } from './minkowski.ts';
import { isCurvedCore, supportAlong } from './support.ts';

const turned = /* @__PURE__ */ new Float64Array(3);
const ends = /* @__PURE__ */ new Float64Array(6);
/** Place of row i, column k of a symmetric matrix among xx xy xz yy yz zz. */
const PACKED = /* @__PURE__ */ Uint8Array.of(0, 1, 2, 1, 3, 4, 2, 4, 5);
/** Step of differences: the cube root of the rounding error, which balances rounding and truncation. */
const EPSILON = 6e-6;
const outer = /* @__PURE__ */ new Float64Array(4);

/** Writes H = xx xy xz yy yz zz of both cores at a unit direction from A to B, along the world's axes, m. */
export function writeCurvature(curvature: Float64Array, m: MinkowskiDifference, direction: Float64Array): void {
  curvature[0] = 0;
  curvature[1] = 0;
  curvature[2] = 0;
  curvature[3] = 0;
  curvature[4] = 0;
  curvature[5] = 0;
  addCurvature(curvature, m.shapeA as PlacedShape, direction);
  addCurvature(curvature, m.shapeB as PlacedShape, direction);
}

// even in the direction, so that B needs no sign
function addCurvature(curvature: Float64Array, shape: PlacedShape, direction: Float64Array): void {
  const { core, rotation, size } = shape;
  if (!isCurvedCore(core)) return;
  if (core === CORE.smooth) {
    addDifferences(curvature, shape, direction);
    return;
  }
  const x = rotation[0] * direction[0] + rotation[3] * direction[1] + rotation[6] * direction[2];
  const y = rotation[1] * direction[0] + rotation[4] * direction[1] + rotation[7] * direction[2];
  if (core === CORE.cylinder) {
    const rho = Math.sqrt(x * x + y * y);
    if (!(rho > 1e-12)) return;
    outer[0] = -y / rho;
    outer[1] = x / rho;
    outer[2] = 0;
    outer[3] = size[0] / rho;
    addOuter(curvature, rotation);
    return;
  }
  const z = rotation[2] * direction[0] + rotation[5] * direction[1] + rotation[8] * direction[2];
  const xx = size[0] * size[0];
  const yy = size[1] * size[1];
  const zz = size[2] * size[2];
  const h = Math.sqrt(xx * x * x + yy * y * y + zz * z * z);
  if (!(h > 0)) return;
  for (let k = 0; k < 3; k++) {
    outer[0] = k === 0 ? 1 : 0;
    outer[1] = k === 1 ? 1 : 0;
    outer[2] = k === 2 ? 1 : 0;
    outer[3] = (size[k] * size[k]) / h;
    addOuter(curvature, rotation);
  }
  outer[0] = (xx * x) / h;
  outer[1] = (yy * y) / h;
  outer[2] = (zz * z) / h;
  outer[3] = -1 / h;
  addOuter(curvature, rotation);
}

// H += (D + Dᵀ)/2, column k of D = (s(n + ε eₖ) − s(n − ε eₖ)) / 2ε along the world's axes
function addDifferences(curvature: Float64Array, shape: PlacedShape, direction: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    for (let side = 0; side < 2; side++) {
      for (let i = 0; i < 3; i++) turned[i] = direction[i] + (i === k ? (side === 0 ? EPSILON : -EPSILON) : 0);
      supportAlong(ends, 3 * side, shape, turned, 1, 0);
    }
    for (let i = 0; i < 3; i++) {
      const slope = (ends[i] - ends[3 + i]) / (2 * EPSILON);
      curvature[PACKED[3 * i + k]] += i === k ? slope : 0.5 * slope;
    }
  }
}

// H += s (R u)(R u)ᵀ, u and s in `outer`
function addOuter(curvature: Float64Array, rotation: Float64Array): void {
  const s = outer[3];
  const x = rotation[0] * outer[0] + rotation[1] * outer[1] + rotation[2] * outer[2];
  const y = rotation[3] * outer[0] + rotation[4] * outer[1] + rotation[5] * outer[2];
  const z = rotation[6] * outer[0] + rotation[7] * outer[1] + rotation[8] * outer[2];
  curvature[0] += s * x * x;
  curvature[1] += s * x * y;
  curvature[2] += s * x * z;
  curvature[3] += s * y * y;
  curvature[4] += s * y * z;
  curvature[5] += s * z * z;
}
