/**
 * A ball over a corner of a bent mesh sees eight faces at almost the same distance, and the edges between them count negative. Together
 * they carry its weight once, and friction is Coulomb's of that weight.
 */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const [G, MASS, MU] = [9.81, 0.5, 0.5];
const WEIGHT = MASS * G;
const H = 0.005;

/** Corners of a grid of three by three whose middle is lower, and its eight faces about the middle. */
const DISH = {
  name: 'dish',
  vertices: [-1, 0, 1].flatMap((y) => [-1, 0, 1].flatMap((x) => [0.1 * x, 0.1 * y, x === 0 && y === 0 ? -5e-4 : 0])),
  faces: [0, 1, 2, 5, 8, 7, 6, 3].flatMap((corner, k, ring) => [4, corner, ring[(k + 1) % 8]!]),
};

const SCENES: Record<string, Partial<Scene>> = {
  'a soft cube': {
    shapes: [{ kind: 'plane', friction: 5 }],
    softBodies: [
      {
        mesh: { kind: 'box', halfSize: [0.1, 0.05, 0.05], cells: [4, 2, 2] },
        position: [0, 0, 0.051],
        material: 'rubber',
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, massDamping: 10, stiffnessDamping: 0.002 },
      },
    ],
  },
  'a rigid dish': { meshes: [DISH], shapes: [{ kind: 'triangleMesh', mesh: 'dish', material: 'rubber' }] },
};

/** A ball that moves without turning, come to rest. */
function createRest(ground: Partial<Scene>, height: number): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    materials: [{ name: 'rubber', friction: MU }],
    ...ground,
    bodies: [
      {
        name: 'ball',
        position: [0, 0, height],
        joints: [
          { name: 'x', kind: 'slide', axis: [1, 0, 0] },
          { name: 'z', kind: 'slide', axis: [0, 0, 1] },
        ],
        shapes: [{ kind: 'sphere', radius: 0.02, mass: MASS, material: 'rubber' }],
      },
    ],
    options: { timestep: H, integrator: 'semiImplicit', ipc: { tolerance: 1e-6 } },
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
  simulation.step(200);
  return simulation;
}

/** Sums over the contacts of the ball: force on it, N, and its part along the normals. */
function sumForces(simulation: Simulation): { x: number; z: number; normal: number } {
  const sum = { x: 0, z: 0, normal: 0 };
  for (const { bodyName1, bodyName2, force, normalForce } of simulation.contactForces()) {
    if (bodyName1 !== 'ball' && bodyName2 !== 'ball') continue;
    const sign = bodyName2 === 'ball' ? 1 : -1;
    sum.x += sign * force[0];
    sum.z += sign * force[2];
    sum.normal += normalForce;
  }
  return sum;
}

describe.each([
  ['a soft cube', 0.1225],
  ['a rigid dish', 0.021],
] as const)('a ball on %s', (name, height) => {
  test('at rest, its contacts carry its weight', () => {
    const simulation = createRest(SCENES[name]!, height);
    expect(simulation.report.status).toBe('converged');
    const { z, normal } = sumForces(simulation);
    // 1e-6 m/s of the mass within a step: 1e-4 N
    expect(Math.abs(z - WEIGHT)).toBeLessThan((1e-6 * MASS) / H);
    // normals lean by less than the dent is steep
    expect(Math.abs(normal - WEIGHT)).toBeLessThan(0.01 * WEIGHT);
  });

  test('pushed by twice its friction, it slides', () => {
    const simulation = createRest(SCENES[name]!, height);
    simulation.applyForce('ball', { force: [2 * MU * WEIGHT, 0, 0] });
    let lagged = sumForces(simulation).normal;
    for (let k = 0; k < 12; k++) {
      simulation.step();
      const { x, z } = sumForces(simulation);
      // friction is of the normal force before; the ground leans by less than 0.05
      expect(Math.abs(x)).toBeLessThan(MU * lagged + 0.05 * z);
      lagged = sumForces(simulation).normal;
    }
    // a − μ g over twelve steps, less what the ground leans
    expect(Math.abs(simulation.jointVelocity('x') / (12 * H * MU * G) - 1)).toBeLessThan(0.1);
  });
});
