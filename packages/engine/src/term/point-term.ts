/**
 * A term that is a function of world points: the user writes ψ(p), p ∈ R³ⁿ, with its derivatives by p; the chain rule to
 * bodies is here. A point of a body at arm a = R r from the origin of its frame moves by
 *   p = x + exp(dθ) a ≈ x + a + dx + dθ × a + ½ dθ × (dθ × a)
 * so that, with J = [1, −[a]×] per body and J = 1 per soft vertex,
 *   gradient Jᵀ g,   Hessian Jᵀ H J + on dθ the curvature of the rotation, ½ (a gᵀ + g aᵀ) − (a·g) 1
 */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import type { Vec3 } from '../scene/pose.ts';
import { LARGEST_TERM_BLOCK } from './hessian-block.ts';
import type { Configuration, GradientSink, HessianSink, StepContext, Term } from './term.ts';
import { findBody, findSoftVertex } from './unknowns.ts';

/** A point that a term looks at. */
export type TermPoint =
  /** A point of a body's frame, m; default the origin. Of the world: `{ body: 'world', at: [...] }`. */
  | { readonly body: string | number; readonly at?: Vec3 }
  /** A vertex of a soft body. */
  | { readonly softBody: string | number; readonly vertex: number };

/** A term over world points. */
export interface PointTermOptions {
  /** Name of the term. */
  readonly name: string;
  /** Factor. Default: 1. */
  readonly weight?: number;
  /** As in `Term`. Default: false. */
  readonly external?: boolean;
  /** What ψ is a function of. */
  readonly points: readonly TermPoint[];
  /** ψ of the points, J; three numbers per point, m. */
  value(p: Float64Array): number;
  /** Adds ∂ψ/∂p to `out`, three numbers per point, N. `out` is zero before. */
  gradient(p: Float64Array, out: Float64Array): void;
  /** Adds ∂²ψ/∂p² to `out`, 3n × 3n, row by row, N/m. `out` is zero before. Without it the term is explicit but under `ipc`, where its Hessian is zero. */
  hessian?(p: Float64Array, out: Float64Array): void;
  /** A step begins with the points at p; lasts h, s. */
  begin?(p: Float64Array, h: number, time: number): void;
}

/** A term over world points. Its bodies and vertices are looked up when a step of a model begins. */
export function createPointTerm(options: PointTermOptions): Term {
  return new PointTerm(options);
}

class PointTerm implements Term {
  readonly name: string;
  weight: number;
  readonly external: boolean;
  addHessian?: (x: Configuration, out: HessianSink) => void;
  readonly #options: PointTermOptions;
  #model: Model | undefined;
  #places: PointPlaces | undefined;
  readonly #p: Float64Array;
  readonly #g: Float64Array;
  readonly #h: Float64Array;

  constructor(options: PointTermOptions) {
    const n = 3 * options.points.length;
    this.name = options.name;
    this.weight = options.weight ?? 1;
    this.external = options.external ?? false;
    this.#options = options;
    this.#p = new Float64Array(n);
    this.#g = new Float64Array(n);
    this.#h = new Float64Array(options.hessian ? n * n : 0);
    if (options.hessian) this.addHessian = (x, out) => this.#addHessian(x, out);
  }

  begin({ model, start, h, time }: StepContext): void {
    if (model !== this.#model) {
      this.#places = new PointPlaces(model, this.#options.points);
      if (this.#options.hessian) this.#places.requireBlock(this.name);
      this.#model = model;
    }
    this.#options.begin?.(this.#read(start), h, time);
  }

  value(x: Configuration): number {
    return this.#options.value(this.#read(x));
  }

  addGradient(x: Configuration, out: GradientSink): void {
    this.#options.gradient(this.#read(x), this.#g.fill(0));
    this.#require().addGradient(out, this.#p, this.#g, x);
  }

  #addHessian(x: Configuration, out: HessianSink): void {
    this.#options.gradient(this.#read(x), this.#g.fill(0));
    this.#options.hessian?.(this.#p, this.#h.fill(0));
    this.#require().addHessian(out, this.#p, this.#g, this.#h, x);
  }

  #read(x: Configuration): Float64Array {
    this.#require().read(this.#p, x);
    return this.#p;
  }

  #require(): PointPlaces {
    if (this.#places) return this.#places;
    throw new NexdynError('invalid-argument', `term '${this.name}' has not begun a step`, {
      hint: 'call its begin() first, or let a simulation or checkTerm do so',
    });
  }
}

/** Points of bodies and soft vertices: where they are, and the chain rule to the unknowns of a term. */
export class PointPlaces {
  readonly count: number;
  /** Bodies and vertices, each once, as the blocks list them. */
  readonly bodies: Int32Array;
  readonly vertices: Int32Array;
  /** Per point: its body and place there, or −1 and its vertex. */
  readonly #body: Int32Array;
  readonly #vertex: Int32Array;
  readonly #local: Float64Array;
  /** Per point: first of its unknowns in a block. */
  readonly #unknown: Int32Array;
  readonly #size: number;
  readonly #block: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #product: Float64Array;

  constructor(model: Model, points: readonly TermPoint[]) {
    const n = points.length;
    this.count = n;
    this.#body = new Int32Array(n).fill(-1);
    this.#vertex = new Int32Array(n).fill(-1);
    this.#local = new Float64Array(3 * n);
    points.forEach((point, i) => {
      if ('softBody' in point) this.#vertex[i] = findSoftVertex(model, point.softBody, point.vertex);
      else {
        this.#body[i] = findBody(model, point.body);
        this.#local.set(point.at ?? [0, 0, 0], 3 * i);
      }
    });
    this.bodies = Int32Array.from(new Set(this.#body.filter((b) => b >= 0)));
    this.vertices = Int32Array.from(new Set(this.#vertex.filter((v) => v >= 0)));
    const rigid = 6 * this.bodies.length;
    this.#size = rigid + 3 * this.vertices.length;
    this.#unknown = this.#body.map((b, i) =>
      b >= 0 ? 6 * this.bodies.indexOf(b) : rigid + 3 * this.vertices.indexOf(this.#vertex[i]),
    );
    const isSmall = this.#size <= LARGEST_TERM_BLOCK;
    this.#block = new Float64Array(isSmall ? this.#size ** 2 : 0);
    this.#jacobian = new Float64Array(isSmall ? 3 * n * this.#size : 0);
    this.#product = new Float64Array(isSmall ? 3 * n * this.#size : 0);
  }

  /** Refuses points that have too many unknowns for one block. */
  requireBlock(name: string): void {
    if (this.#size <= LARGEST_TERM_BLOCK) return;
    throw new NexdynError('invalid-argument', `the points of term '${name}' have ${this.#size} unknowns`, {
      hint: `a block has at most ${LARGEST_TERM_BLOCK}: split the term, or write a Term with several blocks`,
    });
  }

  /** Writes where the points are. */
  read(p: Float64Array, x: Configuration): void {
    const { bodyPosition, bodyRotation, softPosition } = x;
    const local = this.#local;
    for (let i = 0; i < this.count; i++) {
      const b = this.#body[i];
      for (let k = 0; k < 3; k++) {
        if (b < 0) {
          p[3 * i + k] = softPosition[3 * this.#vertex[i] + k];
          continue;
        }
        const m = 9 * b + 3 * k;
        p[3 * i + k] =
          bodyPosition[3 * b + k] +
          bodyRotation[m] * local[3 * i] +
          bodyRotation[m + 1] * local[3 * i + 1] +
          bodyRotation[m + 2] * local[3 * i + 2];
      }
    }
  }

  /** Adds Jᵀ g. */
  addGradient(out: GradientSink, p: Float64Array, g: Float64Array, { bodyPosition }: Configuration): void {
    for (let i = 0; i < this.count; i++) {
      const o = 3 * i;
      const b = this.#body[i];
      if (b < 0) {
        out.addVertex(this.#vertex[i], g[o], g[o + 1], g[o + 2]);
        continue;
      }
      const ax = p[o] - bodyPosition[3 * b];
      const ay = p[o + 1] - bodyPosition[3 * b + 1];
      const az = p[o + 2] - bodyPosition[3 * b + 2];
      const tx = ay * g[o + 2] - az * g[o + 1];
      const ty = az * g[o] - ax * g[o + 2];
      const tz = ax * g[o + 1] - ay * g[o];
      out.addBody(b, g[o], g[o + 1], g[o + 2], tx, ty, tz);
    }
  }

  /** Adds Jᵀ H J and the curvature of rotations. */
  addHessian(out: HessianSink, p: Float64Array, g: Float64Array, h: Float64Array, x: Configuration): void {
    const n = this.#size;
    const m = 3 * this.count;
    const block = this.#block;
    const product = this.#product;
    const jacobian = this.#jacobian;
    this.#writeJacobian(p, x);
    for (let r = 0; r < m; r++) {
      for (let c = 0; c < n; c++) {
        let sum = 0;
        for (let k = 0; k < m; k++) sum += h[m * r + k] * jacobian[n * k + c];
        product[n * r + c] = sum;
      }
    }
    for (let r = 0; r < n; r++) {
      for (let c = 0; c < n; c++) {
        let sum = 0;
        for (let k = 0; k < m; k++) sum += jacobian[n * k + r] * product[n * k + c];
        block[n * r + c] = sum;
      }
    }
    for (let i = 0; i < this.count; i++) if (this.#body[i] >= 0) this.#addCurvature(i, p, g, x);
    out.addBlock(this.bodies, this.vertices, block);
  }

  // rows of [1, −[a]×], or of 1
  #writeJacobian(p: Float64Array, { bodyPosition }: Configuration): void {
    const n = this.#size;
    const jacobian = this.#jacobian;
    jacobian.fill(0);
    for (let i = 0; i < this.count; i++) {
      const b = this.#body[i];
      const row = 3 * i * n + this.#unknown[i];
      for (let k = 0; k < 3; k++) jacobian[row + k * (n + 1)] = 1;
      if (b < 0) continue;
      const ax = p[3 * i] - bodyPosition[3 * b];
      const ay = p[3 * i + 1] - bodyPosition[3 * b + 1];
      const az = p[3 * i + 2] - bodyPosition[3 * b + 2];
      jacobian[row + 4] = az;
      jacobian[row + 5] = -ay;
      jacobian[row + n + 3] = -az;
      jacobian[row + n + 5] = ax;
      jacobian[row + 2 * n + 3] = ay;
      jacobian[row + 2 * n + 4] = -ax;
    }
  }

  // ½ (a gᵀ + g aᵀ) − (a·g) 1
  #addCurvature(i: number, p: Float64Array, g: Float64Array, { bodyPosition }: Configuration): void {
    const b = 3 * this.#body[i];
    const o = 3 * i;
    const n = this.#size;
    let dot = 0;
    for (let k = 0; k < 3; k++) dot += (p[o + k] - bodyPosition[b + k]) * g[o + k];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const ar = p[o + r] - bodyPosition[b + r];
        const ac = p[o + c] - bodyPosition[b + c];
        const value = 0.5 * (ar * g[o + c] + g[o + r] * ac) - (r === c ? dot : 0);
        this.#block[n * (this.#unknown[i] + 3 + r) + this.#unknown[i] + 3 + c] += value;
      }
    }
  }
}
