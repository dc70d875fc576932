import { describe, expect, test } from 'vitest';
import '../compliance.ts';
import '../formulation/ccp/provide.ts';
import '../formulation/ipc/provide.ts';
import { createTurns } from '../../../../scripts/long-run.ts';
import { NexdynError } from '../error.ts';
import { compileModel } from '../model/compile.ts';
import type { Coordinates, FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

const takeTurn = createTurns();

// weights are powers of two, so that w k and a scene with the stiffness w k have the same bits
const WEIGHT = 4;

/** A pendulum with a spring, a tendon spring, a tethered ball and, where the formulation has them, a soft block on springs. */
function describeScene(formulation: FormulationId, gravity: number, springs: number, elastic: number): Scene {
  const hasSoft = formulation === 'sap' || formulation === 'ipc';
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.01, gravity: [0, 0, -2 * gravity] },
    bodies: [
      {
        name: 'arm',
        joints: [
          { name: 'pivot', kind: 'hinge', axis: [0, 1, 0], stiffness: 8 * springs, springReference: 0.5, damping: 0.1 },
        ],
        inertia: { kind: 'principal', mass: 1, center: [0.3, 0, 0], moments: [0.02, 0.02, 0.02] },
      },
      {
        name: 'slider',
        position: [2, 0, 0],
        joints: [{ name: 'rail', kind: 'slide', axis: [0, 0, 1], stiffness: 16 * springs }],
        inertia: { kind: 'principal', mass: 2, moments: [0.1, 0.1, 0.1] },
      },
    ],
    ...(hasSoft && {
      softBodies: [
        {
          name: 'block',
          position: [4, 0, 0],
          mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [1, 1, 1] },
          elasticity: {
            youngsModulus: 1024 * elastic,
            poissonRatio: 0.25,
            density: 512,
            model: 'linear',
            stiffnessDamping: 2 ** -7,
          },
          springs: [{ vertices: [0, 1], stiffness: 32 * springs }],
        },
      ],
    }),
    terms: [
      {
        kind: 'springNetwork',
        name: 'tether',
        points: [{ body: 'slider' }, { body: 'world' }],
        stiffness: 64,
        springs: [{ between: [0, 1] }],
      },
    ],
  } as Scene;
}

const CASES: [FormulationId, Coordinates][] = [
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'body'],
  ['ipc', 'body'],
];

describe.each(CASES)('weights under %s in %s coordinates', (formulation, coordinates) => {
  const test = takeTurn();
  const create = (gravity: number, springs: number, elastic: number): Simulation =>
    new Simulation(compileModel(describeScene(formulation, gravity, springs, elastic), { formulation, coordinates }));

  test.each(['gravity', 'springs', 'elastic'])('%s acts as the scene with that much of it', (name) => {
    const only = (term: string): number => (term === name ? WEIGHT : 1);
    const unweighed = create(1, 1, 1);
    const weighed = create(1, 1, 1);
    const scaled = create(only('gravity'), only('springs'), only('elastic'));
    // matrices that a linear law keeps from the steps before must not stay
    weighed.step(3);
    weighed.reset();
    weighed.setTermWeight(name, WEIGHT);
    weighed.step(20);
    scaled.step(20);
    unweighed.step(20);
    expect(weighed.hash()).toBe(scaled.hash());
    if (name !== 'elastic' || weighed.model.size.softBody > 0) expect(weighed.hash()).not.toBe(unweighed.hash());
    expect(weighed.energy()).toEqual(scaled.energy());
    expect(weighed.termEnergies()).toEqual(scaled.termEnergies());
    expect(weighed.jointForces()).toEqual(scaled.jointForces());
    expect(weighed.termWeight(name)).toBe(WEIGHT);
    weighed.setTermWeight(name, 1);
    expect(weighed.termWeight(name)).toBe(1);
  });

  test('an added term has its factor', () => {
    const simulation = create(1, 1, 1);
    simulation.step(3);
    const before = simulation.termEnergies().find(({ name }) => name === 'tether');
    simulation.setTermWeight('tether', 0.5);
    const after = simulation.termEnergies().find(({ name }) => name === 'tether');
    expect(after?.energy).toBeCloseTo(0.5 * before!.energy!, 12);
    expect(simulation.terms[0]?.weight).toBe(0.5);
  });
});

describe('weights that make no sense', () => {
  const simulation = new Simulation(compileModel(describeScene('ipc', 1, 1, 1), { formulation: 'ipc' }));

  test.each(['kinetic', 'barrier', 'contacts', 'friction', 'joints'])('%s has none, and the error says why', (name) => {
    for (const act of [() => simulation.setTermWeight(name, 2), () => simulation.termWeight(name)]) {
      expect(act).toThrow(NexdynError);
      expect(act).toThrow(`'${name}' takes no weight`);
    }
  });

  test('unknown names and numbers out of range are refused', () => {
    expect(() => simulation.setTermWeight('tehter', 1)).toThrow("there is no term 'tehter'");
    expect(() => simulation.setTermWeight('gravity', Number.NaN)).toThrow("the weight of 'gravity' is NaN");
    expect(() => simulation.setTermWeight('springs', -1)).toThrow("the weight of 'springs' is -1");
    expect(() => simulation.setTermWeight('elastic', 0)).toThrow("the weight of 'elastic' is 0");
    expect(simulation.termWeight('gravity')).toBe(1);
  });
});
