import { describe, expect, test } from 'vitest';
import { takeCases } from '../../../../scripts/long-run.ts';
import '../formulation/ccp/provide.ts';
import '../formulation/ipc/provide.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { Integrator, SceneOptions } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { stepSpin } from './spin-step.ts';

function createScene(bodies: Body[], options: SceneOptions = {}): Scene {
  const whole: SceneOptions = { gravity: [0, 0, 0], timestep: 1 / 60, disable: ['contact'], ...options };
  return { format: 'nexdyn-scene', version: 1, options: whole, bodies };
}

function createBox(position: [number, number, number]): Body {
  const shape = { kind: 'box', halfSize: [0.1, 0.2, 0.3], mass: 1, position } as const;
  return { name: 'box', joints: [{ kind: 'free' }], shapes: [{ ...shape, halfSize: [0.1, 0.2, 0.3] }] };
}

function createChain(count: number, kind: 'ball' | 'hinge', root: 'ball' | 'hinge' | 'free' = kind): Body {
  const joint =
    root === 'hinge'
      ? { kind: root, axis: (count % 2 ? [0, 1, 0] : [1, 0, 0]) as [number, number, number] }
      : { kind: root };
  return {
    position: [0, 0, -0.5],
    joints: [joint],
    shapes: [{ kind: 'capsule', radius: 0.04, halfLength: 0.2, position: [0, 0, -0.25], mass: 1 }],
    bodies: count > 1 ? [createChain(count - 1, kind)] : [],
  };
}

function throwAll(simulation: Simulation, speed: number): void {
  const v = simulation.state.velocity;
  for (let i = 0; i < v.length; i++) v[i] = speed * Math.sin(2.3 * i + 1);
}

function momentumAboutCenter(simulation: Simulation): { linear: number[]; angular: number[] } {
  const { linear: p, angular } = simulation.momentum();
  const x = simulation.centerOfMass();
  const turned = [0, 1, 2].map((k) => {
    const l = (k + 1) % 3;
    const m = (k + 2) % 3;
    return angular[k] - (x[l] * p[m] - x[m] * p[l]);
  });
  return { linear: p, angular: turned };
}

const ALL = [
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
  ['ipc', 'body'],
] as const;

describe('a torque-free body', () => {
  test.each(ALL)('keeps energy and angular momentum to round-off at 1/60 s (%s, %s)', (formulation, coordinates) => {
    const positions: [number, number, number][] = [
      [0, 0, 0],
      [0.3, 0.1, -0.2],
    ];
    // in a short run one of them, the other in the other coordinates
    for (const position of takeCases(positions, 2, coordinates === 'body' ? 1 : 0)) {
      const simulation = new Simulation(compileModel(createScene([createBox(position)]), { formulation, coordinates }));
      simulation.setVelocity('box', { angular: [0.1, 10, 0.1] });
      const energy = simulation.energy().kinetic;
      const { angular, linear } = simulation.momentum();
      let flips = 0;
      for (let n = 0; n < 600; n++) {
        const before = simulation.state.velocity[4];
        simulation.step();
        if (before * simulation.state.velocity[4] < 0) flips++;
      }
      // 600 steps of round-off in numbers of order 1
      expect(Math.abs(simulation.energy().kinetic / energy - 1)).toBeLessThan(1e-11);
      for (const [k, value] of simulation.momentum().angular.entries()) expect(value).toBeCloseTo(angular[k], 10);
      for (const [k, value] of simulation.momentum().linear.entries()) expect(value).toBeCloseTo(linear[k], 10);
      // the exact solution flips four times, see validation/analytic/torque-free.test.ts
      expect(flips).toBe(4);
    }
  });

  test('keeps them in steps of any angle', () => {
    const spin = new Float64Array(3);
    const out = new Float64Array(6);
    const inertia = Float64Array.of(2, 3.1, 1.3, 0.1, -0.2, 0.05);
    const momentumOf = (w: Float64Array): number[] => [
      inertia[0] * w[0] + inertia[3] * w[1] + inertia[4] * w[2],
      inertia[3] * w[0] + inertia[1] * w[1] + inertia[5] * w[2],
      inertia[4] * w[0] + inertia[5] * w[1] + inertia[2] * w[2],
    ];
    const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (let n = 0; n < 200; n++) {
      const size = 10 ** (4 * Math.abs(Math.sin(n)) - 2);
      for (let k = 0; k < 3; k++) spin[k] = size * Math.sin(7 * n + 2 * k + 1);
      expect(stepSpin(out, inertia, 0, spin, 0, 1)).toBe(true);
      const before = momentumOf(spin);
      const after = momentumOf(out);
      expect(Math.abs(dot(after, out) / dot(before, spin) - 1)).toBeLessThan(1e-12);
      // |p| stays, and p turns back by the angle of the step: rotating about out[3..6) keeps that component
      const axis = out.subarray(3);
      expect(Math.abs(dot(after, after) / dot(before, before) - 1)).toBeLessThan(1e-12);
      expect(Math.abs(dot(after, axis) - dot(before, axis))).toBeLessThan(1e-12 * size * Math.hypot(...axis));
    }
  });
});

// a box that a ball on a stiff spring carries along: both turn by 2.4 rad in a step, but free flight of the box is cut at 2 rad
test.each(['semiImplicit', 'bdf2'] as const)(
  'a body that joints turn far in a step has the spin of its way (%s)',
  (integrator) => {
    const ball: Body = {
      name: 'ball',
      position: [0.13, 0.01, 0],
      joints: [{ kind: 'hinge', axis: [0, 0.6, 0.8], anchor: [-0.06, 0, 0], stiffness: 1e5 }],
      shapes: [{ kind: 'sphere', radius: 0.05, mass: 1 }],
    };
    const box: Body = {
      name: 'box',
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.05, 0.03, 0.02], mass: 0.01 }],
      bodies: [ball],
    };
    const simulation = new Simulation(compileModel(createScene([box], { integrator }), { formulation: 'ipc' }));
    // about the line through both centres, nearly: no centrifugal force of note
    const spin: [number, number, number] = [143, 11, 0];
    simulation.setVelocity('box', { angular: spin });
    simulation.setVelocity('ball', { linear: [0, 0, spin[0] * 0.01 - spin[1] * 0.13], angular: spin });
    const energy = simulation.energy().kinetic;
    for (let n = 0; n < 40; n++) simulation.step();
    const [one, two] = ['box', 'ball'].map((name) => simulation.velocity(name).angular);
    expect(Math.hypot(one[0] - two[0], one[1] - two[1], one[2] - two[2])).toBeLessThan(0.02 * Math.hypot(...spin));
    expect(simulation.energy().total).toBeLessThan(1.01 * energy);
  },
);

// a disc whose foot a constraint holds: rows that bend the way of the foot give energy, where what the disc turns by itself is not counted
test.each([
  ['mujoco', 15],
  ['mujoco', 30],
  ['mujoco', 60],
  ['mujoco', 120],
  ['ccp', 15],
  ['ccp', 30],
  ['ccp', 60],
  ['ccp', 120],
] as const)('a top on a connect gains no energy at 1/60 s (%s, %i rad/s)', (formulation, speed) => {
  const top: Body = {
    name: 'top',
    position: [0, 0, 0.3],
    orientation: [Math.cos(0.15), Math.sin(0.15), 0, 0],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'cylinder', radius: 0.1, halfLength: 0.02, density: 1000 }],
  };
  const scene = createScene([top], { gravity: [0, 0, -9.81] });
  scene.equalities = [{ kind: 'connect', body1: 'top', anchor: [0, 0, -0.15] }];
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.setVelocity('top', { angular: [0, speed * -Math.sin(0.3), speed * Math.cos(0.3)] });
  const before = simulation.energy().total;
  // velocities are half a step ahead of positions: at most the work of weight in that time, at the speed of a fall from upright to hanging
  const mass = 1000 * Math.PI * 0.01 * 0.04;
  const swing = 0.5 * mass * 9.81 * simulation.timestep * Math.sqrt(4 * 9.81 * 0.15);
  let most = 0;
  for (let n = 0; n < 120; n++) {
    expect(simulation.step().status).toBe('converged');
    most = Math.max(most, simulation.energy().total - before);
  }
  expect(most).toBeLessThan(swing);
});

/** A chain on balls, horizontal at first, whose last link is a hundred times as heavy. */
function createHeavyEnd(count: number): Body {
  const link = (k: number): Body => ({
    name: `link${k}`,
    position: [k === 0 ? 0 : 0.1, 0, 0],
    joints: [{ kind: 'ball' }],
    inertia: {
      kind: 'principal',
      mass: k === count - 1 ? 10 : 0.1,
      moments: k === count - 1 ? [0.01, 0.01, 0.01] : [1e-4, 1e-4, 1e-4],
      center: [0.05, 0, 0],
    },
    bodies: k === count - 1 ? [] : [link(k + 1)],
  });
  return link(0);
}

/** Where its end is after 0.2, 0.4 and 0.6 s, by rkmk4 at 1e-4 s and at 2e-4 s, m. */
const PATH_OF_20_LINKS = [1.873757, 0, -0.1962, 1.725339, 0, -0.780515, 1.160498, 0, -1.503805];

/** Three planar links on hinges, half a metre each. */
function createPendulum(count: number): Body {
  return {
    position: [0, 0, count === 3 ? 0 : -0.5],
    joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
    shapes: [{ kind: 'capsule', radius: 0.04, halfLength: 0.2, position: [0, 0, -0.25], mass: 1 }],
    bodies: count > 1 ? [createPendulum(count - 1)] : [],
  };
}

/** A box with arms and legs in free flight. */
function createTumbler(): Body {
  const limbs = [
    [0, 0.2, 0.25],
    [0, -0.2, 0.25],
    [0, 0.1, -0.35],
    [0, -0.1, -0.35],
  ];
  const part = (mass: number): NonNullable<Body['shapes']> => [
    { kind: 'capsule', radius: 0.05, halfLength: 0.15, position: [0, 0, -0.2], mass },
  ];
  return {
    name: 'torso',
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.15, 0.3], mass: 30 }],
    bodies: limbs.map((position) => ({
      position: position as [number, number, number],
      joints: [{ kind: 'ball' }],
      shapes: part(5),
      bodies: [{ position: [0, 0, -0.4], joints: [{ kind: 'hinge', axis: [0, 1, 0] }], shapes: part(2) }],
    })),
  };
}

describe('trees of joints', () => {
  test.each(['mujoco', 'sap', 'ccp'] as const)(
    'a long chain with a heavy end falls as with small steps (%s)',
    (formulation) => {
      const fall = (timestep: number): number[] => {
        const scene = createScene([createHeavyEnd(20)], { timestep, gravity: [0, 0, -9.81] });
        const simulation = new Simulation(compileModel(scene, { formulation, coordinates: 'joint' }));
        const energy = simulation.energy().total;
        const path: number[] = [];
        for (let k = 0; k < 3; k++) {
          for (let n = 0; n < Math.round(0.2 / timestep); n++) {
            expect(simulation.step().status).toBe('converged');
            // round-off of 40 J
            expect(simulation.energy().total - energy).toBeLessThan(1e-9);
          }
          path.push(...simulation.pose('link19').position);
        }
        return path;
      };
      const error = (path: number[]): number => Math.max(...path.map((x, k) => Math.abs(x - PATH_OF_20_LINKS[k])));
      const coarse = error(fall(1 / 60));
      const fine = error(fall(1 / 240));
      // velocities first: half the way of a step at g t and at the speed of the end, 4 m/s
      expect(coarse).toBeLessThan(4 / 60);
      expect(fine).toBeLessThan(0.4 * coarse);
    },
  );

  test.each(takeCases([1 / 20, 1 / 30], 2))(
    'a chain gains nothing at steps that do not resolve it (%d s)',
    (timestep) => {
      const scene = createScene([createHeavyEnd(50)], { timestep, gravity: [0, 0, -9.81] });
      const simulation = new Simulation(compileModel(scene, { formulation: 'mujoco' }));
      const energy = simulation.energy().total;
      // what the weight of 15 kg can give over the 5 m of the chain is 735 J
      for (let n = 0; n * timestep < 5; n++) {
        simulation.step();
        expect(simulation.energy().total - energy).toBeLessThan(0.02 * 735);
      }
    },
  );

  test.each([
    [createPendulum(3), 3],
    [createChain(3, 'ball'), 3],
    [createTumbler(), 2],
    [createChain(4, 'hinge', 'free'), 4],
  ])('their motion is of order one in the step (%#)', (body, speed) => {
    const run = (timestep: number, integrator: Integrator): Float64Array => {
      const scene = createScene([body], { timestep, integrator, gravity: [0, 0, -9.81] });
      const simulation = new Simulation(compileModel(scene));
      throwAll(simulation, speed);
      simulation.step(Math.round(0.3 / timestep));
      return simulation.state.position;
    };
    const exact = run(1 / 1000, 'rkmk4');
    const error = (h: number): number =>
      run(h, 'semiImplicit').reduce((most, x, i) => Math.max(most, Math.abs(x - exact[i])), 0);
    const ratio = error(1 / 1000) / error(1 / 250);
    expect(ratio).toBeGreaterThan(0.2);
    expect(ratio).toBeLessThan(0.3);
  });

  test('light links that carry much start to turn without a number that is not finite', () => {
    // h² g/l = 27: weight alone would push further than there is energy
    const scene = createScene([createHeavyEnd(6)], { timestep: 0.1, gravity: [0, 0, -98.1] });
    const simulation = new Simulation(compileModel(scene), { checkEnergy: false });
    throwAll(simulation, 0.01);
    for (let n = 0; n < 50; n++) expect(simulation.step().status).toBe('converged');
  });

  test('what turns as one body keeps its speed', () => {
    const scene = createScene([createPendulum(3)]);
    const simulation = new Simulation(compileModel(scene));
    simulation.state.velocity[0] = 6;
    simulation.step(600);
    const [first, ...others] = simulation.state.velocity;
    expect(first).toBeCloseTo(6, 9);
    for (const v of others) expect(v).toBeCloseTo(0, 9);
  });

  test.each(['mujoco', 'sap', 'ccp'] as const)(
    'a body with limbs keeps momentum and energy in flight (%s)',
    (formulation) => {
      const scene = createScene([createTumbler()]);
      const simulation = new Simulation(compileModel(scene, { formulation, coordinates: 'joint' }));
      throwAll(simulation, 2);
      const energy = simulation.energy().kinetic;
      const { linear, angular } = momentumAboutCenter(simulation);
      simulation.step(600);
      const after = momentumAboutCenter(simulation);
      for (let k = 0; k < 3; k++) {
        expect(after.linear[k]).toBeCloseTo(linear[k], 9);
        expect(after.angular[k]).toBeCloseTo(angular[k], 9);
      }
      expect(simulation.energy().kinetic).toBeLessThan(energy * (1 + 1e-9));
      expect(simulation.energy().kinetic).toBeGreaterThan(0.95 * energy);
    },
  );

  test.each([
    ['mujoco', 'joint'],
    ['sap', 'joint'],
    ['ccp', 'joint'],
  ] as const)('fast ones never gain energy (%s, %s)', (formulation, coordinates) => {
    for (const body of [createChain(3, 'ball'), createChain(3, 'hinge'), createChain(3, 'ball', 'free')]) {
      const simulation = new Simulation(compileModel(createScene([body]), { formulation, coordinates }));
      throwAll(simulation, 40);
      let energy = simulation.energy().kinetic;
      for (let n = 0; n < 120; n++) {
        expect(simulation.step().status).toBe('converged');
        const { kinetic } = simulation.energy();
        expect(kinetic).toBeLessThan(energy * (1 + 1e-8));
        energy = kinetic;
      }
    }
  });

  test.each([
    ['mujoco', 'body'],
    ['ccp', 'body'],
  ] as const)(
    'in body coordinates what makes them gain much energy is reported (%s, %s)',
    (formulation, coordinates) => {
      for (const body of [createChain(3, 'ball'), createChain(3, 'hinge'), createChain(3, 'ball', 'free')]) {
        const scene = createScene([body]);
        const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
        throwAll(simulation, 10);
        // velocities that do not fit the joints are taken out by the first step
        simulation.step();
        const energy = simulation.energy().kinetic;
        let hasFailed = false;
        for (let n = 0; n < 120; n++) hasFailed ||= simulation.step().status === 'unstable';
        // the watch allows ten times what it can explain, and looks where motion has grown tenfold
        if (!hasFailed) expect(simulation.energy().kinetic).toBeLessThan(110 * energy);
      }
    },
  );

  const rod: Body = {
    position: [0, 0, 0.3],
    joints: [{ kind: 'ball' }],
    shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.25, position: [0, 0, 0.3], mass: 1 }],
  };
  const boxWithRod: Body = {
    position: [0, 0, 0.2],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.15, 0.1], mass: 1, friction: 0 }],
    bodies: [
      {
        position: [0.1, 0, 0.1],
        joints: [{ kind: 'ball' }],
        shapes: [{ kind: 'capsule', radius: 0.03, halfLength: 0.2, position: [0.15, 0, 0.1], mass: 0.5, friction: 0 }],
      },
    ],
  };

  test.each([
    ['a capsule on a ball joint', rod],
    ['a box with a capsule on a ball joint, without friction', boxWithRod],
  ])('%s spins over a floor without gaining energy, or is refused under the integrators of MuJoCo', (_, body) => {
    for (const [formulation, integrator] of [
      ['mujoco', 'semiImplicit'],
      ['sap', 'semiImplicit'],
      ['mujoco', 'euler'],
      ['mujoco', 'implicitfast'],
    ] as const) {
      const options: SceneOptions = { timestep: 0.005, integrator, gravity: [0, 0, -9.81], disable: [] };
      const scene: Scene = {
        ...createScene([body], { ...options, mujoco: { cone: 'pyramidal' } }),
        shapes: [{ kind: 'plane', friction: 0 }],
      };
      const simulation = new Simulation(compileModel(scene, { formulation, coordinates: 'joint' }));
      const v = simulation.state.velocity;
      for (let i = v.length - 3; i < v.length; i++) v[i] = 60 * Math.sin(2.3 * i + 1);
      const energy = simulation.energy().total;
      let hasFailed = false;
      let most = 0;
      for (let n = 0; n < 400 && !hasFailed; n++) {
        hasFailed = simulation.step().status === 'unstable';
        most = Math.max(most, simulation.energy().total);
      }
      expect(hasFailed).toBe(integrator !== 'semiImplicit');
      // impacts and weight on the way, velocities first: 1 % of the energy
      if (integrator === 'semiImplicit') expect(most).toBeLessThan(1.01 * energy);
    }
  });

  test('forward() gives the acceleration with Coriolis forces, and joints their forces', () => {
    const read = (integrator: Integrator): [number[], number[]] => {
      const scene = createScene([createPendulum(3)], { integrator, gravity: [0, 0, -9.81] });
      const simulation = new Simulation(compileModel(scene));
      throwAll(simulation, 5);
      simulation.forward();
      return [Array.from(simulation.derived.acceleration), simulation.jointForces().flatMap(({ force }) => force)];
    };
    const [acceleration, forces] = read('semiImplicit');
    const [expected, expectedForces] = read('euler');
    for (const [i, value] of acceleration.entries()) expect(value).toBeCloseTo(expected[i], 9);
    for (const [i, value] of forces.entries()) expect(value).toBeCloseTo(expectedForces[i], 9);
  });

  test('a restored state goes on with the same bytes', () => {
    const simulation = new Simulation(compileModel(createScene([createTumbler()])));
    throwAll(simulation, 4);
    simulation.step(20);
    const snapshot = simulation.snapshot();
    simulation.step(20);
    const hash = simulation.hash();
    const other = new Simulation(simulation.model);
    other.restore(snapshot);
    other.step(20);
    expect(other.hash()).toBe(hash);
    // energies are read between steps
    other.restore(snapshot);
    for (let n = 0; n < 20; n++) {
      other.energy();
      other.step();
    }
    expect(other.hash()).toBe(hash);
  });

  test('a ball pendulum with spin keeps its energy within the order of the step', () => {
    const scene = createScene([createChain(1, 'ball')], { gravity: [0, 0, -9.81] });
    const simulation = new Simulation(compileModel(scene));
    throwAll(simulation, 20);
    const { total, kinetic } = simulation.energy();
    for (let n = 0; n < 600; n++) {
      simulation.step();
      // explicit gyroscopic forces gain a factor of 1e5
      expect(Math.abs(simulation.energy().total - total)).toBeLessThan(0.1 * kinetic);
    }
  });
});
