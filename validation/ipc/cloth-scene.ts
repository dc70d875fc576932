/** Cloth that falls over a box under `ipc`, checked exactly after steps: no edge through a triangle, also of the cloth itself. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect } from 'vitest';
import { IntersectionCheck } from '../../packages/engine/src/testing/world-surfaces.ts';

export function dropCloth(
  cells: number,
  steps: number,
  checkEvery: number,
): { simulation: Simulation; lowest: number } {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ipc', timestep: 0.02 },
    materials: [{ name: 'cotton', friction: 0.3 }],
    bodies: [{ name: 'table', shapes: [{ kind: 'box', halfSize: [0.15, 0.15, 0.15], material: 'cotton' }] }],
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
    if (k % checkEvery === 0) expect(check.count()).toBe(0);
  }
  const x = simulation.softPosition('cloth');
  let lowest = Infinity;
  for (let i = 2; i < x.length; i += 3) lowest = Math.min(lowest, x[i]);
  return { simulation, lowest };
}
