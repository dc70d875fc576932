import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileModel, type FormulationId, type Scene, Simulation } from '../index.ts';
import { isSame } from './same-assets.ts';
import { changeModel } from './scene-parameters.ts';
import { canSendModel, receiveModel } from './sent-model.ts';

const readScene = (name: string): Scene =>
  JSON.parse(readFileSync(new URL(`../../../../scenes/${name}.json`, import.meta.url), 'utf8'));

test.each<[string, FormulationId]>([
  ['ragdoll', 'mujoco'],
  ['robot-arm', 'sap'],
  ['box-stack', 'ccp'],
])('%s is the same model in another thread', (name, formulation) => {
  const scene = readScene(name);
  const model = compileModel(scene, { formulation });
  expect(canSendModel(model)).toBe(true);
  const received = receiveModel(structuredClone(model), structuredClone(scene), { formulation });
  expect(Object.isFrozen(received.body)).toBe(true);
  const [here, there] = [new Simulation(model), new Simulation(received)];
  here.step(20);
  there.step(20);
  expect(there.hash()).toBe(here.hash());
  // and can be changed as one that was compiled
  const values = { 'gravity.2': -3, 'shapes.*.friction': 0.3 };
  expect(changeModel(received, values)).toEqual(changeModel(model, values));
  const own = new Simulation(received, { ownParameters: true });
  const parameters = own.computeParameters(values)!;
  expect(isSame(parameters.meanInertia, own.matchParameters(changeModel(model, values))!.meanInertia)).toBe(true);
  own.setParameters(parameters);
  const changed = new Simulation(changeModel(model, values));
  own.step(20);
  changed.step(20);
  expect(own.hash()).toBe(changed.hash());
});

test('a model with more than numbers stays where it is', () => {
  const model = compileModel(readScene('box-stack'));
  class Field {}
  expect(canSendModel({ ...model, geometry: { ...model.geometry, field: [new Field() as never] } })).toBe(false);
  expect(canSendModel({ ...model, geometry: { ...model.geometry, fieldSurface: [() => undefined as never] } })).toBe(
    false,
  );
});
