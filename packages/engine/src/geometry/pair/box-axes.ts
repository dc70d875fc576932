/**
 * Separating axes of two boxes. Along a unit direction l the boxes are apart by
 *
 *   σ(l) = |l·c| − Σ_k a_k |l·u_k| − Σ_k b_k |l·v_k|        c centre of B from that of A, a b half edges, m, u v axes
 *
 * and the largest σ is found on a face normal of A or B or on the cross product of an edge of A with one of B. Negative: the
 * penetration depth. Positive: a lower bound of their distance (Gottschalk, Lin, Manocha, OBBTree, 1996).
 * Everything in the frame of A; rotation holds v as columns.
 */
import type { PlacedShape } from '../placed-shape.ts';

/** sin² of the angle between edges below which their cross product is rounding noise; face normals replace it. */
const PARALLEL_EDGES = 1e-16;
/** Among faces the first wins unless a later one is better by this share of all half edges: opposite faces of a stack tie. */
const FACE_TIE = 1e-13;
/** An edge axis must beat what came before by this fraction: a face carries more points. */
const EDGE_BIAS = 1e-6;

export class BoxAxes {
  /** Axes of B as columns, row by row. */
  readonly rotation: Float64Array = new Float64Array(9);
  /** Centre of B in the frame of A, m. */
  readonly centerB: Float64Array = new Float64Array(3);
  /** Centre of A in the frame of B, m. */
  readonly centerA: Float64Array = new Float64Array(3);
  /** Best face: 0 to 2 of A, 3 to 5 of B. */
  face = 0;
  /** σ of the best face, m. */
  faceSeparation = 0;
  /** Best pair of edges 3 i + j if it beats the best face, else −1. */
  edge = 0;
  /** σ of the best pair of edges, m. */
  edgeSeparation = 0;
  /** Its direction from A to B, in the frame of A. */
  readonly edgeAxis: Float64Array = new Float64Array(3);

  readonly #absolute = new Float64Array(9);

  /** Finds the best axes. False as soon as one parts the boxes by more than `reach`. */
  find(a: PlacedShape, b: PlacedShape, reach: number): boolean {
    this.#placeBoxes(a, b);
    return this.#findFace(a.size, b.size, reach) && this.#findEdges(a.size, b.size, reach);
  }

  #placeBoxes(a: PlacedShape, b: PlacedShape): void {
    const ra = a.rotation;
    const rb = b.rotation;
    const x = b.position[0] - a.position[0];
    const y = b.position[1] - a.position[1];
    const z = b.position[2] - a.position[2];
    const { rotation, centerA, centerB } = this;
    const absolute = this.#absolute;
    const b0 = rb[0];
    const b1 = rb[1];
    const b2 = rb[2];
    const b3 = rb[3];
    const b4 = rb[4];
    const b5 = rb[5];
    const b6 = rb[6];
    const b7 = rb[7];
    const b8 = rb[8];
    centerA[0] = -(b0 * x + b3 * y + b6 * z);
    centerA[1] = -(b1 * x + b4 * y + b7 * z);
    centerA[2] = -(b2 * x + b5 * y + b8 * z);
    for (let i = 0; i < 3; i++) {
      const a0 = ra[i];
      const a3 = ra[i + 3];
      const a6 = ra[i + 6];
      centerB[i] = a0 * x + a3 * y + a6 * z;
      const r0 = a0 * b0 + a3 * b3 + a6 * b6;
      const r1 = a0 * b1 + a3 * b4 + a6 * b7;
      const r2 = a0 * b2 + a3 * b5 + a6 * b8;
      rotation[3 * i] = r0;
      rotation[3 * i + 1] = r1;
      rotation[3 * i + 2] = r2;
      absolute[3 * i] = Math.abs(r0);
      absolute[3 * i + 1] = Math.abs(r1);
      absolute[3 * i + 2] = Math.abs(r2);
    }
  }

  #findFace(sizeA: Float64Array, sizeB: Float64Array, reach: number): boolean {
    const m = this.#absolute;
    const tie = FACE_TIE * (sizeA[0] + sizeA[1] + sizeA[2] + sizeB[0] + sizeB[1] + sizeB[2]);
    this.faceSeparation = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < 3; i++) {
      const radius = m[3 * i] * sizeB[0] + m[3 * i + 1] * sizeB[1] + m[3 * i + 2] * sizeB[2];
      const separation = Math.abs(this.centerB[i]) - sizeA[i] - radius;
      if (separation > reach) return false;
      if (separation > this.faceSeparation + tie) {
        this.faceSeparation = separation;
        this.face = i;
      }
    }
    for (let j = 0; j < 3; j++) {
      const radius = m[j] * sizeA[0] + m[j + 3] * sizeA[1] + m[j + 6] * sizeA[2];
      const separation = Math.abs(this.centerA[j]) - sizeB[j] - radius;
      if (separation > reach) return false;
      if (separation > this.faceSeparation + tie) {
        this.faceSeparation = separation;
        this.face = 3 + j;
      }
    }
    return true;
  }

  #findEdges(sizeA: Float64Array, sizeB: Float64Array, reach: number): boolean {
    const r = this.rotation;
    const c = this.centerB;
    let best = this.faceSeparation;
    this.edge = -1;
    for (let i = 0; i < 3; i++) {
      const i1 = i === 2 ? 0 : i + 1;
      const i2 = 3 - i - i1;
      for (let j = 0; j < 3; j++) {
        // u_i × v_j has no component along u_i, nor along v_j in the frame of B
        let y = -r[3 * i2 + j];
        let z = r[3 * i1 + j];
        const sine2 = y * y + z * z;
        if (sine2 < PARALLEL_EDGES) continue;
        const scale = 1 / Math.sqrt(sine2);
        y *= scale;
        z *= scale;
        const j1 = j === 2 ? 0 : j + 1;
        const j2 = 3 - j - j1;
        const radiusA = sizeA[i1] * Math.abs(y) + sizeA[i2] * Math.abs(z);
        const radiusB =
          sizeB[j1] * Math.abs(y * r[3 * i1 + j1] + z * r[3 * i2 + j1]) +
          sizeB[j2] * Math.abs(y * r[3 * i1 + j2] + z * r[3 * i2 + j2]);
        const along = y * c[i1] + z * c[i2];
        const separation = Math.abs(along) - radiusA - radiusB;
        if (separation > reach) return false;
        if (separation - EDGE_BIAS * Math.abs(separation) <= best) continue;
        best = separation;
        this.edge = 3 * i + j;
        const sign = along < 0 ? -1 : 1;
        this.edgeAxis[i] = 0;
        this.edgeAxis[i1] = sign * y;
        this.edgeAxis[i2] = sign * z;
      }
    }
    this.edgeSeparation = best;
    return true;
  }
}
