/**
 * Stress and moments of a shell, constant per triangle:
 *   σ = F S Fᵀ/(t J) of the middle surface (world axes, J the ratio of areas),   E = ½(FᵀF − I) in the axes of the triangle (xx yy xy)
 *   M with nᵢ·M nᵢ = 2 mᵢ/lᵢ for the moments mᵢ at its edges, N m per metre;   at the faces S/t ± 6 M/t²
 * The von Mises stress is the larger one of the two faces; σ is that of the middle. `bendingMoment` is the principal moment of
 * larger size. Axes of a triangle: the first along the warp (shell-mesh.ts), the second in its plane.
 */
import { addVertexStress } from '../element-stress.ts';
import type { StressReadout } from '../stress-readout.ts';
import type { ShellTriangles } from './shell-triangles.ts';

const read = /* @__PURE__ */ new Float64Array(9);
/** Edges of the triangle at rest: k lies opposite to corner k; then M: 11, 22, 12. */
const edge = /* @__PURE__ */ new Float64Array(6);
const moment = /* @__PURE__ */ new Float64Array(3);
const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];

/** Writes all triangles from element `first` of the read-out on; the energy of the shell has been evaluated at x. */
export function readShell(out: StressReadout, first: number, shell: ShellTriangles, x: Float64Array): void {
  const { area, triangles, thickness } = shell.shape;
  for (let t = 0; t < area.length; t++) {
    const e = first + t;
    shell.readTriangle(read, t, x);
    const c11 = read[3] ** 2 + read[5] ** 2 + read[7] ** 2;
    const c22 = read[4] ** 2 + read[6] ** 2 + read[8] ** 2;
    const c12 = read[3] * read[4] + read[5] * read[6] + read[7] * read[8];
    const ratio = Math.sqrt(Math.max(c11 * c22 - c12 * c12, 1e-18));
    out.volumeRatio[e] = ratio;
    out.strain.fill(0, 6 * e, 6 * e + 6);
    out.strain[6 * e] = 0.5 * (c11 - 1);
    out.strain[6 * e + 1] = 0.5 * (c22 - 1);
    out.strain[6 * e + 3] = 0.5 * c12;
    for (let k = 0; k < 6; k++) {
      const i = 3 + 2 * ROW[k];
      const j = 3 + 2 * COLUMN[k];
      const pulled =
        read[i] * (read[0] * read[j] + read[2] * read[j + 1]) +
        read[i + 1] * (read[2] * read[j] + read[1] * read[j + 1]);
      out.stress[6 * e + k] = pulled / (thickness * ratio);
    }
    readMoment(shell, t);
    out.bendingMoment[e] = principal(moment[0], moment[1], moment[2]);
    out.twistMoment[e] = moment[2];
    const face = 6 / (thickness * thickness);
    out.vonMises[e] = Math.max(combine(face, thickness), combine(-face, thickness));
    for (let c = 0; c < 3; c++) addVertexStress(out, triangles[3 * t + c], e, area[t] * thickness);
  }
}

function readMoment(shell: ShellTriangles, t: number): void {
  const { inverseRest } = shell.shape;
  const o = 4 * t;
  const scale = 1 / (inverseRest[o] * inverseRest[o + 3] - inverseRest[o + 1] * inverseRest[o + 2]);
  // x₁ − x₀ and x₂ − x₀ of the rest shape are the columns of B⁻¹
  const ux = scale * inverseRest[o + 3];
  const uy = -scale * inverseRest[o + 2];
  const vx = -scale * inverseRest[o + 1];
  const vy = scale * inverseRest[o];
  edge[0] = vx - ux;
  edge[1] = vy - uy;
  edge[2] = -vx;
  edge[3] = -vy;
  edge[4] = ux;
  edge[5] = uy;
  moment.fill(0);
  for (let k = 0; k < 3; k++) {
    const i = 2 * ((k + 1) % 3);
    const j = 2 * ((k + 2) % 3);
    // the normal of edge k, as long as the edge: the tensor below is one for it and zero for the other two
    const nx = edge[2 * k + 1];
    const ny = -edge[2 * k];
    const length = Math.sqrt(nx * nx + ny * ny);
    const product = (nx * edge[i] + ny * edge[i + 1]) * (nx * edge[j] + ny * edge[j + 1]);
    const size = (2 * shell.momentAt(t, k) * length) / product;
    moment[0] += size * edge[i] * edge[j];
    moment[1] += size * edge[i + 1] * edge[j + 1];
    moment[2] += 0.5 * size * (edge[i] * edge[j + 1] + edge[i + 1] * edge[j]);
  }
}

/** Von Mises stress of S/t + face M in plane stress. */
function combine(face: number, thickness: number): number {
  const xx = read[0] / thickness + face * moment[0];
  const yy = read[1] / thickness + face * moment[1];
  const xy = read[2] / thickness + face * moment[2];
  return Math.sqrt(xx * xx + yy * yy - xx * yy + 3 * xy * xy);
}

/** Of the two principal values of a symmetric 2 × 2 matrix, the one of larger size. */
function principal(xx: number, yy: number, xy: number): number {
  const mean = 0.5 * (xx + yy);
  const radius = Math.sqrt((0.5 * (xx - yy)) ** 2 + xy * xy);
  return mean < 0 ? mean - radius : mean + radius;
}
