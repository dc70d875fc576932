/** Surfaces of all shapes where they are, and what invariant I0 of `ipc` asks of them: nothing passes through anything. */
import { createPairFilter, mayTouch } from '../collision/pair-filter.ts';
import { buildShapeSurface } from '../formulation/ipc/shape-surface.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
import { composePoses, transformPoint, untransformPoint } from '../linear-algebra/pose.ts';
import type { Simulation } from '../simulation.ts';
import { findIntersections, type WorldMesh } from './exact-intersection.ts';

/** Looks at one simulation again and again. */
export class IntersectionCheck {
  readonly #simulation: Simulation;
  readonly #local: readonly { readonly shape: number; readonly mesh: WorldMesh }[];
  readonly #planes: readonly number[];
  readonly #mayTouch: (a: number, b: number) => boolean;

  constructor(simulation: Simulation) {
    const { model } = simulation;
    this.#simulation = simulation;
    const shapes = Array.from({ length: model.size.shape }, (_, s) => s);
    this.#local = shapes.flatMap((shape) => {
      const surface = buildShapeSurface(model, shape);
      if (!surface) return [];
      const { vertices, triangles, looseEdges } = surface;
      return [{ shape, mesh: { vertices, triangles, edges: listEdges(triangles, looseEdges) } }];
    });
    this.#planes = shapes.filter((s) => model.shape.kind[s] === SHAPE.plane);
    const filter = createPairFilter(model);
    this.#mayTouch = (a, b) => mayTouch(model, filter, a, b);
  }

  /** Edges through triangles, by exact arithmetic, and points beyond planes, in the current state. */
  count(): number {
    const { model, derived } = this.#simulation;
    const body = { position: derived.bodyPosition, orientation: derived.bodyOrientation };
    const pose = { position: new Float64Array(3), orientation: new Float64Array(4) };
    const place = (s: number): void => composePoses(pose, 0, body, model.shape.body[s], model.shape, s);
    const meshes = this.#local.map(({ shape, mesh }) => {
      place(shape);
      const vertices = new Float64Array(mesh.vertices.length);
      for (let v = 0; v < vertices.length; v += 3) transformPoint(vertices, v, pose, 0, mesh.vertices, v);
      return { ...mesh, vertices };
    });
    let found = findIntersections(meshes, (a, b) => this.#mayTouch(this.#local[a].shape, this.#local[b].shape)).length;
    const point = new Float64Array(3);
    for (const plane of this.#planes) {
      place(plane);
      meshes.forEach(({ vertices }, n) => {
        if (!this.#mayTouch(plane, this.#local[n].shape)) return;
        for (let v = 0; v < vertices.length; v += 3) {
          untransformPoint(point, 0, pose, 0, vertices, v);
          if (!(point[2] > 0)) found++;
        }
      });
    }
    return found;
  }
}

function listEdges(triangles: Int32Array, loose: Int32Array): Int32Array {
  const edges = new Map<string, [number, number]>();
  for (let i = 0; i < loose.length; i += 2) edges.set(`${loose[i]} ${loose[i + 1]}`, [loose[i], loose[i + 1]]);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const p = triangles[t + k];
      const q = triangles[t + ((k + 1) % 3)];
      edges.set(`${Math.min(p, q)} ${Math.max(p, q)}`, [Math.min(p, q), Math.max(p, q)]);
    }
  }
  return Int32Array.from([...edges.values()].flat());
}
