import { describe, expect } from 'vitest';
import '../compliance.ts';
import '../formulation/ccp/provide.ts';
import '../formulation/ipc/provide.ts';
import { createTurns } from '../../../../scripts/long-run.ts';
import { compileModel } from '../model/compile.ts';
import type { FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import type { TermEnergy } from './term-energies.ts';

const takeTurn = createTurns();

const FORMULATIONS: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
const head = { format: 'nexdyn-scene', version: 1 } as const;
const GRAVITY = 10;
const MASS = 2;

function simulate(scene: Partial<Scene>, formulation: FormulationId): Simulation {
  const options = { timestep: 0.002, gravity: [0, 0, -GRAVITY] as [number, number, number], ...scene.options };
  return new Simulation(compileModel({ ...head, ...scene, options }, { formulation }));
}

function read(simulation: Simulation): Record<string, TermEnergy> {
  return Object.fromEntries(simulation.termEnergies().map((term) => [term.name, term]));
}

const crate = (friction: number): Partial<Scene> => ({
  shapes: [{ kind: 'plane', friction }],
  bodies: [
    {
      name: 'crate',
      position: [0, 0, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.2, 0.2, 0.1], mass: MASS, friction }],
    },
  ],
});

const block: Partial<Scene> = {
  shapes: [{ kind: 'plane', friction: 0.5 }],
  softBodies: [
    {
      name: 'block',
      position: [0, 0, 0.11],
      mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
      elasticity: { youngsModulus: 1e4, poissonRatio: 0.3, density: 500 },
    },
  ],
};

describe.each(FORMULATIONS)('terms under %s', (formulation) => {
  const test = takeTurn();
  const contacts = formulation === 'ipc' ? 'barrier' : 'contacts';

  test('nothing is known of a step before the first', () => {
    const terms = read(simulate(crate(0.5), formulation));
    for (const name of ['kinetic', contacts, 'friction', 'joints']) {
      expect(terms[name], name).toMatchObject({ force: undefined, torque: undefined });
    }
    expect(terms.gravity?.force).toBeCloseTo(MASS * GRAVITY, 12);
  });

  test('in free fall inertia balances weight', () => {
    const simulation = simulate({ ...crate(0.5), shapes: [] }, formulation);
    simulation.step(3);
    const terms = read(simulation);
    expect(terms.kinetic?.force).toBeCloseTo(MASS * GRAVITY, 6);
    expect(terms.kinetic?.torque).toBeCloseTo(0, 6);
    expect(terms[contacts]?.force).toBe(0);
  });

  test('at rest the contacts carry the weight', () => {
    const simulation = simulate(crate(0.5), formulation);
    simulation.step(500);
    const terms = read(simulation);
    expect(terms[contacts]!.force! / (MASS * GRAVITY)).toBeCloseTo(1, 3);
    expect(terms.kinetic!.force! / (MASS * GRAVITY)).toBeLessThan(1e-3);
    expect(terms.friction!.force! / (MASS * GRAVITY)).toBeLessThan(1e-3);
    if (formulation === 'ipc') expect(terms.barrier!.energy).toBeGreaterThan(0);
    else expect(terms.contacts!.energy).toBe(0);
  });

  test('a crate that slides is braked by μ times its normal force, and inertia is the rest', () => {
    const simulation = simulate(crate(0.2), formulation);
    simulation.step(300);
    simulation.setVelocity('crate', { linear: [2, 0, 0], angular: [0, 0, 0] });
    // friction lifts a crate under convex models: it hops
    do simulation.step();
    while (simulation.solvedContacts.count === 0 || read(simulation)[contacts]!.force === 0);
    const { friction, kinetic, [contacts]: normal } = read(simulation);
    const digits = formulation === 'ipc' || formulation === 'ccp' ? 2 : 5;
    expect(friction!.force! / normal!.force!).toBeCloseTo(0.2, digits);
    const rest = Math.hypot(friction!.force!, normal!.force! - MASS * GRAVITY);
    expect(kinetic!.force! / rest).toBeCloseTo(1, digits);
  });

  test('springs: force along slides, torque about hinges; joints carry what hangs on them', () => {
    const inertia = { kind: 'principal', mass: MASS, moments: [0.1, 0.1, 0.1] } as const;
    const simulation = simulate(
      {
        bodies: [
          {
            name: 'arm',
            joints: [{ kind: 'hinge', axis: [0, 1, 0], stiffness: 30, damping: 4 }],
            inertia: { ...inertia, center: [0.1, 0, 0] },
          },
          {
            name: 'lift',
            position: [5, 0, 0],
            joints: [{ kind: 'slide', axis: [0, 0, 1], stiffness: 400, damping: 60 }],
            inertia,
          },
        ],
      } as Partial<Scene>,
      formulation,
    );
    // the slowest motion is gone with e^(−10 t)
    simulation.step(800);
    const { springs, joints, kinetic } = read(simulation);
    // at rest k z = m g, and k θ = m g l cos θ
    const angle =
      simulation.state.position.length === 2
        ? simulation.state.position[0]!
        : Math.asin(-simulation.derived.bodyRotation[9 + 6]!);
    expect(springs!.force).toBeCloseTo(MASS * GRAVITY, 3);
    expect(springs!.torque).toBeCloseTo(30 * Math.abs(angle), 3);
    expect(springs!.torque).toBeCloseTo(MASS * GRAVITY * 0.1 * Math.cos(angle), 3);
    expect(springs!.energy).toBeCloseTo(0.5 * 30 * angle ** 2 + (0.5 * (MASS * GRAVITY) ** 2) / 400, 3);
    expect(joints!.force).toBeCloseTo(Math.SQRT2 * MASS * GRAVITY, 2);
    expect(kinetic!.force).toBeCloseTo(0, 2);
  });

  test('an added term: its force, and its torque about the centre of mass', () => {
    const simulation = simulate({ ...crate(0.5), shapes: [] }, formulation);
    simulation.addTerm({
      name: 'push',
      value: (x) => -3 * x.bodyPosition[3]!,
      addGradient: (_x, out) => out.addBody(1, -3, 0, 0, 0, 4, 0),
    });
    const { push } = read(simulation);
    expect(push).toMatchObject({ force: 3, torque: 4, external: false });
  });

  test('reading does not change the run', () => {
    const [quiet, read] = [simulate(crate(0.3), formulation), simulate(crate(0.3), formulation)];
    for (const simulation of [quiet, read]) simulation.setVelocity('crate', { linear: [1, 0.3, 0] });
    for (let n = 0; n < 40; n++) {
      quiet.step();
      read.step();
      read.termEnergies();
    }
    expect(read.hash()).toBe(quiet.hash());
  });
});

describe.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)('soft bodies under %s', (formulation) => {
  const test = takeTurn();
  test('elastic force is minus the slope of the elastic energy', () => {
    const simulation = simulate(block, formulation);
    simulation.step(40);
    const { elastic } = read(simulation);
    const x = simulation.softPosition('block');
    let square = 0;
    for (let i = 0; i < x.length; i++) {
      const place = x[i]!;
      const step = 1e-6;
      const [up, down] = [place + step, place - step].map((value) => {
        x[i] = value;
        return simulation.energy().elastic;
      });
      x[i] = place;
      square += ((up! - down!) / (2 * step)) ** 2;
    }
    expect(elastic!.force).toBeGreaterThan(0.1);
    expect(elastic!.force! / Math.sqrt(square)).toBeCloseTo(1, 5);
  });

  test('inertia balances weight in flight, and reading does not change the run', () => {
    const [quiet, read] = [simulate(block, formulation), simulate(block, formulation)];
    quiet.step();
    read.step();
    const terms = Object.fromEntries(read.termEnergies().map((term) => [term.name, term]));
    expect(terms.kinetic!.force! / terms.gravity!.force!).toBeCloseTo(1, 6);
    // on the ground after 22
    for (let n = 0; n < 32; n++) {
      quiet.step();
      read.step();
      read.termEnergies();
    }
    expect(read.hash()).toBe(quiet.hash());
  });
});
