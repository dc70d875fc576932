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

// an arm that hangs out sideways at its upper limit: the limit holds its weight as soon as it is passed
const weighed: Partial<Scene> = {
  options: { timestep: 0.004 },
  bodies: [
    {
      name: 'arm',
      joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 1, 0], limit: { range: [-1, 0] } }],
      inertia: { kind: 'principal', mass: 1, center: [0.3, 0, 0], moments: [0.01, 0.01, 0.01] },
    },
  ],
};

test('mujoco: where a limit begins to carry a weight the step jumps, and derivatives are those beside the jump', () => {
  const simulation = open('mujoco', weighed);
  const read = (side: 'centred' | 'forward' | 'backward'): number => linearize(simulation, { side }).A[2]!;
  // the jump over the length of a difference, 2e-7, would be above 1e5
  expect(Math.abs(read('forward'))).toBeLessThan(1e3);
  expect(read('centred')).toBeCloseTo(0.5 * (read('forward') + read('backward')), 4);
  expect(linearize(simulation).report.jumps).toContain('pivot');
  // beside it: a simulation that has passed the limit by a little
  simulation.state.position[0] = 1e-5;
  const beside = linearize(simulation);
  expect(beside.report.kinks).toEqual([]);
  expect(Math.abs(read('centred') / beside.A[2]! - 1)).toBeLessThan(1e-9);
  simulation.state.position[0] = 0;
  expect(Math.abs(read('forward') / beside.A[2]! - 1)).toBeLessThan(0.05);
});

test('unknown fields, methods and sides get near names, and gradients of a loss are finite', () => {
  const simulation = open('sap', weighed);
  const refuse = (inputs: string[]): string => {
    try {
      linearize(simulation, { inputs });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(refuse(['joints.pivot.dampin'])).toContain("did you mean 'damping'?");
  expect(refuse(['bodies.arm.mas'])).toContain("did you mean 'mass'?");
  expect(refuse(['sap.stifness'])).toContain("did you mean 'stiffness'?");
  expect(() => linearize(simulation, { method: 'implict' as 'implicit' })).toThrow("did you mean 'implicit'?");
  expect(() => linearize(simulation, { side: 'left' as 'centred' })).toThrow("there is no side 'left'");
  expect(() => vjp(simulation, { state: Float64Array.of(0, NaN) })).toThrow('number 1 is NaN');
  expect(() => rollout(simulation, undefined, { steps: 2 }).backward([Infinity, 0])).toThrow('number 0 is Infinity');
});

test('controls of a rollout are numbers, as many as there are', () => {
  const simulation = open('sap', {
    bodies: weighed.bodies!,
    actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'pivot' } }],
  });
  const end = (controls: Parameters<typeof rollout>[1]): number =>
    rollout(simulation, controls, { steps: 2 }).simulation.state.velocity[0]!;
  expect(end([1, 2])).toBe(end(Float64Array.of(1, 2)));
  expect(() => end([{}, {}] as unknown as Float64Array)).toThrow('controls: number 0 is NaN');
  expect(() => end(Float64Array.of(1))).toThrow('controls has 1 numbers');
  expect(() => end(() => Float64Array.of(1, 2))).toThrow('controls of step 0 has 2 numbers');
  expect(() => linearize(simulation, { inputs: ['stat'] })).toThrow("did you mean 'state'?");
});

test('parameters of a scene whose patches have been computed before', () => {
  const simulation = open('sap', {
    options: { timestep: 0.004 },
    shapes: [{ kind: 'plane', contact: 'hydroelastic' }],
    bodies: [
      {
        name: 'ball',
        position: [0, 0, 0.098],
        joints: [{ kind: 'free' }],
        shapes: [
          { kind: 'sphere', name: 'ball', radius: 0.1, contact: 'hydroelastic', hydroelastic: { modulus: 1e5 } },
        ],
      },
    ],
  });
  simulation.step(2);
  expect(simulation.solvedContacts.count).toBeGreaterThan(0);
  const { P } = linearize(simulation, { inputs: ['shapes.ball.hydroelastic.modulus'] });
  // stiffer is faster up: h²/m times its share of the force
  expect(P[8]!).toBeGreaterThan(0);
});

test('a field that a scene does not have names those that are numbers, each once', () => {
  const shapes: Scene['shapes'] = [{ kind: 'sphere', name: 'ball', radius: 0.1, friction: 0.4 }];
  const simulation = open('sap', { shapes });
  const hint = ((): string => {
    try {
      linearize(simulation, { inputs: ['shapes.ball.viscosity'] });
    } catch (error) {
      return String((error as { hint?: string }).hint ?? error);
    }
    return '';
  })();
  for (const name of ['radius', 'friction', 'density']) expect(hint.split(`'${name}'`)).toHaveLength(2);
  expect(hint).not.toContain("'kind'");
});
