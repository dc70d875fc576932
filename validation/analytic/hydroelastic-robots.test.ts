/**
 * A box and two robots of three joints, one dropped across the other, all by pressure: they come to rest stacked. After the scene of a public
 * test suite: box 0.5 × 0.5 × 0.2 m on the floor, 80 steps of 1/60 s in two parts each.
 */
import { type Body, compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const LINK = 0.09;

/** A heavy base and three links, each on a hinge across its length, in a row along x; lying on its side it is a bar. */
function createRobot(name: string, position: [number, number, number], turn: number): Body {
  const link = (k: number, below: Body[]): Body => ({
    name: `${name}-${k}`,
    position: [2 * LINK, 0, 0],
    joints: [{ kind: 'hinge', name: `${name}-joint-${k}`, axis: [0, 1, 0], anchor: [-LINK, 0, 0], damping: 0.5 }],
    shapes: [{ kind: 'box', halfSize: [LINK - 0.01, 0.03, 0.03], density: 2000, contact: 'hydroelastic' }],
    bodies: below,
  });
  const chain = [1, 2, 3].reduceRight<Body[]>((below, k) => [link(k, below)], []);
  return {
    name: `${name}-0`,
    position,
    orientation: [Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [LINK - 0.01, 0.04, 0.03], density: 2000, contact: 'hydroelastic' }],
    bodies: chain,
  };
}

function createScene(): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 1 / 120, sap: { relativeTolerance: 1e-8 } },
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        name: 'box',
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.25, 0.25, 0.1], contact: 'hydroelastic' }],
      },
      // four links of 0.18 m: the middle of the row is 0.27 m from the base
      createRobot('lower', [-3 * LINK, 0, 0.25], 0),
      createRobot('upper', [0, -3 * LINK, 0.35], Math.PI / 2),
    ],
  };
}

test('two robots crosswise on a box come to rest, one on the other', () => {
  const simulation = new Simulation(compileModel(createScene()));
  const { model } = simulation;
  for (let n = 0; n < 160; n++) expect(simulation.step().status).toBe('converged');
  const { bodyPosition, bodyLinearVelocity } = measure(simulation);
  const find = (name: string): number => model.body.name.indexOf(name);
  for (let b = 1; b < model.size.body; b++) {
    expect(Math.hypot(...bodyLinearVelocity(b))).toBeLessThan(0.03);
  }
  // the box has not moved
  const box = bodyPosition(find('box'));
  for (const [k, expected] of [0, 0, 0.1].entries()) expect(Math.abs(box[k] - expected)).toBeLessThan(2e-3);
  const tops = ['lower', 'upper'].map((name) => {
    const links = [0, 1, 2, 3].map((k) => bodyPosition(find(`${name}-${k}`)));
    for (const [x, y] of links) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(0.4);
    return Math.max(...links.map(([, , z], k) => z + reachUp(simulation, find(`${name}-${k}`))));
  });
  expect(tops[0]).toBeGreaterThan(0.2);
  expect(tops[1]).toBeGreaterThan(tops[0] + 0.05);
  // the floor carries everything
  const weight = 9.81 * model.body.mass.reduce((sum, mass) => sum + mass, 0);
  const carried = simulation
    .contactForces()
    .filter(({ bodyName1 }) => bodyName1 === 'world')
    .reduce((sum, { force }) => sum + force[2], 0);
  expect(Math.abs(carried - weight)).toBeLessThan(0.01 * weight);
});

/** Half the height of the box around a link, m. */
function reachUp(simulation: Simulation, b: number): number {
  const [w, x, y, z] = simulation.bodyOrientation.subarray(4 * b, 4 * b + 4);
  const half = simulation.model.shape.size.subarray(3 * b, 3 * b + 3);
  return (
    Math.abs(2 * (x * z - w * y)) * half[0] +
    Math.abs(2 * (y * z + w * x)) * half[1] +
    Math.abs(1 - 2 * (x * x + y * y)) * half[2]
  );
}

function measure(simulation: Simulation): {
  bodyPosition: (b: number) => number[];
  bodyLinearVelocity: (b: number) => number[];
} {
  const before = Array.from(simulation.bodyPosition);
  simulation.step();
  const after = Array.from(simulation.bodyPosition);
  const h = simulation.timestep;
  return {
    bodyPosition: (b) => after.slice(3 * b, 3 * b + 3),
    bodyLinearVelocity: (b) => [0, 1, 2].map((k) => (after[3 * b + k] - before[3 * b + k]) / h),
  };
}
