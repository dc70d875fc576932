/** Cloth that falls over a box or a ball under `ipc`, checked exactly after steps: no edge through a triangle, also of the cloth itself, and no point of a triangle in the ball. */
import { compileModel, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { expect } from 'vitest';
import {
  classifyPointTriangle,
  measurePointTriangle,
} from '../../packages/engine/src/geometry/distance/point-triangle.ts';
import { IntersectionCheck } from '../../packages/engine/src/testing/world-surfaces.ts';

const TABLES: Readonly<Record<'box' | 'ball', Shape>> = {
  box: { kind: 'box', halfSize: [0.15, 0.15, 0.15] },
  ball: { kind: 'sphere', radius: 0.15 },
};

export function dropCloth(
  cells: number,
  steps: number,
  checkEvery: number,
  table: 'box' | 'ball' = 'box',
): { simulation: Simulation; lowest: number } {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ipc', timestep: 0.02 },
    materials: [{ name: 'cotton', friction: 0.3 }],
    bodies: [{ name: 'table', shapes: [{ ...TABLES[table], material: 'cotton' }] }],
    softBodies: [
      {
        name: 'cloth',
        // turned a little, so that folds have no symmetry to rest on
        position: [0.01, 0.02, 0.17],
        orientation: [Math.cos(0.15), 0, 0, Math.sin(0.15)],
        mesh: { kind: 'grid', size: [0.8, 0.8], cells: [cells, cells], thickness: 0.002 },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 300, stiffnessDamping: 0.002 },
        material: 'cotton',
        selfContact: true,
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  const check = new IntersectionCheck(simulation);
  for (let k = 1; k <= steps; k++) {
    expect(simulation.step().status).toBe('converged');
    if (k % checkEvery !== 0) continue;
    expect(check.count()).toBe(0);
    if (table === 'ball') expect(leastDistance(simulation)).toBeGreaterThan(0.15);
  }
  const x = simulation.softPosition('cloth');
  let lowest = Infinity;
  for (let i = 2; i < x.length; i += 3) lowest = Math.min(lowest, x[i]);
  return { simulation, lowest };
}

/** Least distance of the triangles from the origin, m. */
function leastDistance(simulation: Simulation): number {
  const x = simulation.softPosition('cloth');
  const triangles = simulation.softTriangles('cloth');
  const corners = new Float64Array(12);
  let least = Infinity;
  // of squared distances
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) corners.set(x.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3), 3 + 3 * k);
    least = Math.min(least, measurePointTriangle(corners, 0, classifyPointTriangle(corners, 0)));
  }
  return Math.sqrt(least);
}
