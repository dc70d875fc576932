import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { describePart, readQuantity } from './part-facts.ts';
import { listSceneParts } from './scene-parts.ts';

/** A crate at rest on the floor, and an arm of two links on the world. */
const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'crate',
      position: [1, 0, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 3 }],
    },
    {
      name: 'upper',
      position: [0, 0, 2],
      joints: [{ kind: 'hinge', name: 'shoulder', axis: [0, 1, 0] }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
      bodies: [
        {
          name: 'lower',
          position: [0, 0, -0.5],
          joints: [{ kind: 'hinge', name: 'elbow', axis: [0, 1, 0] }],
          shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
        },
      ],
    },
  ],
};

describe.each([
  ['mujoco', 'joint'],
  ['ccp', 'body'],
] as const)('parts under %s in %s coordinates', (formulation, coordinates) => {
  const simulation = new Simulation(compileModel(SCENE, { formulation, coordinates }));
  for (let i = 0; i < 400; i++) simulation.step();
  const numberOf = (id: string, label: string) =>
    describePart(simulation, id).find((fact) => fact.label === label)!.value;

  test('the tree is that of the scene, whatever the coordinates', () => {
    const draw = (parts: ReturnType<typeof listSceneParts>): unknown[] =>
      parts.map(({ label, children }) => (children.length > 0 ? [label, ...draw(children)] : label));
    expect(draw(listSceneParts(simulation.model))).toEqual([
      ['world', 'floor'],
      ['crate', 'crate'],
      ['upper', 'shoulder', 'upper', ['lower', 'elbow', 'lower']],
    ]);
  });

  test('a body at rest has the pose, mass and contact force of physics; keys read the same numbers', () => {
    expect(numberOf('body:1', 'Mass')).toBeCloseTo(3, 12);
    const force = numberOf('body:1', 'Contact force') as number[];
    expect(force[2]).toBeCloseTo(3 * 9.81, 2);
    expect(readQuantity(simulation, 'body:1:contact force:z')).toBe(force[2]);
    expect(readQuantity(simulation, 'body:1:position:z')).toBe((numberOf('body:1', 'Position') as number[])[2]);
    expect(readQuantity(simulation, 'pair:0:1')).toBeCloseTo(3 * 9.81, 2);
    expect(numberOf('shape:0', 'Normal force')).toBeCloseTo(3 * 9.81, 2);
    // and against whom
    const pair = describePart(simulation, 'shape:1').find(({ label }) => label === 'On floor')!;
    expect(pair.value).toBeCloseTo(3 * 9.81, 2);
    expect(pair.plots.map(({ key }) => key)).toEqual(['pair:1:0']);
    expect(readQuantity(simulation, 'joint:1:velocity')).toBe(numberOf('joint:1', 'Velocity'));
  });

  test('what does not exist is no number', () => {
    for (const key of ['body:99:position:x', 'joint:7:position', 'nothing:1', 'sensor:0:reading:0'])
      expect(readQuantity(simulation, key)).toBeNaN();
    expect(describePart(simulation, 'nothing:1')).toEqual([]);
  });
});

test('an energy that the scene adds: its value and force, by the key of its plot', () => {
  // 2 kg on a spring of 200 N/m, damped, at rest: it is m g/k longer, and holds the weight
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [
      {
        name: 'weight',
        position: [0, 0, 1],
        joints: [{ kind: 'free' }],
        inertia: { kind: 'principal', mass: 2, moments: [0.01, 0.01, 0.01] },
      },
    ],
    terms: [
      {
        kind: 'springNetwork',
        name: 'spring',
        points: [{ body: 'weight' }, { body: 'world', at: [0, 0, 2] }],
        springs: [{ between: [0, 1], stiffness: 200, restLength: 1, damping: 40 }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.step(3000);
  expect(listSceneParts(simulation.model).at(-1)).toMatchObject({ id: 'term:0', kind: 'term', label: 'spring' });
  const energy = (2 * 9.81) ** 2 / (2 * 200);
  expect(readQuantity(simulation, 'term:0:energy')).toBeCloseTo(energy, 3);
  expect(describePart(simulation, 'term:0').find(({ label }) => label === 'Force')!.value).toBeCloseTo(2 * 9.81, 2);
});
