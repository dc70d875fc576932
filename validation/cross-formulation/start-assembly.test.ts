/** Mechanisms that start as no step can leave them: loops open, limits overrun, links inside each other. Under `ccp`, whose rows are rigid. */
import {
  type Body,
  type Coordinates,
  compileModel,
  type Joint,
  type Scene,
  type Shape,
  Simulation,
} from '@nexdyn/engine';
import { expect, test } from 'vitest';

const COORDINATES: Coordinates[] = ['joint', 'body'];
/** 1 kg. */
const CUBE: Shape = { kind: 'box', halfSize: [0.05, 0.05, 0.05], density: 1000 };
const HINGE: Joint = { kind: 'hinge', axis: [0, 1, 0] };

function start(scene: Partial<Scene>, coordinates: Coordinates): Simulation {
  const options = { formulation: 'ccp', coordinates } as const;
  return new Simulation(compileModel({ format: 'nexdyn-scene', version: 1, options, ...scene }));
}

/** A cube on the floor that carries a loop of two rods, open by `gap` m at its end. */
function createLoop(gap: number): Partial<Scene> {
  const rod = (name: string, x: number, end: number): Body => ({
    name,
    sites: [{ name: `end of ${name}`, position: [end, 0, 0.2] }],
    position: [x, 0, 0.05],
    joints: [HINGE],
    shapes: [
      {
        kind: 'capsule',
        radius: 0.01,
        halfLength: 0.1,
        position: [0, 0, 0.15],
        mass: 0.2,
        collisionGroups: 0,
        collisionMask: 0,
      },
    ],
  });
  return {
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        name: 'foot',
        position: [0, 0, 0.05],
        joints: [{ kind: 'free' }],
        shapes: [CUBE],
        bodies: [rod('one', 0, 0), rod('two', 0.02, gap - 0.02)],
      },
    ],
    equalities: [{ kind: 'connect', site1: 'end of one', site2: 'end of two' }],
  };
}

test.each(COORDINATES)('an open loop is put together before the first step, %s coordinates', (coordinates) => {
  const simulation = start(createLoop(0.004), coordinates);
  for (let n = 0; n < 20; n++) {
    expect(simulation.step().status).toBe('converged');
    expect(Math.abs(simulation.pose('foot').position[2] - 0.05)).toBeLessThan(1e-3);
  }
  // nothing was thrown: all there is to fall is the slack of the loop
  expect(simulation.energy().kinetic).toBeLessThan(0.01);
});

test('what forward reads of an open loop leaves the state as it is', () => {
  const simulation = start(createLoop(0.004), 'joint');
  const before = simulation.state.all.slice();
  simulation.forward();
  expect(simulation.state.all).toEqual(before);
});

test('a limit that is overrun far while something touches is no joint that a step has torn', () => {
  const simulation = start(
    {
      shapes: [{ kind: 'plane' }],
      bodies: [
        {
          name: 'foot',
          position: [0, 0, 0.05],
          joints: [{ kind: 'free' }],
          shapes: [CUBE],
          bodies: [
            {
              name: 'arm',
              position: [0, 0, 0.1],
              joints: [{ ...HINGE, name: 'elbow', limit: { range: [0.5, 1] } }],
              shapes: [{ ...CUBE, position: [0, 0, 0.1] }],
            },
          ],
        },
      ],
    },
    'body',
  );
  const { formulation } = simulation;
  const solve = formulation.solve.bind(formulation);
  let solves = 0;
  formulation.solve = (...parts) => {
    solves++;
    solve(...parts);
  };
  const report = simulation.step();
  expect(report.status).toBe('stalled');
  expect(report.open).toEqual(['limits of joints or tendons']);
  expect(solves).toBe(1);
});

test.each(COORDINATES)('links that no joint lets apart are left out at once, %s coordinates', (coordinates) => {
  const simulation = start(
    {
      shapes: [{ kind: 'plane' }],
      bodies: [
        {
          name: 'base',
          position: [0, 0, 0.05],
          shapes: [CUBE],
          bodies: [
            {
              name: 'tower',
              // 12 mm in the base, and turning upright alone
              position: [0, 0, 0.088],
              joints: [{ kind: 'hinge', axis: [0, 0, 1] }],
              shapes: [CUBE],
            },
          ],
        },
      ],
    },
    coordinates,
  );
  for (let n = 0; n < 10; n++) {
    expect(simulation.step().status).toBe('converged');
    expect(Math.max(...simulation.contactForces().map(({ normalForce }) => normalForce), 0)).toBeLessThan(100);
  }
  expect(simulation.unresolved).toEqual([
    expect.stringMatching(/"base" and the shape of "tower", which overlap by 12 mm/),
  ]);
});
