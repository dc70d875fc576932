/** Springs, dampers and servos as part of the step, against the closed form of one degree of freedom. */
import { describe, expect, test } from 'vitest';
import { Ruler } from '../diagnostics/ruler.ts';
import { compileModel } from '../model/compile.ts';
import type { Joint } from '../scene/joint.ts';
import type { Coordinates, FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import '../formulation/ipc/provide.ts';
import { createTurns } from '../../../../scripts/long-run.ts';
import { Arena } from '../kernels/arena.ts';
import { DRIVE } from './drive-list.ts';
import { Drives } from './drives.ts';
import { createJointWorkspace } from './joint-workspace.ts';

const takeTurn = createTurns();

const H = 0.002;

const CASES: readonly (readonly [FormulationId, Coordinates])[] = [
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
  ['ipc', 'body'],
];

/** 1 kg on a slide along x. */
function slider(joint: Partial<Joint>, more: Partial<Scene> = {}): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H, gravity: [0, 0, 0] },
    bodies: [
      {
        name: 'mass',
        inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
        joints: [{ kind: 'slide', name: 'x', axis: [1, 0, 0], ...joint } as Joint],
        sites: [{ name: 'front' }],
      },
    ],
    sites: [{ name: 'wall', position: [-1, 0, 0] }],
    keyframes: [{ name: 'moving', position: [0.1], velocity: [0.4] }],
    ...more,
  };
}

function start(scene: Scene, formulation: FormulationId, coordinates: Coordinates): Simulation {
  const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
  simulation.reset('moving');
  return simulation;
}

/** v⁺ of 1 kg at q = 0.1, v = 0.4 on a spring with rest position r: β = 1 − 1/(h² k), or 0. */
function expectedVelocity(k: number, d: number, rest: number): number {
  const share = Math.max(0, 1 - 1 / (H * H * k));
  return (0.4 - H * k * (0.1 - rest)) / (1 + H * d + share * H * H * k);
}

/** What joints of body coordinates allow, as `ipc` leaves it: its tolerance is a speed. */
function tolerance(formulation: FormulationId): number {
  return formulation === 'ipc' ? 1e-5 : 1e-9;
}

describe.each(CASES)('%s in %s coordinates', (formulation, coordinates) => {
  const test = takeTurn();
  test.each([
    [50, 3],
    [50, 0],
    [1e6, 0],
    [1e7, 200],
    [1e10, 0],
    [0, 1e5],
  ])('a joint with stiffness %d and damping %d', (stiffness, damping) => {
    const simulation = start(slider({ stiffness, damping }), formulation, coordinates);
    simulation.step();
    const expected = expectedVelocity(stiffness, damping, 0);
    expect(Math.abs(simulation.jointVelocity('x') - expected)).toBeLessThan(
      tolerance(formulation) * Math.max(1, Math.abs(expected)),
    );
  });

  test('a servo with force limits: its law within them, the limit itself beyond', () => {
    for (const [control, force] of [
      [0.1001, undefined],
      [5, 30],
      [-5, -20],
    ] as const) {
      const servo = {
        kind: 'position' as const,
        stiffness: 1e6,
        damping: 10,
        forceRange: [-20, 30] as [number, number],
      };
      const transmission = { kind: 'joint', joint: 'x' } as const;
      const simulation = start(
        slider({}, { actuators: [{ ...servo, transmission, name: 'servo' }], keyframes: [key(control)] }),
        formulation,
        coordinates,
      );
      const expected = force === undefined ? expectedVelocity(1e6, 10, control) : 0.4 + H * force;
      const isWithin = Math.abs((expected - 0.4) / H) <= 30;
      simulation.step();
      if (!isWithin) continue;
      expect(Math.abs(simulation.jointVelocity('x') - expected)).toBeLessThan(tolerance(formulation));
      const acted = simulation.derived.actuatorForce[0];
      expect(Math.abs(acted - (expected - 0.4) / H)).toBeLessThan(tolerance(formulation) / H);
    }
  });

  test('two servos of a joint whose sum is limited', () => {
    const transmission = { kind: 'joint', joint: 'x' } as const;
    const scene = slider(
      { actuatorForceRange: [-3, 8] },
      {
        actuators: [
          { kind: 'position', stiffness: 1e6, transmission },
          { kind: 'velocity', gain: 100, transmission },
        ],
        keyframes: [{ name: 'moving', position: [0.1], velocity: [0.4], control: [5, 0] }],
      },
    );
    const simulation = start(scene, formulation, coordinates);
    simulation.step();
    expect(Math.abs(simulation.jointVelocity('x') - (0.4 + H * 8))).toBeLessThan(tolerance(formulation));
    const [first, second] = simulation.derived.actuatorForce;
    expect(Math.abs(first + second - 8)).toBeLessThan(1e-9);
  });

  test('a motor on a joint whose force is limited', () => {
    const scene = slider(
      { actuatorForceRange: [-3, 8] },
      {
        actuators: [{ kind: 'motor', transmission: { kind: 'joint', joint: 'x' } }],
        keyframes: [{ name: 'moving', position: [0.1], velocity: [0.4], control: [50] }],
      },
    );
    const simulation = start(scene, formulation, coordinates);
    simulation.step();
    expect(Math.abs(simulation.jointVelocity('x') - (0.4 + H * 8))).toBeLessThan(tolerance(formulation));
  });

  test.each([
    [1e7, [0.9, 0.9]],
    [1e7, [0.5, 0.9]],
    [1e7, [0.5, 1.5]],
    [30, [0.5, 0.9]],
  ] as const)('a tendon of stiffness %d, slack between %j', (stiffness, springLength) => {
    const path = [
      { kind: 'site', site: 'wall' },
      { kind: 'site', site: 'front' },
    ] as const;
    const tendon = {
      kind: 'spatial',
      name: 'rope',
      path: [...path],
      stiffness,
      springLength: [...springLength],
      damping: 2,
    };
    const simulation = start(slider({}, { tendons: [tendon as never] }), formulation, coordinates);
    // length 1.1 at the start
    const isSlack = springLength[1] > 1.1;
    simulation.step();
    const expected = expectedVelocity(isSlack ? 0 : stiffness, 2, springLength[1] - 1);
    // a tendon that goes slack within the step lets go there
    const end = 1.1 + H * expected;
    if (end > springLength[0])
      expect(Math.abs(simulation.jointVelocity('x') - expected)).toBeLessThan(tolerance(formulation));
    else expect(simulation.jointVelocity('x')).toBeGreaterThan(expected);
  });

  test('forces that acted explain the motion', () => {
    const scene = slider(
      { stiffness: 1e7, damping: 1 },
      { actuators: [{ kind: 'position', stiffness: 1e5, damping: 50, transmission: { kind: 'joint', joint: 'x' } }] },
    );
    const simulation = start(scene, formulation, coordinates);
    const ruler = new Ruler(simulation);
    simulation.step();
    expect(ruler.measure().momentumResidual).toBeLessThan(1e-6);
  });

  test('a stiff spring does not blow up: 1 kg on 1e7 N/m at 1 m/s', () => {
    const simulation = start(
      slider({ stiffness: 1e7 }, { keyframes: [{ name: 'moving', velocity: [1] }] }),
      formulation,
      coordinates,
    );
    let most = 0;
    for (let n = 0; n < 100; n++) {
      expect(simulation.step().status).toBe('converged');
      most = Math.max(most, simulation.energy().total);
    }
    expect(most).toBeLessThan(0.5);
    expect(Math.abs(simulation.jointVelocity('x'))).toBeLessThan(1e-6);
  });

  test('a soft spring keeps its energy', () => {
    // ω = 10/s at 2 ms for 1 s: symplectic, E swings by h ω/2
    const simulation = start(slider({ stiffness: 100 }), formulation, coordinates);
    const before = simulation.energy().total;
    for (let n = 0; n < 500; n++) simulation.step();
    expect(Math.abs(simulation.energy().total / before - 1)).toBeLessThan(0.02);
  });
});

function key(control: number): NonNullable<Scene['keyframes']>[number] {
  return { name: 'moving', position: [0.1], velocity: [0.4], control: [control] };
}

test('the force of a drive is the slope of its energy, with limits and across them', () => {
  const model = compileModel(slider({ stiffness: 1e6, damping: 3 }), { formulation: 'sap', coordinates: 'body' });
  const drives = new Drives(model, createJointWorkspace(model, new Arena()));
  expect(Array.from(drives.list.kind)).toEqual([DRIVE.joint]);
  drives.force[0] = 7;
  drives.stiffness[0] = 40;
  drives.damping[0] = 0.01;
  drives.low[0] = -5;
  drives.high[0] = 12;
  const at = (x: number) => {
    const out = { force: 0, slope: 0, energy: 0 };
    drives.evaluate(0, x, H, out);
    return out;
  };
  const step = 1e-6;
  for (let x = -0.5; x <= 0.5; x += 0.013) {
    const { force, slope } = at(x);
    expect(force).toBeGreaterThanOrEqual(-5);
    expect(force).toBeLessThanOrEqual(12);
    expect((at(x - step).energy - at(x + step).energy) / (2 * step)).toBeCloseTo(force, 5);
    expect((at(x - step).force - at(x + step).force) / (2 * step)).toBeCloseTo(slope, 4);
  }
});
