/**
 * `bdf2` under `ipc`: of order two in smooth motion, towards the motion that `rkmk4` finds in joint coordinates; backward Euler
 * where bodies touch; the state before the last step is part of the state, and forgotten where somebody moves the bodies.
 */
import { compileModel, type Integrator, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const FINE: NonNullable<SceneOptions['ipc']> = { tolerance: 1e-7, jointTolerance: 1e-8, jointAngleTolerance: 1e-8 };

function createIpc(parts: Omit<Scene, 'format' | 'version'>, options: SceneOptions): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, ...parts, options: { ...options, formulation: 'ipc' } };
  return new Simulation(compileModel(scene));
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, k) => value - (b[k] ?? NaN)));
}

/** Order by the differences of runs with h, h/2 and h/4. */
function observeOrder(run: (h: number) => readonly number[], h: number): number {
  const [coarse = [], middle = [], fine = []] = [h, h / 2, h / 4].map(run);
  return Math.log2(distance(coarse, middle) / distance(middle, fine));
}

function finish(simulation: Simulation, duration: number, h: number): Simulation {
  for (let n = 0; n < Math.round(duration / h); n++) expect(simulation.step().status).toBe('converged');
  return simulation;
}

const LIMB = {
  kind: 'capsule',
  radius: 0.03,
  halfLength: 0.2,
  position: [0.25, 0, 0],
  orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
  mass: 1,
} as const;

const limb = { ...LIMB, position: [0.25, 0, 0], orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] } as never;

/** Two links with a spring, a damper and a heavy rotor between them. */
const DOUBLE_PENDULUM: Omit<Scene, 'format' | 'version'> = {
  bodies: [
    {
      name: 'a',
      joints: [{ kind: 'hinge', name: 'first', axis: [0, 1, 0] }],
      shapes: [limb],
      bodies: [
        {
          name: 'b',
          position: [0.5, 0, 0],
          joints: [{ kind: 'hinge', name: 'second', axis: [0, 1, 0], stiffness: 2, damping: 0.05, armature: 0.01 }],
          shapes: [limb],
        },
      ],
    },
  ],
};

function swingTwo(integrator: Integrator, h: number): number[] {
  const options: SceneOptions = { timestep: h, integrator, ipc: FINE, disable: ['contact'] };
  const simulation = finish(createIpc(DOUBLE_PENDULUM, options), 0.4, h);
  return ['first', 'second'].map((name) => simulation.jointPosition(name));
}

/** A body of three different moments on a ball joint, spinning. */
function swingRound(integrator: Integrator, h: number): number[] {
  const inertia = { kind: 'principal', mass: 1, center: [0.1, 0.05, -0.5], moments: [0.02, 0.03, 0.01] } as const;
  const body = { name: 'a', joints: [{ kind: 'ball' as const }], inertia: inertia as never };
  const simulation = createIpc({ bodies: [body] }, { timestep: h, integrator, ipc: FINE });
  simulation.setVelocity('a', { linear: [0, 0, 0], angular: [2, -3, 1] });
  return [...finish(simulation, 0.4, h).pose('a').orientation];
}

function throwBall(integrator: Integrator, h: number): number[] {
  const body = {
    name: 'a',
    joints: [{ kind: 'free' as const }],
    shapes: [{ kind: 'sphere' as const, radius: 0.3, mass: 1 }],
  };
  const options: SceneOptions = { timestep: h, integrator, ipc: FINE, medium: { density: 1.2, viscosity: 0.2 } };
  const simulation = createIpc({ bodies: [body] }, options);
  simulation.setVelocity('a', { linear: [10, 0, 5] });
  return [...finish(simulation, 0.4, h).pose('a').position];
}

/** A soft bar, let go straight, held at one end. */
function vibrate(integrator: Integrator, h: number): number[] {
  const elasticity = { model: 'neoHookean', youngsModulus: 2e4, poissonRatio: 0.3, density: 1000 } as const;
  const simulation = createIpc(
    {
      softBodies: [
        {
          mesh: { kind: 'box', halfSize: [0.3, 0.05, 0.05], cells: [4, 1, 1] },
          elasticity: { ...elasticity, massDamping: 0.5 },
          pinned: [0, 5, 10, 15],
        },
      ],
    },
    { timestep: h, integrator, ipc: { tolerance: 1e-8 } },
  );
  return Array.from(finish(simulation, 0.2, h).state.softPosition);
}

describe('order', () => {
  test.each([
    ['double pendulum', swingTwo, 0.01],
    ['spherical pendulum', swingRound, 0.02],
    ['projectile with drag', throwBall, 0.02],
    ['soft bar', vibrate, 0.005],
  ] as const)('%s', (_name, run, h) => {
    expect(Math.abs(observeOrder((step) => run('bdf2', step), h) - 2)).toBeLessThan(0.15);
    expect(Math.abs(observeOrder((step) => run('semiImplicit', step), h) - 1)).toBeLessThan(0.15);
  });

  test('it leads to the true motion', () => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      ...DOUBLE_PENDULUM,
      options: { timestep: 1e-3, integrator: 'rkmk4', disable: ['contact'] },
    };
    const truth = new Simulation(compileModel(scene, { formulation: 'mujoco' }));
    truth.step(400);
    const expected = ['first', 'second'].map((name) => truth.jointPosition(name));
    const errors = [0.01, 0.005].map((h) => distance(swingTwo('bdf2', h), expected));
    expect(errors[1]).toBeLessThan(2e-3);
    expect((errors[0] ?? NaN) / (errors[1] ?? NaN)).toBeGreaterThan(3);
  });

  test('error-controlled steps change their length', () => {
    const run = (accuracy: number): number[] => {
      const options: SceneOptions = { timestep: 0.1, integrator: 'bdf2', ipc: FINE, disable: ['contact'], accuracy };
      const simulation = createIpc(DOUBLE_PENDULUM, options);
      const report = simulation.step(2);
      expect(report.steps?.isMet).toBe(true);
      return ['first', 'second'].map((name) => simulation.jointPosition(name));
    };
    const truth = run(1e-5);
    expect(distance(run(1e-3), truth)).toBeLessThan(0.01);
  });
});

describe('contact', () => {
  const box = { kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 1 } as never;
  const parts: Omit<Scene, 'format' | 'version'> = {
    shapes: [{ kind: 'plane' }],
    bodies: [{ name: 'block', position: [0, 0, 0.3], joints: [{ kind: 'free' }], shapes: [box] }],
  };

  /** Largest gain of kinetic and potential energy in a step, J, and the highest place after the first impact, m. */
  function drop(integrator: Integrator, timestep: number): { gain: number; height: number } {
    const simulation = createIpc(parts, { timestep, integrator });
    simulation.setVelocity('block', { linear: [0, 0, -2], angular: [0.2, 0.1, 0] });
    let energy = Infinity;
    let gain = 0;
    let height = 0;
    for (let n = 0; n < 0.5 / timestep; n++) {
      expect(simulation.step().minimumDistance).toBeGreaterThan(0);
      const { kinetic, potential } = simulation.energy();
      gain = Math.max(gain, kinetic + potential - energy);
      energy = kinetic + potential;
      if (n * timestep > 0.15) height = Math.max(height, simulation.pose('block').position[2] ?? NaN);
    }
    return { gain, height };
  }

  // barriers give back some of what they took, under both
  test.each([1 / 60, 0.01, 0.003])('a box that falls bounces no more than by backward Euler, at steps of %f s', (h) => {
    const [first, second] = [drop('semiImplicit', h), drop('bdf2', h)];
    expect(second.gain).toBeLessThan(first.gain + 2e-3);
    expect(second.height).toBeLessThan(first.height + 5e-4);
  });

  test('a pendulum beside a resting box keeps its order', () => {
    const run = (h: number): number[] => {
      const options: SceneOptions = { timestep: h, integrator: 'bdf2', ipc: FINE };
      const scene = { ...parts, bodies: [...(parts.bodies ?? []), ...lift(DOUBLE_PENDULUM)] };
      const simulation = createIpc(scene, options);
      simulation.setPose('block', { position: [0, 0, 0.1009] });
      simulation.step(Math.round(0.3 / h));
      return ['first', 'second'].map((name) => simulation.jointPosition(name));
    };
    expect(Math.abs(observeOrder(run, 0.01) - 2)).toBeLessThan(0.25);
  });
});

// the pendulum, 3 m above
function lift({ bodies = [] }: Omit<Scene, 'format' | 'version'>): NonNullable<Scene['bodies']> {
  return bodies.map((body) => ({ ...body, position: [0, 3, 3] }));
}

describe('history', () => {
  const options: SceneOptions = { timestep: 0.01, integrator: 'bdf2', disable: ['contact'] };

  test('a snapshot has it', () => {
    const one = createIpc(DOUBLE_PENDULUM, options);
    one.step(5);
    const two = createIpc(DOUBLE_PENDULUM, options);
    two.restore(one.snapshot());
    one.step(5);
    two.step(5);
    expect(two.hash()).toBe(one.hash());
  });

  test('bodies that are pushed start anew', () => {
    const old = createIpc(DOUBLE_PENDULUM, options);
    old.step(5);
    old.setVelocity('b', { linear: [0, 1, 0], angular: [0, 0, 1] });
    // the same positions and velocities without a past
    const fresh = createIpc(DOUBLE_PENDULUM, options);
    fresh.state.position.set(old.state.position);
    fresh.state.velocity.set(old.state.velocity);
    fresh.state.hingeAngle.set(old.state.hingeAngle);
    old.step();
    fresh.step();
    for (const [i, value] of old.state.velocity.entries()) expect(value).toBeCloseTo(fresh.state.velocity[i] ?? NaN, 3);
  });
});
