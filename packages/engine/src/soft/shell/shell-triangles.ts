/**
 * Elastic energy of a shell of linear triangles as a function of its vertices x:
 *   W = Σ A Ψ(C) + Σ ½ Σᵢⱼ Qᵢⱼ βᵢ βⱼ
 * over its triangles: the membrane (membrane-law.ts) with F = [x₁−x₀, x₂−x₀] B, and the bending of a plate of curvature
 *   Λ = Σᵢ βᵢ lᵢ/(2A) nᵢ⊗nᵢ,   ½ A D ((1 − ν) Λ:Λ + ν tr(Λ)²),   βᵢ = (θᵢ − θ̄ᵢ) ± rᵢ
 * with the angles θᵢ at its three edges (hinge-angle.ts), of length lᵢ and in-plane normal nᵢ at rest: ½ βᵢ is the angle to the normal
 * at the middle of the edge, between which normals are linear. r is the part of an angle that one of its triangles has more than the other
 * (edge-turn.ts), a fixed sum over the angles around, zero on regular meshes. Λ is exact for all constant curvatures, so that
 * D = E t³/(12(1 − ν²)) and ν are those of the plate in all directions; an energy of single hinges is up to three times too
 * stiff along the diagonals of a grid. Edges at the border carry no moment: their angle is eliminated.
 * Angles end at ±π, where a shell without self contact folds through itself. W would jump there, and no step that leads over it would
 * be found: within a step θ goes on beyond π, and lies within half a turn of the angle at its start.
 * Hessian: A Ψ as P = F S, then Σ Qᵢⱼ ∇βᵢ∇βⱼᵀ + Mᵢ ∇²θᵢ with the moments M = ∂W/∂θ. Projected: without compression in S and
 * without the second derivative of θ.
 * Symbols: A area, m²; D N m; Q N m. Sources: Grinspun, Gingold, Reisman and Zorin, Computing discrete shape operators on general
 * meshes (2006), the averaged mid-edge operator; Grinspun et al., Discrete shells (2003).
 */
import type { BlockSparseMatrix } from '../../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { ElementFamily, VertexPairs } from '../element-family.ts';
import { addPairBlock } from '../pair-block.ts';
import type { StressReadout } from '../stress-readout.ts';
import type { EdgeTurns } from './edge-turn.ts';
import { differentiateHinge, differentiateHingeTwice, measureHinge } from './hinge-angle.ts';
import { evaluateMembrane, type MembraneLaw, membraneStress, membraneTangent } from './membrane-law.ts';
import { readShell } from './shell-readout.ts';
import { addWidePlate, findWideStencils, PLATE_PLACE, type WideStencils } from './wide-stencils.ts';

/** A shell at rest. */
export interface ShellShape {
  readonly triangles: Int32Array;
  /** Per triangle: B, row by row, 1/m; area, m². */
  readonly inverseRest: Float64Array;
  readonly area: Float64Array;
  /** Four vertices per hinge; its angle at rest, rad. */
  readonly hinge: Int32Array;
  readonly restAngle: Float64Array;
  /** Per triangle and edge: its hinge, −1 at the border; 1 or −1, see shell-topology.ts. */
  readonly hingeOf: Int32Array;
  readonly side: Int8Array;
  /** Per triangle and edge: 1 where it is the first triangle of the hinge, −1 where the second. */
  readonly part: Int8Array;
  /** Per triangle: its corners and those beyond its edges, −1 where there are none. */
  readonly stencil: Int32Array;
  /** How edges turn against their triangles: edge-turn.ts. */
  readonly turns: EdgeTurns;
  /** Per triangle: Q, six numbers 00 11 22 01 02 12, signs of the sides included, N m. */
  readonly plate: Float64Array;
  readonly law: MembraneLaw;
  /** kg/m². */
  readonly arealDensity: number;
  /** m. */
  readonly thickness: number;
}

/** Pairs of the six vertices of a stencil, those of the corners first. */
const STENCIL_FIRST: readonly number[] = [0, 0, 1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4];
const STENCIL_SECOND: readonly number[] = [1, 2, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5, 4, 5, 5];
/** Pairs of the four vertices of a hinge that act on each other by the second derivative of its angle. */
const HINGE_FIRST: readonly number[] = [0, 0, 0, 1, 1];
const HINGE_SECOND: readonly number[] = [1, 2, 3, 2, 3];

const f = /* @__PURE__ */ new Float64Array(6);
const block = /* @__PURE__ */ new Float64Array(9);
const twice = /* @__PURE__ */ new Float64Array(45);
/** ∇θ of the three edges over the stencil, and Q times it. */
const turn = /* @__PURE__ */ new Float64Array(54);
const moment = /* @__PURE__ */ new Float64Array(54);
/** Shape gradients of the corners. */
const shapeGradient = /* @__PURE__ */ new Float64Array(6);

export class ShellTriangles implements ElementFamily {
  readonly kind = 'shell';
  readonly count: number;
  readonly stressCount: number;
  readonly isQuadratic = false;
  shape: ShellShape;
  /** Weight of the elasticity. */
  weight = 1;
  /** Per hinge: θ at the start of the step. */
  readonly #startAngle: Float64Array;
  /** Per hinge: θ − θ̄, r, ∇θ, the moment M and ∂W/∂r at the vertices evaluated last. */
  readonly #bend: Float64Array;
  readonly #turn: Float64Array;
  readonly #gradient: Float64Array;
  readonly #moment: Float64Array;
  readonly #turnMoment: Float64Array;
  /** Triangles of which an edge turns: all vertices that act on each other through them. */
  readonly #wide: WideStencils;
  /** Places of the blocks of the 15 pairs of a stencil, −1 where there is none, and of the 5 of a hinge. */
  readonly #stencilPlace: Int32Array;
  readonly #hingePlace: Int32Array;

  constructor(shape: ShellShape, memory: Memory) {
    const hinges = shape.restAngle.length;
    this.shape = shape;
    this.count = this.stressCount = shape.area.length;
    this.#startAngle = memory.f64(hinges);
    this.#bend = memory.f64(hinges);
    this.#turn = memory.f64(hinges);
    this.#gradient = memory.f64(12 * hinges);
    this.#moment = memory.f64(hinges);
    this.#turnMoment = memory.f64(hinges);
    this.#wide = findWideStencils(shape);
    this.#stencilPlace = memory.i32(15 * this.count).fill(-1);
    this.#hingePlace = memory.i32(5 * hinges).fill(-1);
  }

  listPairs(): VertexPairs {
    const first: number[] = [];
    const second: number[] = [];
    this.#visitPairs((a, b) => {
      first.push(a);
      second.push(b);
    });
    return { first: Int32Array.from(first), second: Int32Array.from(second) };
  }

  takePlaces(place: Int32Array): void {
    let next = 0;
    this.#visitPairs((_a, _b, list, at) => {
      list[at] = place[next++];
    });
  }

  // pairs of different vertices in the order of their places
  #visitPairs(visit: (a: number, b: number, list: Int32Array, at: number) => void): void {
    const { stencil, hinge } = this.shape;
    for (let i = 0; i < this.#stencilPlace.length; i++) {
      const o = 6 * Math.floor(i / 15);
      const a = stencil[o + STENCIL_FIRST[i % 15]];
      const b = stencil[o + STENCIL_SECOND[i % 15]];
      if (a >= 0 && b >= 0 && a !== b) visit(a, b, this.#stencilPlace, i);
    }
    for (let i = 0; i < this.#hingePlace.length; i++) {
      const o = 4 * Math.floor(i / 5);
      const a = hinge[o + HINGE_FIRST[i % 5]];
      const b = hinge[o + HINGE_SECOND[i % 5]];
      if (a !== b) visit(a, b, this.#hingePlace, i);
    }
    const { pairFirst, pairSecond, place } = this.#wide;
    for (let i = 0; i < place.length; i++) visit(pairFirst[i], pairSecond[i], place, i);
  }

  /** A third of the mass of a triangle goes to each of its corners. */
  addMass(mass: Float64Array): void {
    const { triangles, area, arealDensity } = this.shape;
    for (let i = 0; i < triangles.length; i++) mass[triangles[i]] += (arealDensity * area[Math.floor(i / 3)]) / 3;
  }

  setWeight(weight: number): void {
    this.weight = weight;
  }

  takeConstants({ shape: { plate, law, arealDensity } }: ShellTriangles): void {
    this.shape.plate.set(plate);
    this.shape = { ...this.shape, law, arealDensity };
  }

  measureStiffness(): number {
    const { area, law } = this.shape;
    let sum = 0;
    for (let t = 0; t < area.length; t++) sum += area[t];
    return this.weight * sum * (law.q11 + law.q22 + law.shear);
  }

  /** Stress of the middle surface and moments: shell-readout.ts. */
  readStress(out: StressReadout, first: number, x: Float64Array): void {
    this.evaluate(x);
    readShell(out, first, this, x);
  }

  /** Takes x as the start of a step: angles go on from those there. */
  takeStart(x: Float64Array): void {
    const { hinge, restAngle } = this.shape;
    for (let e = 0; e < restAngle.length; e++) this.#startAngle[e] = measureHinge(x, hinge, 4 * e);
  }

  /** W at x, J. */
  evaluate(x: Float64Array): number {
    const { area, law, hinge, restAngle } = this.shape;
    let energy = 0;
    for (let t = 0; t < area.length; t++) {
      this.#deform(t, x);
      energy += area[t] * this.#stretch(law, 1, false);
    }
    for (let e = 0; e < restAngle.length; e++)
      this.#bend[e] = continueAngle(measureHinge(x, hinge, 4 * e), this.#startAngle[e]) - restAngle[e];
    this.#turnEdges();
    for (let t = 0; t < area.length; t++) energy += this.bendingOf(t);
    return this.weight * energy;
  }

  /** Adds ∂W/∂x to `gradient`, N; gives W. */
  addGradient(gradient: Float64Array, x: Float64Array): number {
    const { area, law, triangles, inverseRest, hinge, restAngle } = this.shape;
    const { weight } = this;
    let energy = 0;
    for (let t = 0; t < area.length; t++) {
      this.#deform(t, x);
      energy += area[t] * this.#stretch(law, 1, false);
      const size = weight * area[t];
      const p = 3 * triangles[3 * t];
      const a = 3 * triangles[3 * t + 1];
      const b = 3 * triangles[3 * t + 2];
      for (let i = 0; i < 3; i++) {
        // P = F S
        const p0 = size * (f[2 * i] * membraneStress[0] + f[2 * i + 1] * membraneStress[2]);
        const p1 = size * (f[2 * i] * membraneStress[2] + f[2 * i + 1] * membraneStress[1]);
        const fa = p0 * inverseRest[4 * t] + p1 * inverseRest[4 * t + 1];
        const fb = p0 * inverseRest[4 * t + 2] + p1 * inverseRest[4 * t + 3];
        gradient[a + i] += fa;
        gradient[b + i] += fb;
        gradient[p + i] -= fa + fb;
      }
    }
    this.#differentiateHinges(x);
    for (let t = 0; t < area.length; t++) energy += this.bendingOf(t);
    this.#sumMoments();
    for (let e = 0; e < restAngle.length; e++) {
      const m = weight * this.#moment[e];
      for (let a = 0; a < 4; a++) {
        const v = 3 * hinge[4 * e + a];
        for (let k = 0; k < 3; k++) gradient[v + k] += m * this.#gradient[12 * e + 3 * a + k];
      }
    }
    return weight * energy;
  }

  /** Adds scale · ∂²W/∂x². */
  addHessian(matrix: BlockSparseMatrix, x: Float64Array, scale: number, isProjected: boolean): void {
    const { area } = this.shape;
    const { values } = matrix;
    const weight = scale * this.weight;
    this.#differentiateHinges(x);
    for (let t = 0; t < area.length; t++) {
      this.#deform(t, x);
      this.#addMembrane(values, t, weight, isProjected);
      this.#addPlate(values, t, weight);
    }
    if (!isProjected) this.#addTurning(values, x, weight);
  }

  /** Of triangle t at x: S times thickness (11, 22, 12), N/m, and F, three rows of two. */
  readTriangle(out: Float64Array, t: number, x: Float64Array): void {
    this.#deform(t, x);
    this.#stretch(this.shape.law, 1, false);
    for (let k = 0; k < 3; k++) out[k] = this.weight * membraneStress[k];
    for (let k = 0; k < 6; k++) out[3 + k] = f[k];
  }

  /** Moment at edge k of triangle t, N m, where `evaluate` or `addGradient` has been last. */
  momentAt(t: number, k: number): number {
    return this.weight * this.#momentOf(t, k) * this.shape.side[3 * t + k];
  }

  // F of triangle t, three rows of two
  #deform(t: number, x: Float64Array): void {
    const { triangles, inverseRest } = this.shape;
    const p = 3 * triangles[3 * t];
    const a = 3 * triangles[3 * t + 1];
    const b = 3 * triangles[3 * t + 2];
    const o = 4 * t;
    for (let i = 0; i < 3; i++) {
      const u = x[a + i] - x[p + i];
      const v = x[b + i] - x[p + i];
      f[2 * i] = u * inverseRest[o] + v * inverseRest[o + 2];
      f[2 * i + 1] = u * inverseRest[o + 1] + v * inverseRest[o + 3];
    }
  }

  #stretch(law: MembraneLaw, order: number, isProjected: boolean): number {
    return evaluateMembrane(
      law,
      f[0] * f[0] + f[2] * f[2] + f[4] * f[4],
      f[1] * f[1] + f[3] * f[3] + f[5] * f[5],
      f[0] * f[1] + f[2] * f[3] + f[4] * f[5],
      order,
      isProjected,
    );
  }

  #differentiateHinges(x: Float64Array): void {
    const { hinge, restAngle } = this.shape;
    for (let e = 0; e < restAngle.length; e++) {
      const angle = differentiateHinge(this.#gradient, 12 * e, x, hinge, 4 * e);
      this.#bend[e] = continueAngle(angle, this.#startAngle[e]) - restAngle[e];
    }
    this.#turnEdges();
  }

  // r of all hinges
  #turnEdges(): void {
    const { start, hinge, weight } = this.shape.turns;
    if (weight.length === 0) return;
    for (let e = 0; e < this.#turn.length; e++) {
      let sum = 0;
      for (let k = start[e]; k < start[e + 1]; k++) sum += weight[k] * this.#bend[hinge[k]];
      this.#turn[e] = sum;
    }
  }

  // M of all hinges: what acts on θ itself, and through r
  #sumMoments(): void {
    const { area, hingeOf, turns, part } = this.shape;
    const { start, hinge, weight } = turns;
    this.#moment.fill(0);
    this.#turnMoment.fill(0);
    for (let i = 0; i < 3 * area.length; i++) {
      const e = hingeOf[i];
      if (e < 0) continue;
      const t = Math.floor(i / 3);
      const m = this.#momentOf(t, i - 3 * t);
      this.#moment[e] += m;
      this.#turnMoment[e] += part[i] * m;
    }
    if (weight.length === 0) return;
    for (let e = 0; e < this.#turn.length; e++) {
      for (let k = start[e]; k < start[e + 1]; k++) this.#moment[hinge[k]] += weight[k] * this.#turnMoment[e];
    }
  }

  // Σⱼ Q_kj βⱼ, as the first triangle of the hinge has its sign
  #momentOf(t: number, k: number): number {
    const { hingeOf, plate } = this.shape;
    let sum = 0;
    for (let j = 0; j < 3; j++)
      if (hingeOf[3 * t + j] >= 0) sum += plate[6 * t + PLATE_PLACE[3 * k + j]] * this.#bendOf(t, j);
    return sum;
  }

  // β of edge k of triangle t, which has a hinge
  #bendOf(t: number, k: number): number {
    const { hingeOf, part } = this.shape;
    const e = hingeOf[3 * t + k];
    return this.#bend[e] + part[3 * t + k] * this.#turn[e];
  }

  /** Energy of the bending of triangle t, J, without the weight, where `evaluate` or `addGradient` has been last. */
  bendingOf(t: number): number {
    const { hingeOf } = this.shape;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const e = hingeOf[3 * t + k];
      if (e >= 0) sum += 0.5 * this.#bendOf(t, k) * this.#momentOf(t, k);
    }
    return sum;
  }

  // (gₐ · S g_b) I + (F gₐ)·𝔻·(F g_b) between the corners
  #addMembrane(values: Float64Array, t: number, weight: number, isProjected: boolean): void {
    const { law, area, inverseRest, stencil } = this.shape;
    this.#stretch(law, 2, isProjected);
    let s11 = membraneStress[0];
    let s22 = membraneStress[1];
    let s12 = membraneStress[2];
    if (isProjected) {
      // the tensile part of S
      const mean = 0.5 * (s11 + s22);
      const half = 0.5 * (s11 - s22);
      const radius = Math.sqrt(half * half + s12 * s12);
      if (mean + radius <= 0) s11 = s22 = s12 = 0;
      else if (mean < radius) {
        const share = (0.5 * (mean + radius)) / radius;
        s11 = share * (radius + half);
        s22 = share * (radius - half);
        s12 *= share;
      }
    }
    const d0 = membraneTangent[0];
    const d1 = membraneTangent[1];
    const d2 = membraneTangent[2];
    const d3 = membraneTangent[3];
    const d4 = membraneTangent[4];
    const d5 = membraneTangent[5];
    const o = 4 * t;
    for (let k = 0; k < 2; k++) {
      shapeGradient[2 + k] = inverseRest[o + k];
      shapeGradient[4 + k] = inverseRest[o + 2 + k];
      shapeGradient[k] = -(shapeGradient[2 + k] + shapeGradient[4 + k]);
    }
    const size = weight * area[t];
    for (let p = 0; p < 3; p++) {
      const a = STENCIL_FIRST[p];
      const b = STENCIL_SECOND[p];
      const a0 = shapeGradient[2 * a];
      const a1 = shapeGradient[2 * a + 1];
      const b0 = shapeGradient[2 * b];
      const b1 = shapeGradient[2 * b + 1];
      const push = a0 * (s11 * b0 + s12 * b1) + a1 * (s12 * b0 + s22 * b1);
      // 𝔻 with gₐ and g_b: 2 × 2
      const k00 = a0 * (d0 * b0 + d4 * b1) + a1 * (d4 * b0 + d3 * b1);
      const k01 = a0 * (d4 * b0 + d2 * b1) + a1 * (d3 * b0 + d5 * b1);
      const k10 = a0 * (d4 * b0 + d3 * b1) + a1 * (d2 * b0 + d5 * b1);
      const k11 = a0 * (d3 * b0 + d5 * b1) + a1 * (d5 * b0 + d1 * b1);
      for (let i = 0; i < 3; i++) {
        const x0 = f[2 * i] * k00 + f[2 * i + 1] * k10;
        const x1 = f[2 * i] * k01 + f[2 * i + 1] * k11;
        for (let j = 0; j < 3; j++) block[3 * i + j] = size * (x0 * f[2 * j] + x1 * f[2 * j + 1]);
        block[4 * i] += size * push;
      }
      addPairBlock(values, this.#stencilPlace[15 * t + p], stencil[6 * t + a], stencil[6 * t + b], block, 0, 1);
    }
  }

  // Σ Qᵢⱼ ∇βᵢ ∇βⱼᵀ between the vertices of the stencil
  #addPlate(values: Float64Array, t: number, weight: number): void {
    if (this.#wide.start[t] < this.#wide.start[t + 1]) {
      addWidePlate(values, this.#wide, t, this.shape, this.#gradient, weight);
      return;
    }
    const { hinge, hingeOf, stencil, plate } = this.shape;
    turn.fill(0);
    let isBent = false;
    for (let k = 0; k < 3; k++) {
      const e = hingeOf[3 * t + k];
      if (e < 0) continue;
      isBent = true;
      for (let c = 0; c < 4; c++) {
        const place = placeInStencil(stencil, 6 * t, hinge[4 * e + c], k);
        for (let i = 0; i < 3; i++) turn[18 * k + 3 * place + i] = this.#gradient[12 * e + 3 * c + i];
      }
    }
    if (!isBent) return;
    for (let k = 0; k < 3; k++) {
      const q0 = plate[6 * t + PLATE_PLACE[3 * k]];
      const q1 = plate[6 * t + PLATE_PLACE[3 * k + 1]];
      const q2 = plate[6 * t + PLATE_PLACE[3 * k + 2]];
      for (let i = 0; i < 18; i++) moment[18 * k + i] = weight * (q0 * turn[i] + q1 * turn[18 + i] + q2 * turn[36 + i]);
    }
    for (let p = 0; p < 15; p++) {
      const place = this.#stencilPlace[15 * t + p];
      if (place < 0) continue;
      const a = STENCIL_FIRST[p];
      const b = STENCIL_SECOND[p];
      for (let i = 0; i < 3; i++) {
        const u = turn[3 * a + i];
        const v = turn[18 + 3 * a + i];
        const w = turn[36 + 3 * a + i];
        for (let j = 0; j < 3; j++)
          block[3 * i + j] = u * moment[3 * b + j] + v * moment[18 + 3 * b + j] + w * moment[36 + 3 * b + j];
      }
      addPairBlock(values, place, stencil[6 * t + a], stencil[6 * t + b], block, 0, 1);
    }
  }

  // Σ M ∇²θ over the hinges
  #addTurning(values: Float64Array, x: Float64Array, weight: number): void {
    const { hinge, restAngle } = this.shape;
    this.#sumMoments();
    for (let e = 0; e < restAngle.length; e++) {
      const m = weight * this.#moment[e];
      if (m === 0) continue;
      differentiateHingeTwice(twice, x, hinge, 4 * e);
      for (let p = 0; p < 5; p++) {
        const a = hinge[4 * e + HINGE_FIRST[p]];
        const b = hinge[4 * e + HINGE_SECOND[p]];
        addPairBlock(values, this.#hingePlace[5 * e + p], a, b, twice, 9 * p, m);
      }
    }
  }
}

// the angle, or one whole turn from it, that is within half a turn of `start`
function continueAngle(angle: number, start: number): number {
  if (angle - start > Math.PI) return angle - 2 * Math.PI;
  return angle - start < -Math.PI ? angle + 2 * Math.PI : angle;
}

// the corner beyond edge k has place 3 + k, whichever corner it may also be
function placeInStencil(stencil: Int32Array, o: number, vertex: number, k: number): number {
  for (let c = 0; c < 3; c++) if (stencil[o + c] === vertex) return c;
  return 3 + k;
}
