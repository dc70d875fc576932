import { readFileSync } from 'node:fs';
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

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
