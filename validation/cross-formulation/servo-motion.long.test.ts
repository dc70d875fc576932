/** All robots beside the repository under every formulation for 0.2 s, without contact: within 5 mm of `mujoco`, every step converged. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { listRobots } from '../oracle/robots.ts';
import { compareServoMotion, loadWithoutContact } from '../oracle/servo-motion.ts';
import { folderFiles, hasModels } from '../oracle/shared-data.ts';

const robots = listRobots().filter(({ name }) => name.includes('/') && !/_mjx/.test(name));

describe.skipIf(!hasModels)('robots with servos (../shared/models)', () => {
  test.each(robots)('$name', (robot) => {
    const motions = compareServoMotion(loadWithoutContact(robot), 0.2, ['sap', 'ccp', 'ipc']);
    for (const [formulation, { distance, open }] of motions) {
      expect(open, formulation).toBe(0);
      expect(distance, formulation).toBeLessThan(5e-3);
    }
  });
});

describe.skipIf(!hasModels).each(['sap', 'ccp'] as const)(
  'robots with contact for 0.5 s under %s (../shared/models)',
  (formulation) => {
    test.each(robots)('$name: every step converges', (robot) => {
      const { scene } = loadScene(robot.path, { files: folderFiles(robot.folder) });
      const simulation = new Simulation(compileModel(scene, { formulation }));
      const statuses = new Set<string>();
      for (let n = Math.round(0.5 / simulation.timestep); n > 0; n--) statuses.add(simulation.step().status);
      expect([...statuses]).toEqual(['converged']);
    });
  },
);
