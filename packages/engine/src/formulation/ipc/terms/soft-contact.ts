/**
 * A contact in which soft bodies take part, in the places of its points: E = φ(D) m, with D the squared distance, m the mollifier.
 *   ∇E = m φ' ∇D + φ ∇m
 *   ∇²E = m (φ'' ∇D ∇Dᵀ + φ' ∇²D) + φ' (∇m ∇Dᵀ + ∇D ∇mᵀ) + φ ∇²m        projected to be positive semidefinite where asked
 * φ, φ', φ'' with all factors of the contact. Over a plane D is (n·x − c)²; its second point is the foot, on the plane's frame.
 * Derivatives of D: geometry/distance/closest-pair.ts; of m: edge-mollifier.ts.
 */

import { COLLISION, type SurfaceCollisions } from '../../../collision/collisions/surface-collisions.ts';
import type { SurfaceSet } from '../../../collision/surface/surface-set.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import { writePairGradient, writePairHessian } from '../../../geometry/distance/closest-pair.ts';
import { pairEdgeEdge } from '../../../geometry/distance/edge-edge.ts';
import { writeMollifierGradient, writeMollifierHessian } from '../../../geometry/distance/edge-mollifier.ts';
import { pairPointTriangle } from '../../../geometry/distance/point-triangle.ts';
import { projectPsd } from '../../../linear-algebra/project-psd.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import { PointBlocks } from './point-blocks.ts';

const slopeD = /* @__PURE__ */ new Float64Array(12);
const hessianD = /* @__PURE__ */ new Float64Array(144);
const slopeM = /* @__PURE__ */ new Float64Array(12);
const hessianM = /* @__PURE__ */ new Float64Array(144);

export class SoftContact {
  readonly blocks: PointBlocks = new PointBlocks();
  #isPlane = false;
  /** Over a plane: the only eigenvalue of the Hessian that is not zero. */
  #curvature = 0;

  /** Takes points and frames of contact n. */
  read(list: SurfaceCollisions, n: number, set: SurfaceSet): void {
    const { blocks } = this;
    const { world, frameOf, planes } = set;
    const { part } = list;
    if (list.kind[n] === COLLISION.plane) {
      const v = part[4 * n];
      const p = part[4 * n + 1];
      const plane = list.planeFrame;
      blocks.count = 2;
      blocks.frame[0] = frameOf[v];
      blocks.frame[1] = planes[p].frame;
      let height = -plane[4 * p + 3];
      for (let k = 0; k < 3; k++) height += plane[4 * p + k] * world[3 * v + k];
      for (let k = 0; k < 3; k++) {
        blocks.x[k] = world[3 * v + k];
        blocks.x[3 + k] = world[3 * v + k] - height * plane[4 * p + k];
      }
      return;
    }
    // a point near an edge or a point has its last corner more than once
    blocks.count = list.kind[n] === COLLISION.edge || list.type[n] === 6 ? 4 : list.type[n] === 0 ? 2 : 3;
    for (let i = 0; i < 4; i++) this.#readPoint(i, part[4 * n + i], set);
  }

  /** Takes four points, of which those at the end without weight are left out. */
  readWeighted(part: Int32Array, o: number, weights: Float64Array, set: SurfaceSet): void {
    let count = 4;
    while (count > 1 && weights[o + count - 1] === 0) count--;
    this.blocks.count = count;
    for (let i = 0; i < count; i++) this.#readPoint(i, part[o + i], set);
  }

  /** Gradient and Hessian of an energy of r = Σ cᵢ xᵢ with gradient f and Hessian Q in r. */
  spread(weights: Float64Array, o: number, force: Float64Array, stiffness: Float64Array): void {
    const { gradient, hessian, count } = this.blocks;
    for (let i = 0; i < count; i++) {
      for (let a = 0; a < 3; a++) gradient[3 * i + a] = weights[o + i] * force[a];
      for (let j = 0; j < count; j++) {
        const c = weights[o + i] * weights[o + j];
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) hessian[12 * (3 * i + a) + 3 * j + b] = c * stiffness[3 * a + b];
      }
    }
  }

  /** Gradient and Hessian of the contact read last from m, φ, φ' and φ''. */
  differentiate(list: SurfaceCollisions, n: number, m: number, value: number, slope: number, curvature: number): void {
    const { gradient, hessian, x } = this.blocks;
    this.#isPlane = list.kind[n] === COLLISION.plane;
    if (this.#isPlane) {
      this.#differentiatePlane(list.planeFrame, 4 * list.part[4 * n + 1], slope, curvature);
      return;
    }
    if (list.kind[n] === COLLISION.edge) pairEdgeEdge(x, 0, list.type[n]);
    else pairPointTriangle(x, 0, list.type[n]);
    writePairGradient(slopeD, 0);
    writePairHessian(hessianD, 0);
    for (let i = 0; i < 12; i++) {
      gradient[i] = m * slope * slopeD[i];
      for (let j = 0; j < 12; j++)
        hessian[12 * i + j] = m * (curvature * slopeD[i] * slopeD[j] + slope * hessianD[12 * i + j]);
    }
    if (m === 1) return;
    writeMollifierGradient(slopeM, 0, x, 0, list.threshold[n]);
    writeMollifierHessian(hessianM, 0, x, 0, list.threshold[n]);
    for (let i = 0; i < 12; i++) {
      gradient[i] += value * slopeM[i];
      for (let j = 0; j < 12; j++) {
        hessian[12 * i + j] += value * hessianM[12 * i + j] + slope * (slopeM[i] * slopeD[j] + slopeD[i] * slopeM[j]);
      }
    }
  }

  /** Adds the contact to a matrix, positive semidefinite where asked. */
  addTo(matrix: BodyMatrix, poses: FramePoses, isProjected: boolean): void {
    if (isProjected && !this.#isPlane) projectPsd(this.blocks.hessian, 0, 12);
    else if (isProjected && this.#curvature < 0) this.blocks.hessian.fill(0);
    this.blocks.addTo(matrix, poses, !isProjected);
  }

  #readPoint(i: number, v: number, { world, frameOf }: SurfaceSet): void {
    const { blocks } = this;
    blocks.frame[i] = frameOf[v];
    for (let k = 0; k < 3; k++) blocks.x[3 * i + k] = world[3 * v + k];
  }

  // ∂D/∂x = 2 h n, ∂²D/∂x² = 2 n nᵀ; the foot takes the opposite
  #differentiatePlane(plane: Float64Array, o: number, slope: number, curvature: number): void {
    const { gradient, hessian, x } = this.blocks;
    hessian.fill(0);
    let height = 0;
    for (let k = 0; k < 3; k++) height += plane[o + k] * (x[k] - x[3 + k]);
    const normalCurvature = (this.#curvature = 4 * curvature * height * height + 2 * slope);
    for (let a = 0; a < 3; a++) {
      gradient[a] = 2 * slope * height * plane[o + a];
      gradient[3 + a] = -gradient[a];
      for (let b = 0; b < 3; b++) {
        const value = normalCurvature * plane[o + a] * plane[o + b];
        hessian[12 * a + b] = hessian[12 * (3 + a) + 3 + b] = value;
        hessian[12 * (3 + a) + b] = hessian[12 * a + 3 + b] = -value;
      }
    }
  }
}
