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
