/**
 * The same soft bodies under all formulations: sag, weight at rest, sliding, momentum, energy and attachments, each against its closed form
 * or balance. What differs is stated in docs/soft.md.
 */
import { compileModel, type FormulationId, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const G = 9.81;
const ALL: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];
/** Over velocities and impulses: contacts are found once per step. */
const BY_ROWS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp'];

const CUBE: SoftBody = {
  name: 'cube',
  mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
  elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000, stiffnessDamping: 0.01 },
  contact: 'point',
  material: 'm',
};

function simulate(formulation: FormulationId, scene: Partial<Scene>, h = 0.002): Simulation {
  const { options, ...rest } = scene;
  return new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        materials: [{ name: 'm', friction: 0.5 }],
        ...rest,
        options: { timestep: h, integrator: 'semiImplicit', ...options },
      },
      { formulation },
    ),
  );
}

/** Steps that converge, all of them. */
function run(simulation: Simulation, steps: number): void {
  for (let n = 0; n < steps; n++) expect(simulation.step().status).toBe('converged');
}

function forceOfWorld(simulation: Simulation): number[] {
  const sum = [0, 0, 0];
  for (const { bodyName1, bodyName2, force } of simulation.contactForces()) {
    const sign = bodyName1 === 'world' ? 1 : bodyName2 === 'world' ? -1 : 0;
    for (let k = 0; k < 3; k++) sum[k] += sign * force[k];
  }
  return sum;
}

describe.each(ALL)('%s', (formulation) => {
  const test = takeTurn();
  test('a cube and a rigid box on it rest: the ground carries both weights to 1e-6', () => {
    const tolerance = { mujoco: { tolerance: 1e-10 }, sap: { relativeTolerance: 1e-9 }, ccp: { tolerance: 1e-8 } };
    const simulation = simulate(formulation, {
      options: tolerance,
      shapes: [{ kind: 'plane', material: 'm' }],
      bodies: [
        {
          name: 'box',
          position: [0, 0, 0.122],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'box', halfSize: [0.06, 0.06, 0.02], mass: 0.5, material: 'm' }],
        },
      ],
      softBodies: [{ ...CUBE, position: [0, 0, 0.051] }],
    });
    const bound = 1e-6;
    const measureError = (): number => Math.abs(forceOfWorld(simulation)[2] / (1.5 * G) - 1);
    // until it rests, within 1,500 steps; twice, since what swings may pass by
    let met = 0;
    for (let n = 0; n < 15 && met < 2; n++) {
      simulation.step(100);
      met = measureError() < bound ? met + 1 : 0;
    }
    expect(measureError()).toBeLessThan(bound);
  });

  test('a rigid box hits a cube in flight: momentum stays to 1e-9 of it', () => {
    const simulation = simulate(formulation, {
      options: { gravity: [0, 0, 0] },
      bodies: [
        {
          name: 'box',
          position: [-0.12, 0, 0.01],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'box', halfSize: [0.05, 0.05, 0.05], mass: 0.5, material: 'm' }],
        },
      ],
      softBodies: [CUBE],
    });
    simulation.state.velocity[0] = 2;
    simulation.step(60);
    const { linear } = simulation.momentum();
    // the box has moved its momentum to the cube, by contact alone
    expect(simulation.state.velocity[0]).toBeLessThan(1);
    for (let k = 0; k < 3; k++) expect(Math.abs(linear[k] - (k === 0 ? 1 : 0))).toBeLessThan(1e-9);
  });

  test('a cantilever sags alike: elasticity is the same', () => {
    const beam: SoftBody = {
      ...CUBE,
      name: 'beam',
      contact: 'none',
      mesh: { kind: 'box', halfSize: [0.2, 0.05, 0.05], cells: [4, 1, 1] },
      elasticity: { model: 'linear', youngsModulus: 1e6, poissonRatio: 0 },
    };
    const sagOf = (id: FormulationId): number => {
      const { rest } = simulate(id, { softBodies: [beam] }).model.soft;
      const at = (x: number): number[] =>
        Array.from({ length: rest.length / 3 }, (_, v) => v).filter((v) => Math.abs(rest[3 * v] - x) < 1e-9);
      // a step so long that inertia does not count
      const simulation = simulate(id, { softBodies: [{ ...beam, pinned: at(-0.2) }] }, 100);
      simulation.step(2);
      return -simulation.softPosition('beam')[3 * at(0.2)[0] + 2] + rest[3 * at(0.2)[0] + 2];
    };
    const sag = sagOf(formulation);
    expect(sag).toBeGreaterThan(0.001);
    expect(Math.abs(sag / sagOf('sap') - 1)).toBeLessThan(1e-4);
  });
});

describe.each(BY_ROWS)('%s', (formulation) => {
  const test = takeTurn();
  test('contact surfaces of a cube at rest carry its weight, as its contacts do', () => {
    const simulation = simulate(
      formulation,
      {
        shapes: [{ kind: 'plane', material: 'm' }],
        softBodies: [
          {
            ...CUBE,
            contact: 'hydroelastic',
            position: [0, 0, 0.05],
            elasticity: { ...CUBE.elasticity, massDamping: 50 },
          },
        ],
      },
      0.005,
    );
    simulation.step(60);
    const carried = forceOfWorld(simulation)[2];
    expect(Math.abs(carried / G - 1)).toBeLessThan(1e-3);
    const patches = simulation.contactPatches();
    expect(patches.length).toBe(1);
    expect(Math.abs(patches[0].force[2] / carried - 1)).toBeLessThan(1e-3);
  });

  test('on slopes a cube sticks below the angle of friction and rubs by μ times the normal force above', () => {
    const slide = (slope: number): { speed: number; ratio: number } => {
      const angle = Math.atan(slope);
      const simulation = simulate(formulation, {
        options: { gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)] },
        shapes: [{ kind: 'plane', material: 'm' }],
        softBodies: [{ ...CUBE, position: [0, 0, 0.05] }],
      });
      simulation.step(200);
      let [across, along] = [0, 0];
      for (let n = 0; n < 100; n++) {
        simulation.step();
        const [x, , z] = forceOfWorld(simulation);
        across -= x;
        along += z;
      }
      return { speed: simulation.momentum().linear[0], ratio: across / along };
    };
    // friction of mujoco and sap creeps
    const below = slide(0.3);
    expect(Math.abs(below.speed)).toBeLessThan(1e-3);
    expect(Math.abs(below.ratio - 0.3)).toBeLessThan(3e-3);
    const above = slide(0.8);
    expect(above.speed).toBeGreaterThan(0.5);
    expect(Math.abs(above.ratio - 0.5)).toBeLessThan(3e-3);
  });

  test('a cube that falls on a floor and bounces never gains energy', () => {
    const simulation = simulate(formulation, {
      shapes: [{ kind: 'plane', material: 'm' }],
      softBodies: [{ ...CUBE, position: [0, 0, 0.12], orientation: [0.92, 0.3, 0.2, 0.15] }],
    });
    const first = simulation.energy().total;
    let least = first;
    for (let n = 0; n < 400; n++) {
      expect(simulation.step().status).toBe('converged');
      const { total } = simulation.energy();
      // energy of pressed contacts is not in the sum: up to that of the layer under the weight at the fall's speed
      expect(total).toBeLessThan(least + 2e-2 * first);
      least = Math.min(least, total);
    }
    expect(least).toBeLessThan(0.6 * first);
  });

  test('a rigid box hangs on a cube by attachments: they carry its weight and stay closed', () => {
    const top = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    const simulation = simulate(formulation, {
      bodies: [
        {
          name: 'load',
          position: [0, 0, -0.08],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'box', halfSize: [0.03, 0.03, 0.03], mass: 0.3, contact: 'none' }],
        },
      ],
      softBodies: [
        {
          ...CUBE,
          contact: 'none',
          pinned: listAt(formulation, 0.05),
          attachments: [{ body: 'load', vertices: listAt(formulation, -0.05) }],
        },
      ],
    });
    expect(top.length).toBe(listAt(formulation, 0.05).length);
    run(simulation, 600);
    const { vertex, point } = simulation.model.soft.attachment;
    const [, , z] = simulation.state.position.subarray(0, 3);
    const x = simulation.softPosition('cube');
    let worst = 0;
    for (let k = 0; k < vertex.length; k++)
      worst = Math.max(worst, Math.abs(x[3 * vertex[k] + 2] - z - point[3 * k + 2]));
    // mujoco: R f/(K d) with R = 1e-4 w; sap: as stiff as the step resolves
    expect(worst).toBeLessThan(2e-6);
    expect(Math.abs(simulation.momentum().linear[2])).toBeLessThan(1e-4);
    // the cube stretches by about F L/(E A), less at its ends, which cannot narrow
    const stretch = -0.08 - z;
    const expected = (0.3 * G * 0.1) / (1e5 * 0.01) + (0.5 * 1000 * G * 0.1 ** 2) / 1e5;
    expect(stretch).toBeGreaterThan(0.7 * expected);
    expect(stretch).toBeLessThan(1.05 * expected);
  });
});

/** Vertices of the cube at a height. */
function listAt(formulation: FormulationId, height: number): number[] {
  const { rest } = simulate(formulation, { softBodies: [{ ...CUBE, contact: 'none' }] }).model.soft;
  return Array.from({ length: rest.length / 3 }, (_, v) => v).filter((v) => Math.abs(rest[3 * v + 2] - height) < 1e-9);
}

test('solvers of mujoco and ccp agree on a cube that lands', () => {
  const landing = (formulation: FormulationId, options: Scene['options']): number[] => {
    const simulation = simulate(formulation, {
      options: { ...options },
      shapes: [{ kind: 'plane', material: 'm' }],
      softBodies: [{ ...CUBE, position: [0, 0, 0.06], velocity: [0.5, 0, 0] }],
    });
    simulation.step(60);
    return Array.from(simulation.softPosition('cube'));
  };
  const compare = (a: number[], b: number[], bound: number): void => {
    for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(bound);
  };
  const newton = landing('mujoco', { mujoco: { tolerance: 1e-12 } });
  compare(landing('mujoco', { mujoco: { solver: 'pgs', tolerance: 1e-12, iterations: 2000 } }), newton, 1e-6);
  compare(landing('mujoco', { mujoco: { solver: 'cg', tolerance: 1e-12, iterations: 2000 } }), newton, 1e-6);
  const apgd = landing('ccp', { ccp: { tolerance: 1e-9 } });
  for (const solver of ['spg', 'pgs', 'admm'] as const)
    compare(landing('ccp', { ccp: { solver, tolerance: 1e-9 } }), apgd, 1e-6);
});

test('Runge-Kutta gives way to an implicit step, and the simulation says so', () => {
  const simulation = simulate('mujoco', { options: { integrator: 'rk4' }, softBodies: [CUBE] });
  expect(simulation.model.options.integrator).toBe('semiImplicit');
  expect(simulation.unresolved.join()).toContain('integrator rk4: steps of soft bodies are implicit');
});
