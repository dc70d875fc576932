/** Boxes of tetrahedra and what is needed to step them. */
import type { Elasticity } from '@nexdyn/engine';
import { meshBox } from '../../packages/engine/src/geometry/tetrahedra/box-mesher.ts';
import type { TetrahedralMesh } from '../../packages/engine/src/geometry/tetrahedra/tetrahedral-mesh.ts';
import { Arena } from '../../packages/engine/src/kernels/arena.ts';
import type { SoftLoad, SoftState } from '../../packages/engine/src/soft/implicit-step.ts';
import { createSoftBoundary, type SoftBoundary } from '../../packages/engine/src/soft/soft-boundary.ts';
import { createSoftMesh, type SoftMesh } from '../../packages/engine/src/soft/soft-mesh.ts';
import { createSoftWorkspace, type SoftWorkspace } from '../../packages/engine/src/soft/soft-workspace.ts';

type Triple = readonly [number, number, number];

/** A box with one corner in the origin, whose faces stand at 0 and at `size` without rounding. */
export function boxShape(size: Triple, cells: Triple): TetrahedralMesh {
  const { vertices, tetrahedra } = meshBox([1, 1, 1], cells);
  // from −1 .. 1 to the number of the cell's corner, then to its place
  const placed = vertices.map(
    (value, i) => (size[i % 3] * Math.round(((value + 1) / 2) * cells[i % 3])) / cells[i % 3],
  );
  return { vertices: placed, tetrahedra };
}

export interface Specimen {
  readonly mesh: SoftMesh;
  readonly state: SoftState;
  readonly boundary: SoftBoundary;
  readonly work: SoftWorkspace;
}

/** A body at rest in its rest shape. */
export function createSpecimen(shape: TetrahedralMesh, elasticity: Elasticity): Specimen {
  const arena = new Arena();
  const mesh = createSoftMesh(shape, elasticity, arena);
  const state = { position: arena.f64(3 * mesh.vertexCount), velocity: arena.f64(3 * mesh.vertexCount) };
  state.position.set(mesh.rest);
  return {
    mesh,
    state,
    boundary: createSoftBoundary(mesh.vertexCount, arena),
    work: createSoftWorkspace(mesh, arena),
  };
}

export const WEIGHTLESS: SoftLoad = { gravity: [0, 0, 0] };

/** Vertices for which the condition holds at rest. */
export function selectVertices(mesh: SoftMesh, isIn: (x: number, y: number, z: number) => boolean): number[] {
  const { rest } = mesh;
  return Array.from({ length: mesh.vertexCount }, (_, v) => v).filter((v) =>
    isIn(rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]),
  );
}

/** Σ mᵢ yᵢ. */
export function sumWeighted(mesh: SoftMesh, y: Float64Array): number[] {
  return [0, 1, 2].map((c) => mesh.mass.reduce((sum, m, v) => sum + m * y[3 * v + c], 0));
}
