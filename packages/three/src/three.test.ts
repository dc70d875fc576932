import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { type Mesh, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { createWorkerSimulation, type MessagePortLike, SimulationGroup } from './index.ts';
import { serveSimulation } from './serve-simulation.ts';

const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'ball',
      position: [0.5, 0.2, 0.3],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, position: [0.05, 0, 0] }],
    },
    {
      name: 'pole',
      position: [-1, 0, 2],
      joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
      shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.4, position: [0.4, 0, 0] }],
    },
  ],
};

test('a group follows the poses of its bodies, with y upwards', () => {
  const simulation = new Simulation(compileModel(SCENE));
  simulation.step(100);
  const group = new SimulationGroup(simulation.model);
  group.update(simulation);
  group.showContacts(simulation.contacts());
  group.updateMatrixWorld(true);
  const ball = group.body(1)!.children[0] as Mesh;
  const seen = ball.getWorldPosition(new Vector3());
  const { position, orientation } = simulation.pose('ball');
  const offset = new Vector3(0.05, 0, 0).applyQuaternion(
    group.body(1)!.quaternion.clone().set(orientation[1], orientation[2], orientation[3], orientation[0]),
  );
  // x y z of the scene are x, −z and y of the world of three.js
  expect(seen.x).toBeCloseTo(position[0] + offset.x, 9);
  expect(seen.y).toBeCloseTo(position[2] + offset.z, 9);
  expect(seen.z).toBeCloseTo(-(position[1] + offset.y), 9);
  expect(group.body(0)!.children).toHaveLength(1);
  // the capsule lies along z of its shape
  const capsule = group.body(2)!.children[0] as Mesh;
  capsule.geometry.computeBoundingBox();
  const { min, max } = capsule.geometry.boundingBox!;
  expect(max.z - min.z).toBeCloseTo(0.9, 6);
  expect(max.x - min.x).toBeCloseTo(0.1, 2);
  group.dispose();
});

test('a simulation in a worker has the same states, tells events, and passes errors on', async () => {
  const { port1, port2 } = new MessageChannel();
  serveSimulation(port1 as unknown as MessagePortLike);
  const remote = await createWorkerSimulation(port2 as unknown as MessagePortLike, SCENE, { formulation: 'mujoco' });
  const local = new Simulation(compileModel(SCENE, { formulation: 'mujoco' }));
  const report = await remote.step(200);
  local.step(200);
  expect(report.status).toBe(local.report.status);
  expect(remote.time).toBe(local.time);
  expect(Array.from(remote.bodyPosition)).toEqual(Array.from(local.bodyPosition));
  expect(await remote.call('hash')).toBe(local.hash());
  expect(remote.events).toEqual([]);
  expect(await remote.call('pose', 'ball')).toEqual(local.pose('ball'));
  await expect(remote.call('pose', 'bal')).rejects.toMatchObject({ code: 'invalid-argument' });
  // from 0.3 m it falls for 0.2 s
  await remote.call('reset');
  await remote.step(150);
  expect(remote.events.filter(({ kind }) => kind === 'begin').map(({ body2 }) => body2)).toEqual(['ball']);
  port1.close();
  port2.close();
});
