import '../compliance.ts';
import { expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import { SOFT_CONTACT } from '../model/model.ts';
import type { ContactKinds } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import type { SoftBody } from '../scene/soft-body.ts';
import { ContactChoice, needsChoice } from './contact-choice.ts';

const { none, point, hydroelastic } = SOFT_CONTACT;

function chooseIn(contactKinds?: ContactKinds): ContactChoice {
  const soft = (contact: SoftBody['contact']): SoftBody => ({
    mesh: { kind: 'box', halfSize: [1, 1, 1], cells: [2, 2, 2] },
    elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
    ...(contact ? { contact } : {}),
  });
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', ...(contactKinds ? { contactKinds } : {}) },
    shapes: [
      { kind: 'plane' },
      { kind: 'sphere', radius: 1 },
      { kind: 'sphere', radius: 1, contact: 'hydroelastic' },
      { kind: 'plane', contact: 'hydroelastic' },
    ],
    softBodies: [soft(undefined), soft('point')],
  };
  const model = compileModel(scene);
  expect(needsChoice(model)).toBe(true);
  return new ContactChoice(model);
}

test('as shapes and soft bodies say: one with pressure is enough, the soft body decides for a shape', () => {
  const choice = chooseIn();
  const expected: [number, number, number][] = [
    [0, 1, point],
    [0, 2, hydroelastic],
    [1, 2, hydroelastic],
    [3, 1, hydroelastic],
    [0, 4, hydroelastic],
    [2, 5, point],
    [4, 5, point],
    [4, 4, hydroelastic],
  ];
  for (const [a, b, way] of expected) {
    expect(choice.choose(a, b)).toBe(way);
    expect(choice.choose(b, a)).toBe(way);
  }
  // what has no pressure is rigid to what has
  expect([0, 1, 2, 3, 4].map((a) => choice.hasPressure(a, 4))).toEqual([false, false, true, true, true]);
});

test('as the scene says for pairs of kinds', () => {
  const choice = chooseIn({
    rigidRigid: 'hydroelastic',
    rigidFloor: 'point',
    softFloor: 'none',
    softSoft: 'hydroelastic',
  });
  expect(choice.choose(1, 2)).toBe(hydroelastic);
  expect(choice.choose(0, 2)).toBe(point);
  expect(choice.choose(0, 4)).toBe(none);
  expect(choice.choose(4, 5)).toBe(hydroelastic);
  expect(choice.choose(1, 5)).toBe(point);
  // shapes without a word of their own get a pressure for these pairs alone
  expect(choice.hasPressure(1, 2)).toBe(true);
  expect(choice.hasPressure(1, 4)).toBe(false);
});
