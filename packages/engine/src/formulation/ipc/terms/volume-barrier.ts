/**
 * Keeps tetrahedra from inverting, whatever the elastic law: an energy that acts below a tenth of the rest
 * volume and grows without bound as the volume goes to zero.
 *   E = h² Σ V κ β(J),   J = det F = (x₁ − x₀)·((x₂ − x₀) × (x₃ − x₀))/(6 V),   β as in contact/barrier.ts with J in place of D
 * V rest volume, m³; κ = (λ + 2μ)/10, Pa: at half of its range it presses as much as the linear law would at zero volume.
 * With u, v, w the edges from x₀: ∂J/∂u = v × w/(6V), ∂²J/∂u∂v = −[w]×/(6V), and round; x₀ takes minus the sums.
 * Steps are cut where a volume would lose nine tenths on a straight path: the smallest root of det(D + t Ḋ) = det(D)/10, a cubic.
 * The elastic laws alone are not enough: the corotated and stable neo-Hookean ones are finite at J = 0, and Saint Venant-Kirchhoff
 * loses its stiffness before that. Source of the step limit: Smith and Schaefer, Bijective parameterization with free boundaries (2015).
 */
import { barrier, barrierCurvature, barrierSlope } from '../../../contact/barrier.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import { projectPsd } from '../../../linear-algebra/project-psd.ts';
import type { SoftMesh } from '../../../soft/soft-mesh.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import { PointBlocks } from './point-blocks.ts';

/** Share of the rest volume at which the barrier begins. */
const VOLUME_RANGE = 0.1;
/** Share of a volume that a step leaves. */
const LEFT = 0.1;

const edges = /* @__PURE__ */ new Float64Array(9);
const cofactor = /* @__PURE__ */ new Float64Array(9);
const speeds = /* @__PURE__ */ new Float64Array(9);
/** Coefficients of det(D + t Ḋ) − det(D)/10, the lowest power first. */
const cubic = /* @__PURE__ */ new Float64Array(4);

export class VolumeBarrier {
  readonly #blocks = new PointBlocks();

  /** Σ V κ β(J), J; Infinity where a tetrahedron has no volume left. */
  value(mesh: SoftMesh, x: Float64Array): number {
    const { tetrahedronCount, volume } = mesh;
    const stiffness = chooseStiffness(mesh);
    let energy = 0;
    for (let t = 0; t < tetrahedronCount; t++) {
      readEdges(edges, mesh, t, x);
      const ratio = determinant(edges) / (6 * volume[t]);
      if (ratio < VOLUME_RANGE) energy += volume[t] * stiffness * barrier(ratio, VOLUME_RANGE);
    }
    return energy;
  }

  /** The first tetrahedron without positive volume, or −1. */
  findInverted(mesh: SoftMesh, x: Float64Array): number {
    for (let t = 0; t < mesh.tetrahedronCount; t++) {
      readEdges(edges, mesh, t, x);
      if (!(determinant(edges) > 0)) return t;
    }
    return -1;
  }

  /** Adds gradient and Hessian times `scale`; `frame` are the frames of the vertices of the body. */
  add(
    matrix: BodyMatrix,
    poses: FramePoses,
    mesh: SoftMesh,
    x: Float64Array,
    frame: Int32Array,
    scale: number,
    isProjected: boolean,
  ): void {
    const { tetrahedronCount, tetrahedra, volume } = mesh;
    const blocks = this.#blocks;
    const stiffness = scale * chooseStiffness(mesh);
    for (let t = 0; t < tetrahedronCount; t++) {
      readEdges(edges, mesh, t, x);
      const size = 1 / (6 * volume[t]);
      const ratio = determinant(edges) * size;
      if (!(ratio < VOLUME_RANGE)) continue;
      const slope = stiffness * volume[t] * barrierSlope(ratio, VOLUME_RANGE) * size;
      const curvature = stiffness * volume[t] * barrierCurvature(ratio, VOLUME_RANGE) * size * size;
      for (let a = 0; a < 4; a++) {
        const v = tetrahedra[4 * t + a];
        blocks.frame[a] = frame[v];
        for (let k = 0; k < 3; k++) blocks.x[3 * a + k] = x[3 * v + k];
      }
      differentiate(blocks, slope, curvature);
      if (isProjected) projectPsd(blocks.hessian, 0, 12);
      blocks.addTo(matrix, poses, !isProjected);
    }
  }

  /** The largest part of the path from x to y, at most `end`, on which no volume loses more than nine tenths. */
  limit(mesh: SoftMesh, x: Float64Array, y: Float64Array, end: number): number {
    const { tetrahedronCount } = mesh;
    for (let t = 0; t < tetrahedronCount; t++) {
      readEdges(edges, mesh, t, x);
      readEdges(speeds, mesh, t, y);
      for (let k = 0; k < 9; k++) speeds[k] -= edges[k];
      end = limitDeterminant(edges, speeds, end);
    }
    return end;
  }
}

/** (λ + 2μ)/10 of the linear law at rest, Pa, whatever the constants of the law itself. */
function chooseStiffness({ compressionModulus }: SoftMesh): number {
  return 0.1 * compressionModulus;
}

// rows u, v, w
function readEdges(out: Float64Array, { tetrahedra }: SoftMesh, t: number, x: Float64Array): void {
  const p = 3 * tetrahedra[4 * t];
  for (let a = 0; a < 3; a++) {
    const q = 3 * tetrahedra[4 * t + 1 + a];
    for (let k = 0; k < 3; k++) out[3 * a + k] = x[q + k] - x[p + k];
  }
}

function determinant(e: Float64Array): number {
  return e[0] * (e[4] * e[8] - e[5] * e[7]) + e[1] * (e[5] * e[6] - e[3] * e[8]) + e[2] * (e[3] * e[7] - e[4] * e[6]);
}

// out ← rows v × w, w × u, u × v: ∂det/∂u, ∂v, ∂w
function writeCofactors(out: Float64Array, e: Float64Array): void {
  for (let a = 0; a < 3; a++) {
    const b = 3 * ((a + 1) % 3);
    const c = 3 * ((a + 2) % 3);
    for (let k = 0; k < 3; k++) {
      const i = (k + 1) % 3;
      const j = (k + 2) % 3;
      out[3 * a + k] = e[b + i] * e[c + j] - e[b + j] * e[c + i];
    }
  }
}

// gradient slope ∇det and Hessian curvature ∇det ∇detᵀ + slope ∇²det, in the places of the four vertices
function differentiate({ gradient: g, hessian: h }: PointBlocks, slope: number, curvature: number): void {
  writeCofactors(cofactor, edges);
  for (let k = 0; k < 3; k++) {
    g[k] = -(cofactor[k] + cofactor[3 + k] + cofactor[6 + k]);
    for (let a = 1; a < 4; a++) g[3 * a + k] = cofactor[3 * (a - 1) + k];
  }
  for (let i = 0; i < 12; i++) for (let j = 0; j < 12; j++) h[12 * i + j] = curvature * g[i] * g[j];
  for (let a = 0; a < 3; a++) {
    // the pair of edges a and the next, with the third between them; det changes by c · (δa × δb)
    const b = (a + 1) % 3;
    const c = 3 * ((a + 2) % 3);
    for (let k = 0; k < 3; k++) {
      const i = (k + 1) % 3;
      const j = (k + 2) % 3;
      addTwice(h, a, b, i, j, slope * edges[c + k]);
      addTwice(h, a, b, j, i, -slope * edges[c + k]);
    }
  }
  for (let i = 0; i < 12; i++) g[i] *= slope;
}

// a second derivative by coordinate i of edge a and j of edge b, given to their ends
function addTwice(h: Float64Array, a: number, b: number, i: number, j: number, value: number): void {
  const p = 3 * (a + 1) + i;
  const q = 3 * (b + 1) + j;
  h[12 * p + q] += value;
  h[12 * p + j] -= value;
  h[12 * i + q] -= value;
  h[12 * i + j] += value;
  h[12 * q + p] += value;
  h[12 * j + p] -= value;
  h[12 * q + i] -= value;
  h[12 * j + i] += value;
}

/** The largest t ≤ end with det(D + s Ḋ) ≥ det(D)/10 for all s ≤ t. */
export function limitDeterminant(d: Float64Array, rate: Float64Array, end: number): number {
  // c₀ + c₁ t + c₂ t² + c₃ t³
  writeCofactors(cofactor, d);
  let c1 = 0;
  for (let k = 0; k < 9; k++) c1 += cofactor[k] * rate[k];
  const c0 = (1 - LEFT) * determinant(d);
  writeCofactors(cofactor, rate);
  let c2 = 0;
  for (let k = 0; k < 9; k++) c2 += cofactor[k] * d[k];
  const c3 = determinant(rate);
  if (!(c0 > 0)) return 0;
  if (c0 > end * (Math.abs(c1) + end * (Math.abs(c2) + end * Math.abs(c3)))) return end;
  cubic[0] = c0;
  cubic[1] = c1;
  cubic[2] = c2;
  cubic[3] = c3;
  return findFirstRoot(end);
}

// the last known t before the first root of the cubic in (0, end], end where there is none
function findFirstRoot(end: number): number {
  // roots of the slope a + b t + c t²: between them the cubic only falls or only rises
  const a = cubic[1];
  const b = 2 * cubic[2];
  const c = 3 * cubic[3];
  const root = Math.sqrt(b * b - 4 * a * c);
  const q = -0.5 * (b + (b < 0 ? -root : root));
  const one = q / c;
  const two = a / q;
  // roots outside the path count as its end
  const turn1 = one > 0 && one < end ? one : end;
  const turn2 = two > 0 && two < end ? two : end;
  const near = Math.min(turn1, turn2);
  const far = Math.max(turn1, turn2);
  if (evaluateCubic(near) <= 0) return bisectCubic(0, near);
  if (evaluateCubic(far) <= 0) return bisectCubic(near, far);
  return evaluateCubic(end) <= 0 ? bisectCubic(far, end) : end;
}

function evaluateCubic(t: number): number {
  return cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]));
}

// the last known t before the root
function bisectCubic(low: number, high: number): number {
  for (let k = 0; k < 40 && high - low > 1e-3 * high; k++) {
    const middle = 0.5 * (low + high);
    if (evaluateCubic(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}
