/** A mat whose ends are turned against each other until it winds up on itself: I0 on every accepted state, then it unwinds. */
import { compileModel, type Scene, type Vec3 } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { advance, build } from './checked-scene.ts';
import { measureStrain } from './soft-scene.ts';

const mat = {
  mesh: { kind: 'box' as const, halfSize: [0.1, 0.03, 0.004] as Vec3, cells: [24, 8, 1] as Vec3 },
  elasticity: { model: 'neoHookean' as const, youngsModulus: 2e4, poissonRatio: 0.4, stiffnessDamping: 2e-3 },
  selfContact: true,
};

/** Displacements that turn the vertices at one end about the x axis, there and back. */
function turn(rest: Float64Array, isEnd: (x: number) => boolean, angle: number, seconds: number) {
  const driven = [];
  for (let v = 0; 3 * v < rest.length; v++) {
    const [x, y, z] = rest.subarray(3 * v, 3 * v + 3) as unknown as Vec3;
    if (!isEnd(x)) continue;
    const times: number[] = [];
    const displacements: number[] = [];
    for (let k = 0; k <= 200; k++) {
      const a = angle * (k <= 100 ? k / 100 : 2 - k / 100);
      times.push((seconds * k) / 200);
      displacements.push(0, y * Math.cos(a) - z * Math.sin(a) - y, y * Math.sin(a) + z * Math.cos(a) - z);
    }
    driven.push({ vertices: [v], times, displacements });
  }
  return driven;
}

test('a mat twisted by two turns touches itself all over, and comes back', () => {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, softBodies: [mat] };
  const { rest } = compileModel(scene, { formulation: 'ipc' }).soft;
  const driven = [...turn(rest, (x) => x < -0.0999, -2 * Math.PI, 4), ...turn(rest, (x) => x > 0.0999, 2 * Math.PI, 4)];
  const simulation = build({ options: { gravity: [0, 0, 0] }, softBodies: [{ ...mat, driven }] }, 0.01, {
    barrierDistance: 5e-4,
  });
  let touches = 0;
  advance(simulation, 420, () => {
    touches = Math.max(touches, simulation.solvedContacts.count);
  });
  expect(touches).toBeGreaterThan(50);
  expect(measureStrain(simulation, 0)).toBeLessThan(2e-3);
}, 1_200_000);
