/**
 * A settled step allocates nothing, under every formulation: no array comes into being during fifty steps, and nothing stays on
 * the heap. (What passes through the heap are numbers that the machine boxes between functions, which depends on its compiler.)
 */
import { expect, test } from 'vitest';
import '../compliance.ts';
import '../sensors.ts';
import './ccp/provide.ts';
import './ipc/provide.ts';
import './penalty/provide.ts';
import './sap/provide.ts';
import { takeSamples } from '../../../../scripts/long-run.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import type { SoftBody } from '../scene/soft-body.ts';
import { Simulation } from '../simulation.ts';
import { measureKeptMemory } from '../testing/heap-growth.ts';

const BLOCK: SoftBody = {
  name: 'block',
  position: [-1, 0, 0.11],
  mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
  elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 },
};

/** A stack on the ground, a door with a limit and a servo, sensors; where asked, a soft block beside them. */
function build(isSoft: boolean): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.01 },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      ...[0, 1].map(
        (n): Body => ({
          position: [0, 0, 0.102 + 0.204 * n],
          joints: [{ kind: 'free' }],
          sites: n === 0 ? [{ name: 'lowest', radius: 0.3 }] : [],
          shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.5 }],
        }),
      ),
      {
        position: [1, 0, 0.5],
        joints: [{ kind: 'hinge', name: 'door', axis: [0, 1, 0], damping: 0.5, limit: { range: [-0.3, 0.3] } }],
        shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.1, position: [0.2, 0, 0] }],
      },
    ],
    sites: [{ name: 'eye', position: [0, 0, 2], orientation: [0, 1, 0, 0] }],
    sensors: [
      { kind: 'rangefinder', site: 'eye' },
      { kind: 'jointLimitForce', joint: 'door' },
      { kind: 'subtreeCenter', body: 'world' },
      { kind: 'contact', count: 3, data: ['found', 'force'], reduce: 'largestForce' },
      { kind: 'accelerometer', site: 'lowest' },
      { kind: 'force', site: 'lowest' },
      { kind: 'touch', site: 'lowest' },
    ],
    actuators: [{ kind: 'position', transmission: { kind: 'joint', joint: 'door' }, stiffness: 5 }],
    ...(isSoft && { softBodies: [BLOCK] }),
  };
}

const CASES: [FormulationId, string][] = [
  ['mujoco', 'rigid'],
  ['sap', 'soft'],
  ['ccp', 'rigid'],
  ['ipc', 'soft'],
  ['mujoco', 'soft'],
  ['sap', 'rigid'],
  ['ccp', 'soft'],
  ['ipc', 'rigid'],
];

test.each(CASES.slice(0, takeSamples(CASES.length, 0.5)))('%s, %s bodies', (formulation, kind) => {
  const simulation = new Simulation(compileModel(build(kind === 'soft'), { formulation }));
  simulation.step(100);
  const before = process.memoryUsage().arrayBuffers;
  simulation.step(50);
  expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before);
  expect(measureKeptMemory(() => simulation.step(50), 0.1e6)).toBeLessThan(0.1e6);
  // and something touched meanwhile
  expect(simulation.contactForces().length).toBeGreaterThan(3);
});
