/**
 * Elements of soft bodies in scenes: a cantilever under its own weight against beam theory, and a cube at rest on the floor. The
 * vertices that are pinned are those of the mesh; the middles of edges between them are held with them.
 *
 *   w = ρ g A L⁴ / (8 E I) + ρ g L² / (2 κ G),   κ = 10 (1 + ν) / (12 + 11 ν)
 */
import { compileModel, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const [LENGTH, THICKNESS, E, DENSITY, G] = [1, 0.1, 1e8, 1000, 9.81];

function beamSag(nu: number): number {
  const shear = (10 * (1 + nu)) / (12 + 11 * nu);
  const bending = (DENSITY * G * THICKNESS ** 2 * LENGTH ** 4) / (8 * E * (THICKNESS ** 4 / 12));
  return bending + (DENSITY * G * LENGTH ** 2 * (1 + nu)) / (shear * E);
}

/** Sag of the free end over that of beam theory, 400 tetrahedra, steps so long that inertia does not count. */
function measureSag(element: NonNullable<SoftBody['element']>, poissonRatio: number): number {
  const cells: [number, number, number] = [20, 2, 2];
  const halfSize: [number, number, number] = [LENGTH / 2, THICKNESS / 2, THICKNESS / 2];
  const pinned = Array.from({ length: 9 }, (_, k) => 21 * k);
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1e3, gravity: [0, 0, -G] },
    softBodies: [
      {
        name: 'beam',
        element,
        pinned,
        contact: 'none',
        mesh: { kind: 'box', halfSize, cells },
        elasticity: { model: 'linear', youngsModulus: E, poissonRatio, density: DENSITY },
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  simulation.step(2);
  const { rest } = simulation.model.soft;
  let [sum, count] = [0, 0];
  const now = simulation.softPosition('beam');
  for (let i = 0; i < rest.length; i += 3) {
    if (Math.abs(rest[i]! + LENGTH / 2) < 1e-12) expect(now[i + 2]).toBe(rest[i + 2]);
    if (rest[i]! < LENGTH / 2 - 1e-9) continue;
    sum += rest[i + 2]! - now[i + 2]!;
    count++;
  }
  return sum / count / beamSag(poissonRatio);
}

describe('a cantilever of 400 tetrahedra', () => {
  test('10-node: within 1 % of a beam, within 3 % nearly incompressible', () => {
    expect(Math.abs(measureSag('tet10', 0) - 1)).toBeLessThan(0.01);
    expect(Math.abs(measureSag('tet10', 0.3) - 1)).toBeLessThan(0.01);
    expect(Math.abs(measureSag('tet10', 0.49) - 1)).toBeLessThan(0.03);
    expect(Math.abs(measureSag('tet10', 0.499) - 1)).toBeLessThan(0.03);
  });

  test('smoothed: at most a quarter of the error of plain linear tetrahedra, and half of it nearly incompressible', () => {
    for (const [nu, share] of [
      [0, 0.25],
      [0.3, 0.25],
      [0.499, 0.5],
    ] as const) {
      const linear = 1 - measureSag('tet4', nu);
      const smoothed = Math.abs(measureSag('smoothedTet4', nu) - 1);
      expect(smoothed).toBeLessThan(share * linear);
    }
  });
});

describe.each(['sap', 'ipc'] as const)('%s', (formulation) => {
  test.each(['smoothedTet4', 'tet10'] as const)('a cube of %s rests on the floor, which carries it', (element) => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.01 },
      shapes: [{ kind: 'plane' }],
      softBodies: [
        {
          name: 'cube',
          element,
          contact: 'point',
          position: [0, 0, 0.11],
          mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
          elasticity: { model: 'neoHookean', youngsModulus: 1e5, poissonRatio: 0.45, massDamping: 10 },
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene, { formulation }));
    simulation.step(120);
    const carried = simulation.contactForces().reduce((sum, { force }) => sum + Math.abs(force[2]), 0);
    expect(Math.abs(carried / (8 * G) - 1)).toBeLessThan(2e-3);
  });
});

test('vertices held while a simulation runs hold the middles between them, and let them go', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    softBodies: [
      {
        name: 'one',
        element: 'tet10',
        mesh: { kind: 'tetrahedra', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  expect(simulation.model.size.softVertex).toBe(10);
  simulation.holdVertices('one', [0, 1, 2]);
  expect([...simulation.state.softHeld]).toEqual([1, 1, 1, 0, 1, 1, 0, 1, 0, 0]);
  simulation.releaseVertices('one', [0]);
  expect([...simulation.state.softHeld]).toEqual([0, 1, 1, 0, 0, 0, 0, 1, 0, 0]);
});
