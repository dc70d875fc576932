/** The scenes that come with NexDyn, each run and held to what its line says one can see. */
import { readFileSync } from 'node:fs';
import { compileModel, type Scene, Simulation, wasTaken } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun, longTest, takeCases, takeSamples } from '../../../scripts/long-run.ts';
import { listScenes } from './scene-names.ts';

const scenes = listScenes();
const read = (file: string): Scene => JSON.parse(readFileSync(file, 'utf8')) as Scene;
/** How long each runs: a second in `npm run validate`. */
const SECONDS = isLongRun ? 1 : 0.3;

function open(name: string, keyframe?: string): Simulation {
  const { file } = scenes.find((scene) => scene.name === name)!;
  const simulation = new Simulation(compileModel(read(file)));
  simulation.reset(keyframe);
  return simulation;
}

/** Steps for some seconds; each step must have been taken. */
function run(simulation: Simulation, seconds: number): Simulation {
  const steps = Math.round(seconds / simulation.timestep);
  for (let i = 0; i < steps; i++) {
    const { status, nonFinite, energyGain } = simulation.step();
    if (!wasTaken(status)) throw new Error(`${status} at ${simulation.time} s: ${nonFinite?.name ?? energyGain?.name}`);
  }
  return simulation;
}

/** Where a body is, m. */
function place(simulation: Simulation, body: string): [number, number, number] {
  const o = 3 * simulation.model.body.name.indexOf(body);
  const [x, y, z] = simulation.bodyPosition.subarray(o, o + 3);
  return [x!, y!, z!];
}

/** How far a body has gone from where it was, m. */
function drift(simulation: Simulation, body: string, before: readonly number[]): number {
  return Math.hypot(...place(simulation, body).map((part, k) => part - before[k]!));
}

describe('scenes that come with NexDyn', () => {
  test.each(
    takeCases(
      // those of `ipc` run in validation/ipc/gallery.test.ts too
      scenes.filter(({ file }) => isLongRun || read(file).options?.formulation !== 'ipc').map(({ name }) => name),
      5,
    ),
  )('%s: every step converges and nothing is left out', (name) => {
    const simulation = open(name);
    expect(simulation.model.description).toBeTruthy();
    expect(simulation.unresolved).toEqual([]);
    let unconverged = 0;
    for (let i = 0; i < SECONDS / simulation.timestep; i++) {
      if (simulation.step().status !== 'converged') unconverged++;
    }
    expect(unconverged).toBe(0);
  });

  test('box stack: it stands, and each layer carries one box more', () => {
    const simulation = open('box-stack');
    run(simulation, 2);
    const top = place(simulation, 'box10');
    run(simulation, 1);
    expect(drift(simulation, 'box10', top)).toBeLessThan(1e-3);
    const carried = Array<number>(11).fill(0);
    for (const { bodyName1, bodyName2, force } of simulation.contactForces()) {
      const number = (body: string): number => (body === 'world' ? 0 : Number(body.slice(3)));
      carried[Math.max(number(bodyName1), number(bodyName2))]! += Math.abs(force[2]);
    }
    // eight litres of half the density of water each
    const weight = 0.2 ** 3 * 500 * 9.81;
    for (let i = 1; i <= 10; i++) expect(carried[i]! / ((11 - i) * weight)).toBeCloseTo(1, 2);
  });

  test('pyramid: it stands, and a ball breaks it', () => {
    const standing = open('pyramid', 'standing');
    const before = place(standing, 'box10.1');
    run(standing, SECONDS);
    expect(drift(standing, 'box10.1', before)).toBeLessThan(0.01);
    const struck = run(open('pyramid', 'struck'), 1);
    expect(drift(struck, 'box10.1', before)).toBeGreaterThan(0.3);
  });

  test('arch: it stands on its thrust', () => {
    const simulation = run(open('arch'), 0.5);
    const before = place(simulation, 'block8');
    run(simulation, 2 * SECONDS);
    expect(drift(simulation, 'block8', before)).toBeLessThan(1e-3);
  });

  longTest('domino row: all of them fall, the last one last', () => {
    const simulation = open('domino-row');
    run(simulation, 1);
    expect(place(simulation, 'domino1')[2]).toBeLessThan(0.08);
    expect(place(simulation, 'domino24')[2]).toBeCloseTo(0.12, 2);
    run(simulation, 1.5);
    for (let i = 1; i <= 24; i++) expect(place(simulation, `domino${i}`)[2]).toBeLessThan(0.08);
  });

  test('incline: friction above the slope holds, below it slides as on paper', () => {
    const simulation = open('incline');
    const [holds, slides] = [place(simulation, 'holds'), place(simulation, 'slides')];
    const [early, late] = [0.3, 0.8];
    run(simulation, early);
    const first = drift(simulation, 'slides', slides);
    run(simulation, late - early);
    const second = drift(simulation, 'slides', slides);
    expect(drift(simulation, 'holds', holds)).toBeLessThan(2e-3);
    // g (sin α − μ cos α) t²/2; the surfaces give way by a fraction of a millimetre at first
    const path = (time: number): number =>
      0.5 * 9.81 * (Math.sin(Math.PI / 9) - 0.2 * Math.cos(Math.PI / 9)) * time ** 2;
    expect((second - first) / (path(late) - path(early))).toBeCloseTo(1, 1);
  });

  test('rolling spheres: the slippery one first, then the solid, then the hollow', () => {
    const simulation = run(open('rolling-spheres'), 1.2);
    const [slippery, solid, hollow] = ['slippery', 'solid', 'hollow'].map((name) => place(simulation, name)[0]);
    const start = place(open('rolling-spheres'), 'solid')[0];
    // paths go as 1 : 5/7 : 3/5
    expect((start - solid!) / (start - slippery!)).toBeCloseTo(5 / 7, 2);
    expect((start - hollow!) / (start - slippery!)).toBeCloseTo(3 / 5, 2);
  });

  test("Newton's cradle: the first stops, the last swings out as far, the others stay", () => {
    const simulation = open('newton-cradle');
    const energy = simulation.energy().total;
    run(simulation, 1);
    const angles = [...simulation.state.position];
    expect(angles.at(-1)).toBeCloseTo(-0.7, 1);
    for (const angle of angles.slice(0, -1)) expect(Math.abs(angle)).toBeLessThan(0.05);
    expect(simulation.energy().total).toBeLessThan(energy * 1.01);
  });

  test('conveyor: parcels ride at the speed of the belt and stay on it, all the way round', () => {
    const simulation = open('conveyor');
    const parcels = [1, 2, 3, 4, 5, 6].map((i) => `parcel${i}`);
    const turned = parcels.map(() => 0);
    const angle = (name: string): number => Math.atan2(place(simulation, name)[1], place(simulation, name)[0]);
    let before = parcels.map(angle);
    let fastest = 0;
    const tenths = takeSamples(100, 0.3);
    for (let k = 0; k < tenths; k++) {
      run(simulation, 0.1);
      const now = parcels.map(angle);
      for (let i = 0; i < 6; i++) turned[i]! += ((now[i]! - before[i]! + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
      before = now;
      const { velocity } = simulation.state;
      for (let i = 0; i < 6; i++) fastest = Math.max(fastest, Math.hypot(velocity[6 * i]!, velocity[6 * i + 1]!));
    }
    expect(fastest).toBeCloseTo(0.7, 1);
    // ten seconds at 0.7 m/s along a square of about 7 m
    for (const turn of turned) expect(turn).toBeGreaterThan((Math.PI * tenths) / 100);
    for (const name of parcels) expect(place(simulation, name)[2]).toBeGreaterThan(0.39);
  });

  test('gripper: a firm grip lifts the cube, a weak one does not', () => {
    expect(place(run(open('gripper', 'lift'), 3), 'cube')[2]).toBeGreaterThan(0.25);
    expect(place(run(open('gripper', 'too weak'), 3), 'cube')[2]).toBeCloseTo(0.05, 2);
  });

  longTest('wrecking ball: the chain does not stretch and the wall falls', () => {
    const simulation = open('wrecking-ball');
    const brick = place(simulation, 'brick5.3');
    run(simulation, 1.5);
    expect(drift(simulation, 'brick5.3', brick)).toBeGreaterThan(0.2);
  });

  test('ragdoll: it comes down the stairs and lies still', () => {
    const simulation = run(open('ragdoll'), 4);
    expect(place(simulation, 'pelvis')[2]).toBeLessThan(0.6);
    expect(simulation.energy().kinetic).toBeLessThan(0.1);
  });

  longTest('hills: everything comes to lie on the ground', () => {
    const simulation = run(open('hill-tumble'), 4);
    for (let i = 1; i <= 12; i++) {
      const [x, y, z] = place(simulation, `piece${i}`);
      expect(Math.hypot(x, y)).toBeLessThan(1.2);
      expect(z).toBeGreaterThan(-0.15);
      expect(z).toBeLessThan(0.6);
    }
    expect(simulation.energy().kinetic).toBeLessThan(0.1);
  });
});
