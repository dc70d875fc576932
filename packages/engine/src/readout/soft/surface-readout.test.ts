/** Pressure, shear and forces on regions against what follows from balance. */
import { describe, expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import type { SoftBody } from '../../scene/soft-body.ts';
import { Simulation } from '../../simulation.ts';

const G = 9.81;
const cube: SoftBody = {
  name: 'cube',
  position: [0, 0, 0.0999],
  mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [4, 4, 4] },
  elasticity: { youngsModulus: 2e5, poissonRatio: 0.3, massDamping: 20 },
  regions: [
    { name: 'foot', box: { low: [-0.1, -0.1, -0.1], high: [0.1, 0.1, -0.1] } },
    { name: 'head', box: { low: [-0.1, -0.1, 0.1], high: [0.1, 0.1, 0.1] } },
    { name: 'corner', vertices: [0] },
  ],
};

function drop(formulation: string, contact: 'point' | 'hydroelastic', steps = 120): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation, timestep: 0.01 },
    bodies: [{ name: 'floor', shapes: [{ kind: 'plane' }] }],
    softBodies: [{ ...cube, position: [0, 0, formulation === 'ipc' ? 0.102 : 0.0999], contact }],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.step(steps);
  return simulation;
}

describe.each([
  ['sap', 'point'],
  ['sap', 'hydroelastic'],
  ['mujoco', 'point'],
  ['ipc', 'point'],
] as const)('a cube at rest under %s, contact %s', (formulation, contact) => {
  const simulation = drop(formulation, contact);
  const surface = simulation.softSurface('cube');
  const weight = 0.2 ** 3 * 1000 * G;

  test('forces at its vertices sum up to the contact force, pressure times area to the normal forces', () => {
    let normal = 0;
    const total = [0, 0, 0];
    for (const contactForce of simulation.contactForces()) {
      const sign = contactForce.bodyName2 === 'cube' ? 1 : -1;
      for (let k = 0; k < 3; k++) total[k]! += sign * contactForce.force[k]!;
      normal += contactForce.normalForce;
    }
    const sum = [0, 0, 0];
    let carried = 0;
    for (let v = 0; v < surface.area.length; v++) {
      for (let k = 0; k < 3; k++) sum[k]! += surface.force[3 * v + k]!;
      carried += surface.pressure[v]! * surface.area[v]!;
    }
    for (let k = 0; k < 3; k++) expect(sum[k]).toBeCloseTo(total[k]!, 9);
    expect(carried).toBeCloseTo(normal, 9);
    // at rest to a thousandth of the weight
    expect(sum[2]! / weight).toBeCloseTo(1, 2);
    // the whole surface, within the strain ρ g h/E of 1 %
    expect(surface.area.reduce((a, b) => a + b)).toBeCloseTo(6 * 0.04, 2);
  });

  test('the foot carries it all, the head nothing', () => {
    const foot = simulation.softRegion('cube', 'foot');
    const head = simulation.softRegion('cube', 'head');
    expect(foot.vertices).toBe(25);
    expect(foot.contactForce[2] / weight).toBeCloseTo(1, 2);
    expect(foot.pressure * foot.area).toBeCloseTo(foot.normalForce, 9);
    expect(head).toMatchObject({ normalForce: 0, contactForce: [0, 0, 0], supportForce: [0, 0, 0] });
    // the head sinks by ρ g L²/2E, 1 mm, and a little more, as edges of the foot carry more
    if (formulation !== 'ipc') expect(head.displacement[2]).toBeLessThan(-0.0008);
  });
});

test('what is pinned holds the weight, and stress above it is principal along it', () => {
  const simulation = new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap', timestep: 0.01 },
      softBodies: [
        { ...cube, pinned: Array.from({ length: 125 }, (_, v) => v).filter((v) => v % 125 >= 100), contact: 'none' },
      ],
    }),
  );
  const pinned = simulation.model.soft.holds[0]!.pinned;
  const axis = [0, 1, 2].find((k) => {
    const x = pinned.map((v) => simulation.model.soft.rest[3 * v + k]!);
    return Math.max(...x) - Math.min(...x) < 1e-9;
  });
  // the first hundred vertices are free: the rest is one face of the box
  expect(axis).toBeDefined();
  simulation.step(150);
  const all = simulation.softField('cube', 'displacement');
  expect(all.length).toBe(125);
  for (const v of pinned) expect(all[v]).toBe(0);
  const { principalStrain, strain } = simulation.softStress('cube');
  // the trace of a tensor is the sum of its eigenvalues
  for (const t of [0, 17, 101]) {
    const trace = strain[6 * t]! + strain[6 * t + 1]! + strain[6 * t + 2]!;
    const sum = principalStrain[3 * t]! + principalStrain[3 * t + 1]! + principalStrain[3 * t + 2]!;
    expect(sum).toBeCloseTo(trace, 12);
  }
});

test('a hanging bar: the support carries its weight', () => {
  const region = {
    name: 'top',
    box: { low: [-0.1, -0.1, 0.1] as [number, number, number], high: [0.1, 0.1, 0.1] as [number, number, number] },
  };
  const body = { ...cube, regions: [region], contact: 'none' as const };
  const scene = (pinned: number[]): Scene => ({
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 0.01 },
    softBodies: [{ ...body, pinned }],
  });
  const { soft } = compileModel(scene([]));
  const simulation = new Simulation(compileModel(scene([...soft.regions[0]![0]!.vertices])));
  simulation.step(200);
  const { supportForce } = simulation.softRegion('cube', 'top');
  expect(supportForce[2]).toBeCloseTo(0.008 * 1000 * G, 3);
  expect(supportForce[0]).toBeCloseTo(0, 6);
  // just below the support σ = ρ g L on the mean
  const up = simulation.softField('cube', 'maximumPrincipalStress');
  const mean = [...soft.regions[0]![0]!.vertices].reduce((sum, v) => sum + up[v]!, 0) / 25;
  expect(mean).toBeGreaterThan(0.5 * 1000 * G * 0.2);
  expect(mean).toBeLessThan(2 * 1000 * G * 0.2);
});

test.each([
  ['a box beside the body', { name: 'a', box: { low: [1, 1, 1], high: [2, 2, 2] } }, 'invalid-value', /no vertex/],
  ['a vertex that is not there', { name: 'a', vertices: [500] }, 'unknown-reference', /no vertex 500/],
])('%s is an error', (_, region, code, message) => {
  const scene = { format: 'nexdyn-scene', version: 1, softBodies: [{ ...cube, regions: [region] }] } as Scene;
  expect(() => compileModel(scene)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});
