/**
 * Scenes of Genesis' own test-suite with soft bodies, authored anew, with the tolerances it asks for: a ball and a box that come
 * to rest, a box led around a quarter circle by two vertices and let go, under `sap`.
 */
import { compileModel, type Model, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';

/** Middle and half size of the box around a body along an axis. */
function measureExtent(x: Float64Array, axis: number): { middle: number; half: number; low: number } {
  const values = x.filter((_, i) => i % 3 === axis);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { middle: (low + high) / 2, half: (high - low) / 2, low };
}

/** Volume of the tetrahedra of a soft body, m³. */
function measureVolume({ soft }: Model, n: number): number {
  let sum = 0;
  for (let t = soft.tetrahedronStart[n]; t < soft.tetrahedronStart[n + 1]; t++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => {
      const v = soft.tetrahedron[4 * t + k];
      return soft.rest.subarray(3 * v, 3 * v + 3);
    });
    const [u, v, w] = [b, c, d].map((p) => p.map((value, k) => value - a[k]));
    sum += u[0] * (v[1] * w[2] - v[2] * w[1]);
    sum += u[1] * (v[2] * w[0] - v[0] * w[2]);
    sum += u[2] * (v[0] * w[1] - v[1] * w[0]);
  }
  return sum / 6;
}

describe.each(
  takeCases(
    [
      ['linear', 'hydroelastic', 1e-3],
      ['corotated', 'hydroelastic', 1e-2],
      ['linear', 'point', 5e-3],
      ['corotated', 'point', 1e-2],
    ] as const,
    4,
  ),
)('a ball and a box fall on a plane: %s, %s', (model, contact, sideways) => {
  const damping = { massDamping: 0.5, stiffnessDamping: 5e-4 };
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 1 / 180 },
    materials: [{ name: 'skin', friction: 0.1, dissipation: 0.1 }],
    bodies: [{ name: 'floor', shapes: [{ kind: 'plane', material: 'skin' }] }],
    softBodies: [
      {
        name: 'ball',
        position: [0.4, -0.1, 0.1],
        mesh: { kind: 'sphere', radius: 0.1, resolution: 0.03 },
        contact,
        material: 'skin',
        elasticity: { model, youngsModulus: 1e5, poissonRatio: 0.2, density: 500, ...damping },
      },
      {
        name: 'box',
        position: [0, 0.1, 0.3],
        mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [3, 3, 3] },
        contact,
        material: 'skin',
        elasticity: { model, youngsModulus: 1e6, poissonRatio: 0.2, density: 1000, ...damping },
      },
    ],
  };

  test('at rest after 40 frames of three steps, where and as large as they were', () => {
    const simulation = new Simulation(compileModel(scene));
    const start = [0, 1].map((n) => simulation.softPosition(n).slice());
    for (let n = 0; n < 120; n++) expect(simulation.step().status).toBe('converged');
    for (const n of [0, 1]) {
      expect(simulation.softVelocity(n).every((v) => Math.abs(v) < 0.025)).toBe(true);
      const x = simulation.softPosition(n);
      for (let axis = 0; axis < 3; axis++) {
        const [before, after] = [measureExtent(start[n], axis), measureExtent(x, axis)];
        if (axis < 2) expect(Math.abs(after.middle - before.middle)).toBeLessThan(sideways);
        expect(Math.abs(after.half - before.half)).toBeLessThan(5e-3);
      }
      expect(Math.abs(measureExtent(x, 2).low)).toBeLessThan(1e-3);
    }
    // contacts carry the weight of each, and their pressures are forces over areas
    const forces = simulation.contactForces();
    for (const [name, weight] of [
      ['ball', 500 * measureVolume(simulation.model, 0) * 9.81],
      ['box', 9.81],
    ] as const) {
      const own = forces.filter(({ bodyName2 }) => bodyName2 === name);
      const sum = own.reduce((total, { force }) => total + force[2], 0);
      // the end of the motion is left
      expect(Math.abs(sum / weight - 1)).toBeLessThan(0.01);
      for (const { area, pressure, normalForce } of own)
        expect(Math.abs(pressure * area - normalForce)).toBeLessThan(1e-12);
    }
  });
});

test('a ball of tetrahedra has the volume of a ball within 1 %; masses of vertices are those of tetrahedra', () => {
  const model = compileModel({
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap' },
    softBodies: [
      {
        name: 'ball',
        mesh: { kind: 'sphere', radius: 0.1, resolution: 0.015 },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.2, density: 500 },
        contact: 'none',
      },
    ],
  });
  const volume = measureVolume(model, 0);
  expect(Math.abs(volume / ((4 / 3) * Math.PI * 0.1 ** 3) - 1)).toBeLessThan(0.01);
  const simulation = new Simulation(model);
  simulation.softVelocity(0).fill(1);
  for (const part of simulation.momentum().linear) expect(Math.abs(part / (500 * volume) - 1)).toBeLessThan(1e-12);
});

describe.each(['corotated', 'neoHookean'] as const)('a box led by two vertices: %s', (model) => {
  test('they keep to their circle, the box keeps its shape, and falls free when let go', () => {
    const [radius, angle, frames] = [0.1, 0.005, 314];
    const steps = Array.from({ length: frames + 1 }, (_, k) => k);
    const simulation = new Simulation(
      compileModel({
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'sap', timestep: 0.005 },
        softBodies: [
          {
            name: 'box',
            position: [0, 0, 2],
            mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [1, 1, 1] },
            contact: 'none',
            elasticity: { model, youngsModulus: 1e5, poissonRatio: 0.45, massDamping: 0.5, stiffnessDamping: 5e-4 },
            driven: [
              {
                vertices: [5, 7],
                times: steps.map((k) => 0.01 * k),
                displacements: steps.flatMap((k) => [
                  radius * (Math.cos(angle * k) - 1),
                  radius * Math.sin(angle * k),
                  0,
                ]),
              },
            ],
          },
        ],
      }),
    );
    const { rest } = simulation.model.soft;
    const x = simulation.softPosition('box');
    for (let k = 1; k <= frames; k++) {
      simulation.step(2);
      for (const v of [5, 7]) {
        expect(Math.abs(x[3 * v] - rest[3 * v] - radius * (Math.cos(angle * k) - 1))).toBeLessThan(1e-8);
        expect(Math.abs(x[3 * v + 1] - rest[3 * v + 1] - radius * Math.sin(angle * k))).toBeLessThan(1e-8);
        expect(Math.abs(x[3 * v + 2] - rest[3 * v + 2])).toBeLessThan(1e-8);
      }
    }
    const distance = (p: Float64Array, a: number, b: number): number =>
      Math.hypot(...[0, 1, 2].map((c) => p[3 * a + c] - p[3 * b + c]));
    const measureShape = (): number => {
      let worst = 0;
      for (let a = 0; a < 8; a++) {
        for (let b = 0; b < a; b++) worst = Math.max(worst, Math.abs(distance(x, a, b) - distance(rest, a, b)));
      }
      return worst;
    };
    expect(measureShape()).toBeLessThan(0.01);

    simulation.releaseVertices('box', [5, 7]);
    const [z, speed] = [simulation.centerOfMass()[2], simulation.momentum().linear[2]];
    simulation.step(100);
    const t = 0.5;
    const fall = simulation.centerOfMass()[2] - z - speed * t;
    // mass damping of 0.5 /s takes 0.5 t/3 of the fall
    expect(Math.abs(fall + 0.5 * 9.81 * t * t * (1 - (0.5 * t) / 3))).toBeLessThan(0.05);
    expect(measureShape()).toBeLessThan(0.01);
  });
});
