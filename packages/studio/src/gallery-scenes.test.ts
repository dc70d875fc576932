import { readFileSync } from 'node:fs';
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest } from '../../../scripts/long-run.ts';

function readScene(id: string): Scene {
  return JSON.parse(readFileSync(new URL(`../../../scenes/${id}.json`, import.meta.url), 'utf8')) as Scene;
}

/** Balls that are below the bottom of the tray after 0.6 s. */
function countPassed(formulation: FormulationId): number {
  const scene = readScene('thin-tray');
  const simulation = new Simulation(compileModel(scene, { formulation }));
  for (let n = 0; n < 30; n++) simulation.step();
  const balls = Array.from({ length: scene.bodies!.length }, (_, i) => simulation.bodyPosition[3 * (i + 1) + 2]!);
  return balls.filter((height) => height < 0.55).length;
}

test('thin tray: ipc keeps every ball, mujoco lets most of the twelve through', () => {
  expect(countPassed('ipc')).toBe(0);
  expect(countPassed('mujoco')).toBeGreaterThan(6);
});

test('linked rings: contact alone holds the chain', () => {
  const simulation = new Simulation(compileModel(readScene('linked-rings')));
  const height = (ring: number): number => simulation.bodyPosition[3 * ring + 2]!;
  const place = (ring: number): Float64Array => simulation.bodyPosition.slice(3 * ring, 3 * ring + 3);
  const clear = 2 * (0.1 - 0.018);
  for (let n = 0; n < 40; n++) {
    expect(simulation.step().status).toBe('converged');
    // centres of neighbours are never farther apart than rings that touch can be
    for (let ring = 1; ring < 4; ring++) {
      const [a, b] = [place(ring), place(ring + 1)];
      expect(Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!)).toBeLessThan(clear + 1e-9);
    }
  }
  expect(height(4)).toBeGreaterThan(0.2);
});

describe('assembly from meshes: under ipc nothing enters anything, and the mechanism moves as its shape says', () => {
  /** Runs under ipc, every step converged and without penetration. */
  function run(id: string, steps: number): Simulation {
    const simulation = new Simulation(compileModel(readScene(id)));
    for (let n = 0; n < steps; n++) {
      expect(simulation.step().status).toBe('converged');
      for (const { gap } of simulation.contacts()) expect(gap).toBeGreaterThan(0);
    }
    return simulation;
  }
  const turn = (simulation: Simulation, body: string): number => {
    const [w, , , z] = simulation.pose(body).orientation;
    return 2 * Math.atan2(z, w);
  };

  longTest('nut on bolt: down by its pitch, within its play', () => {
    const simulation = run('nut-on-bolt', 25);
    const [, , z] = simulation.pose('nut').position;
    const angle = turn(simulation, 'nut');
    expect(angle).toBeLessThan(-0.05);
    // play: 0.5 mm along the axis on each side, and what a shift to the side leaves of the flanks (3 mm in 20 mm)
    expect(Math.abs(z - 0.05 - (0.05 * angle) / (2 * Math.PI))).toBeLessThan(5e-4 + 2e-3 * 0.15);
  });

  test('peg in hole: 10 µm are enough', () => {
    const [x, y, z] = run('peg-in-hole', 20).pose('peg').position;
    expect(z).toBeLessThan(0.055);
    // a corner of twelve is 10 µm / cos 15° away from its own
    expect(Math.hypot(x, y)).toBeLessThan(1e-5 / Math.cos(Math.PI / 12));
  });

  longTest('gear pair: 12 teeth turn 18', () => {
    const simulation = run('gear-pair', 60);
    const driven = turn(simulation, 'wheel') - Math.PI / 18;
    const driving = turn(simulation, 'pinion');
    expect(driving).toBeGreaterThan(0.5);
    // play of 0.2 mm and 0.4 mm of distance on a pitch radius of 90 mm
    expect(Math.abs(driven + (12 / 18) * driving)).toBeLessThan(6e-4 / 0.09 + 0.01);
  });

  longTest('chain of links: contact alone holds it', () => {
    const simulation = run('chain-of-links', 15);
    const pitch = 2 * (0.05 + 0.035 - 0.012);
    for (let k = 2; k <= 5; k++) {
      const [a, b] = [simulation.pose(`link${k - 1}`).position, simulation.pose(`link${k}`).position];
      expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeLessThan(pitch);
    }
  });
});
