import { describe, expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { readMarks } from './body-marks.ts';

/** A box on a hinge through its centre, and one beside it whose centre is not at its origin. */
const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { gravity: [0, 0, 0], timestep: 0.01 },
  bodies: [
    {
      position: [0, 0, 1],
      joints: [{ kind: 'hinge', axis: [0, 0, 1] }],
      shapes: [{ kind: 'box', halfSize: [0.3, 0.2, 0.1], mass: 2 }],
    },
    {
      position: [2, 0, 1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', position: [0.5, 0, 0], halfSize: [0.1, 0.1, 0.1], mass: 1 }],
    },
  ],
};

const open = (coordinates: 'joint' | 'body'): Simulation => new Simulation(compileModel(SCENE, { coordinates }));

/** The largest distance of a mark from its twin, m. */
function measureDistance(one: Float64Array, two: Float64Array): number {
  const apart = one.map((value, i) => value - two[i]);
  return Math.max(...Array.from({ length: one.length / 3 }, (_, n) => Math.hypot(...apart.subarray(3 * n, 3 * n + 3))));
}

/** Radius of gyration of the first box about its shortest side, m. */
const RADIUS = Math.sqrt((0.3 ** 2 + 0.2 ** 2) / 3);

describe('marks on bodies', () => {
  test('lie at the centre of mass and at the radius of gyration', () => {
    const marks = readMarks(open('joint'));
    // the world is body 0
    expect([...marks.subarray(0, 12)]).toEqual(new Array(12).fill(0));
    const box = [0, 0, 1, RADIUS, 0, 1, 0, RADIUS, 1, 0, 0, 1 + RADIUS];
    box.forEach((value, k) => {
      expect(marks[12 + k]).toBeCloseTo(value, 12);
    });
    [2.5, 0, 1].forEach((value, k) => {
      expect(marks[24 + k]).toBeCloseTo(value, 12);
    });
  });

  test('tell a turn on the spot: a chord at the radius of gyration', () => {
    const [still, turned] = [open('joint'), open('joint')];
    turned.state.position[0] = 0.4;
    turned.forward();
    expect(measureDistance(readMarks(still), readMarks(turned))).toBeCloseTo(2 * RADIUS * Math.sin(0.2), 12);
  });

  test('are the same in both coordinates', () => {
    const [joint, body] = [readMarks(open('joint')), readMarks(open('body'))];
    expect(body).toHaveLength(joint.length);
    expect(measureDistance(joint, body)).toBeLessThan(1e-12);
  });
});
