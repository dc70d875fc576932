/** Sensors of robots of Menagerie against MuJoCo, from their first keyframe on. */
import { Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import { copy } from './mujoco-oracle.ts';
import { listRobots, loadRobot } from './robots.ts';
import { hasModels } from './shared-data.ts';

/** Of the scale of a robot's readings of one unit: what is left where both solve to their own tolerance. */
const RELATIVE = 1e-6;

const SENSING = listRobots().filter(({ name }) => /cassie|crazyflie|skydio|barkour_vb\/scene$/.test(name));

describe.skipIf(!hasModels)('sensors of robots beside the repository (../shared/models or NEXDYN_MODELS)', () => {
  test.each(takeCases(SENSING, 3))('$name', async (robot) => {
    const { oracle, model } = await loadRobot(robot, { tolerance: 1e-15 });
    const { mujoco, model: peer, data } = oracle;
    const simulation = new Simulation(model);
    expect(model.size.reading).toBe(peer.nsensordata);
    expect(model.size.sensor).toBeGreaterThan(0);
    // where feet of meshes touch, contact points differ
    const steps = robot.name.includes('barkour') ? 8 : 50;
    for (let n = 0; n < steps; n++) {
      simulation.step();
      mujoco.mj_step(peer, data);
      const theirs = copy(data.sensordata);
      const scales = new Map<string, number>();
      model.sensor.unit.forEach((unit, s) => {
        for (let i = model.sensor.start[s]!; i < model.sensor.start[s]! + model.sensor.dimension[s]!; i++)
          scales.set(unit, Math.max(scales.get(unit) ?? 1, Math.abs(theirs[i]!)));
      });
      model.sensor.unit.forEach((unit, s) => {
        for (let i = model.sensor.start[s]!; i < model.sensor.start[s]! + model.sensor.dimension[s]!; i++)
          expect(Math.abs(simulation.sensorData[i]! - theirs[i]!), `${model.sensor.name[s]} in step ${n}`).toBeLessThan(
            RELATIVE * scales.get(unit)!,
          );
      });
    }
    data.delete();
  });
});
