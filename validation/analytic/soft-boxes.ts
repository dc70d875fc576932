/** Boxes of tetrahedra and what is needed to step them. */
import type { Elasticity } from '@nexdyn/engine';
import { Arena } from '../../packages/engine/src/kernels/arena.ts';
import type { SoftLoad, SoftState } from '../../packages/engine/src/soft/implicit-step.ts';
import { createSoftBoundary, type SoftBoundary } from '../../packages/engine/src/soft/soft-boundary.ts';
import { createSoftMesh, type SoftMesh, type TetrahedralShape } from '../../packages/engine/src/soft/soft-mesh.ts';
import { createSoftWorkspace, type SoftWorkspace } from '../../packages/engine/src/soft/soft-workspace.ts';

type Triple = readonly [number, number, number];

// the six ways from one corner of a cube to the opposite one along its edges; odd ones need two vertices exchanged
const WAYS: readonly (readonly [number, number, boolean])[] = [
  [0, 1, false],
  [0, 2, true],
  [1, 0, true],
  [1, 2, false],
  [2, 0, false],
  [2, 1, true],
];

/** A box from the origin, cells cut in six tetrahedra along one diagonal: vertices x fastest. */
export function boxShape(size: Triple, cells: Triple): TetrahedralShape {
  const [nx, ny, nz] = cells;
  const steps = [1, nx + 1, (nx + 1) * (ny + 1)];
  const vertices = new Float64Array(3 * (nx + 1) * (ny + 1) * (nz + 1));
  const tetrahedra: number[] = [];
  let v = 0;
  for (let k = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) {
        vertices.set([(size[0] * i) / nx, (size[1] * j) / ny, (size[2] * k) / nz], 3 * v);
        if (i < nx && j < ny && k < nz) {
          for (const [p, q, isOdd] of WAYS) {
            const near = v + steps[p];
            const far = near + steps[q];
            tetrahedra.push(v, ...(isOdd ? [far, near] : [near, far]), v + steps[0] + steps[1] + steps[2]);
          }
        }
        v++;
      }
    }
  }
  return { vertices, tetrahedra: Int32Array.from(tetrahedra) };
}

export interface Specimen {
  readonly mesh: SoftMesh;
  readonly state: SoftState;
  readonly boundary: SoftBoundary;
  readonly work: SoftWorkspace;
}

/** A body at rest in its rest shape. */
export function createSpecimen(shape: TetrahedralShape, elasticity: Elasticity): Specimen {
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
