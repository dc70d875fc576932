/**
 * A tie where a step begins: its residual C = x − p and the derivative of C by the vertices that it is between,
 *   δC = Σ Bᵢ δxᵢ,   B of the tied vertex 1
 *   p a point of a rigid body      no other vertices: the formulation adds the columns of the body
 *   p = Σ wᵢ xᵢ                    Bᵢ = −wᵢ 1
 *   p = Σ wᵢ xᵢ + d n              Bᵢ = −wᵢ 1 + d gᵢ nᵀ, n the normal, g the dual basis of two sides of the triangle: δn = −Σ gᵢ (n·δeᵢ)
 *   p = Σ wᵢ xᵢ + o                Bᵢ = −wᵢ 1 ± t oᵀ/l, and −(t × o)/r by the angle s = r θ of the edge: o turns with the rod
 * C does not change where all turn together, so that the forces Bᵢᵀ f have neither a sum nor a torque.
 */
import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';

/** Vertices of a tie at most: itself, three or four that hold it, an angle. */
const MOST = 6;

export class TiePlace {
  /** Vertices, and three by three numbers each. */
  count = 0;
  readonly vertex: Int32Array = new Int32Array(MOST);
  readonly block: Float64Array = new Float64Array(9 * MOST);
  /** C, m. */
  readonly residual: Float64Array = new Float64Array(3);
  readonly #point = new Float64Array(3);
  readonly #offset = new Float64Array(3);

  /** Reads tie k at the positions of the workspace; `directors` are those of the state. */
  read(model: Model, work: Workspace, directors: Float64Array, k: number): void {
    const { tie } = model.soft;
    const x = work.softPosition;
    const v = tie.vertex[k];
    const p = this.#point;
    this.count = 0;
    this.#add(v, 1);
    if (tie.body[k] >= 0) transformPoint(p, 0, work, tie.body[k], tie.point, 3 * k);
    else {
      p.fill(0);
      for (let i = 4 * k; i < 4 * k + 4; i++) {
        const s = tie.support[i];
        if (s < 0) continue;
        for (let c = 0; c < 3; c++) p[c] += tie.weight[i] * x[3 * s + c];
        this.#add(s, -tie.weight[i]);
      }
      if (tie.edge[k] >= 0) this.#offsetFromEdge(model, x, directors, k);
      else if (tie.support[4 * k + 3] < 0 && tie.point[3 * k] !== 0) this.#offsetFromTriangle(x, tie.point[3 * k]);
    }
    for (let c = 0; c < 3; c++) this.residual[c] = x[3 * v + c] - p[c];
  }

  #add(vertex: number, weight: number): void {
    const n = this.count++;
    this.vertex[n] = vertex;
    for (let i = 0; i < 9; i++) this.block[9 * n + i] = i % 4 === 0 ? weight : 0;
  }

  // the vertices of the triangle are 1, 2 and 3
  #offsetFromTriangle(x: Float64Array, d: number): void {
    const [a, b, c] = [3 * this.vertex[1], 3 * this.vertex[2], 3 * this.vertex[3]];
    for (let i = 0; i < 3; i++) {
      e[i] = x[b + i] - x[a + i];
      f[i] = x[c + i] - x[a + i];
    }
    cross(n, e, f);
    const size = Math.sqrt(dot(n, n));
    for (let i = 0; i < 3; i++) n[i] /= size;
    // g of e is f × n/size, g of f is n × e/size
    cross(g, f, n);
    cross(t, n, e);
    const { block } = this;
    for (let i = 0; i < 3; i++) {
      this.#point[i] += d * n[i];
      for (let j = 0; j < 3; j++) {
        const one = (d * g[i] * n[j]) / size;
        const two = (d * t[i] * n[j]) / size;
        block[9 + 3 * i + j] -= one + two;
        block[18 + 3 * i + j] += one;
        block[27 + 3 * i + j] += two;
      }
    }
  }

  // the ends of the edge are 1 and 2
  #offsetFromEdge({ soft }: Model, x: Float64Array, directors: Float64Array, k: number): void {
    const { tie } = soft;
    const edge = tie.edge[k];
    const [a, b] = [3 * this.vertex[1], 3 * this.vertex[2]];
    let body = 0;
    while (soft.edgeStart[body + 1] <= edge) body++;
    for (let i = 0; i < 3; i++) t[i] = x[b + i] - x[a + i];
    const length = Math.sqrt(dot(t, t));
    for (let i = 0; i < 3; i++) t[i] /= length;
    readDirector(n, t, directors, edge);
    cross(e, t, n);
    const o = this.#offset;
    for (let i = 0; i < 3; i++) {
      o[i] = tie.point[3 * k] * n[i] + tie.point[3 * k + 1] * e[i];
      this.#point[i] += o[i];
    }
    const { block } = this;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const turned = (t[i] * o[j]) / length;
        block[9 + 3 * i + j] -= turned;
        block[18 + 3 * i + j] += turned;
      }
    }
    if (tie.point[3 * k] === 0 && tie.point[3 * k + 1] === 0) return;
    const radius = 0.5 * soft.thickness[body];
    const angle = this.count++;
    this.vertex[angle] = soft.vertexStart[body] + soft.pointCount[body] + edge - soft.edgeStart[body];
    cross(g, t, o);
    block.fill(0, 9 * angle, 9 * angle + 9);
    for (let i = 0; i < 3; i++) block[9 * angle + 3 * i] = -g[i] / radius;
  }
}

/** The director of an edge, perpendicular to its tangent t, which the state has nearly so. */
export function readDirector(out: Float64Array, tangent: Float64Array, directors: Float64Array, edge: number): void {
  const i = 3 * edge;
  const along = directors[i] * tangent[0] + directors[i + 1] * tangent[1] + directors[i + 2] * tangent[2];
  for (let c = 0; c < 3; c++) out[c] = directors[i + c] - along * tangent[c];
  const size = Math.sqrt(dot(out, out));
  for (let c = 0; c < 3; c++) out[c] /= size;
}

const e = /* @__PURE__ */ new Float64Array(3);
const f = /* @__PURE__ */ new Float64Array(3);
const n = /* @__PURE__ */ new Float64Array(3);
const g = /* @__PURE__ */ new Float64Array(3);
const t = /* @__PURE__ */ new Float64Array(3);

function cross(out: Float64Array, a: Float64Array, b: Float64Array): void {
  const x = a[1] * b[2] - a[2] * b[1];
  const y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
