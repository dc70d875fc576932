/**
 * A thin layer of tetrahedra around the surface of a soft body, in which its pressure goes on below zero: contact is anticipated there.
 *
 * Vertex v of the surface has a twin at x_v + u_v, where u_v leads out along the mean normal so far that the faces around v move out by δ:
 *
 *   u_v = δ m / min_f (m · n_f),   m = Σ_f A_f n_f normalised, A_f and n_f area and normal of the faces; at most 3 δ
 *
 * Each triangle and its twin bound a prism of three tetrahedra, cut so that neighbours agree: from the lower vertex to the twin of the higher.
 */
import { computeSixfoldVolume } from '../tetrahedra/tetrahedral-mesh.ts';

/** Least m · n_f that counts. */
const SHARPEST = 1 / 3;

/** Corners of three tetrahedra per triangle; `twin` is the number of the twin of each vertex. */
export function fillLayer(triangles: Int32Array, twin: Int32Array): number[] {
  const tetrahedra: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = Array.from(triangles.subarray(t, t + 3));
    // the lowest first, in the same order around
    const first = corners.indexOf(Math.min(...corners));
    const [a, b, c] = [0, 1, 2].map((k) => corners[(first + k) % 3]);
    const [p, q, r] = [twin[a], twin[b], twin[c]];
    tetrahedra.push(a, p, q, r);
    if (b < c) tetrahedra.push(a, b, c, r, a, b, r, q);
    else tetrahedra.push(a, b, c, q, a, c, r, q);
  }
  return tetrahedra;
}

/** Turns tetrahedra of negative volume over. */
export function orientTetrahedra(vertices: Float64Array, tetrahedra: Int32Array, from: number): void {
  for (let o = from; o < tetrahedra.length; o += 4) {
    if (computeSixfoldVolume(vertices, tetrahedra, o) >= 0) continue;
    [tetrahedra[o + 2], tetrahedra[o + 3]] = [tetrahedra[o + 3], tetrahedra[o + 2]];
  }
}

export class LayerMotion {
  readonly #triangles: Int32Array;
  readonly #surface: Int32Array;
  readonly #twin: Int32Array;
  readonly #distance: number;
  /** Per vertex of the body: m. */
  readonly #mean: Float64Array;
  /** Per triangle: n_f. */
  readonly #normal: Float64Array;
  /** Per vertex of the body: least m · n_f. */
  readonly #least: Float64Array;

  /** @param surface vertices of the surface; @param distance δ, m */
  constructor(triangles: Int32Array, surface: Int32Array, twin: Int32Array, distance: number) {
    this.#triangles = triangles;
    this.#surface = surface;
    this.#twin = twin;
    this.#distance = distance;
    this.#mean = new Float64Array(3 * twin.length);
    this.#normal = new Float64Array(triangles.length);
    this.#least = new Float64Array(twin.length);
  }

  /** Places the twins of the vertices in x. */
  update(x: Float64Array): void {
    const mean = this.#mean;
    const least = this.#least;
    const surface = this.#surface;
    this.#sumNormals(x);
    for (let i = 0; i < surface.length; i++) {
      const o = 3 * surface[i];
      const length = Math.sqrt(mean[o] ** 2 + mean[o + 1] ** 2 + mean[o + 2] ** 2);
      const scale = length > 0 ? 1 / length : 0;
      for (let k = 0; k < 3; k++) mean[o + k] *= scale;
      least[surface[i]] = 1;
    }
    this.#findSharpest();
    for (let i = 0; i < surface.length; i++) {
      const v = surface[i];
      const reach = this.#distance / Math.max(SHARPEST, least[v]);
      for (let k = 0; k < 3; k++) x[3 * this.#twin[v] + k] = x[3 * v + k] + reach * mean[3 * v + k];
    }
  }

  #sumNormals(x: Float64Array): void {
    const mean = this.#mean;
    const triangles = this.#triangles;
    const normal = this.#normal;
    mean.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * triangles[t];
      const b = 3 * triangles[t + 1];
      const c = 3 * triangles[t + 2];
      const ux = x[b] - x[a];
      const uy = x[b + 1] - x[a + 1];
      const uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a];
      const vy = x[c + 1] - x[a + 1];
      const vz = x[c + 2] - x[a + 2];
      normal[t] = uy * vz - uz * vy;
      normal[t + 1] = uz * vx - ux * vz;
      normal[t + 2] = ux * vy - uy * vx;
      for (let k = 0; k < 3; k++) {
        mean[a + k] += normal[t + k];
        mean[b + k] += normal[t + k];
        mean[c + k] += normal[t + k];
      }
      const length = Math.sqrt(normal[t] ** 2 + normal[t + 1] ** 2 + normal[t + 2] ** 2);
      const scale = length > 0 ? 1 / length : 0;
      for (let k = 0; k < 3; k++) normal[t + k] *= scale;
    }
  }

  #findSharpest(): void {
    const mean = this.#mean;
    const least = this.#least;
    const triangles = this.#triangles;
    const normal = this.#normal;
    for (let t = 0; t < triangles.length; t += 3) {
      for (let k = t; k < t + 3; k++) {
        const v = triangles[k];
        const along = mean[3 * v] * normal[t] + mean[3 * v + 1] * normal[t + 1] + mean[3 * v + 2] * normal[t + 2];
        if (along < least[v]) least[v] = along;
      }
    }
  }
}
