/**
 * Stiff servos under every formulation: arms that threw themselves apart while servos were explicit. All robots are in
 * ../cross-formulation/servo-motion.long.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import { listRobots } from './robots.ts';
import { compareServoMotion, loadWithoutContact } from './servo-motion.ts';
import { hasModels } from './shared-data.ts';

const open = listRobots().filter(({ name }) => /cassie|2f85|allegro.*_left|softfoot/.test(name));
const robots = listRobots().filter(({ name }) => /^(kuka_iiwa_14|kinova_gen3|unitree_z1)\/scene$/.test(name));

describe.skipIf(!hasModels)('arms with stiff servos (../shared/models)', () => {
  test.each(takeCases(robots, 2))('$name: 0.1 s within 5 mm of mujoco', (robot) => {
    const motions = compareServoMotion(loadWithoutContact(robot), 0.1, ['sap', 'ccp', 'ipc']);
    for (const [formulation, { distance, open }] of motions) {
      expect(distance, formulation).toBeLessThan(5e-3);
      expect(open, formulation).toBe(0);
    }
  });
});

describe.skipIf(!hasModels)('robots that start off their constraints, under ccp (../shared/models)', () => {
  // cassie, 2f85 and allegro start with open loops, a rope that is too long and a thumb beyond its limits
  test.each(takeCases(open, 2))('$name: 0.2 s within 5 mm of mujoco', (robot) => {
    const motion = compareServoMotion(loadWithoutContact(robot), 0.2, ['ccp'], 'joint').get('ccp')!;
    expect(motion.distance).toBeLessThan(5e-3);
    expect(motion.open).toBe(0);
  });
});
