/**
 * Blocks of the Hessian of one tetrahedron without singular values. For vertices a and b with shape gradients g:
 *
 *   corotated    2μ (gₐ·g_b) I + λ γₐ γ_bᵀ + κ [γₐ]ᵀ G [γ_b],   γ = R g, κ = λ tr(S − I) − 2μ, G = (tr(V) I − V)⁻¹, V = F Rᵀ
 *   neoHookean   α (gₐ·g_b) I + 2m/(q + 1)² φₐ φ_bᵀ + l cₐ c_bᵀ − β [F (gₐ × g_b)]
 *                φ = F g, c = cof(F) g, q = |F|², α = m (1 − 1/(q + 1)), β = l (det F − 1) − ¾ m
 *
 * [w] is the matrix of w ×. The first follows from δR = [ω] R with (tr(V) I − V) ω = Σ γ × u. Its eigenvalues against twist are
 * twice those of κ G + μ I, all others positive: projecting that matrix makes it positive semidefinite. Symbols as in
 * material.ts; Pa, 1/m.
 * Source: derived here; compared with principal-stiffness.ts and with differences of the stress in the tests.
 */
import { findPolarRotation } from '../linear-algebra/polar-rotation.ts';
import { projectPsd } from '../linear-algebra/project-psd.ts';
import { ELASTIC_LAW, type Material } from './material.ts';

/** What the blocks of a tetrahedron are made of. */
export interface SpatialStiffness {
  law: number;
  /** γ, or φ, of the four vertices; c of the neo-Hookean law; κ G [γ], nine numbers each, of the corotated law. */
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly bent: Float64Array;
  /** g of the four vertices; F. */
  readonly shape: Float64Array;
  readonly f: Float64Array;
  /** Numbers in front of the three or four terms. */
  readonly factor: Float64Array;
}

export function createSpatialStiffness(): SpatialStiffness {
  return {
    law: ELASTIC_LAW.linear,
    first: new Float64Array(12),
    second: new Float64Array(12),
    bent: new Float64Array(36),
    shape: new Float64Array(12),
    f: new Float64Array(9),
    factor: new Float64Array(4),
  };
}

const rotation = /* @__PURE__ */ new Float64Array(9);
// κ G: xx, xy, xz, yy, yz, zz
const inverse = /* @__PURE__ */ new Float64Array(6);
const twist = /* @__PURE__ */ new Float64Array(9);

/**
 * Takes the state at F of a tetrahedron with the rest shape at inverseRest[o..o+9). False where this form does not serve: other
 * laws, corotated tetrahedra that are nearly flat, and projection of the neo-Hookean law.
 */
export function evaluateSpatialStiffness(
  out: SpatialStiffness,
  material: Material,
  f: Float64Array,
  inverseRest: Float64Array,
  o: number,
  isProjected: boolean,
): boolean {
  out.law = material.law;
  if (material.law === ELASTIC_LAW.corotated) {
    if (!fillCorotated(out, material, f, isProjected)) return false;
    writeShape(out.shape, inverseRest, o);
    multiplyShape(out.first, rotation, out.shape);
    bendShape(out);
    return true;
  }
  if (material.law !== ELASTIC_LAW.neoHookean || isProjected) return false;
  writeShape(out.shape, inverseRest, o);
  fillNeoHookean(out, material, f);
  return true;
}

/** out ← size times the block of vertices a and b, row by row. */
export function writeSpatialBlock(
  out: Float64Array,
  stiffness: SpatialStiffness,
  a: number,
  b: number,
  size: number,
): void {
  const { law, first, second, shape, factor } = stiffness;
  const i = 3 * a;
  const j = 3 * b;
  const along = size * factor[0] * (shape[i] * shape[j] + shape[i + 1] * shape[j + 1] + shape[i + 2] * shape[j + 2]);
  const x = size * factor[1] * first[i];
  const y = size * factor[1] * first[i + 1];
  const z = size * factor[1] * first[i + 2];
  const p = first[j];
  const q = first[j + 1];
  const r = first[j + 2];
  out[0] = along + x * p;
  out[1] = x * q;
  out[2] = x * r;
  out[3] = y * p;
  out[4] = along + y * q;
  out[5] = y * r;
  out[6] = z * p;
  out[7] = z * q;
  out[8] = along + z * r;
  if (law === ELASTIC_LAW.corotated) {
    addTurn(out, stiffness, i, 9 * b, size);
    return;
  }
  const s = size * factor[2] * second[i];
  const t = size * factor[2] * second[i + 1];
  const u = size * factor[2] * second[i + 2];
  out[0] += s * second[j];
  out[1] += s * second[j + 1];
  out[2] += s * second[j + 2];
  out[3] += t * second[j];
  out[4] += t * second[j + 1];
  out[5] += t * second[j + 2];
  out[6] += u * second[j];
  out[7] += u * second[j + 1];
  out[8] += u * second[j + 2];
  subtractCross(out, stiffness, i, j, size * factor[3]);
}

// [γₐ]ᵀ (κ G [γ_b]): minus the cross product with every column
function addTurn(out: Float64Array, { first, bent }: SpatialStiffness, i: number, o: number, scale: number): void {
  const x = -scale * first[i];
  const y = -scale * first[i + 1];
  const z = -scale * first[i + 2];
  for (let c = 0; c < 3; c++) {
    const p = bent[o + c];
    const q = bent[o + 3 + c];
    const r = bent[o + 6 + c];
    out[c] += y * r - z * q;
    out[3 + c] += z * p - x * r;
    out[6 + c] += x * q - y * p;
  }
}

// β [F (gₐ × g_b)] taken off
function subtractCross(out: Float64Array, { shape, f }: SpatialStiffness, i: number, j: number, scale: number): void {
  const x = shape[i + 1] * shape[j + 2] - shape[i + 2] * shape[j + 1];
  const y = shape[i + 2] * shape[j] - shape[i] * shape[j + 2];
  const z = shape[i] * shape[j + 1] - shape[i + 1] * shape[j];
  const wx = scale * (f[0] * x + f[1] * y + f[2] * z);
  const wy = scale * (f[3] * x + f[4] * y + f[5] * z);
  const wz = scale * (f[6] * x + f[7] * y + f[8] * z);
  out[1] += wz;
  out[2] -= wy;
  out[3] -= wz;
  out[5] += wx;
  out[6] += wy;
  out[7] -= wx;
}

function fillCorotated(
  { factor }: SpatialStiffness,
  { mu, lambda }: Material,
  f: Float64Array,
  isProjected: boolean,
): boolean {
  if (!findPolarRotation(rotation, f)) return false;
  const r = rotation;
  // V = F Rᵀ, symmetric
  const xx = f[0] * r[0] + f[1] * r[1] + f[2] * r[2];
  const yy = f[3] * r[3] + f[4] * r[4] + f[5] * r[5];
  const zz = f[6] * r[6] + f[7] * r[7] + f[8] * r[8];
  const xy = f[0] * r[3] + f[1] * r[4] + f[2] * r[5];
  const xz = f[0] * r[6] + f[1] * r[7] + f[2] * r[8];
  const yz = f[3] * r[6] + f[4] * r[7] + f[5] * r[8];
  const kappa = lambda * (xx - 1 + (yy - 1) + (zz - 1)) - 2 * mu;
  // tr(V) I − V
  const a = yy + zz;
  const b = xx + zz;
  const c = xx + yy;
  // its inverse: off-diagonal entries are −xy, −xz, −yz
  const c0 = b * c - yz * yz;
  const c1 = xy * c + yz * xz;
  const c2 = xy * yz + b * xz;
  const scale = kappa / (a * c0 - xy * c1 - xz * c2);
  inverse[0] = c0 * scale;
  inverse[1] = c1 * scale;
  inverse[2] = c2 * scale;
  inverse[3] = (a * c - xz * xz) * scale;
  inverse[4] = (a * yz + xy * xz) * scale;
  inverse[5] = (a * b - xy * xy) * scale;
  factor[0] = 2 * mu;
  factor[1] = lambda;
  if (isProjected && kappa < 0) projectTwist(mu);
  return true;
}

/** κ G + μ I made positive semidefinite. */
function projectTwist(mu: number): void {
  const t = twist;
  t[0] = inverse[0] + mu;
  t[4] = inverse[3] + mu;
  t[8] = inverse[5] + mu;
  t[1] = t[3] = inverse[1];
  t[2] = t[6] = inverse[2];
  t[5] = t[7] = inverse[4];
  // leading minors tell whether it needs that
  const minor = t[0] * t[4] - t[1] * t[1];
  const determinant =
    t[0] * (t[4] * t[8] - t[5] * t[5]) - t[1] * (t[1] * t[8] - t[5] * t[2]) + t[2] * (t[1] * t[5] - t[4] * t[2]);
  if (t[0] > 0 && minor > 0 && determinant > 0) return;
  projectPsd(t, 0, 3);
  inverse[0] = t[0] - mu;
  inverse[1] = t[1];
  inverse[2] = t[2];
  inverse[3] = t[4] - mu;
  inverse[4] = t[5];
  inverse[5] = t[8] - mu;
}

// κ G [γ] of the four vertices: rows of κ G crossed with γ
function bendShape({ first, bent }: SpatialStiffness): void {
  const g0 = inverse[0];
  const g1 = inverse[1];
  const g2 = inverse[2];
  const g3 = inverse[3];
  const g4 = inverse[4];
  const g5 = inverse[5];
  for (let v = 0; v < 4; v++) {
    const x = first[3 * v];
    const y = first[3 * v + 1];
    const z = first[3 * v + 2];
    const o = 9 * v;
    // columns of [γ]: (0, z, −y), (−z, 0, x), (y, −x, 0)
    bent[o] = g1 * z - g2 * y;
    bent[o + 1] = g2 * x - g0 * z;
    bent[o + 2] = g0 * y - g1 * x;
    bent[o + 3] = g3 * z - g4 * y;
    bent[o + 4] = g4 * x - g1 * z;
    bent[o + 5] = g1 * y - g3 * x;
    bent[o + 6] = g4 * z - g5 * y;
    bent[o + 7] = g5 * x - g2 * z;
    bent[o + 8] = g2 * y - g4 * x;
  }
}

const cofactor = /* @__PURE__ */ new Float64Array(9);

function fillNeoHookean(out: SpatialStiffness, { mu, lambda }: Material, f: Float64Array): void {
  const { first, second, shape, factor } = out;
  out.f.set(f);
  const c = cofactor;
  c[0] = f[4] * f[8] - f[5] * f[7];
  c[1] = f[5] * f[6] - f[3] * f[8];
  c[2] = f[3] * f[7] - f[4] * f[6];
  c[3] = f[2] * f[7] - f[1] * f[8];
  c[4] = f[0] * f[8] - f[2] * f[6];
  c[5] = f[1] * f[6] - f[0] * f[7];
  c[6] = f[1] * f[5] - f[2] * f[4];
  c[7] = f[2] * f[3] - f[0] * f[5];
  c[8] = f[0] * f[4] - f[1] * f[3];
  let square = 0;
  for (let k = 0; k < 9; k++) square += f[k] * f[k];
  const share = 1 / (square + 1);
  multiplyShape(first, f, shape);
  multiplyShape(second, c, shape);
  factor[0] = mu * (1 - share);
  factor[1] = 2 * mu * share * share;
  factor[2] = lambda;
  factor[3] = lambda * (f[0] * c[0] + f[1] * c[1] + f[2] * c[2] - 1) - 0.75 * mu;
}

/** g of the four vertices. */
function writeShape(out: Float64Array, inverseRest: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    const a = inverseRest[o + k];
    const b = inverseRest[o + 3 + k];
    const c = inverseRest[o + 6 + k];
    out[k] = -(a + b + c);
    out[3 + k] = a;
    out[6 + k] = b;
    out[9 + k] = c;
  }
}

function multiplyShape(out: Float64Array, m: Float64Array, shape: Float64Array): void {
  for (let i = 0; i < 12; i += 3) {
    const x = shape[i];
    const y = shape[i + 1];
    const z = shape[i + 2];
    out[i] = m[0] * x + m[1] * y + m[2] * z;
    out[i + 1] = m[3] * x + m[4] * y + m[5] * z;
    out[i + 2] = m[6] * x + m[7] * y + m[8] * z;
  }
}
