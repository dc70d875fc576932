/**
 * Linear tetrahedra (four vertices, constant strain): their energy as a function of the vertex positions x, with gradient and
 * Hessian.
 *
 *   W(x) = Σ V Ψ(F(x)),   ∂W/∂xₐ = Σ V P gₐ,   ∂²W/∂xₐ∂x_b = Σ V U K̂ Uᵀ
 *
 * V is the rest volume of a tetrahedron, F, gₐ as in rest-shape.ts, P the first Piola stress. A quarter of the mass ρ V of a
 * tetrahedron goes to each of its vertices. In the frames U, V of principal-stiffness.ts, with ĝ = Vᵀ g and the parts A,
 * pᵢₖ = ½(flip + twist), qᵢₖ = ½(flip − twist),
 *
 *   K̂ᵢᵢ = Aᵢᵢ ĝᵃᵢ ĝᵇᵢ + Σ_{j≠i} pᵢⱼ ĝᵃⱼ ĝᵇⱼ,   K̂ᵢₖ = Aᵢₖ ĝᵃᵢ ĝᵇₖ + qᵢₖ ĝᵃₖ ĝᵇᵢ.
 *
 * Shape functions add to one, so the diagonal blocks are minus the sums of the others: six blocks per tetrahedron.
 */
import type { BlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ElementFamily, VertexPairs } from './element-family.ts';
import { addVertexStress, writeElementStress } from './element-stress.ts';
import { addFiberStress, type Fibers } from './fiber-elements.ts';
import { ELASTIC_LAW, evaluateMaterial, type Material } from './material.ts';
import type { FlowingElements } from './plastic-flow.ts';
import { createPrincipalStiffness, evaluateStiffness } from './principal-stiffness.ts';
import type { RestShape } from './rest-shape.ts';
import { createSpatialStiffness, evaluateSpatialStiffness, writeSpatialBlock } from './spatial-stiffness.ts';
import { differentiateStiffness, KeptFrames } from './stiffness-rate.ts';
import type { StressReadout } from './stress-readout.ts';
import { BLOCKS, createTetrahedronPieces, FORCES, type TetrahedronPieces } from './tetrahedron-pieces.ts';
import {
  createTetrahedronRecord,
  hasCompiledLaw,
  isCompiledMemory,
  PAIR,
  type TetrahedronRecord,
} from './tetrahedron-record.ts';

/** First and second vertex of the six pairs of a tetrahedron. */
const PAIR_FIRST: readonly number[] = [0, 0, 0, 1, 1, 2];
const PAIR_SECOND: readonly number[] = [1, 2, 3, 2, 3, 3];

const gradientF = /* @__PURE__ */ new Float64Array(9);
const changeA = /* @__PURE__ */ new Float64Array(9);
const changeB = /* @__PURE__ */ new Float64Array(9);
const stress = /* @__PURE__ */ new Float64Array(9);
const spatial = /* @__PURE__ */ createSpatialStiffness();
const parts = /* @__PURE__ */ createPrincipalStiffness();
// ĝ of the four vertices
const turned = /* @__PURE__ */ new Float64Array(12);
const block = /* @__PURE__ */ new Float64Array(9);
const product = /* @__PURE__ */ new Float64Array(9);

export class LinearTetrahedra implements ElementFamily, FlowingElements {
  readonly kind = 'tet4';
  readonly count: number;
  readonly stressCount: number;
  readonly isQuadratic: boolean;
  readonly tetrahedra: Int32Array;
  /** Per tetrahedron: B, row by row, 1/m; rest volume, m³. */
  readonly inverseRest: Float64Array;
  readonly volume: Float64Array;
  /** Constants of its law, times the weight of elasticity. */
  material: Material;
  /** Per tetrahedron: places of the blocks of its vertex pairs 01, 02, 03, 12, 13, 23. */
  readonly place: Int32Array;
  readonly gradientStart: Int32Array;
  #given: Material;
  #density: number;
  /** A family of its own, whose stress is a part of that read here. */
  #fibers: Fibers | undefined;
  readonly #record: TetrahedronRecord | undefined;
  /** Where threads share the work. */
  readonly #pieces: TetrahedronPieces | undefined;
  /** Of the configuration for which rates were asked last. */
  #rateFrames: KeptFrames | undefined;

  constructor(shape: RestShape, material: Material, density: number, memory: Memory, fibers?: Fibers) {
    const { tetrahedra, inverseRest, volume } = shape;
    this.#fibers = fibers;
    this.count = this.stressCount = volume.length;
    this.isQuadratic = material.law === ELASTIC_LAW.linear;
    this.tetrahedra = tetrahedra;
    this.inverseRest = inverseRest;
    this.volume = volume;
    this.gradientStart = Int32Array.from({ length: this.count + 1 }, (_, t) => 9 * t);
    this.material = this.#given = material;
    this.#density = density;
    this.place = memory.i32(6 * this.count);
    this.#record = createTetrahedronRecord(shape, this.place, memory);
    this.#pieces = createTetrahedronPieces(this.#record, tetrahedra, memory);
  }

  get gradients(): Float64Array {
    return this.inverseRest;
  }

  /** Every pair of vertices of a tetrahedron. */
  listPairs(): VertexPairs {
    const { count, tetrahedra } = this;
    const first = new Int32Array(6 * count);
    const second = new Int32Array(6 * count);
    for (let e = 0; e < 6 * count; e++) {
      const t = Math.floor(e / 6);
      first[e] = tetrahedra[4 * t + PAIR_FIRST[e % 6]];
      second[e] = tetrahedra[4 * t + PAIR_SECOND[e % 6]];
    }
    return { first, second };
  }

  takePlaces(place: Int32Array): void {
    this.place.set(place);
  }

  addMass(mass: Float64Array): void {
    for (let t = 0; t < this.count; t++) {
      const quarter = 0.25 * this.#density * this.volume[t];
      for (let a = 0; a < 4; a++) mass[this.tetrahedra[4 * t + a]] += quarter;
    }
  }

  setWeight(weight: number): void {
    const { law, mu, lambda } = this.#given;
    this.material = { law, mu: weight * mu, lambda: weight * lambda };
  }

  takeConstants(other: LinearTetrahedra): void {
    this.material = this.#given = other.#given;
    this.#density = other.#density;
    this.#fibers = other.#fibers;
  }

  measureStiffness(): number {
    let volume = 0;
    for (let t = 0; t < this.count; t++) volume += this.volume[t];
    return volume * (this.material.mu + Math.abs(this.material.lambda));
  }

  /** F of a tetrahedron, row by row. */
  computeDeformation(out: Float64Array, t: number, x: Float64Array): void {
    const { tetrahedra, inverseRest } = this;
    const p = 3 * tetrahedra[4 * t];
    const a = 3 * tetrahedra[4 * t + 1];
    const b = 3 * tetrahedra[4 * t + 2];
    const c = 3 * tetrahedra[4 * t + 3];
    const o = 9 * t;
    for (let i = 0; i < 3; i++) {
      const origin = x[p + i];
      const ai = x[a + i] - origin;
      const bi = x[b + i] - origin;
      const ci = x[c + i] - origin;
      out[3 * i] = ai * inverseRest[o] + bi * inverseRest[o + 3] + ci * inverseRest[o + 6];
      out[3 * i + 1] = ai * inverseRest[o + 1] + bi * inverseRest[o + 4] + ci * inverseRest[o + 7];
      out[3 * i + 2] = ai * inverseRest[o + 2] + bi * inverseRest[o + 5] + ci * inverseRest[o + 8];
    }
  }

  evaluate(x: Float64Array): number {
    return this.#addEnergy(undefined, x);
  }

  addGradient(gradient: Float64Array, x: Float64Array): number {
    return this.#addEnergy(gradient, x);
  }

  addHessian({ values }: BlockSparseMatrix, x: Float64Array, scale: number, isProjected: boolean): void {
    const { count, material } = this;
    const record = this.#record;
    if (!record || !hasCompiledLaw(material, isProjected) || !isCompiledMemory(x) || !isCompiledMemory(values)) {
      this.#addBlocks(values, x, scale, isProjected, 0, count);
      return;
    }
    const { compiled, address } = record;
    record.take(material, scale, isProjected);
    if (this.#pieces) {
      this.#shareBlocks(this.#pieces, values, x, scale, isProjected);
      return;
    }
    for (let t = 0; ; t += PAIR) {
      t = compiled.addTetrahedronHessian(address, x.byteOffset, values.byteOffset, t);
      if (t >= count) return;
      this.#addBlocks(values, x, scale, isProjected, t, Math.min(t + PAIR, count));
    }
  }

  // W, and ∂W/∂x where it is asked for
  #addEnergy(gradient: Float64Array | undefined, x: Float64Array): number {
    const { count, material } = this;
    const record = this.#record;
    if (
      !record ||
      !hasCompiledLaw(material, false) ||
      !isCompiledMemory(x) ||
      (gradient && !isCompiledMemory(gradient))
    )
      return this.#addForces(gradient, x, 0, 0, count);
    const { compiled, address } = record;
    record.take(material);
    if (this.#pieces) return this.#shareForces(this.#pieces, gradient, x);
    const to = gradient ? gradient.byteOffset : 0;
    record.energy = 0;
    for (let t = 0; ; t += PAIR) {
      t = compiled.addTetrahedronGradient(address, x.byteOffset, to, t);
      if (t >= count) return record.energy;
      record.energy = this.#addForces(gradient, x, record.energy, t, Math.min(t + PAIR, count));
    }
  }

  #shareForces(pieces: TetrahedronPieces, gradient: Float64Array | undefined, x: Float64Array): number {
    const take = (first: number, end: number): void => {
      this.#addForces(gradient, x, 0, first, end, pieces);
    };
    pieces.add('forces', x, gradient ? gradient.byteOffset : 0, take);
    return pieces.sumEnergies();
  }

  #shareBlocks(
    pieces: TetrahedronPieces,
    values: Float64Array,
    x: Float64Array,
    scale: number,
    isProjected: boolean,
  ): void {
    const take = (first: number, end: number): void => {
      this.#addBlocks(values, x, scale, isProjected, first, end, pieces);
    };
    pieces.add('blocks', x, values.byteOffset, take);
  }

  #addForces(
    gradient: Float64Array | undefined,
    x: Float64Array,
    before: number,
    first: number,
    end: number,
    pieces?: TetrahedronPieces,
  ): number {
    const { tetrahedra, material, volume, inverseRest } = this;
    let energy = before;
    for (let t = first; t < end; t++) {
      this.computeDeformation(gradientF, t, x);
      const size = volume[t];
      const own = size * evaluateMaterial(stress, material, gradientF);
      energy += own;
      if (pieces) pieces.energies[t] = own;
      if (!gradient) continue;
      const p = 3 * tetrahedra[4 * t];
      const a = 3 * tetrahedra[4 * t + 1];
      const b = 3 * tetrahedra[4 * t + 2];
      const c = 3 * tetrahedra[4 * t + 3];
      const o = 9 * t;
      for (let i = 0; i < 3; i++) {
        const s0 = size * stress[3 * i];
        const s1 = size * stress[3 * i + 1];
        const s2 = size * stress[3 * i + 2];
        const fa = s0 * inverseRest[o] + s1 * inverseRest[o + 1] + s2 * inverseRest[o + 2];
        const fb = s0 * inverseRest[o + 3] + s1 * inverseRest[o + 4] + s2 * inverseRest[o + 5];
        const fc = s0 * inverseRest[o + 6] + s1 * inverseRest[o + 7] + s2 * inverseRest[o + 8];
        if (pieces && pieces.slot[t] >= 0) {
          const at = FORCES * pieces.slot[t] + i;
          addOrDefer(pieces, gradient, p + i, -(fa + fb + fc), at, fa + fb + fc);
          addOrDefer(pieces, gradient, a + i, fa, at + 3, fa);
          addOrDefer(pieces, gradient, b + i, fb, at + 6, fb);
          addOrDefer(pieces, gradient, c + i, fc, at + 9, fc);
          continue;
        }
        gradient[a + i] += fa;
        gradient[b + i] += fb;
        gradient[c + i] += fc;
        gradient[p + i] -= fa + fb + fc;
      }
    }
    return energy;
  }

  #addBlocks(
    values: Float64Array,
    x: Float64Array,
    scale: number,
    isProjected: boolean,
    first: number,
    end: number,
    pieces?: TetrahedronPieces,
  ): void {
    const { tetrahedra, material, volume, inverseRest, place } = this;
    for (let t = first; t < end; t++) {
      this.computeDeformation(gradientF, t, x);
      const isSpatial = evaluateSpatialStiffness(spatial, material, gradientF, inverseRest, 9 * t, isProjected);
      if (!isSpatial) {
        evaluateStiffness(parts, material, gradientF, isProjected);
        turnShapeGradients(inverseRest, 9 * t);
      }
      const size = scale * volume[t];
      for (let e = 0; e < 6; e++) {
        const a = PAIR_FIRST[e];
        const b = PAIR_SECOND[e];
        if (isSpatial) writeSpatialBlock(block, spatial, a, b, size);
        else fillBlock(3 * a, 3 * b, size);
        const va = tetrahedra[4 * t + a];
        const vb = tetrahedra[4 * t + b];
        const slot = pieces ? pieces.slot[t] : -1;
        const isShared = slot >= 0 && pieces!.isShared[va] === 1;
        const isOtherShared = slot >= 0 && pieces!.isShared[vb] === 1;
        if (slot >= 0) pieces!.deferred.set(block, BLOCKS * slot + 9 * e);
        if (!isShared || !isOtherShared) addBlock(values, place[6 * t + e], va > vb);
        if (!isShared) subtractBlock(values, 9 * va, true);
        if (!isOtherShared) subtractBlock(values, 9 * vb, false);
      }
    }
  }

  addStiffnessRate(out: Float64Array, x: Float64Array, a: Float64Array, b: Float64Array, scale: number): void {
    const { count, tetrahedra, material, volume, inverseRest } = this;
    this.#rateFrames ??= new KeptFrames(count);
    this.#rateFrames.begin(x);
    for (let t = 0; t < count; t++) {
      this.computeDeformation(changeA, t, a);
      this.computeDeformation(changeB, t, b);
      if (isZero(changeA) || isZero(changeB)) continue;
      this.computeDeformation(gradientF, t, x);
      differentiateStiffness(stress, material, gradientF, changeA, changeB, this.#rateFrames, t);
      const size = scale * volume[t];
      const o = 9 * t;
      for (let i = 0; i < 3; i++) {
        for (let n = 1; n < 4; n++) {
          const r = o + 3 * (n - 1);
          const force =
            size *
            (stress[3 * i] * inverseRest[r] +
              stress[3 * i + 1] * inverseRest[r + 1] +
              stress[3 * i + 2] * inverseRest[r + 2]);
          out[3 * tetrahedra[4 * t + n] + i] += force;
          out[3 * tetrahedra[4 * t] + i] -= force;
        }
      }
    }
  }

  readStress(out: StressReadout, first: number, x: Float64Array): void {
    const { count, tetrahedra, material, volume } = this;
    for (let t = 0; t < count; t++) {
      this.computeDeformation(gradientF, t, x);
      evaluateMaterial(stress, material, gradientF);
      if (this.#fibers) addFiberStress(stress, gradientF, this.#fibers, this.isQuadratic);
      writeElementStress(out, first + t, gradientF, stress, this.isQuadratic);
      for (let a = 0; a < 4; a++) addVertexStress(out, tetrahedra[4 * t + a], first + t, volume[t]);
    }
  }
}

/** ĝₐ = Vᵀ gₐ of the four vertices. */
function turnShapeGradients(inverseRest: Float64Array, o: number): void {
  const { v } = parts;
  for (let k = 0; k < 3; k++) {
    const x = v[k];
    const y = v[3 + k];
    const z = v[6 + k];
    const a = x * inverseRest[o] + y * inverseRest[o + 1] + z * inverseRest[o + 2];
    const b = x * inverseRest[o + 3] + y * inverseRest[o + 4] + z * inverseRest[o + 5];
    const c = x * inverseRest[o + 6] + y * inverseRest[o + 7] + z * inverseRest[o + 8];
    turned[3 + k] = a;
    turned[6 + k] = b;
    turned[9 + k] = c;
    turned[k] = -(a + b + c);
  }
}

/** block ← size · U K̂ Uᵀ of the vertices whose ĝ are at a and b. */
function fillBlock(a: number, b: number, size: number): void {
  const { u, stretch, flip, twist } = parts;
  const a0 = size * turned[a];
  const a1 = size * turned[a + 1];
  const a2 = size * turned[a + 2];
  const b0 = turned[b];
  const b1 = turned[b + 1];
  const b2 = turned[b + 2];
  const p01 = 0.5 * (flip[0] + twist[0]);
  const p02 = 0.5 * (flip[1] + twist[1]);
  const p12 = 0.5 * (flip[2] + twist[2]);
  const q01 = 0.5 * (flip[0] - twist[0]);
  const q02 = 0.5 * (flip[1] - twist[1]);
  const q12 = 0.5 * (flip[2] - twist[2]);
  const d0 = a0 * b0;
  const d1 = a1 * b1;
  const d2 = a2 * b2;
  const k00 = stretch[0] * d0 + p01 * d1 + p02 * d2;
  const k11 = p01 * d0 + stretch[4] * d1 + p12 * d2;
  const k22 = p02 * d0 + p12 * d1 + stretch[8] * d2;
  const k01 = stretch[1] * a0 * b1 + q01 * a1 * b0;
  const k10 = stretch[1] * a1 * b0 + q01 * a0 * b1;
  const k02 = stretch[2] * a0 * b2 + q02 * a2 * b0;
  const k20 = stretch[2] * a2 * b0 + q02 * a0 * b2;
  const k12 = stretch[5] * a1 * b2 + q12 * a2 * b1;
  const k21 = stretch[5] * a2 * b1 + q12 * a1 * b2;
  for (let i = 0; i < 9; i += 3) {
    const x = u[i];
    const y = u[i + 1];
    const z = u[i + 2];
    product[i] = x * k00 + y * k10 + z * k20;
    product[i + 1] = x * k01 + y * k11 + z * k21;
    product[i + 2] = x * k02 + y * k12 + z * k22;
  }
  for (let i = 0; i < 9; i += 3) {
    const x = product[i];
    const y = product[i + 1];
    const z = product[i + 2];
    block[i] = x * u[0] + y * u[1] + z * u[2];
    block[i + 1] = x * u[3] + y * u[4] + z * u[5];
    block[i + 2] = x * u[6] + y * u[7] + z * u[8];
  }
}

/** A force on a vertex, or where several pieces have the vertex its number to be added later. */
function addOrDefer(
  { isShared, deferred }: TetrahedronPieces,
  gradient: Float64Array,
  dof: number,
  force: number,
  place: number,
  later: number,
): void {
  if (isShared[Math.floor(dof / 3)] === 1) deferred[place] = later;
  else gradient[dof] += force;
}

/** Adds the block of a pair: straight as it is, else transposed. */
function addBlock(values: Float64Array, place: number, isStraight: boolean): void {
  values[place] += block[0];
  values[place + 1] += isStraight ? block[1] : block[3];
  values[place + 2] += isStraight ? block[2] : block[6];
  values[place + 3] += isStraight ? block[3] : block[1];
  values[place + 4] += block[4];
  values[place + 5] += isStraight ? block[5] : block[7];
  values[place + 6] += isStraight ? block[6] : block[2];
  values[place + 7] += isStraight ? block[7] : block[5];
  values[place + 8] += block[8];
}

/** Takes it off a diagonal block. */
function subtractBlock(values: Float64Array, place: number, isStraight: boolean): void {
  values[place] -= block[0];
  values[place + 1] -= isStraight ? block[1] : block[3];
  values[place + 2] -= isStraight ? block[2] : block[6];
  values[place + 3] -= isStraight ? block[3] : block[1];
  values[place + 4] -= block[4];
  values[place + 5] -= isStraight ? block[5] : block[7];
  values[place + 6] -= isStraight ? block[6] : block[2];
  values[place + 7] -= isStraight ? block[7] : block[5];
  values[place + 8] -= block[8];
}

function isZero(m: Float64Array): boolean {
  for (let k = 0; k < m.length; k++) if (m[k] !== 0) return false;
  return true;
}
