/**
 * Shells and rods that touch each other, themselves and soft solids under the formulations that find contacts once per step: what lies on
 * another weighs what it weighs, at the distance of both radii, whatever it meets: vertices, edges or faces; and fast sheets do not pass.
 */
import { compileModel, type FormulationId, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const G = 9.81;
const BY_ROWS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp'];

function open(formulation: FormulationId, softBodies: SoftBody[]): Simulation {
  return new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 0.005 },
        materials: [{ name: 'm', friction: 0.5 }],
        softBodies: softBodies.map((body) => ({ material: 'm', ...body })),
      },
      { formulation },
    ),
  );
}

function rod(name: string, from: readonly number[], to: readonly number[], more: Partial<SoftBody> = {}): SoftBody {
  const at = (i: number): number[] => from.map((value, k) => value + ((to[k] - value) * i) / 4);
  return {
    name,
    mesh: { kind: 'polyline', points: [0, 1, 2, 3, 4].flatMap(at), radius: 0.005 },
    elasticity: { youngsModulus: 1e8, poissonRatio: 0.3, massDamping: 10, density: 500 },
    ...more,
  };
}

function forceOn(simulation: Simulation, body: string): number {
  let sum = 0;
  for (const { bodyName1, bodyName2, force } of simulation.contactForces())
    if (bodyName1 !== bodyName2) sum += bodyName2 === body ? force[2] : bodyName1 === body ? -force[2] : 0;
  return sum;
}

describe.each(BY_ROWS)('%s', (formulation) => {
  const test = takeTurn();
  test('a rod across two others lies on them, edge on edge', () => {
    const simulation = open(formulation, [
      rod('left', [-0.2, -0.06, 0], [0.2, -0.06, 0], { pinned: [0, 1, 2, 3, 4] }),
      rod('right', [-0.2, 0.06, 0], [0.2, 0.06, 0], { pinned: [0, 1, 2, 3, 4] }),
      // between the vertices of both
      rod('top', [0.013, -0.1, 0.012], [0.013, 0.1, 0.012]),
    ]);
    simulation.step(80);
    const weight = simulation.model.soft.mass[2] * G;
    expect(Math.abs(forceOn(simulation, 'top') / weight - 1)).toBeLessThan(5e-3);
    const contacts = simulation.contactForces().filter(({ normalForce }) => normalForce > 0);
    expect(contacts.length).toBe(2);
    for (const { gap, position } of contacts) {
      expect(Math.abs(gap)).toBeLessThan(2e-4);
      expect(Math.abs(position[2] - 0.005)).toBeLessThan(2e-4);
    }
  });

  test('a rod lies on the face of a solid and over its edges', () => {
    const simulation = open(formulation, [
      {
        name: 'block',
        position: [0, 0, -0.05],
        mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [1, 1, 1] },
        elasticity: { youngsModulus: 1e7, poissonRatio: 0.3 },
        pinned: [0, 1, 2, 3, 4, 5, 6, 7],
      },
      rod('top', [0.013, -0.16, 0.006], [0.013, 0.16, 0.006]),
    ]);
    simulation.step(80);
    const weight = simulation.model.soft.mass[1] * G;
    expect(Math.abs(forceOn(simulation, 'top') / weight - 1)).toBeLessThan(5e-3);
    for (const { gap, normalForce } of simulation.contactForces())
      if (normalForce > 0) expect(Math.abs(gap)).toBeLessThan(2e-4);
  });

  test('a sheet at 10 m/s does not pass through a sheet of 4 mm in steps of 5 ms', () => {
    const sheet = (name: string, z: number, size: number, more: Partial<SoftBody>): SoftBody => ({
      name,
      position: [0.01, 0.02, z],
      mesh: { kind: 'grid', size: [size, size], cells: [3, 3], thickness: 0.004 },
      elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, density: 500 },
      ...more,
    });
    const simulation = open(formulation, [
      sheet('held', 0, 0.3, { position: [0, 0, 0], pinned: Array.from({ length: 16 }, (_, v) => v) }),
      sheet('fast', 0.06, 0.2, { velocity: [0, 0, -10] }),
    ]);
    for (let n = 0; n < 20; n++) {
      simulation.step();
      const x = simulation.softPosition('fast');
      for (let v = 0; v < 16; v++) expect(x[3 * v + 2]).toBeGreaterThan(0);
    }
  });
});

test('a strip folded over itself on a table: its upper layer lies one thickness above the lower one', () => {
  const count = 12;
  const at = (i: number): [number, number] => {
    const s = i / count;
    if (s < 0.4) return [0.5 * s, 0];
    if (s > 0.6) return [0.5 * (1 - s), 0.03];
    const turn = (s - 0.4) * 5 * Math.PI;
    return [0.2 + 0.015 * Math.sin(turn), 0.015 * (1 - Math.cos(turn))];
  };
  const vertices = Array.from({ length: count + 1 }, (_, i) =>
    [-0.03, 0.03].flatMap((y) => [at(i)[0], y, 0.003 + at(i)[1]]),
  ).flat();
  const triangles = Array.from({ length: count }, (_, i) => [0, 2, 3, 0, 3, 1].map((v) => 2 * i + v)).flat();
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 0.005 },
        shapes: [{ kind: 'plane' }],
        softBodies: [
          {
            name: 'strip',
            mesh: { kind: 'triangles', vertices, triangles, thickness: 0.004 },
            elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, massDamping: 5, bendingStiffness: 1e-6, density: 500 },
            selfContact: true,
          },
        ],
      },
      { formulation: 'sap' },
    ),
  );
  simulation.step(120);
  const x = simulation.softPosition('strip');
  const heights = (from: number, to: number): number[] =>
    Array.from({ length: 2 * (to - from) }, (_, k) => x[3 * (2 * from + k) + 2]);
  for (const z of heights(0, 3)) expect(Math.abs(z - 0.002)).toBeLessThan(1e-4);
  for (const z of heights(count - 2, count + 1)) expect(Math.abs(z - 0.006)).toBeLessThan(3e-4);
});
