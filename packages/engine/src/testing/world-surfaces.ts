/**
 * Surfaces of all shapes and soft bodies where they are, and what invariant I0 of `ipc` asks of them: nothing passes through
 * anything, no soft body through itself, and no tetrahedron is inside out. All by exact arithmetic.
 */

import { maySurfacesTouch } from '../collision/candidates/surface-filter.ts';
import { createPairFilter } from '../collision/pair-filter.ts';
import { buildShapeSurface } from '../collision/surface/shape-surface.ts';
import { canTouch } from '../collision/surface/surface-parts.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
import { composePoses, transformPoint, untransformPoint } from '../linear-algebra/pose.ts';
import type { Model } from '../model/model.ts';
import type { Simulation } from '../simulation.ts';
import { findIntersections, findSelfIntersections, orient3, type WorldMesh } from './exact-intersection.ts';

/** Looks at one simulation again and again. */
export class IntersectionCheck {
  readonly #simulation: Simulation;
  /** Surfaces of shapes in their frames; soft body s is shape `size.shape` + s, its vertices those of all soft bodies. */
  readonly #local: readonly { readonly shape: number; readonly mesh: WorldMesh }[];
  readonly #planes: readonly number[];
  readonly #mayTouch: (a: number, b: number) => boolean;

  constructor(simulation: Simulation) {
    const { model } = simulation;
    const { shape: count, softBody } = model.size;
    this.#simulation = simulation;
    const shapes = Array.from({ length: count }, (_, s) => s);
    const rigid = shapes.flatMap((shape) => {
      // what is only drawn has no surface
      const surface = canTouch(model, shape) ? buildShapeSurface(model, shape) : undefined;
      if (!surface) return [];
      const { vertices, triangles, looseEdges } = surface;
      return [{ shape, mesh: { vertices, triangles, edges: listEdges(triangles, looseEdges) } }];
    });
    const soft = Array.from({ length: softBody }, (_, n) => {
      const { triangle, triangleStart, rest } = model.soft;
      const triangles = triangle.slice(3 * triangleStart[n], 3 * triangleStart[n + 1]);
      return { shape: count + n, mesh: { vertices: rest, triangles, edges: listEdges(triangles, new Int32Array(0)) } };
    });
    this.#local = [...rigid, ...soft];
    this.#planes = shapes.filter((s) => model.shape.kind[s] === SHAPE.plane);
    const filter = createPairFilter(model);
    this.#mayTouch = (a, b) => maySurfacesTouch(model, filter, a, b);
  }

  /** Edges through triangles, points beyond planes and tetrahedra without positive volume, in the current state. */
  count(): number {
    const { model, derived, state } = this.#simulation;
    const { size } = model;
    const body = { position: derived.bodyPosition, orientation: derived.bodyOrientation };
    const pose = { position: new Float64Array(3), orientation: new Float64Array(4) };
    const place = (s: number): void => composePoses(pose, 0, body, model.shape.body[s], model.shape, s);
    const meshes = this.#local.map(({ shape, mesh }) => {
      if (shape >= size.shape) return { ...mesh, vertices: state.softPosition };
      place(shape);
      const vertices = new Float64Array(mesh.vertices.length);
      for (let v = 0; v < vertices.length; v += 3) transformPoint(vertices, v, pose, 0, mesh.vertices, v);
      return { ...mesh, vertices };
    });
    const fixed = listFixed(model, state.softHeld);
    const isFixed = (n: number, corners: Int32Array, other: number): boolean => {
      if (this.#local[n].shape < size.shape || this.#local[other].shape >= size.shape) return false;
      const owner = model.body.weld[model.shape.body[this.#local[other].shape]];
      return corners.some((v) => fixed[v] === owner);
    };
    const all = findIntersections(meshes, (a, b) => this.#mayTouch(this.#local[a].shape, this.#local[b].shape));
    let found = all.filter(({ edgeMesh: a, edge, triangleMesh: b, triangle }) => {
      const ends = meshes[a].edges.subarray(2 * edge, 2 * edge + 2);
      const corners = meshes[b].triangles.subarray(3 * triangle, 3 * triangle + 3);
      return !isFixed(a, ends, b) && !isFixed(b, corners, a);
    }).length;
    meshes.forEach((mesh, n) => {
      const { shape } = this.#local[n];
      if (shape >= size.shape && this.#mayTouch(shape, shape)) found += findSelfIntersections(mesh).length;
    });
    const point = new Float64Array(3);
    for (const plane of this.#planes) {
      place(plane);
      meshes.forEach(({ vertices, edges }, n) => {
        if (!this.#mayTouch(plane, this.#local[n].shape)) return;
        const isSoft = this.#local[n].shape >= size.shape;
        const used = isSoft ? new Set(edges) : Array.from({ length: vertices.length / 3 }, (_, v) => v);
        for (const v of used) {
          untransformPoint(point, 0, pose, 0, vertices, 3 * v);
          if (!(point[2] > 0) && !(isSoft && fixed[v] === model.body.weld[model.shape.body[plane]])) found++;
        }
      });
    }
    return found + countInverted(model, state.softPosition);
  }
}

/** Tetrahedra whose volume is not positive. */
function countInverted({ soft }: Model, x: Float64Array): number {
  let found = 0;
  for (let t = 0; t < soft.tetrahedron.length; t += 4) {
    const [a, b, c, d] = soft.tetrahedron.subarray(t, t + 4);
    if (!(orient3(x, 3 * a, 3 * b, 3 * c, 3 * d) > 0)) found++;
  }
  return found;
}

/** Per soft vertex: the rigid group it is fixed to, 0 the world, −1 where there is none. */
function listFixed({ soft, body }: Model, held: Float64Array): Int32Array {
  const fixed = Int32Array.from(held, (value) => (value === 0 ? -1 : 0));
  soft.holds.forEach(({ driven }, n) => {
    for (const { vertices } of driven) for (const v of vertices) fixed[soft.vertexStart[n] + v] = -1;
  });
  soft.attachment.vertex.forEach((v, n) => {
    fixed[v] = body.weld[soft.attachment.body[n]];
  });
  return fixed;
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
