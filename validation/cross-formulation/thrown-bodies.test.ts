/** At game rates a step itself throws bodies at others, or stops one of two that fly together: they do not end up in each other. */
import {
  type Body,
  compileModel,
  DeepContacts,
  type FormulationId,
  type Scene,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { createRandom } from '../../packages/engine/src/testing/box-sets.ts';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

/** Share of the thinner body by which bodies count as deep in each other (deep-contacts.ts). */
const DEEP = 0.1;

function box(name: string, position: Vec3, halfSize: Vec3, rest: Partial<Body> = {}): Body {
  return {
    name,
    position,
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', name, halfSize, density: 1000 }],
    ...rest,
  };
}

function complete(bodies: Body[]): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane', name: 'floor', friction: 0.5 }],
    bodies,
  };
}

function dominoes(): Scene {
  const tilt = 0.22;
  const half: Vec3 = [0.01, 0.03, 0.08];
  const bodies = Array.from({ length: 12 }, (_, i) => box(`domino ${i}`, [0.06 * i, 0, half[2]], half));
  bodies[0] = box(
    'domino 0',
    [0.01 - 0.01 * Math.cos(tilt) + 0.08 * Math.sin(tilt), 0, 0.01 * Math.sin(tilt) + 0.08 * Math.cos(tilt)],
    half,
    { orientation: [Math.cos(tilt / 2), 0, Math.sin(tilt / 2), 0] },
  );
  return complete(bodies);
}

function marbles(): Scene {
  const random = createRandom(9);
  const wall = (x: number, y: number): Body => ({
    name: `wall ${x} ${y}`,
    position: [0.1 * x, 0.1 * y, 0.05],
    orientation: [Math.cos(0.4), -y * Math.sin(0.4), x * Math.sin(0.4), 0],
    shapes: [{ kind: 'box', halfSize: [x ? 0.005 : 0.15, y ? 0.005 : 0.15, 0.1] }],
  });
  const balls = Array.from(
    { length: 16 },
    (_, i): Body => ({
      name: `marble ${i}`,
      position: [0.1 * (random() - 0.5), 0.1 * (random() - 0.5), 0.1 + 0.03 * i],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.012, density: 2500, friction: 0.3 }],
    }),
  );
  return complete([...balls, wall(1, 0), wall(-1, 0), wall(0, 1), wall(0, -1)]);
}

function plates(): Scene {
  const random = createRandom(4);
  return complete(
    Array.from({ length: 12 }, (_, i) => {
      const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
      const n = Math.hypot(...q);
      return box(`plate ${i}`, [0.15 * (i % 4), 0.15 * Math.floor(i / 4), 0.2 + 0.12 * (i % 5)], [0.06, 0.05, 0.005], {
        orientation: [q[0] / n, q[1] / n, q[2] / n, q[3] / n],
      });
    }),
  );
}

/** With the number of steps until the last one has been hit. */
const SCENES: [string, () => Scene, number][] = [
  ['a row of dominoes', dominoes, 90],
  ['marbles in a bowl', marbles, 50],
  ['falling plates', plates, 50],
];

for (const formulation of ['sap', 'ccp'] as const) {
  takeTurn();
  test.each(SCENES)(`${formulation}: %s at 1/60 s`, (_, create, steps) => {
    const model = compileModel({ ...create(), options: { timestep: 1 / 60 } }, { formulation });
    const simulation = new Simulation(model);
    const deep = new DeepContacts(simulation);
    for (let n = 0; n < steps; n++) {
      expect(simulation.step().status).toBe('converged');
      deep.look();
    }
    expect(deep.found.filter(({ share }) => share > DEEP)).toEqual([]);
  });
}

// b follows a at the same speed; the wall stops a within the step
function followStopped(formulation: FormulationId): number {
  const scene: Scene = {
    ...complete([
      box('a', [-0.02, 0, 0], [0.01, 0.1, 0.1]),
      box('b', [-0.09, 0, 0], [0.01, 0.1, 0.1]),
      { name: 'wall', position: [0.05, 0, 0], shapes: [{ kind: 'box', halfSize: [0.05, 1, 1] }] },
    ]),
    shapes: [],
    options: { timestep: 1 / 60, gravity: [0, 0, 0] },
  };
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.setVelocity('a', { linear: [5, 0, 0] });
  simulation.setVelocity('b', { linear: [5, 0, 0] });
  expect(simulation.step().status).toBe('converged');
  return simulation.closestPoints('a', 'b').gap;
}

test.each(['mujoco', 'sap', 'ccp'] as const)(
  '%s: what follows a body that a wall stops does not pass into it',
  (formulation) => {
    expect(followStopped(formulation)).toBeGreaterThan(-0.001);
  },
);

const HALF: Vec3 = [0.07, 0.06, 0.05];

/** Two boxes of a pile, one falls on an edge of the other and lies 16 mm in it: which way is out changes within the step. */
function deepPair(): [Body[], (simulation: Simulation) => void] {
  const bodies = [
    box('below', [1.4385328, 1.9257767, 0.5801666], HALF, {
      orientation: [0.7721286, 0.5618964, 0.0173953, 0.2962891],
    }),
    box('above', [1.44, 1.92, 0.70539], HALF, { orientation: [0.7232804, 0.6495298, -0.0959251, 0.2139506] }),
  ];
  const throwThem = (simulation: Simulation): void => {
    simulation.setVelocity('below', {
      linear: [-0.20351, -0.000642, 0.50112],
      angular: [1.619332, 0.271411, 1.042198],
    });
    simulation.setVelocity('above', { linear: [0, 0, -3.924] });
  };
  return [bodies, throwThem];
}

test.each(['sap', 'ccp'] as const)(
  '%s: a pair that stays deep does not get the same contacts again and again',
  (formulation) => {
    const [bodies, throwThem] = deepPair();
    const simulation = new Simulation(
      compileModel({ ...complete(bodies), shapes: [], options: { timestep: 0.005 } }, { formulation }),
    );
    throwThem(simulation);
    expect(simulation.step().status).toBe('converged');
    // two boxes meet in eight points at most: those of the start, and those of the end
    expect(simulation.solvedContacts.count).toBeGreaterThan(1);
    expect(simulation.solvedContacts.count).toBeLessThanOrEqual(16);
  },
);

test.each(['sap', 'ccp'] as const)(
  '%s: a step that is solved again begins where the solve before has ended',
  (formulation) => {
    const [bodies, throwThem] = deepPair();
    // a column that lands in the same step, in an island of its own
    const column = Array.from({ length: 12 }, (_, k) =>
      box(`column ${k}`, [-1, 0, 0.0499 + 0.0999 * k], [0.06, 0.06, 0.05]),
    );
    const simulation = new Simulation(
      compileModel({ ...complete([...bodies, ...column]), options: { timestep: 0.005 } }, { formulation }),
    );
    throwThem(simulation);
    for (let k = 0; k < column.length; k++) simulation.setVelocity(`column ${k}`, { linear: [0, 0, -0.2 - 0.01 * k] });
    const { status, iterations, trace } = simulation.step();
    expect(status).toBe('converged');
    expect(trace.solveCount).toBe(2);
    const ofIslands = [0, 1].map((n) => trace.start[n + 1]! - trace.start[n]!);
    // those of all solves of the step
    expect(iterations).toBeGreaterThan(Math.max(...ofIslands));
    expect(Math.min(...ofIslands)).toBe(0);
  },
);
