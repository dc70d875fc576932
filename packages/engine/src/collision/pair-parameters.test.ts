import { describe, expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { ContactPair } from '../scene/contact-filter.ts';
import type { Material } from '../scene/material.ts';
import type { Scene } from '../scene/scene.ts';
import { PairParameters } from './pair-parameters.ts';
import { classifySurfaces } from './surface-class.ts';

function mixed(one: Omit<Material, 'name'>, two: Omit<Material, 'name'>): PairParameters {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    materials: [
      { name: 'one', ...one },
      { name: 'two', ...two },
    ],
    shapes: [
      { kind: 'sphere', radius: 1, material: 'one', margin: 0.01, gap: 0.002 },
      { kind: 'sphere', radius: 1, material: 'two', margin: 0.03 },
    ],
  };
  const parameters = new PairParameters();
  const model = compileModel(scene);
  parameters.mix(model, classifySurfaces(model), 0, 1);
  return parameters;
}

const EXPLICIT: ContactPair = {
  shape1: 'a',
  shape2: 'b',
  friction: [0.1, 0.2, 0, 0.01, 0.02],
  margin: 0.5,
  stiffness: 9,
  mujoco: { condim: 6, solref: [0.1, 2], adhesion: 4 },
};

describe('materials of a pair', () => {
  test('springs in series, dissipation times add, the larger friction and restitution', () => {
    const pair = mixed(
      { stiffness: 1000, dissipation: 0.1, friction: 0.4, restitution: 0.2 },
      { stiffness: 3000, dissipation: 0.05, friction: 0.7 },
    );
    expect(pair.stiffness).toBeCloseTo(750, 12);
    expect(pair.dissipation).toBeCloseTo(0.15, 12);
    expect(pair.restitution).toBe(0.2);
    expect([...pair.friction]).toEqual([0.7, 0.7, 0.005, 0.0001, 0.0001]);
    expect(pair.margin).toBeCloseTo(0.04, 15);
    expect(pair.gap).toBeCloseTo(0.002, 15);
  });

  test('what one side leaves open the other decides; both open leave it to the formulation', () => {
    expect(mixed({ stiffness: 500 }, {}).stiffness).toBe(500);
    expect(mixed({}, {}).stiffness).toBe(0);
    expect(mixed({}, {}).dissipation).toBe(-1);
    expect(mixed({ dissipation: 0 }, {}).dissipation).toBe(0);
  });

  test('an explicit pair decides itself', () => {
    const pair = mixed({ friction: 0.4 }, {});
    pair.override(EXPLICIT, undefined);
    expect([...pair.friction]).toEqual([0.1, 0.2, 1e-5, 0.01, 0.02]);
    expect([pair.margin, pair.stiffness, pair.condim, pair.adhesion]).toEqual([0.5, 9, 6, 4]);
    expect([...pair.solref]).toEqual([0.1, 2]);
  });

  test('what the scene says for all contacts replaces that', () => {
    const pair = mixed({ friction: 0.4 }, {});
    pair.override(EXPLICIT, { margin: 0.2, friction: [1, 2, 3, 4, 5], solref: [-5, -6] });
    expect([...pair.friction]).toEqual([1, 2, 3, 4, 5]);
    expect([pair.margin, pair.condim]).toEqual([0.2, 6]);
    expect([...pair.solref, ...pair.solrefFriction]).toEqual([-5, -6, -5, -6]);
  });
});
