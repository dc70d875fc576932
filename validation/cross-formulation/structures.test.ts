/** What must stand stands: a tower, a stack under a heavy load, an arch of loose stones; and a chain holds a heavy end. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest, takeSamples } from '../../scripts/long-run.ts';
import { arch, chain, tower } from './structures.ts';

interface Watch {
  simulation: Simulation;
  /** In the second half of the time: deepest overlap, m, and largest speed, m/s or rad/s. */
  overlap: number;
  speed: number;
  /** Largest way a body has gone sideways, and down, m. */
  sideways: number;
  sunk: number;
}

function watch(scene: Scene, seconds: number): Watch {
  const simulation = new Simulation(compileModel(scene));
  const start = simulation.bodyPosition.slice();
  const result = { simulation, overlap: 0, speed: 0, sideways: 0, sunk: 0 };
  const steps = Math.round(seconds / simulation.timestep);
  for (let n = 0; n < steps; n++) {
    const { status } = simulation.step();
    if (status !== 'converged') throw new Error(`step ${n}: ${status}`);
    if (n < steps / 2) continue;
    const { count, gap } = simulation.solvedContacts;
    for (let i = 0; i < count; i++) result.overlap = Math.max(result.overlap, -gap[i]);
    for (const v of simulation.state.velocity) result.speed = Math.max(result.speed, Math.abs(v));
  }
  const end = simulation.bodyPosition;
  for (let k = 3; k < end.length; k += 3) {
    result.sideways = Math.max(result.sideways, Math.hypot(end[k] - start[k], end[k + 1] - start[k + 1]));
    result.sunk = Math.max(result.sunk, start[k + 2] - end[k + 2]);
  }
  return result;
}

const seconds = takeSamples(10, 0.2);

describe(`a tower of 20 boxes stands still for ${seconds} s`, () => {
  test.each(['mujoco', 'sap'] as const)('%s', (formulation) => {
    const { speed, sideways, sunk } = watch(
      tower(20, 0.1, 1, { formulation, timestep: 0.002, mujoco: { cone: 'pyramidal' } }),
      seconds,
    );
    // MuJoCo's own mark for its tower: |v| < 1e-6
    expect(speed).toBeLessThan(1e-6);
    expect(sideways).toBeLessThan(1e-6);
    // no more than the softness of 20 contacts, a millimetre each
    expect(sunk).toBeLessThan(0.02);
  });
});

test('ten boxes bear a load a hundred times heavier than each: sap, 240 steps per second, overlap below a millimetre', () => {
  const { overlap, speed, sideways } = watch(tower(10, 0.1, 100, { formulation: 'sap', timestep: 1 / 240 }), seconds);
  expect(overlap).toBeLessThan(1e-3);
  expect(speed).toBeLessThan(1e-6);
  expect(sideways).toBeLessThan(1e-6);
});

longTest('an arch of 15 stones, thickness 0.125 of its radius, stands under sap', () => {
  // the thinnest half circle that can stand has 0.1075 (Milankovitch 1907)
  const { sunk, sideways, overlap } = watch(arch(15, 0.125, { formulation: 'sap', timestep: 0.002 }), 10);
  expect(sunk).toBeLessThan(0.02);
  expect(sideways).toBeLessThan(0.02);
  expect(overlap).toBeLessThan(1e-3);
});

test('an arch of thickness 0.08 cannot stand, and falls', () => {
  const { sunk } = watch(arch(15, 0.08, { formulation: 'sap', timestep: 0.002 }), takeSamples(3, 0.6));
  expect(sunk).toBeGreaterThan(0.3);
});

longTest(
  'a chain of 50 links with an end 100 times heavier swings: joints of body coordinates stay within 0.1 mm under sap',
  () => {
    const options = { formulation: 'sap', timestep: 1 / 240 } as const;
    const simulation = new Simulation(compileModel(chain(50, 100, 0.5, options), { coordinates: 'body' }));
    let worst = 0;
    for (let n = 0; n < takeSamples(4 * 240, 0.4); n++) {
      expect(simulation.step().status).toBe('converged');
      worst = Math.max(worst, largestJointGap(simulation));
    }
    expect(worst).toBeLessThan(1e-4);
    // the end has come down and swung to the other side: it moves as a pendulum
    expect(worst).toBeGreaterThan(0);
  },
);

/** Distance between the two sides' anchors of each joint, the largest, m. */
function largestJointGap(simulation: Simulation): number {
  const { body1, body2, anchor1, anchor2 } = simulation.model.constraintJoint;
  const { bodyPosition, bodyRotation } = simulation.derived;
  const place = (body: number, anchor: Float64Array, c: number, axis: number): number => {
    const r = 9 * body + 3 * axis;
    const [x, y, z] = anchor.subarray(3 * c, 3 * c + 3);
    return bodyPosition[3 * body + axis] + bodyRotation[r] * x + bodyRotation[r + 1] * y + bodyRotation[r + 2] * z;
  };
  let worst = 0;
  for (let c = 0; c < body1.length; c++) {
    const gap = [0, 1, 2].map((axis) => place(body1[c], anchor1, c, axis) - place(body2[c], anchor2, c, axis));
    worst = Math.max(worst, Math.hypot(...gap));
  }
  return worst;
}
