/**
 * Linear tetrahedra with smoothed strain, which lock neither in bending nor where the material hardly changes its volume
 * (selective ES/NS-FEM-T4). A domain, made of shares of the tetrahedra around an edge or a vertex, has the mean of their
 * deformation gradients:
 *
 *   W = Σ_edges V_e Ψ_μ(F_e) + Σ_vertices V_v Ψ_λ(F_v),   F_d = Σ_t s V_t F_t / V_d,   V_d = Σ_t s V_t,   s = 1/6 or 1/4
 *
 * Ψ_μ is the law with λ = 0, Ψ_λ the one with μ = 0; every law here is their sum. Shear is averaged over edges, where it needs no
 * stabilisation, and the change of volume over vertices. W is an energy like any other: gradient and Hessian are
 * exact. A vertex is coupled to the neighbours of its neighbours. A quarter of the mass of a tetrahedron goes to each of its vertices.
 * Sources: Liu, Nguyen-Thoi, Nguyen-Xuan, Lam (2009), node-based smoothing; He, Li, Zhong, Cui, Zhang (2013), edge-based
 * smoothing in three dimensions; Onishi, Iida, Amaya (2018), their combination for large strain.
 */
import { EDGE_ENDS } from '../geometry/tetrahedra/quadratic-mesh.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ElementPoints, ReadoutPoints } from './element-points.ts';
import type { RestShape } from './rest-shape.ts';

/** Domains of edges with law 0 and of vertices with law 1. */
export function createSmoothedPoints(
  { tetrahedra, inverseRest, volume, rest }: RestShape,
  density: number,
  memory: Memory,
): { points: ElementPoints; readout: ReadoutPoints } {
  const vertexCount = rest.length / 3;
  const edges = new Map<number, number[]>();
  const around: number[][] = Array.from({ length: vertexCount }, () => []);
  const mass = memory.f64(vertexCount);
  for (let t = 0; t < volume.length; t++) {
    for (let a = 0; a < 4; a++) {
      around[tetrahedra[4 * t + a]].push(t);
      mass[tetrahedra[4 * t + a]] += 0.25 * density * volume[t];
    }
    for (const [a, b] of EDGE_ENDS) {
      const v = tetrahedra[4 * t + a];
      const w = tetrahedra[4 * t + b];
      const key = Math.min(v, w) * vertexCount + Math.max(v, w);
      const list = edges.get(key);
      if (list) list.push(t);
      else edges.set(key, [t]);
    }
  }
  const domains = [...edges.values(), ...around];
  const vertex: number[] = [];
  const shape: number[] = [];
  const vertexStart = memory.i32(domains.length + 1);
  const pointStart = memory.i32(domains.length + 1);
  const shapeStart = memory.i32(domains.length);
  const weight = memory.f64(domains.length);
  const law = new Uint8Array(domains.length).fill(1, edges.size);
  const place = new Int32Array(vertexCount).fill(-1);
  domains.forEach((list, d) => {
    const share = d < edges.size ? 1 / 6 : 1 / 4;
    const first = vertex.length;
    shapeStart[d] = shape.length;
    for (const t of list) {
      weight[d] += share * volume[t];
      for (let a = 0; a < 4; a++) {
        const v = tetrahedra[4 * t + a];
        if (place[v] < 0) {
          place[v] = shape.length;
          vertex.push(v);
          shape.push(0, 0, 0);
        }
        for (let k = 0; k < 3; k++) {
          const g =
            a === 0
              ? -(inverseRest[9 * t + k] + inverseRest[9 * t + 3 + k] + inverseRest[9 * t + 6 + k])
              : inverseRest[9 * t + 3 * (a - 1) + k];
          shape[place[v] + k] += share * volume[t] * g;
        }
      }
    }
    for (let i = shapeStart[d]; i < shape.length; i++) shape[i] /= weight[d];
    for (let i = first; i < vertex.length; i++) place[vertex[i]] = -1;
    vertexStart[d + 1] = vertex.length;
    pointStart[d + 1] = d + 1;
  });
  const points: ElementPoints = {
    kind: 'smoothedTet4',
    vertexStart,
    pointStart,
    vertex: copyInto(memory.i32(vertex.length), vertex),
    weight,
    law,
    shapeStart,
    shape: copyInto(memory.f64(shape.length), shape),
    mass,
  };
  // a tetrahedron has the domains of its six edges
  const flowPoint = new Int32Array(6 * volume.length);
  const found = new Int32Array(volume.length);
  [...edges.values()].forEach((list, d) => {
    for (const t of list) flowPoint[6 * t + found[t]++] = d;
  });
  return { points, readout: readTetrahedra(tetrahedra, inverseRest, volume, flowPoint, memory) };
}

/** Stress of each tetrahedron by itself. */
function readTetrahedra(
  tetrahedra: Int32Array,
  inverseRest: Float64Array,
  volume: Float64Array,
  flowPoint: Int32Array,
  memory: Memory,
): ReadoutPoints {
  const vertexStart = memory.i32(volume.length + 1);
  const shapeStart = memory.i32(volume.length);
  const shape = memory.f64(12 * volume.length);
  for (let t = 0; t < volume.length; t++) {
    vertexStart[t + 1] = 4 * (t + 1);
    shapeStart[t] = 12 * t;
    for (let k = 0; k < 9; k++) {
      shape[12 * t + 3 + k] = inverseRest[9 * t + k];
      shape[12 * t + (k % 3)] -= inverseRest[9 * t + k];
    }
  }
  return { vertexStart, vertex: tetrahedra, shapeStart, shape, volume, flowPoint };
}

function copyInto<A extends Int32Array | Float64Array>(out: A, from: readonly number[]): A {
  out.set(from);
  return out;
}
