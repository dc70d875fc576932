/**
 * Where the vertices of a skin are: x = Σ w_i (R_i (v − b_i) + p_i) / Σ w_i over its bones, R_i = R(q_body) R(q_bind)ᵀ.
 * Then each is moved outwards along the mean normal of its triangles.
 */
import type { Model, Skin } from '@nexdyn/engine';

type Quaternion = readonly [number, number, number, number];

/** A skin as its bodies pull it. */
export class SkinSurface {
  /** x, y, z of every vertex, m. */
  readonly positions: Float32Array;
  /** Unit normals of the vertices. */
  readonly normals: Float32Array;
  /** Three vertex numbers per triangle. */
  readonly faces: Uint32Array;
  readonly #skin: Skin;
  readonly #bodies: readonly number[];
  readonly #weight: Float64Array;

  constructor(skin: Skin, bodyNames: readonly string[]) {
    this.#skin = skin;
    this.faces = Uint32Array.from(skin.faces);
    this.positions = Float32Array.from(skin.vertices);
    this.normals = new Float32Array(skin.vertices.length);
    this.#bodies = skin.bones.map(({ body }) => bodyNames.indexOf(body));
    this.#weight = new Float64Array(skin.vertices.length / 3);
    for (const { vertices, weights } of skin.bones)
      vertices.forEach((vertex, i) => {
        this.#weight[vertex]! += weights[i]!;
      });
  }

  /** Follows the bodies: three numbers, and quaternions w x y z. */
  deform(bodyPosition: ArrayLike<number>, bodyOrientation: ArrayLike<number>): void {
    const { vertices, bones, inflate = 0 } = this.#skin;
    const out = this.positions;
    // vertices without bones stay
    for (let i = 0; i < out.length; i++) out[i] = this.#weight[(i - (i % 3)) / 3]! > 0 ? 0 : vertices[i]!;
    bones.forEach(({ bindPosition = [0, 0, 0], bindOrientation = [1, 0, 0, 0], vertices: own, weights }, n) => {
      const b = this.#bodies[n]!;
      const body = [0, 1, 2, 3].map((k) => bodyOrientation[4 * b + k]!) as unknown as Quaternion;
      const r = rotationBetween(body, bindOrientation);
      own.forEach((vertex, i) => {
        const share = weights[i]! / this.#weight[vertex]!;
        if (!(share > 0)) return;
        for (let k = 0; k < 3; k++) {
          let sum = bodyPosition[3 * b + k]!;
          for (let l = 0; l < 3; l++) sum += r[3 * k + l]! * (vertices[3 * vertex + l]! - bindPosition[l]!);
          out[3 * vertex + k]! += share * sum;
        }
      });
    });
    this.#computeNormals();
    if (inflate !== 0) for (let i = 0; i < out.length; i++) out[i]! += inflate * this.normals[i]!;
  }

  #computeNormals(): void {
    const { positions: x, normals, faces } = this;
    normals.fill(0);
    for (let f = 0; f < faces.length; f += 3) {
      const [a, b, c] = [3 * faces[f]!, 3 * faces[f + 1]!, 3 * faces[f + 2]!];
      for (let k = 0; k < 3; k++) {
        const [l, m] = [(k + 1) % 3, (k + 2) % 3];
        const n = (x[b + l]! - x[a + l]!) * (x[c + m]! - x[a + m]!) - (x[b + m]! - x[a + m]!) * (x[c + l]! - x[a + l]!);
        for (const v of [a, b, c]) normals[v + k]! += n;
      }
    }
    for (let v = 0; v < normals.length; v += 3) {
      const length = Math.hypot(normals[v]!, normals[v + 1]!, normals[v + 2]!) || 1;
      for (let k = 0; k < 3; k++) normals[v + k]! /= length;
    }
  }
}

/** All skins of a model. */
export function createSkins({ look, body }: Model): SkinSurface[] {
  return look.skins.map((skin) => new SkinSurface(skin as Skin, body.name));
}

// R(a) R(b)ᵀ, row by row
function rotationBetween(a: Quaternion, b: readonly number[]): number[] {
  const norm = b[0]! ** 2 + b[1]! ** 2 + b[2]! ** 2 + b[3]! ** 2 || 1;
  const [bw, bx, by, bz] = [b[0]! / norm, -b[1]! / norm, -b[2]! / norm, -b[3]! / norm];
  const [aw, ax, ay, az] = a;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const s = 2 / (w * w + x * x + y * y + z * z);
  return [
    1 - s * (y * y + z * z),
    s * (x * y - w * z),
    s * (x * z + w * y),
    s * (x * y + w * z),
    1 - s * (x * x + z * z),
    s * (y * z - w * x),
    s * (x * z - w * y),
    s * (y * z + w * x),
    1 - s * (x * x + y * y),
  ];
}
