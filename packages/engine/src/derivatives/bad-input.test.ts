/** What derivatives do where there is none, or two, or where the step was not solved; and that they leave simulations as they are. */
import { expect, test } from 'vitest';
import '../compliance.ts';
import { linearize, rollout, vjp } from '../derivatives.ts';
import { compileModel, type Scene, Simulation } from '../index.ts';

const open = (formulation: string, parts: Partial<Scene>): Simulation =>
  new Simulation(compileModel({ format: 'nexdyn-scene', version: 1, ...parts }, { formulation }));

test.each(['mujoco', 'sap'])(
  '%s: a hinge exactly at its limit has two derivatives, one on each side',
  (formulation) => {
    const simulation = open(formulation, {
      options: { timestep: 0.004, gravity: [0, 0, 0] },
      bodies: [
        {
          name: 'door',
          joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 0, 1], limit: { range: [-1, 0] } }],
          inertia: { kind: 'principal', mass: 1, center: [0.3, 0, 0], moments: [0.01, 0.01, 0.01] },
        },
      ],
    });
    const read = (side: 'centred' | 'forward' | 'backward'): number => linearize(simulation, { side }).A[2]!;
    expect(read('forward')).toBeLessThan(-1e-3);
    expect(read('backward')).toBeCloseTo(0, 9);
    expect(read('centred')).toBeCloseTo(0.5 * read('forward'), 6);
    expect(linearize(simulation).report.kinks.length).toBeGreaterThan(0);
  },
);

test('a step that did not converge is said, or is an error where that is asked for', () => {
  // one point cannot be in two places
  const simulation = open('sap', {
    options: { timestep: 0.004 },
    sites: [{ name: 'here' }, { name: 'there', position: [0.3, 0, 0] }],
    bodies: [
      { name: 'bob', joints: [{ kind: 'free' }], sites: [{ name: 'hook' }], shapes: [{ kind: 'sphere', radius: 0.1 }] },
    ],
    equalities: [
      { kind: 'connect', site1: 'hook', site2: 'here' },
      { kind: 'connect', site1: 'hook', site2: 'there' },
    ],
  });
  expect(linearize(simulation).report.isConverged).toBe(false);
  expect(() => linearize(simulation, { unconverged: 'error' })).toThrow(/did not converge/);
  expect(() => vjp(simulation, { state: new Float64Array(12) }, { unconverged: 'error' })).toThrow(/did not converge/);
});

test.each(['mujoco', 'sap', 'ccp', 'ipc', 'penalty'])('%s: soft and rigid bodies keep their bytes', (formulation) => {
  const [one, two] = [0, 1].map(() =>
    open(formulation, {
      options: { timestep: 0.004 },
      shapes: [{ kind: 'plane', friction: 0.5 }],
      bodies: [
        {
          name: 'ball',
          position: [0.5, 0, 0.11],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'sphere', name: 'ball', radius: 0.1, friction: 0.5 }],
        },
      ],
      softBodies: [
        {
          name: 'block',
          position: [0, 0, 0.055],
          mesh: { kind: 'box', halfSize: [0.1, 0.05, 0.05], cells: [1, 1, 1] },
          elasticity: { model: 'neoHookean', youngsModulus: 2e4, poissonRatio: 0.3, density: 500 },
        },
      ],
    }),
  );
  const size = 12 + 6 * one!.model.size.softVertex;
  for (let k = 0; k < 4; k++) {
    one!.step(2);
    two!.step(2);
    if (k === 1) vjp(two!, { state: new Float64Array(size).fill(1) });
    if (k === 2) rollout(two!, undefined, { steps: 2 }).backward(new Float64Array(size).fill(1));
    expect(two!.hash()).toBe(one!.hash());
  }
});
