/**
 * All robots of Menagerie beside the repository under `ipc`, with the settings of their files, for 0.5 s: every step converges. Where
 * nothing touches in 0.2 s they are within 5 mm of `mujoco` then.
 *
 *   NEXDYN_LONG=1 npx vitest run validation/ipc/robots.long.test.ts
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { folderFiles, hasModels, MODELS } from '../oracle/shared-data.ts';

const folder = join(MODELS, 'menagerie');
const ROBOTS = hasModels && existsSync(folder) ? readdirSync(folder) : [];
describe.skipIf(ROBOTS.length === 0)('robots for half a second', () => {
  test.each(ROBOTS)('%s', { timeout: 600_000 }, (name) => {
    const path = readdirSync(join(folder, name)).find((file) => /^scene.*\.xml$/.test(file));
    if (path === undefined) return;
    const { scene } = loadScene(path, { files: folderFiles(join(folder, name)) });
    const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
    const peer = new Simulation(compileModel(scene, { formulation: 'mujoco' }));
    const compared = Math.round(0.2 / simulation.timestep);
    let hasTouched = false;
    for (let n = 1; n <= Math.round(0.5 / simulation.timestep); n++) {
      expect(simulation.step().status).toBe('converged');
      if (n > compared) continue;
      peer.step();
      if (simulation.solvedContacts.count + peer.solvedContacts.count > 0) hasTouched = true;
      if (n < compared || hasTouched) continue;
      const differences = simulation.bodyPosition.map((value, i) => Math.abs(value - peer.bodyPosition[i]!));
      expect(Math.max(...differences)).toBeLessThan(5e-3);
    }
  });
});
