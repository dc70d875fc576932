/** Every scene of the gallery runs under `ipc`: all steps converge, and no accepted state has an edge through a triangle. */
import { readdirSync, readFileSync } from 'node:fs';
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { IntersectionCheck } from '../../packages/engine/src/testing/world-surfaces.ts';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';

const folder = new URL('../../scenes/', import.meta.url);

describe('scenes of the gallery', () => {
  for (const file of takeCases(
    readdirSync(folder).filter((name) => name.endsWith('.json')),
    2,
  )) {
    const scene = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Scene;
    test(file, () => {
      const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
      const check = new IntersectionCheck(simulation);
      const hasContacts = !(scene.options?.disable ?? []).includes('contact');
      for (let n = 0; n < takeSamples(40, 0.2); n++) {
        expect(simulation.step().status).toBe('converged');
        if (hasContacts) expect(check.count()).toBe(0);
      }
    });
  }
});
