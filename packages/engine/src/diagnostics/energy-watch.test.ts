import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../scripts/long-run.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { BuiltInFormulationId, SceneOptions } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

const takeTurn = createTurns();

const BOX: Body = {
  name: 'box',
  position: [0, 0, 0.1],
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'box', halfSize: [0.1, 0.06, 0.03] }],
};

function open(options: SceneOptions, parts: Partial<Scene> = {}): Simulation {
  return new Simulation(
    compileModel({ format: 'nexdyn-scene', version: 1, options: { formulation: 'mujoco', ...options }, ...parts }),
  );
}

/** Steps until one is not taken, `count` at most. */
function run(simulation: Simulation, count: number, before?: (n: number) => void): number {
  for (let n = 0; n < count; n++) {
    before?.(n);
    const { status } = simulation.step();
    if (status === 'unstable') return n;
    expect(status).not.toBe('diverged');
  }
  return count;
}

describe('motion that gains energy from nothing is refused, and the joint or body is named', () => {
  const slide: Body = {
    name: 'block',
    joints: [{ kind: 'slide', name: 'guide', axis: [1, 0, 0] }],
    inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
  };

  test('a spring that is too stiff for an explicit step', () => {
    const stiff: Body = { ...slide, joints: [{ kind: 'slide', name: 'guide', axis: [1, 0, 0], stiffness: 1e7 }] };
    const simulation = open(
      { integrator: 'euler', gravity: [0, 0, 0] },
      { bodies: [stiff, { ...BOX, position: [0, 1, 0] }] },
    );
    simulation.state.velocity[0] = 1;
    const last = run(simulation, 100);
    expect(last).toBeLessThan(4);
    const { energyGain } = simulation.report;
    expect(energyGain?.name).toBe('guide');
    expect(energyGain!.created).toBeGreaterThan(10 * energyGain!.reference);
    // the step was not taken, and it is refused again
    const hash = simulation.hash();
    expect(simulation.step().status).toBe('unstable');
    expect(simulation.hash()).toBe(hash);
  });

  test('a servo that is too stiff does no work: it is a spring', () => {
    const simulation = open(
      { integrator: 'euler', gravity: [0, 0, 0] },
      {
        bodies: [slide],
        actuators: [{ kind: 'position', transmission: { kind: 'joint', joint: 'guide' }, stiffness: 1e7 }],
      },
    );
    simulation.state.velocity[0] = 1;
    expect(run(simulation, 100)).toBeLessThan(4);
  });

  test('a box that spins too fast for explicit gyroscopic torque', () => {
    const simulation = open({ integrator: 'euler', gravity: [0, 0, 0], timestep: 0.01 }, { bodies: [BOX] });
    simulation.state.velocity.set([0, 0, 0, 60, 70, 40]);
    const start = simulation.energy().kinetic;
    expect(run(simulation, 100)).toBeLessThan(40);
    expect(simulation.energy().kinetic).toBeLessThan(12 * start);
    expect(simulation.report.energyGain?.name).toBe('box');
  });

  // Runge-Kutta multiplies the energy of a spring by 1 − y⁶/72 + y⁸/576 a step, y = ω h: 1.0105 here
  const growing = (y: number): Body => ({
    ...slide,
    joints: [{ kind: 'slide', name: 'guide', axis: [1, 0, 0], stiffness: (y / 0.01) ** 2 }],
  });

  test('a motion that gains one percent a step', () => {
    const simulation = open(
      { integrator: 'rk4', gravity: [0, 0, 0], timestep: 0.01 },
      { bodies: [growing(2.8305), { ...BOX, position: [0, 1, 0] }] },
    );
    simulation.state.velocity[0] = 1;
    const last = run(simulation, 300);
    expect(last).toBeGreaterThan(100);
    expect(last).toBeLessThan(200);
    expect(simulation.report.energyGain?.name).toBe('guide');
  });

  test('steps under error control that are taken in any case', () => {
    const simulation = open(
      { integrator: 'rk4', gravity: [0, 0, 0], timestep: 0.01, accuracy: 1e300 },
      { bodies: [growing(6)] },
    );
    simulation.state.velocity[0] = 1;
    expect(run(simulation, 50)).toBe(50);
    // halves of the step are stable: where the accuracy asks for them or the whole step is refused, they are taken
    expect(simulation.report.steps?.lengths.length).toBeGreaterThan(1);
    expect(simulation.energy().total).toBeLessThan(1.5);
  });

  test('without the check it runs on', () => {
    const model = open({ integrator: 'euler', gravity: [0, 0, 0], timestep: 0.01 }, { bodies: [BOX] }).model;
    const simulation = new Simulation(model, { checkEnergy: false });
    simulation.state.velocity.set([0, 0, 0, 60, 70, 40]);
    for (let n = 0; n < 25; n++) simulation.step();
    expect(simulation.energy().kinetic).toBeGreaterThan(1e4);
  });
});

describe.each<BuiltInFormulationId>(['mujoco', 'sap', 'ccp', 'ipc'])(
  'energy with a cause is no fault under %s',
  (formulation) => {
    const test = takeTurn();
    const floor = [{ kind: 'plane' as const, friction: 0.8 }];

    test('falling far, landing and lying still', () => {
      const simulation = open(
        { formulation, timestep: 0.005 },
        { bodies: [{ ...BOX, position: [0, 0, 3] }], shapes: floor },
      );
      expect(run(simulation, 250)).toBe(250);
    });

    test('a motor from rest', () => {
      const simulation = open(
        { formulation, gravity: [0, 0, 0] },
        {
          bodies: [{ ...BOX, joints: [{ kind: 'hinge', name: 'axle' }] }],
          actuators: [{ kind: 'motor', transmission: { kind: 'joint', joint: 'axle' } }],
        },
      );
      simulation.setControl(0, 1);
      expect(run(simulation, 200)).toBe(200);
      expect(simulation.energy().kinetic).toBeGreaterThan(1);
    });

    test('a servo that is given a new target', () => {
      const simulation = open(
        { formulation },
        {
          bodies: [{ ...BOX, joints: [{ kind: 'hinge', name: 'axle', axis: [1, 0, 0] }] }],
          actuators: [
            { kind: 'position', transmission: { kind: 'joint', joint: 'axle' }, stiffness: 50, damping: 0.5 },
          ],
        },
      );
      const aim = (n: number): void => simulation.setControl(0, n < 50 ? 0 : n < 150 ? 1.5 : -1.5);
      expect(run(simulation, 250, aim)).toBe(250);
    });

    test('a force on a body, and a body that is moved between steps', () => {
      const simulation = open({ formulation, gravity: [0, 0, 0] }, { bodies: [BOX] });
      simulation.applyForce('box', { force: [50, 0, 0] });
      expect(run(simulation, 100)).toBe(100);
      simulation.clearForces();
      simulation.setVelocity('box', { linear: [0, 0, 100] });
      expect(run(simulation, 20)).toBe(20);
    });

    test('a mocap platform that lifts', () => {
      const platform: Body = { name: 'lift', mocap: true, shapes: [{ kind: 'box', halfSize: [0.5, 0.5, 0.02] }] };
      const box: Body = { ...BOX, position: [0, 0, 0.0525] };
      const simulation = open({ formulation, timestep: 0.005 }, { bodies: [platform, box] });
      const move = (n: number): void => simulation.setMocapPose('lift', [0, 0, 0.0025 * n]);
      expect(run(simulation, 200, move)).toBe(200);
      expect(simulation.pose('box').position[2]).toBeGreaterThan(0.4);
    });

    test('a belt that carries a box uphill', () => {
      const slope = {
        kind: 'plane' as const,
        friction: 0.9,
        orientation: [Math.cos(0.1), 0, Math.sin(0.1), 0] as [number, number, number, number],
      };
      const simulation = open(
        { formulation, timestep: 0.005 },
        { bodies: [{ ...BOX, position: [0, 0, 0.035] }], shapes: [{ ...slope, surfaceVelocity: [-2, 0, 0] }] },
      );
      if (simulation.unresolved.length === 0) expect(run(simulation, 200)).toBe(200);
    });
  },
);

test('positions that are written into the state after energies were read count from where they are', () => {
  const arm: Body = { ...BOX, joints: [{ kind: 'hinge', axis: [0, 1, 0] }] };
  for (const formulation of ['mujoco', 'sap', 'ccp'] as const) {
    const simulation = open({ formulation, coordinates: 'body', timestep: 0.01 }, { bodies: [arm] });
    simulation.energy();
    simulation.state.position.set([Math.cos(1), Math.sin(1), 0, 0], 3);
    expect(run(simulation, 20), formulation).toBe(20);
  }
});

test('what overlaps at the start may come apart', () => {
  for (const formulation of ['mujoco', 'sap', 'ccp'] as const) {
    for (const timestep of [0.0005, 0.002, 0.01]) {
      const bodies = [BOX, { ...BOX, name: 'other', position: [0.02, 0.01, 0.135] as [number, number, number] }];
      const simulation = open({ formulation, timestep, gravity: [0, 0, 0] }, { bodies });
      expect(run(simulation, 100), `${formulation} ${timestep}`).toBe(100);
    }
  }
});

test('a light joint with a heavy rotor may come back from beyond its limit', () => {
  const limit = { range: [0.52, 1.74] as [number, number] };
  const leg: Body = {
    name: 'leg',
    joints: [{ kind: 'hinge', name: 'ankle', axis: [0, 1, 0], armature: 1, damping: 1, limit }],
    shapes: [{ kind: 'capsule', halfLength: 0.07, radius: 0.02, density: 5 }],
  };
  const simulation = open({ timestep: 0.01, integrator: 'rkmk4' }, { bodies: [leg] });
  expect(run(simulation, 100)).toBe(100);
  expect(simulation.jointPosition('ankle')).toBeGreaterThan(0.5);
});

test('a call of no steps is not where the watch begins', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [{ position: [0, 0, 1], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] }],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.step(0);
  expect(simulation.step(10).status).toBe('converged');
});

test('motions that take turns in one simulation are watched as if each had one', () => {
  const stiffness = (2.8305 / 0.01) ** 2;
  const bodies: Body[] = [
    {
      name: 'block',
      joints: [{ kind: 'slide', name: 'guide', axis: [1, 0, 0], stiffness }],
      inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
    },
    { ...BOX, position: [0, 1, 0] },
  ];
  const create = () => open({ integrator: 'rk4', gravity: [0, 0, 0], timestep: 0.01 }, { bodies });
  const simulation = create();
  const alone = create();
  alone.state.velocity[0] = 1;
  const last = run(alone, 300);
  const motions = [1, 0].map((speed) => {
    const motion = simulation.createMotion();
    simulation.reset();
    simulation.state.velocity[0] = speed;
    simulation.suspend(motion);
    return motion;
  });
  for (let n = 0; n <= last; n++) {
    const statuses = motions.map((motion) => {
      simulation.resume(motion);
      const { status } = simulation.step();
      simulation.suspend(motion);
      return status;
    });
    expect(statuses).toEqual([n < last ? 'converged' : 'unstable', 'converged']);
  }
  expect(motions[0].state).toEqual(alone.state.all.slice());
});
