/**
 * The elastic energy of a rod: points x, and for every edge the distance s = r θ by which its surface has turned about its axis, which
 * is the first coordinate of a vertex that follows the points (its other two stay zero): angles then have the unit of lengths and
 * the inertia ½ m of an edge, and are carried by the same matrices of 3 × 3 blocks as points.
 *   W = Σ ½ E A l̄ (l/l̄ − 1)² over edges + bending and twist over inner points (rod-bend.ts)
 * The director of an edge is part of the state: a step starts from it, and `follow` takes it along when the step is done.
 * From tangents to edges e = l t:   ∇ₑ = P g/l,   ∇²ₑ = (P H P − (t·g) P − t gᵀP − P g tᵀ)/l²,   P = I − t tᵀ.
 */
import type { BlockSparseMatrix } from '../../linear-algebra/block-sparse-matrix.ts';
import { cosSin } from '../../linear-algebra/elementary.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { projectPsd } from '../../linear-algebra/project-psd.ts';
import type { ElementFamily, VertexPairs } from '../element-family.ts';
import type { StressReadout } from '../stress-readout.ts';
import { createRodVertex, differentiateRodVertex, evaluateRodVertex, measureTwist } from './rod-bend.ts';
import { addLocalBlocks, LOCAL, mapToPoints, writeStretch } from './rod-blocks.ts';

/** A rod at rest. */
export interface RodShape {
  readonly pointCount: number;
  /** Two points per edge; its length at rest, m. */
  readonly edge: Int32Array;
  readonly length: Float64Array;
  /** Two edges per inner point, the one that ends there and the one that starts. */
  readonly joint: Int32Array;
  /** Per inner point: κ̄ in the directors of either edge (two numbers each), |κ̄|², τ̄, and l̄, m. */
  readonly restCurvature: Float64Array;
  readonly restSquare: Float64Array;
  readonly restTwist: Float64Array;
  readonly jointLength: Float64Array;
  /** r, m; E A, N; E I and G J, N m². */
  readonly radius: number;
  readonly stretchStiffness: number;
  readonly bendingStiffness: number;
  readonly twistStiffness: number;
  /** kg/m. */
  readonly lineDensity: number;
}

const local = /* @__PURE__ */ new Float64Array(LOCAL);
const matrixOf = /* @__PURE__ */ new Float64Array(LOCAL * LOCAL);
const slope = /* @__PURE__ */ new Float64Array(8);
const curvature = /* @__PURE__ */ new Float64Array(64);
const turn = /* @__PURE__ */ new Float64Array(2);
const stretch = /* @__PURE__ */ new Float64Array(9);
/** Pairs of the five vertices at an inner point: three points, two angles. */
const PAIR_FIRST: readonly number[] = [0, 0, 1, 0, 0, 1, 1, 2, 2, 3];
const PAIR_SECOND: readonly number[] = [1, 2, 2, 3, 4, 3, 4, 3, 4, 4];

export class RodElements implements ElementFamily {
  readonly kind = 'rod';
  readonly count: number;
  readonly stressCount: number;
  readonly isQuadratic = false;
  shape: RodShape;
  weight = 1;
  /** Directors of the edges in the state. */
  readonly #state: Float64Array;
  /** Per edge at the start of the step: tangent, director, angle; now: tangent, director, length. */
  readonly #startTangent: Float64Array;
  readonly #startDirector: Float64Array;
  readonly #startAngle: Float64Array;
  readonly #tangent: Float64Array;
  readonly #director: Float64Array;
  readonly #length: Float64Array;
  readonly #place: Int32Array;
  readonly #vertex = createRodVertex();
  /** The five vertices of the inner point being worked on. */
  readonly #at = new Int32Array(5);

  constructor(shape: RodShape, directors: Float64Array, memory: Memory) {
    const edges = shape.length.length;
    this.shape = shape;
    this.count = this.stressCount = edges;
    this.#state = directors;
    this.#startTangent = memory.f64(3 * edges);
    this.#startDirector = memory.f64(3 * edges);
    this.#startAngle = memory.f64(edges);
    this.#tangent = memory.f64(3 * edges);
    this.#director = memory.f64(3 * edges);
    this.#length = memory.f64(edges);
    this.#place = memory.i32(edges + 10 * shape.jointLength.length).fill(-1);
  }

  listPairs(): VertexPairs {
    const { edge, jointLength } = this.shape;
    const first: number[] = [];
    const second: number[] = [];
    for (let e = 0; e < this.count; e++) {
      first.push(edge[2 * e]);
      second.push(edge[2 * e + 1]);
    }
    for (let i = 0; i < jointLength.length; i++) {
      this.#gather(i);
      for (let p = 0; p < 10; p++) {
        first.push(this.#at[PAIR_FIRST[p]]);
        second.push(this.#at[PAIR_SECOND[p]]);
      }
    }
    return { first: Int32Array.from(first), second: Int32Array.from(second) };
  }

  takePlaces(place: Int32Array): void {
    this.#place.set(place);
  }

  /** Half of the mass of an edge to each of its points, and ½ m to its angle, as I/r² = ½ m of a cylinder. */
  addMass(mass: Float64Array): void {
    const { edge, length, lineDensity, pointCount } = this.shape;
    for (let e = 0; e < this.count; e++) {
      const half = 0.5 * lineDensity * length[e];
      mass[edge[2 * e]] += half;
      mass[edge[2 * e + 1]] += half;
      mass[pointCount + e] += half;
    }
  }

  setWeight(weight: number): void {
    this.weight = weight;
  }

  takeConstants({ shape }: RodElements): void {
    const { stretchStiffness, bendingStiffness, twistStiffness, lineDensity } = shape;
    this.shape = { ...this.shape, stretchStiffness, bendingStiffness, twistStiffness, lineDensity };
  }

  measureStiffness(): number {
    const { length, stretchStiffness } = this.shape;
    let sum = 0;
    for (let e = 0; e < this.count; e++) sum += length[e];
    return this.weight * sum * stretchStiffness;
  }

  /** Takes x as the start of a step, with the directors of the state, made perpendicular to their edges. */
  takeStart(x: Float64Array): void {
    const { pointCount, radius } = this.shape;
    const tangent = this.#startTangent;
    const director = this.#startDirector;
    this.#measureEdges(tangent, x);
    for (let e = 0, i = 0; e < this.count; e++, i += 3) {
      this.#startAngle[e] = x[3 * (pointCount + e)] / radius;
      const along = dot(this.#state, i, tangent, i);
      for (let c = 0; c < 3; c++) director[i + c] = this.#state[i + c] - along * tangent[i + c];
      const size = Math.sqrt(dot(director, i, director, i));
      for (let c = 0; c < 3; c++) director[i + c] /= size;
    }
  }

  /** Takes the directors of the state along to where x has come from the start of the step. */
  follow(x: Float64Array): void {
    this.#place3d(x);
    for (let i = 0; i < this.#state.length; i++) this.#state[i] = this.#director[i];
  }

  evaluate(x: Float64Array): number {
    const { jointLength } = this.shape;
    this.#place3d(x);
    let energy = this.#evaluateStretch();
    for (let i = 0; i < jointLength.length; i++) {
      this.#readJoint(i);
      energy += evaluateRodVertex(this.#vertex);
    }
    return this.weight * energy;
  }

  addGradient(gradient: Float64Array, x: Float64Array): number {
    const { edge, length, jointLength, stretchStiffness, radius } = this.shape;
    const { weight } = this;
    this.#place3d(x);
    let energy = this.#evaluateStretch();
    for (let e = 0; e < this.count; e++) {
      const force = weight * stretchStiffness * (this.#length[e] / length[e] - 1);
      for (let c = 0; c < 3; c++) {
        const f = force * this.#tangent[3 * e + c];
        gradient[3 * edge[2 * e] + c] -= f;
        gradient[3 * edge[2 * e + 1] + c] += f;
      }
    }
    for (let i = 0; i < jointLength.length; i++) {
      this.#readJoint(i);
      energy += differentiateRodVertex(slope, undefined, this.#vertex);
      const { joint } = this.shape;
      mapToPoints(local, undefined, slope, curvature, this.#vertex.t, this.#length, joint, i, radius);
      for (let v = 0; v < 3; v++)
        for (let c = 0; c < 3; c++) gradient[3 * this.#at[v] + c] += weight * local[3 * v + c];
      gradient[3 * this.#at[3]] += weight * local[9];
      gradient[3 * this.#at[4]] += weight * local[10];
    }
    return weight * energy;
  }

  addHessian(matrix: BlockSparseMatrix, x: Float64Array, scale: number, isProjected: boolean): void {
    const { edge, length, jointLength, stretchStiffness, radius, joint } = this.shape;
    const { values } = matrix;
    const weight = scale * this.weight;
    this.#place3d(x);
    for (let e = 0; e < this.count; e++) {
      const tension = 1 - length[e] / this.#length[e];
      const across = isProjected ? Math.max(0, tension) : tension;
      writeStretch(stretch, this.#tangent, 3 * e, (weight * stretchStiffness) / length[e], across);
      const a = edge[2 * e];
      const b = edge[2 * e + 1];
      for (let k = 0; k < 9; k++) {
        values[9 * a + k] += stretch[k];
        values[9 * b + k] += stretch[k];
        values[this.#place[e] + k] -= stretch[k];
      }
    }
    for (let i = 0; i < jointLength.length; i++) {
      this.#readJoint(i);
      differentiateRodVertex(slope, curvature, this.#vertex);
      mapToPoints(local, matrixOf, slope, curvature, this.#vertex.t, this.#length, joint, i, radius);
      if (isProjected) projectPsd(matrixOf, 0, LOCAL);
      addLocalBlocks(values, this.#at, this.#place, this.count + 10 * i, matrixOf, weight);
    }
  }

  /** Elements are edges: tension and moments, and the stress at the surface of the rod from them. */
  readStress(out: StressReadout, first: number, x: Float64Array): void {
    const { edge, length, jointLength, joint, radius, stretchStiffness, bendingStiffness, twistStiffness } = this.shape;
    const { weight } = this;
    this.#place3d(x);
    const area = Math.PI * radius * radius;
    for (let e = 0; e < this.count; e++) {
      const strain = this.#length[e] / length[e] - 1;
      out.strain.fill(0, 6 * (first + e), 6 * (first + e) + 6);
      out.strain[6 * (first + e)] = strain;
      out.volumeRatio[first + e] = 1 + strain;
      const tension = (weight * stretchStiffness * strain) / area;
      for (let k = 0; k < 6; k++) {
        const row = k < 3 ? k : k < 5 ? 0 : 1;
        const column = k < 3 ? k : k < 4 ? 1 : 2;
        out.stress[6 * (first + e) + k] = tension * this.#tangent[3 * e + row] * this.#tangent[3 * e + column];
      }
      out.bendingMoment[first + e] = out.twistMoment[first + e] = 0;
    }
    for (let i = 0; i < jointLength.length; i++) {
      this.#readJoint(i);
      const { t, k } = this.#vertex;
      const c = 1 + dot(t, 0, t, 3);
      let square = 0;
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3;
        const d = (a + 2) % 3;
        square += ((2 * (t[b] * t[3 + d] - t[d] * t[3 + b])) / c - 0.5 * (k[a] + k[3 + a])) ** 2;
      }
      const bending = (weight * bendingStiffness * Math.sqrt(square)) / jointLength[i];
      const twisting = (weight * twistStiffness * measureTwist(this.#vertex)) / jointLength[i];
      for (let j = 0; j < 2; j++) {
        const e = first + joint[2 * i + j];
        out.bendingMoment[e] = Math.max(out.bendingMoment[e], bending);
        if (Math.abs(twisting) > Math.abs(out.twistMoment[e])) out.twistMoment[e] = twisting;
      }
    }
    for (let e = 0; e < this.count; e++) {
      const o = first + e;
      const normal =
        Math.abs((weight * stretchStiffness * out.strain[6 * o]) / area) + (4 * out.bendingMoment[o]) / (area * radius);
      const shear = (2 * out.twistMoment[o]) / (area * radius);
      out.vonMises[o] = Math.sqrt(normal * normal + 3 * shear * shear);
      for (let v = 0; v < 2; v++) {
        const p = edge[2 * e + v];
        const volume = area * length[e];
        for (let k = 0; k < 6; k++) out.vertexStress[6 * p + k] += volume * out.stress[6 * o + k];
        out.vertexVonMises[p] += volume * out.vonMises[o];
        out.vertexWeight[p] += volume;
      }
    }
  }

  // the three points and two angles at inner point i
  #gather(i: number): void {
    const { edge, joint, pointCount } = this.shape;
    const a = joint[2 * i];
    const b = joint[2 * i + 1];
    this.#at[0] = edge[2 * a];
    this.#at[1] = edge[2 * a + 1];
    this.#at[2] = edge[2 * b + 1];
    this.#at[3] = pointCount + a;
    this.#at[4] = pointCount + b;
  }

  #readJoint(i: number): void {
    const { joint, restCurvature, restSquare, restTwist, jointLength, bendingStiffness, twistStiffness } = this.shape;
    const vertex = this.#vertex;
    this.#gather(i);
    for (let j = 0; j < 2; j++) {
      const e = 3 * joint[2 * i + j];
      const o = 3 * j;
      for (let c = 0; c < 3; c++) {
        vertex.s[o + c] = this.#startTangent[e + c];
        vertex.t[o + c] = this.#tangent[e + c];
        vertex.u[o + c] = this.#director[e + c];
      }
      const p = restCurvature[4 * i + 2 * j];
      const q = restCurvature[4 * i + 2 * j + 1];
      for (let c = 0; c < 3; c++) {
        const next = (c + 1) % 3;
        const last = (c + 2) % 3;
        const second = vertex.t[o + next] * vertex.u[o + last] - vertex.t[o + last] * vertex.u[o + next];
        vertex.k[o + c] = p * vertex.u[o + c] + q * second;
      }
    }
    vertex.bend = bendingStiffness / jointLength[i];
    vertex.twist = twistStiffness / jointLength[i];
    vertex.restSquare = restSquare[i];
    vertex.restTwist = restTwist[i];
  }

  // tangents, lengths and directors at x
  #place3d(x: Float64Array): void {
    const { pointCount, radius } = this.shape;
    const tangent = this.#tangent;
    const director = this.#director;
    const start = this.#startTangent;
    const from = this.#startDirector;
    this.#measureEdges(tangent, x);
    for (let e = 0, i = 0; e < this.count; e++, i += 3) {
      const share = dot(tangent, i, from, i) / Math.max(1 + dot(start, i, tangent, i), 1e-12);
      const ux = from[i] - share * (start[i] + tangent[i]);
      const uy = from[i + 1] - share * (start[i + 1] + tangent[i + 1]);
      const uz = from[i + 2] - share * (start[i + 2] + tangent[i + 2]);
      const angle = x[3 * (pointCount + e)] / radius - this.#startAngle[e];
      cosSin(turn, 0, angle);
      director[i] = turn[0] * ux + turn[1] * (tangent[i + 1] * uz - tangent[i + 2] * uy);
      director[i + 1] = turn[0] * uy + turn[1] * (tangent[i + 2] * ux - tangent[i] * uz);
      director[i + 2] = turn[0] * uz + turn[1] * (tangent[i] * uy - tangent[i + 1] * ux);
    }
  }

  #measureEdges(tangent: Float64Array, x: Float64Array): void {
    const { edge } = this.shape;
    for (let e = 0, i = 0; e < this.count; e++, i += 3) {
      const a = 3 * edge[2 * e];
      const b = 3 * edge[2 * e + 1];
      const dx = x[b] - x[a];
      const dy = x[b + 1] - x[a + 1];
      const dz = x[b + 2] - x[a + 2];
      const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
      this.#length[e] = size;
      tangent[i] = dx / size;
      tangent[i + 1] = dy / size;
      tangent[i + 2] = dz / size;
    }
  }

  #evaluateStretch(): number {
    const { length, stretchStiffness } = this.shape;
    let energy = 0;
    for (let e = 0; e < this.count; e++) {
      const strain = this.#length[e] / length[e] - 1;
      energy += 0.5 * stretchStiffness * length[e] * strain * strain;
    }
    return energy;
  }
}

function dot(a: Float64Array, p: number, b: Float64Array, q: number): number {
  return a[p] * b[q] + a[p + 1] * b[q + 1] + a[p + 2] * b[q + 2];
}
