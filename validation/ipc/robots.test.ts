/**
 * Robots from MJCF files under `ipc`: every step converges without an intersection, and as long as nothing but their joints holds
 * them they move as in joint coordinates, to the order of the step.
 */
import { join } from 'node:path';
import { compileModel, type FormulationId, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import { folderFiles, hasModels, MODELS } from '../oracle/shared-data.ts';
import { advance } from './checked-scene.ts';

interface RobotCase {
  name: string;
  folder: string;
  path: string;
  seconds: number;
  /** Largest difference of a body's place to the same robot in joint coordinates, m; without where contact acts. */
  difference?: number;
}

const ROBOTS: RobotCase[] = [
  { name: 'humanoid on its feet', folder: 'mujoco', path: 'humanoid.xml', seconds: 0.2 },
  { name: 'four-legged Barkour, in contact', folder: 'menagerie/google_barkour_vb', path: 'scene.xml', seconds: 0.05 },
  {
    name: 'Shadow hand with coupled tendons',
    folder: 'menagerie/shadow_hand',
    path: 'scene_left.xml',
    seconds: 0.1,
    difference: 1e-3,
  },
  { name: 'arm wx250s', folder: 'menagerie/trossen_wx250s', path: 'scene.xml', seconds: 0.1, difference: 2e-4 },
  {
    name: 'soft foot, links between parallel hinges',
    folder: 'menagerie/iit_softfoot',
    path: 'scene.xml',
    seconds: 0.05,
    difference: 1e-3,
  },
  { name: 'arm iiwa 14', folder: 'menagerie/kuka_iiwa_14', path: 'scene.xml', seconds: 0.2, difference: 5e-3 },
  { name: 'arm Z1', folder: 'menagerie/unitree_z1', path: 'scene.xml', seconds: 0.2, difference: 5e-3 },
  { name: 'Cassie with closed loops', folder: 'menagerie/agility_cassie', path: 'scene.xml', seconds: 0.1 },
];

function loadRobot({ folder, path }: RobotCase, formulation: FormulationId): Simulation {
  const { scene } = loadScene(path, { files: folderFiles(join(MODELS, folder)) });
  return new Simulation(compileModel(scene, { formulation }));
}

describe.skipIf(!hasModels)('robots beside the repository (../shared/models or NEXDYN_MODELS)', () => {
  test.each(takeCases(ROBOTS, 3))('$name', (robot) => {
    const simulation = loadRobot(robot, 'ipc');
    const steps = Math.round(robot.seconds / simulation.timestep);
    const start = simulation.bodyPosition.slice();
    advance(simulation, steps);
    const moved = Math.max(...simulation.bodyPosition.map((value, i) => Math.abs(value - start[i]!)));
    expect(moved).toBeGreaterThan(1e-3);
    if (robot.difference === undefined) return;
    const peer = loadRobot(robot, 'mujoco');
    peer.step(steps);
    const differences = simulation.bodyPosition.map((value, i) => Math.abs(value - peer.bodyPosition[i]!));
    expect(Math.max(...differences)).toBeLessThan(robot.difference);
  });
});
