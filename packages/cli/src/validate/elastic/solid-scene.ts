/** Solids at rest under loads, computed in one step so long that inertia does not count. */
import type { Elasticity, Simulation, SoftBody, SolidElement } from '@nexdyn/engine';
import { simulate } from '../case-scene.ts';

export const ELEMENTS: readonly SolidElement[] = ['tet4', 'smoothedTet4', 'tet10'];

/** Vertices and tetrahedra. */
export interface SolidMesh {
  vertices: number[];
  tetrahedra: number[];
}

/** Numbers of the six tetrahedra of a cell with corners 0 to 7, bit 0 along x, around the diagonal from 0 to 7. */
const CELL = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const;

/** Cells of a block, each of six tetrahedra, with vertices where `place` puts the corners. */
export function meshBlock(
  [nx, ny, nz]: readonly [number, number, number],
  place: (u: number, v: number, w: number) => readonly [number, number, number],
): SolidMesh {
  const at = (i: number, j: number, k: number): number => i + (nx + 1) * (j + (ny + 1) * k);
  const mesh: SolidMesh = { vertices: [], tetrahedra: [] };
  for (let k = 0; k <= nz; k++)
    for (let j = 0; j <= ny; j++) for (let i = 0; i <= nx; i++) mesh.vertices.push(...place(i / nx, j / ny, k / nz));
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++)
        for (const four of CELL)
          for (const c of four) mesh.tetrahedra.push(at(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)));
  return mesh;
}

export interface Solid {
  mesh: SoftBody['mesh'];
  element: SolidElement;
  elasticity: Elasticity;
  pinned?: number[];
  driven?: SoftBody['driven'];
  gravity?: number;
}

/** A solid that takes steps of `timestep` seconds. */
export function openSolid(
  { mesh, element, elasticity, pinned, driven, gravity = 0 }: Solid,
  timestep: number,
): Simulation {
  return simulate('sap', {
    options: { timestep, gravity: [0, 0, -gravity], sap: { relativeTolerance: 1e-11, absoluteTolerance: 1e-16 } },
    softBodies: [
      {
        name: 'solid',
        mesh,
        element,
        elasticity,
        contact: 'none',
        ...(pinned && { pinned }),
        ...(driven && { driven }),
      },
    ],
  });
}

/** Vertices whose place at rest passes a test; with 10-node elements also the middles of edges. */
export function listVertices(simulation: Simulation, test: (x: number, y: number, z: number) => boolean): number[] {
  const { rest } = simulation.model.soft;
  return [...Array(rest.length / 3).keys()].filter((v) => test(rest[3 * v]!, rest[3 * v + 1]!, rest[3 * v + 2]!));
}
