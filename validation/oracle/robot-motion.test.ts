/**
 * Robots and humanoids from their first keyframe, step for step beside MuJoCo with Newton's method and the options of the file:
 * joint positions at 0.1 s within 1e-6, and how far apart they are at 1 s. The numbers stand in docs/mujoco-agreement.md, with the
 * reasons of those that differ; here every one of them is measured again.
 *
 * With contacts lent by MuJoCo at every step, and both solved to round-off, nothing is left but the formulation: all agree.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';
import { createRandom, relativeError } from './comparison.ts';
import { listConstraints, readOracleConstraints } from './constraint-table.ts';
import { LentContacts } from './lent-contacts.ts';
import { copy, type Oracle } from './mujoco-oracle.ts';
import { isVariant, listRobots, loadRobot, type Robot } from './robots.ts';
import { hasModels } from './shared-data.ts';

const PAGE = join(dirname(fileURLToPath(import.meta.url)), '../../docs/mujoco-agreement.md');

/** Who differs at 0.1 s from contacts of its own, and why. */
const EXCEPTIONS: Record<string, string> = {
  'kinova_gen3/scene': 'hulls of neighbouring links overlap: MuJoCo and the engine choose other points between them',
  'google_barkour_vb/scene':
    'feet are meshes on a plane: MuJoCo supports them at three points, here at four spread ones',
  'google_barkour_vb/scene_hfield_mjx':
    'MuJoCo touches every prism of a height field, inner walls too; here it is one solid',
};

/** MuJoCo's iteration for the contact of an ellipsoid and a box stops at 1e-6; at 1e-12 it is where ours is. */
const COARSE_COLLISION = /^(shadow_hand|wonik_allegro)\//;

/** How long they move: the rest of the second is for `npm run validate`. */
const SECONDS = takeSamples(10, 0.2) / 10;

/** Bound at the end: before the second is over, of both that the page has. */
function boundEnd(early: number, late: number): number {
  return SECONDS < 1 ? Math.max(early, late) : late;
}

/** Bounds of the page's table: robot, then own contacts at 0.1 s and 1 s, lent contacts at 0.1 s and 1 s. */
function readBounds(): Map<string, number[]> {
  const rows = readFileSync(PAGE, 'utf8').matchAll(
    /^\| `([^`]+)` +\| *([\de.-]+) *\| *([\de.-]+) *\| *([\de.-]+) *\| *([\de.-]+) *\|/gm,
  );
  return new Map(Array.from(rows, ([, name, ...cells]) => [name, cells.map((cell) => Number(cell.trim()))]));
}

interface Stepping {
  readonly position: Float64Array;
  step(): void;
}

/** Steps both for 1 s or another time; largest |Δq| at 0.1 s and at the end, m or rad. */
function compareMotion({ mujoco, model, data }: Oracle, ours: Stepping, seconds = 1): [number, number] {
  const steps = Math.round(seconds / model.opt.timestep);
  const early = Math.round(0.1 / model.opt.timestep);
  const differences: number[] = [];
  for (let k = 1; k <= steps; k++) {
    mujoco.mj_step(model, data);
    ours.step();
    if (k !== early && k !== steps) continue;
    const theirs = copy(data.qpos);
    differences.push(theirs.reduce((most, q, i) => Math.max(most, Math.abs(q - ours.position[i])), 0));
  }
  return differences as [number, number];
}

function runOwn(simulation: Simulation): Stepping {
  return { position: simulation.state.position, step: () => void simulation.step() };
}

function runLent(lent: LentContacts): Stepping {
  return { position: lent.state.position, step: () => lent.step() };
}

/** Controls anywhere in their ranges, the same in both. */
function setRandomControls({ actuator }: Simulation['model'], control: Float64Array, oracle: Oracle): void {
  const random = createRandom(1);
  for (let i = 0; i < control.length; i++) {
    const [low, high] = actuator.controlLimited[i] ? actuator.controlRange.subarray(2 * i, 2 * i + 2) : [-1, 1];
    control[i] = low + (high - low) * random();
  }
  if (control.length > 0) oracle.data.ctrl.set(control);
}

const robots = listRobots();

describe.skipIf(!hasModels)('robots beside the repository (../shared/models or NEXDYN_MODELS)', () => {
  const bounds = readBounds();

  test('the page lists them all', () => {
    expect([...bounds.keys()].sort()).toEqual(robots.map(({ name }) => name).sort());
    for (const [name, [early]] of bounds) if (!(name in EXCEPTIONS)) expect(early, name).toBeLessThanOrEqual(1e-6);
    for (const [name, [, , early]] of bounds) expect(early, name).toBeLessThanOrEqual(1e-6);
  });

  describe.each(
    takeCases(
      robots.filter(({ name }) => !isVariant(name)),
      4,
      3,
    ),
  )('$name', (robot: Robot) => {
    const [early, late, lentEarly, lentLate] = bounds.get(robot.name) ?? [];

    test('moves as in MuJoCo', async () => {
      const { oracle, model } = await loadRobot(robot);
      const simulation = new Simulation(model);
      expect(relativeError(simulation.state.position, copy(oracle.data.qpos))).toBeLessThan(1e-14);
      const [first, last] = compareMotion(oracle, runOwn(simulation), SECONDS);
      report(robot.name, 'own', first, last);
      expect(first, '|Δq| at 0.1 s').toBeLessThan(early);
      expect(last, '|Δq| at the end').toBeLessThan(boundEnd(early, late));
      oracle.data.delete();
    });

    test('moves as in MuJoCo with the contacts that MuJoCo finds, both converged', async () => {
      const { oracle, model } = await loadRobot(robot, { tolerance: 1e-15, iterations: 100 });
      const lent = new LentContacts(model, oracle);
      // bit for bit: some feet just touch
      lent.state.position.set(copy(oracle.data.qpos));
      const [first, last] = compareMotion(oracle, runLent(lent), SECONDS);
      report(robot.name, 'lent', first, last);
      expect(first, '|Δq| at 0.1 s').toBeLessThan(lentEarly);
      expect(last, '|Δq| at the end').toBeLessThan(boundEnd(lentEarly, lentLate));
      lent.delete();
      oracle.data.delete();
    });

    test('rows along a motion under random controls', async () => {
      const { oracle, model } = await loadRobot(robot);
      const { mujoco, model: peer, data } = oracle;
      const lent = new LentContacts(model, oracle);
      setRandomControls(model, lent.state.control, oracle);
      let count = 0;
      for (let k = 0; k < takeSamples(200, 0.5); k++) {
        mujoco.mj_step(peer, data);
        if (k % 10 !== 9) continue;
        mujoco.mj_forward(peer, data);
        lent.state.position.set(copy(data.qpos));
        lent.state.velocity.set(copy(data.qvel));
        if (peer.na > 0) lent.state.activation.set(copy(data.act));
        lent.evaluate();
        const ours = listConstraints(model, lent.state, lent.work, lent.contacts, lent.formulation);
        const theirs = readOracleConstraints(oracle);
        expect(ours.R.length, `rows at step ${k}`).toBe(theirs.R.length);
        for (const quantity of ['J', 'aref', 'R'] as const)
          expect(relativeError(ours[quantity], theirs[quantity]), `${quantity} at step ${k}`).toBeLessThan(1e-9);
        expect(relativeError(lent.work.smoothForce, copy(data.qfrc_smooth)), `forces at step ${k}`).toBeLessThan(1e-9);
        count += ours.R.length;
      }
      // drones that fly and arms that touch nothing within 0.4 s have no constraints
      if (!/crazyflie|skydio|kuka_iiwa_14|tidybot\/scene_base/.test(robot.name)) expect(count).toBeGreaterThan(50);
      lent.delete();
      oracle.data.delete();
    });
  });

  test.each(robots.filter(({ name }) => COARSE_COLLISION.test(name) && !isVariant(name)))(
    '$name: the same motion for 1 s once MuJoCo finds the contact of ellipsoid and box more closely',
    async (robot) => {
      const { oracle, model } = await loadRobot(robot, { tolerance: 1e-15, collisionTolerance: 1e-12 });
      const [first, last] = compareMotion(oracle, runOwn(new Simulation(model)), SECONDS);
      report(robot.name, 'close', first, last);
      expect(first, '|Δq| at 0.1 s').toBeLessThan(1e-6);
      expect(last, '|Δq| at 1 s').toBeLessThan(1e-5);
      oracle.data.delete();
    },
  );
});

/** Writes what was measured where NEXDYN_REPORT is set: the numbers of the page. */
function report(name: string, contacts: string, first: number, last: number): void {
  if (process.env['NEXDYN_REPORT'])
    process.stderr.write(`agreement ${name} ${contacts} ${first.toExponential(1)} ${last.toExponential(1)}\n`);
}
