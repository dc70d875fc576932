/**
 * Elements that are integrated at points: where element e has the vertices xₐ,
 *
 *   W(x) = Σ_e Σ_k w_k Ψ_k(F_k),   F_k = Σₐ xₐ gₐₖᵀ,   ∂W/∂xₐ = Σ w P g,   ∂²W/∂xₐ∂x_b = Σ w gₐ·(∂P/∂F)·g_b
 *
 * w_k is the volume that point k stands for, m³, gₐₖ the gradient of the shape function of vertex a there, 1/m, P the first Piola
 * stress, Pa. An element has any number of vertices and points; each point has one of the laws of the body. 10-node
 * tetrahedra have four points, smoothed tetrahedra one for each edge and each vertex of the mesh. Shape functions
 * add to one, so diagonal blocks are minus the sums of the others.
 */
import type { BlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ElementFamily, VertexPairs } from './element-family.ts';
import { addVertexStress, writeElementStress } from './element-stress.ts';
import { addFiberStress, type Fibers } from './fiber-elements.ts';
import { ELASTIC_LAW, evaluateMaterial, type Material } from './material.ts';
import { type FlowingElements, readInverse } from './plastic-flow.ts';
import { createPrincipalStiffness, evaluateStiffness, expandStiffness } from './principal-stiffness.ts';
import { differentiateStiffness } from './stiffness-rate.ts';
import type { StressReadout } from './stress-readout.ts';

/** Elements with their points, as lists. */
export interface ElementPoints {
  readonly kind: string;
  /** Per element, one more than there are: its first entry of `vertex`, its first point. */
  readonly vertexStart: Int32Array;
  readonly pointStart: Int32Array;
  readonly vertex: Int32Array;
  /** Per point: volume, m³; number of its law; its first entry of `shape`, three numbers for each vertex of the element. */
  readonly weight: Float64Array;
  readonly law: Uint8Array;
  readonly shapeStart: Int32Array;
  readonly shape: Float64Array;
  /** Per vertex of the body: lumped mass, kg. */
  readonly mass: Float64Array;
}

const f = /* @__PURE__ */ new Float64Array(9);
const p = /* @__PURE__ */ new Float64Array(9);
const changeA = /* @__PURE__ */ new Float64Array(9);
const changeB = /* @__PURE__ */ new Float64Array(9);
const parts = /* @__PURE__ */ createPrincipalStiffness();
// ∂P/∂F, row by row over the entries of F row by row
const tangent = /* @__PURE__ */ new Float64Array(81);

export class PointElements implements ElementFamily, FlowingElements {
  readonly kind: string;
  readonly count: number;
  readonly isQuadratic: boolean;
  readonly stressCount: number;
  readonly points: ElementPoints;
  /** Laws of the points, times the weight of elasticity. */
  materials: readonly Material[];
  #given: readonly Material[];
  /** Law of the whole material, for stress. */
  #whole: Material;
  #givenWhole: Material;
  /** Per element: its first pair; places of pairs in the order 10, 20, 21, 30, .. of its vertices. */
  readonly #pairStart: Int32Array;
  readonly #place: Int32Array;
  /** Blocks of one element; ∂P/∂F·g of its vertices. */
  readonly #blocks: Float64Array;
  readonly #turned: Float64Array;
  readonly #readout: ReadoutPoints;
  /** A family of its own, whose stress is a part of that read here. */
  #fibers: Fibers | undefined;
  /** State of the plastic flow, where there is one; per point where its shape gradients begin, and its element. */
  #flow: Float64Array | undefined;
  readonly gradientStart: Int32Array;
  readonly #elementOf: Int32Array;

  constructor(
    points: ElementPoints,
    materials: readonly Material[],
    whole: Material,
    readout: ReadoutPoints,
    memory: Memory,
    fibers?: Fibers,
  ) {
    this.#fibers = fibers;
    this.kind = points.kind;
    this.points = points;
    this.count = points.vertexStart.length - 1;
    this.materials = this.#given = materials;
    this.#whole = this.#givenWhole = whole;
    this.isQuadratic = whole.law === ELASTIC_LAW.linear;
    this.#readout = readout;
    this.stressCount = readout.volume.length;
    this.#pairStart = memory.i32(this.count + 1);
    let most = 0;
    for (let e = 0; e < this.count; e++) {
      const n = points.vertexStart[e + 1] - points.vertexStart[e];
      this.#pairStart[e + 1] = this.#pairStart[e] + (n * (n - 1)) / 2;
      most = Math.max(most, n);
    }
    this.gradientStart = Int32Array.from([...points.shapeStart, points.shape.length]);
    this.#elementOf = new Int32Array(points.weight.length);
    for (let e = 0; e < this.count; e++) this.#elementOf.fill(e, points.pointStart[e], points.pointStart[e + 1]);
    this.#place = memory.i32(this.#pairStart[this.count]);
    this.#blocks = memory.f64((9 * most * (most - 1)) / 2);
    this.#turned = memory.f64(27 * most);
  }

  get gradients(): Float64Array {
    return this.points.shape;
  }

  takeFlow(state: Float64Array): void {
    this.#flow = state;
  }

  computeDeformation(out: Float64Array, k: number, x: Float64Array): void {
    const { vertexStart } = this.points;
    const e = this.#elementOf[k];
    this.#deform(k, vertexStart[e], vertexStart[e + 1], x);
    out.set(f);
  }

  listPairs(): VertexPairs {
    const { vertexStart, vertex } = this.points;
    const first = new Int32Array(this.#place.length);
    const second = new Int32Array(this.#place.length);
    let pair = 0;
    for (let e = 0; e < this.count; e++) {
      for (let a = vertexStart[e]; a < vertexStart[e + 1]; a++) {
        for (let b = vertexStart[e]; b < a; b++, pair++) {
          first[pair] = vertex[a];
          second[pair] = vertex[b];
        }
      }
    }
    return { first, second };
  }

  takePlaces(place: Int32Array): void {
    this.#place.set(place);
  }

  addMass(mass: Float64Array): void {
    for (let v = 0; v < mass.length; v++) mass[v] += this.points.mass[v];
  }

  setWeight(weight: number): void {
    const scale = ({ law, mu, lambda }: Material): Material => ({ law, mu: weight * mu, lambda: weight * lambda });
    this.materials = this.#given.map(scale);
    this.#whole = scale(this.#givenWhole);
  }

  takeConstants(other: PointElements): void {
    this.materials = this.#given = other.#given;
    this.#whole = this.#givenWhole = other.#givenWhole;
    this.#fibers = other.#fibers;
    this.points.mass.set(other.points.mass);
  }

  measureStiffness(): number {
    const { volume } = this.#readout;
    let sum = 0;
    for (let t = 0; t < volume.length; t++) sum += volume[t];
    return sum * (this.#whole.mu + Math.abs(this.#whole.lambda));
  }

  evaluate(x: Float64Array): number {
    const { pointStart, vertexStart, weight, law } = this.points;
    let energy = 0;
    for (let e = 0; e < this.count; e++) {
      const from = vertexStart[e];
      const end = vertexStart[e + 1];
      for (let k = pointStart[e]; k < pointStart[e + 1]; k++) {
        this.#deform(k, from, end, x);
        energy += weight[k] * evaluateMaterial(p, this.materials[law[k]], f);
      }
    }
    return energy;
  }

  addGradient(gradient: Float64Array, x: Float64Array): number {
    const { pointStart, vertexStart, vertex, weight, law, shapeStart, shape } = this.points;
    let energy = 0;
    for (let e = 0; e < this.count; e++) {
      const from = vertexStart[e];
      const end = vertexStart[e + 1];
      for (let k = pointStart[e]; k < pointStart[e + 1]; k++) {
        this.#deform(k, from, end, x);
        const size = weight[k];
        energy += size * evaluateMaterial(p, this.materials[law[k]], f);
        for (let n = from, s = shapeStart[k]; n < end; n++, s += 3) {
          const i = 3 * vertex[n];
          const gx = size * shape[s];
          const gy = size * shape[s + 1];
          const gz = size * shape[s + 2];
          gradient[i] += p[0] * gx + p[1] * gy + p[2] * gz;
          gradient[i + 1] += p[3] * gx + p[4] * gy + p[5] * gz;
          gradient[i + 2] += p[6] * gx + p[7] * gy + p[8] * gz;
        }
      }
    }
    return energy;
  }

  addHessian({ values }: BlockSparseMatrix, x: Float64Array, scale: number, isProjected: boolean): void {
    const { pointStart, vertexStart, weight, law } = this.points;
    for (let e = 0; e < this.count; e++) {
      const from = vertexStart[e];
      const end = vertexStart[e + 1];
      const pairCount = this.#pairStart[e + 1] - this.#pairStart[e];
      this.#blocks.fill(0, 0, 9 * pairCount);
      for (let k = pointStart[e]; k < pointStart[e + 1]; k++) {
        this.#deform(k, from, end, x);
        evaluateStiffness(parts, this.materials[law[k]], f, isProjected);
        expandStiffness(tangent, parts);
        this.#addBlocks(k, end - from, scale * weight[k]);
      }
      this.#scatter(values, e, from, end);
    }
  }

  addStiffnessRate(out: Float64Array, x: Float64Array, a: Float64Array, b: Float64Array, scale: number): void {
    const { pointStart, vertexStart, vertex, weight, law, shapeStart, shape } = this.points;
    for (let e = 0; e < this.count; e++) {
      const from = vertexStart[e];
      const end = vertexStart[e + 1];
      for (let k = pointStart[e]; k < pointStart[e + 1]; k++) {
        this.#deform(k, from, end, a);
        changeA.set(f);
        this.#deform(k, from, end, b);
        changeB.set(f);
        this.#deform(k, from, end, x);
        differentiateStiffness(p, this.materials[law[k]], f, changeA, changeB);
        for (let n = from, s = shapeStart[k]; n < end; n++, s += 3)
          for (let i = 0; i < 3; i++)
            out[3 * vertex[n] + i] +=
              scale * weight[k] * (p[3 * i] * shape[s] + p[3 * i + 1] * shape[s + 1] + p[3 * i + 2] * shape[s + 2]);
      }
    }
  }

  readStress(out: StressReadout, first: number, x: Float64Array): void {
    const { vertexStart, vertex, shapeStart, shape } = this.#readout;
    const { volume } = this.#readout;
    for (let t = 0; t < volume.length; t++) {
      deform(vertex, shape, vertexStart[t], vertexStart[t + 1], shapeStart[t], x);
      if (this.#flow) this.#takeMeanFlow(this.#flow, t);
      evaluateMaterial(p, this.#whole, f);
      if (this.#fibers) addFiberStress(p, f, this.#fibers, this.isQuadratic);
      writeElementStress(out, first + t, f, p, this.isQuadratic);
      for (let n = vertexStart[t]; n < vertexStart[t + 1]; n++) addVertexStress(out, vertex[n], first + t, volume[t]);
    }
  }

  // F ← F F_p⁻¹, the mean of its points
  #takeMeanFlow(flow: Float64Array, t: number): void {
    const { flowPoint } = this.#readout;
    const per = flowPoint.length / this.#readout.volume.length;
    tangent.fill(0, 0, 9);
    for (let k = per * t; k < per * (t + 1); k++) {
      readInverse(p, flow, flowPoint[k]);
      for (let i = 0; i < 9; i++) tangent[i] += p[i] / per;
    }
    for (let i = 0; i < 9; i += 3) {
      const [x, y, z] = [f[i], f[i + 1], f[i + 2]];
      for (let j = 0; j < 3; j++) f[i + j] = x * tangent[j] + y * tangent[3 + j] + z * tangent[6 + j];
    }
  }

  #deform(k: number, from: number, end: number, x: Float64Array): void {
    deform(this.points.vertex, this.points.shape, from, end, this.points.shapeStart[k], x);
  }

  // blocks of the pairs of n vertices from ∂P/∂F at point k
  #addBlocks(k: number, n: number, size: number): void {
    const { shape, shapeStart } = this.points;
    const blocks = this.#blocks;
    const turned = this.#turned;
    const s = shapeStart[k];
    for (let b = 0; b < n; b++) {
      const gx = size * shape[s + 3 * b];
      const gy = size * shape[s + 3 * b + 1];
      const gz = size * shape[s + 3 * b + 2];
      // turned[b][(i j), k] = Σ_l A[(i j), (k l)] g_b[l]
      for (let row = 0, o = 27 * b, q = 0; row < 9; row++, o += 3, q += 9) {
        turned[o] = tangent[q] * gx + tangent[q + 1] * gy + tangent[q + 2] * gz;
        turned[o + 1] = tangent[q + 3] * gx + tangent[q + 4] * gy + tangent[q + 5] * gz;
        turned[o + 2] = tangent[q + 6] * gx + tangent[q + 7] * gy + tangent[q + 8] * gz;
      }
    }
    for (let a = 1, o = 0; a < n; a++) {
      const x = shape[s + 3 * a];
      const y = shape[s + 3 * a + 1];
      const z = shape[s + 3 * a + 2];
      for (let b = 0; b < a; b++, o += 9) {
        for (let i = 0, q = 27 * b; i < 9; i += 3, q += 9) {
          blocks[o + i] += x * turned[q] + y * turned[q + 3] + z * turned[q + 6];
          blocks[o + i + 1] += x * turned[q + 1] + y * turned[q + 4] + z * turned[q + 7];
          blocks[o + i + 2] += x * turned[q + 2] + y * turned[q + 5] + z * turned[q + 8];
        }
      }
    }
  }

  #scatter(values: Float64Array, e: number, from: number, end: number): void {
    const { vertex } = this.points;
    const blocks = this.#blocks;
    const place = this.#place;
    for (let a = from, o = 0, pair = this.#pairStart[e]; a < end; a++) {
      const va = vertex[a];
      for (let b = from; b < a; b++, pair++, o += 9) {
        const vb = vertex[b];
        const at = place[pair];
        const isStraight = va > vb;
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) {
            const straight = blocks[o + 3 * i + j];
            const across = blocks[o + 3 * j + i];
            values[at + 3 * i + j] += isStraight ? straight : across;
            values[9 * va + 3 * i + j] -= straight;
            values[9 * vb + 3 * i + j] -= across;
          }
        }
      }
    }
  }
}

/** Where stress is read: per element its vertices, its shape gradients at one point and its volume, m³. */
export interface ReadoutPoints {
  readonly vertexStart: Int32Array;
  readonly vertex: Int32Array;
  readonly shapeStart: Int32Array;
  readonly shape: Float64Array;
  readonly volume: Float64Array;
  /** Points whose plastic deformation an element has in the mean, as many for each. */
  readonly flowPoint: Int32Array;
}

// F of the entries from..end of a list of vertices, with shape gradients from place s on
function deform(vertex: Int32Array, shape: Float64Array, from: number, end: number, s: number, x: Float64Array): void {
  let f0 = 0;
  let f1 = 0;
  let f2 = 0;
  let f3 = 0;
  let f4 = 0;
  let f5 = 0;
  let f6 = 0;
  let f7 = 0;
  let f8 = 0;
  // relative to the first vertex, which loses no digits far from the origin
  const o = 3 * vertex[from];
  const ox = x[o];
  const oy = x[o + 1];
  const oz = x[o + 2];
  for (let n = from + 1, q = s + 3; n < end; n++, q += 3) {
    const i = 3 * vertex[n];
    const dx = x[i] - ox;
    const dy = x[i + 1] - oy;
    const dz = x[i + 2] - oz;
    const gx = shape[q];
    const gy = shape[q + 1];
    const gz = shape[q + 2];
    f0 += dx * gx;
    f1 += dx * gy;
    f2 += dx * gz;
    f3 += dy * gx;
    f4 += dy * gy;
    f5 += dy * gz;
    f6 += dz * gx;
    f7 += dz * gy;
    f8 += dz * gz;
  }
  f[0] = f0;
  f[1] = f1;
  f[2] = f2;
  f[3] = f3;
  f[4] = f4;
  f[5] = f5;
  f[6] = f6;
  f[7] = f7;
  f[8] = f8;
}
