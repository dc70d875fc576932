/** Gradient of terms: six numbers per body and three per soft vertex. */
import type { ModelSizes } from '../model/model.ts';
import type { GradientSink } from './term.ts';

export class TermGradient implements GradientSink {
  /** ∂ψ/∂dx (N) and ∂ψ/∂dθ (N m) per body. */
  readonly body: Float64Array;
  /** ∂ψ/∂dx per soft vertex, N. */
  readonly vertex: Float64Array;
  /** Factor on all that is added. */
  weight = 1;

  constructor(size: ModelSizes) {
    this.body = new Float64Array(6 * size.body);
    this.vertex = new Float64Array(3 * size.softVertex);
  }

  /** Sets everything to zero. */
  clear(): void {
    this.body.fill(0);
    this.vertex.fill(0);
  }

  addBody(body: number, x: number, y: number, z: number, rx: number, ry: number, rz: number): void {
    const { body: out, weight } = this;
    const i = 6 * body;
    out[i] += weight * x;
    out[i + 1] += weight * y;
    out[i + 2] += weight * z;
    out[i + 3] += weight * rx;
    out[i + 4] += weight * ry;
    out[i + 5] += weight * rz;
  }

  addVertex(vertex: number, x: number, y: number, z: number): void {
    const { vertex: out, weight } = this;
    const i = 3 * vertex;
    out[i] += weight * x;
    out[i + 1] += weight * y;
    out[i + 2] += weight * z;
  }

  /** Length of the forces alone, N: torques are left out. */
  measureForce(): number {
    let square = 0;
    for (let i = 6; i < this.body.length; i += 6)
      for (let k = 0; k < 3; k++) square += this.body[i + k] * this.body[i + k];
    for (let i = 0; i < this.vertex.length; i++) square += this.vertex[i] * this.vertex[i];
    return Math.sqrt(square);
  }

  /** Length of the torques alone, N m. */
  measureTorque(): number {
    let square = 0;
    for (let i = 6; i < this.body.length; i += 6)
      for (let k = 3; k < 6; k++) square += this.body[i + k] * this.body[i + k];
    return Math.sqrt(square);
  }
}
