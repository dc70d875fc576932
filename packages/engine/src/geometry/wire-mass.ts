/**
 * Mass properties of edges and points at density one: the mass is the length of all edges (m), or the number of points.
 *
 *   edge    m = |q − p|, c = ½ (p + q), ∫ x xᵀ = m (⅓ (p pᵀ + q qᵀ) + ⅙ (p qᵀ + q pᵀ))
 *   point   m = 1, c = p, p pᵀ
 *   I = tr(S) 1 − S, S = Σ ∫ (x − c)(x − c)ᵀ
 */
import { createMassProperties, type MassProperties } from './mass-properties.ts';

/**
 * @param vertices x y z of each vertex, m
 * @param edges two vertex numbers each; without any, every vertex is a point
 */
export function wireMass(vertices: ArrayLike<number>, edges: ArrayLike<number>): MassProperties {
  const sum = createMassProperties();
  const ends: number[] = [];
  if (edges.length > 0) for (let e = 0; e < edges.length; e++) ends.push(3 * edges[e]);
  else for (let v = 0; v < vertices.length; v += 3) ends.push(v, v);
  const mass = (i: number): number => {
    if (edges.length === 0) return 1;
    let square = 0;
    for (let k = 0; k < 3; k++) square += (vertices[ends[i + 1] + k] - vertices[ends[i] + k]) ** 2;
    return Math.sqrt(square);
  };
  for (let i = 0; i < ends.length; i += 2) {
    const m = mass(i);
    sum.mass += m;
    for (let k = 0; k < 3; k++) sum.center[k] += 0.5 * m * (vertices[ends[i] + k] + vertices[ends[i + 1] + k]);
  }
  if (!(sum.mass > 0)) return sum;
  for (let k = 0; k < 3; k++) sum.center[k] /= sum.mass;
  const second = new Float64Array(9);
  for (let i = 0; i < ends.length; i += 2) {
    const m = mass(i);
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        const [pa, qa] = [vertices[ends[i] + a] - sum.center[a], vertices[ends[i + 1] + a] - sum.center[a]];
        const [pb, qb] = [vertices[ends[i] + b] - sum.center[b], vertices[ends[i + 1] + b] - sum.center[b]];
        second[3 * a + b] += m * ((pa * pb + qa * qb) / 3 + (pa * qb + qa * pb) / 6);
      }
    }
  }
  const trace = second[0] + second[4] + second[8];
  sum.tensor.set([trace - second[0], trace - second[4], trace - second[8], -second[1], -second[2], -second[5]]);
  return sum;
}
