/**
 * Contacts that lie on the border between two features, for derivatives: a corner just above a corner or an edge of another body, as in
 * boxes that stand on each other. Distance is once differentiable there; its Hessian is another one for each of the features, and that of the
 * corner or edge itself, which the matrix of the step has, holds to no side. With r the offset of a contact, a border is where
 *   r · (w − v) = 0      of a nearest corner v, for one of its edges v w
 *   r · (o − v) = 0      of a nearest edge, for the third point o of one of its triangles
 * Edges between triangles of one plane are none.
 */
import { CollisionGeometry } from '../../collision/collisions/collision-geometry.ts';
import { COLLISION } from '../../collision/collisions/surface-collisions.ts';
import type { SurfaceSet } from '../../collision/surface/surface-set.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { PairBlocks } from './terms/pair-blocks.ts';

/** Weight of a point that is none, and cosine of what is perpendicular. */
const ROUND_OFF = 1e-9;

/** An edge: both points, and the third ones of its triangles. */
interface BorderEdge {
  readonly points: readonly [number, number];
  readonly opposite: number[];
}

export class FeatureBorders {
  readonly #objective: IpcObjective;
  readonly #geometry = new CollisionGeometry();
  readonly #blocks = new PairBlocks();
  /** Edges of each point; made when first needed. */
  #edges: Map<number, BorderEdge[]> | undefined;

  constructor(objective: IpcObjective) {
    this.#objective = objective;
  }

  /** Whether a contact that pushes lies on one, at the current poses. */
  find(): boolean {
    const { contacts: list, candidates, barrier, surfaces, frames } = this.#objective;
    const { weights, offset } = this.#geometry;
    for (let n = 0; n < list.count; n++) {
      if (list.kind[n] !== COLLISION.point || barrier.measureForce(list, candidates.pairs, n) === 0) continue;
      this.#geometry.read(this.#blocks, list, n, surfaces, frames.current);
      const nearest: number[] = [];
      for (let k = 1; k < 4; k++) if (Math.abs(weights[k]) > ROUND_OFF) nearest.push(list.part[4 * n + k]);
      if (this.#isBorder(surfaces, nearest, offset)) return true;
    }
    return false;
  }

  #isBorder(set: SurfaceSet, [v, w, third]: readonly number[], r: Float64Array): boolean {
    if (third !== undefined) return false;
    this.#edges ??= listEdges(set);
    for (const { points, opposite } of this.#edges.get(v) ?? []) {
      if (isFlat(set, points, opposite)) continue;
      const other = points[0] === v ? points[1] : points[0];
      if (w === undefined && isAcross(set.world, r, v, other)) return true;
      if (other === w && opposite.some((o) => isAcross(set.world, r, v, o))) return true;
    }
    return false;
  }
}

function listEdges({ triangle, triangleEdge, edge }: SurfaceSet): Map<number, BorderEdge[]> {
  const edges = Array.from({ length: edge.length / 2 }, (_, e): BorderEdge => {
    return { points: [edge[2 * e], edge[2 * e + 1]], opposite: [] };
  });
  // edge k of a triangle goes from its point k to the next one
  for (let i = 0; i < triangle.length; i++) edges[triangleEdge[i]].opposite.push(triangle[i - (i % 3) + ((i + 2) % 3)]);
  const out = new Map<number, BorderEdge[]>();
  for (const one of edges) for (const v of one.points) out.set(v, [...(out.get(v) ?? []), one]);
  return out;
}

// r · (w − v) = 0
function isAcross(world: Float64Array, r: Float64Array, v: number, w: number): boolean {
  let dot = 0;
  let square = 0;
  let own = 0;
  for (let k = 0; k < 3; k++) {
    const d = world[3 * w + k] - world[3 * v + k];
    dot += r[k] * d;
    square += d * d;
    own += r[k] * r[k];
  }
  return Math.abs(dot) <= ROUND_OFF * Math.sqrt(square * own);
}

// whether the triangles of an edge lie in one plane
function isFlat({ world }: SurfaceSet, [a, b]: readonly [number, number], opposite: readonly number[]): boolean {
  if (opposite.length !== 2) return false;
  const [u, v, w] = [b, ...opposite].map((p) => [0, 1, 2].map((k) => world[3 * p + k] - world[3 * a + k]));
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const height = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
  return Math.abs(height) <= ROUND_OFF * Math.hypot(...n) * Math.hypot(...w);
}
