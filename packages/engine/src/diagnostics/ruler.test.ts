/** The ruler on scenes whose numbers are known in closed form, and the truths that each formulation promises. */
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../../../scripts/long-run.ts';
import {
  type Body,
  compileModel,
  type FormulationId,
  type Scene,
  type SceneOptions,
  Simulation,
  type Vec3,
} from '../index.ts';
import { METRIC_NAMES, METRICS } from './metrics.ts';
import { Ruler } from './ruler.ts';

const G = 9.81;
const ALL: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
const slide = (axis: Vec3) => ({ kind: 'slide' as const, axis });

/** A ball of 1 kg and radius 0.1 m that cannot turn, sliding along x over a plane of friction 0.5. */
function slidingBall(options: SceneOptions, gap: number, speed: number): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.01, ...options },
    materials: [{ name: 'ground', friction: 0.5 }],
    shapes: [{ kind: 'plane', material: 'ground' }],
    bodies: [
      {
        name: 'ball',
        position: [0, 0, 0.1],
        joints: [slide([1, 0, 0]), slide([0, 1, 0]), slide([0, 0, 1])],
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, friction: 0, margin: 0.03 }],
      },
    ],
    keyframes: [{ position: [0, 0, gap], velocity: [speed, 0, 0] }],
  };
  return new Simulation(compileModel(scene, { coordinates: 'joint' }));
}

/** A box of 2 kg on a plane. */
function box(formulation: FormulationId, options: SceneOptions = {}, velocity = [0, 0, 0, 0, 0, 0]): Simulation {
  return new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation, timestep: 1e-3, ...options },
      shapes: [{ kind: 'plane', friction: 0.5 }],
      bodies: [
        {
          name: 'box',
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 2, friction: 0.5 }],
        },
      ],
      keyframes: [{ position: [0, 0, 0.1, 1, 0, 0, 0], velocity }],
    }),
  );
}

function run(simulation: Simulation, steps: number): Ruler {
  const ruler = new Ruler(simulation);
  for (let n = 0; n < steps; n++) {
    simulation.step();
    ruler.measure();
  }
  return ruler;
}

test('every metric has a unit, a formula and a meaning', () => {
  for (const name of METRIC_NAMES) {
    for (const text of Object.values(METRICS[name])) expect(text.length).toBeGreaterThan(0);
  }
});

describe('ccp', () => {
  const h = 0.01;
  const tight = { formulation: 'ccp' as const, ccp: { tolerance: 1e-12 } };

  test('what slides hovers at μ h v: the cone program is solved, Signorini is not', () => {
    const simulation = slidingBall(tight, 0.5 * h * 5, 5);
    const { last } = run(simulation, 20);
    const v = simulation.state.velocity[0];
    expect(last.gap / (0.5 * h * v)).toBeCloseTo(1, 8);
    expect(last.signorini / (last.normalForce * 0.5 * h * v)).toBeCloseTo(1, 8);
    expect(last.coulombComplementarity / last.signorini).toBeCloseTo(1, 8);
    expect(last.coneComplementarity).toBeLessThan(1e-9);
    expect(last.dissipationError).toBeLessThan(1e-8);
  });

  test('what begins to slide hops with u_T = (v − μ g h)/(1 + μ²), u_N = μ u_T', () => {
    const { last } = run(slidingBall(tight, 0, 5), 1);
    const slip = (5 - 0.5 * G * h) / 1.25;
    const force = (0.5 * slip) / h + G;
    expect(last.normalForce / force).toBeCloseTo(1, 9);
    expect(last.signorini / (force * h * 0.5 * slip)).toBeCloseTo(1, 9);
    expect(last.signoriniVelocity / (h * force * 0.5 * slip)).toBeCloseTo(1, 9);
    expect(last.coneComplementarity).toBeLessThan(1e-9);
  });

  test("Coulomb's law meets Coulomb's and Signorini's", () => {
    const ruler = run(slidingBall({ formulation: 'ccp', ccp: { tolerance: 1e-12, coulomb: true } }, 0, 5), 20);
    const { metrics } = ruler.summarize();
    expect(metrics.signorini.max).toBeLessThan(1e-9);
    expect(metrics.coulombComplementarity.max).toBeLessThan(1e-9);
    // and the relaxation is not what it solves: h μ f_N |u_T|, 5 − μ g h after the first step
    expect(metrics.coneComplementarity.max / (h * 0.5 * G * (5 - 0.5 * G * h))).toBeCloseTo(1, 6);
  });
});

test('sap: forces lie in the cone and rest at m g/k', () => {
  const material = { stiffness: 1e4, dissipation: 0.06 };
  const simulation = slidingBall({ formulation: 'sap', sap: { ...material, relativeTolerance: 1e-12 } }, 0, 0);
  const ruler = run(simulation, 400);
  expect(ruler.last.penetration / (G / 1e4)).toBeCloseTo(1, 6);
  expect(ruler.last.signorini / (G * (G / 1e4))).toBeCloseTo(1, 6);
  expect(ruler.last.gap).toBe(0);
  const sliding = run(box('sap', {}, [2, 1, 0, 0, 0, 3]), 300);
  expect(sliding.summarize().metrics.coneViolation.max).toBeLessThan(1e-12 * 1e3);
});

test('ipc: no penetration, forces within d̂', () => {
  const { metrics } = run(box('ipc', {}, [1, 0, 0, 0, 0, 2]), 200).summarize();
  expect(metrics.penetration.max).toBe(0);
  expect(metrics.gap.max).toBeLessThan(1e-3);
  expect(metrics.gap.mean).toBeGreaterThan(1e-4);
});

describe('ipc: forces are those that acted', () => {
  const h = 1e-3;
  /** It slides, spins and lands on its edge: normal forces change by as much as they are. */
  const land = (frictionPasses: number): Simulation => {
    const simulation = box('ipc', { ipc: { frictionPasses } }, [1, 0, -0.5, 3, 2, 2]);
    simulation.state.position[2] = 0.14;
    return simulation;
  };

  test.each(takeCases([1, 3, -1], 2))(
    'the contacts of a box that lands and slides explain its momentum, %i passes',
    (passes) => {
      const simulation = land(passes);
      const before = new Float64Array(3);
      let pressed = 0;
      for (let n = 0; n < 200; n++) {
        before.set(simulation.state.velocity.subarray(0, 3));
        expect(simulation.step().status).toBe('converged');
        const force = [0, 0, -2 * G];
        const { count, force: f, frame } = simulation.solvedContacts;
        for (let i = 0; i < count; i++)
          for (let k = 0; k < 3; k++)
            for (let c = 0; c < 3; c++) force[c]! += f[6 * i + k]! * frame[9 * i + 3 * k + c]!;
        if (count > 0) pressed++;
        // m ε/h with the tolerance ε, and of the forces of stiff barriers a millionth
        const change = before.map((v, k) => (2 * (simulation.state.velocity[k]! - v)) / h);
        const bound = (2 * 1e-4) / h + 1e-6 * Math.hypot(...change);
        for (let k = 0; k < 3; k++) expect(Math.abs(change[k]! - force[k]!)).toBeLessThan(bound);
      }
      expect(pressed).toBeGreaterThan(50);
    },
  );

  test('the momentum residual of every step is within what the tolerance says', () => {
    const simulation = land(1);
    const ruler = new Ruler(simulation);
    for (let n = 0; n < 200; n++) {
      simulation.step();
      // ε √m over h g √m, at least
      expect(ruler.measure().momentumResidual).toBeLessThan(1e-4 / (h * G));
    }
  });

  test('friction is that of the normal force before: a cone violation where that falls, none where it stays', () => {
    const { metrics } = run(land(1), 200).summarize();
    expect(metrics.coneViolation.max).toBeGreaterThan(0.1);
    expect(run(box('ipc', {}, [1, 0, 0, 0, 0, 0]), 150).last.coneViolation).toBeLessThan(1e-3 * 0.5 * 2 * G);
  });
});

describe('momentum', () => {
  test.each(ALL)('%s: the forces of a box that slides and settles explain its motion', (formulation) => {
    const tight = { mujoco: { tolerance: 1e-12 }, sap: { relativeTolerance: 1e-12 }, ccp: { tolerance: 1e-10 } };
    const simulation = box(
      formulation,
      { ...tight, ipc: { tolerance: 1e-9, frictionPasses: -1 } },
      [1, 0.5, 0, 0, 0, 0],
    );
    if (formulation === 'ipc') simulation.step(); // the first one moves it off the ground
    const ruler = run(simulation, 200);
    // ipc: friction is taken from normal forces of the pass before; the others solve for both at once
    expect(ruler.summarize().metrics.momentumResidual.max).toBeLessThan(formulation === 'ipc' ? 1e-3 : 1e-9);
    expect(ruler.summarize().metrics.normalForce.mean / (2 * G)).toBeCloseTo(1, 0);
  });

  test.each<FormulationId>(['mujoco', 'sap', 'ccp'])(
    '%s: so do those of a jointed body that falls on its side',
    (formulation) => {
      const arm = (bodies: Body[] = []): Body => ({
        position: [0.3, 0, 0],
        joints: [
          { kind: 'hinge', axis: [0, 1, 0] },
          { kind: 'hinge', axis: [0, 0, 1], damping: 0.1 },
        ],
        shapes: [
          { kind: 'capsule', radius: 0.05, halfLength: 0.15, orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], mass: 1 },
        ],
        bodies,
      });
      const simulation = new Simulation(
        compileModel(
          {
            format: 'nexdyn-scene',
            version: 1,
            options: { formulation, timestep: 2e-3, mujoco: { tolerance: 1e-12 }, sap: { relativeTolerance: 1e-12 } },
            shapes: [{ kind: 'plane', friction: 0.6 }],
            bodies: [
              {
                position: [0, 0, 0.3],
                joints: [{ kind: 'free' }],
                shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 2 }],
                bodies: [arm([arm()])],
              },
            ],
          },
          { coordinates: 'joint' },
        ),
      );
      simulation.state.velocity[3] = 4;
      const { metrics } = run(simulation, 400).summarize();
      expect(metrics.contacts.max).toBeGreaterThan(1);
      expect(metrics.momentumResidual.max).toBeLessThan(1e-8);
    },
  );

  test.each<FormulationId>(['sap', 'ccp'])('%s: servos that hold an arm at rest leave no residual', (formulation) => {
    const link = (name: string, position: Vec3, children: Body[]): Body => ({
      name,
      position,
      joints: [{ kind: 'hinge', name, axis: [0, 1, 0] }],
      shapes: [{ kind: 'capsule', radius: 0.03, halfLength: 0.15, position: [0.2, 0, 0], density: 1000 }],
      bodies: children,
    });
    const arm: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 1 / 60 },
      bodies: [link('upper', [0, 0, 1], [link('lower', [0.4, 0, 0], [])])],
      actuators: ['upper', 'lower'].map((joint) => ({
        kind: 'position',
        transmission: { kind: 'joint', joint },
        stiffness: 1e5,
      })),
    };
    const simulation = new Simulation(compileModel(arm, { formulation, coordinates: 'joint' }));
    simulation.setControl(0, 0.3);
    simulation.setControl(1, -0.5);
    const ruler = new Ruler(simulation);
    for (let n = 0; n < 120; n++) {
      expect(simulation.step().status).toBe('converged');
      // the bound of `converged`
      expect(ruler.measure().momentumResidual).toBeLessThan(1e-4);
    }
  });

  test('a force that did not act shows: twice the weight leaves half of the largest', () => {
    const simulation = box('ccp');
    simulation.step(50);
    const ruler = new Ruler(simulation);
    simulation.step();
    for (let i = 0; i < 6 * simulation.solvedContacts.count; i++) simulation.solvedContacts.force[i] *= 2;
    expect(ruler.measure().momentumResidual).toBeCloseTo(0.5, 6);
  });

  test.each(['semiImplicit', 'euler', 'implicitfast', 'implicit', 'midpoint'] as const)(
    '%s: what is implicit is counted',
    (integrator) => {
      const simulation = new Simulation(
        compileModel({
          format: 'nexdyn-scene',
          version: 1,
          options: { integrator, timestep: 0.01, ...(integrator === 'midpoint' && { formulation: 'sap' }) },
          bodies: [
            {
              joints: [{ kind: 'hinge', name: 'a', axis: [0, 1, 0], damping: 2, stiffness: 3 }],
              shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.2, position: [0.2, 0, 0], mass: 1 }],
              bodies: [
                {
                  position: [0.4, 0, 0],
                  joints: [{ kind: 'ball', damping: 0.5 }],
                  shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.2, position: [0.2, 0, 0], mass: 1 }],
                },
              ],
            },
          ],
          actuators: [{ kind: 'velocity', transmission: { kind: 'joint', joint: 'a' }, gain: 4 }],
        }),
      );
      simulation.setControl(0, 2);
      simulation.state.velocity[1] = 3;
      expect(run(simulation, 50).summarize().metrics.momentumResidual.max).toBeLessThan(1e-12);
    },
  );

  test('is not defined for Runge-Kutta', () => {
    expect(run(box('mujoco', { integrator: 'rk4' }), 3).summarize().metrics.momentumResidual.max).toBeNaN();
  });
});

describe('energy', () => {
  const still: SceneOptions = { gravity: [0, 0, 0] };

  test('free fall in steps loses m g² h²/2 in each', () => {
    const simulation = box('mujoco');
    simulation.state.position[2] = 10;
    const ruler = run(simulation, 50);
    expect(ruler.last.energyCreated / (-0.5 * 2 * (G * 1e-3) ** 2)).toBeCloseTo(1, 5);
    expect(ruler.summarize().energyDrift / (50 * ruler.last.energyCreated)).toBeCloseTo(1, 5);
  });

  test('the work of an applied force is no creation', () => {
    const simulation = box('mujoco', still);
    simulation.applyForce('box', { force: [0, 0, 7] });
    const { last } = run(simulation, 50);
    expect(last.energyCreated / ((-0.5 * (7 * 1e-3) ** 2) / 2)).toBeCloseTo(1, 6);
  });

  test.each<[string, SceneOptions]>([
    ['ccp with Coulomb friction', { formulation: 'ccp', ccp: { coulomb: true, tolerance: 1e-10 } }],
    ['lagged sap', { formulation: 'sap', sap: { contactModel: 'lagged', relativeTolerance: 1e-12 } }],
  ])('%s: friction takes out μ m g v and makes nothing', (_, options) => {
    const simulation = slidingBall({ ...options, timestep: 1e-3 }, 0, 3);
    // compliant contact sinks in first
    simulation.step(200);
    const ruler = new Ruler(simulation);
    let taken = 0;
    for (let n = 0; n < 200; n++) {
      simulation.step();
      ruler.measure();
      taken += 0.5 * G * 1e-3 * simulation.state.velocity[0];
    }
    const { energyDrift, metrics } = ruler.summarize();
    // ½ m (v⁺² − v²) = −μ m g h (v + v⁺)/2: half a step more than what is summed
    expect(Math.abs(energyDrift / -taken - 1)).toBeLessThan(1e-3 + (0.5 * 0.5 * G * 1e-3) / 1);
    expect(metrics.energyCreated.max).toBeLessThan(0);
  });

  test('what hops in the cone program takes its energy from the motion along', () => {
    const { metrics } = run(slidingBall({ formulation: 'ccp', ccp: { tolerance: 1e-10 } }, 0, 5), 60).summarize();
    expect(metrics.energyCreated.max).toBeLessThan(1e-9);
  });

  test('a step that was not measured leaves a hole, not a wrong number', () => {
    const simulation = box('mujoco');
    const ruler = run(simulation, 2);
    simulation.step(2);
    expect(ruler.measure().energyCreated).toBeNaN();
    simulation.step();
    expect(ruler.measure().energyCreated).not.toBeNaN();
    simulation.state.velocity[0] = 1;
    simulation.step();
    expect(ruler.measure().energyCreated).toBeNaN();
    expect(ruler.summarize().energyDrift).not.toBeNaN();
  });

  test('a belt gives the power of its friction, and what it carries does not slip', () => {
    const simulation = new Simulation(
      compileModel({
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'sap', timestep: 1e-3 },
        shapes: [{ kind: 'plane', friction: 0.5, surfaceVelocity: [1, 0, 0] }],
        bodies: [
          { joints: [{ kind: 'free' }], shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 2, friction: 0.5 }] },
        ],
        keyframes: [{ position: [0, 0, 0.1, 1, 0, 0, 0] }],
      }),
    );
    const ruler = new Ruler(simulation);
    for (let n = 0; n < 600; n++) {
      simulation.step();
      ruler.measure();
    }
    expect(simulation.state.velocity[0]).toBeCloseTo(1, 4);
    expect(Math.abs(ruler.last.energyCreated)).toBeLessThan(1e-6);
    expect(ruler.last.creep).toBeLessThan(1e-5);
    // half of the work of the belt, ½ m v² of m v², went into heat
    expect(ruler.summarize().energyDrift).toBeCloseTo(-1, 1);
  });

  test('springs of joints store energy in both coordinates', () => {
    const drifts = (['joint', 'body'] as const).map((coordinates) => {
      const simulation = new Simulation(
        compileModel(
          {
            format: 'nexdyn-scene',
            version: 1,
            options: { ...still, formulation: 'sap', timestep: 1e-3 },
            bodies: [
              {
                joints: [{ kind: 'slide', axis: [1, 0, 0], stiffness: 40, springReference: 0.1 }],
                shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
              },
            ],
          },
          { coordinates },
        ),
      );
      return run(simulation, 500).summarize().energyDrift;
    });
    // ½ k x² = 0.2 J swings to and fro; symplectic steps keep it to h ω/2
    for (const drift of drifts) expect(Math.abs(drift)).toBeLessThan(0.2 * 1e-3 * Math.sqrt(40));
  });
});

describe('joints', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', timestep: 1e-3, gravity: [0, 0, 0], disable: ['constraint'] },
    bodies: [
      {
        joints: [{ kind: 'hinge', name: 'a', axis: [0, 1, 0], limit: { range: [-0.5, 0.5] } }],
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, position: [0.5, 0, 0] }],
      },
    ],
  };

  test('drift is what joints are apart: 0 in joint coordinates', () => {
    // sap undoes half of it in a step, ccp all of it
    for (const [formulation, left] of [
      ['sap', 1e-3],
      ['ccp', 0],
    ] as const) {
      const options = { ...scene.options, disable: [] };
      const simulation = new Simulation(compileModel({ ...scene, options }, { formulation, coordinates: 'body' }));
      simulation.state.position[1] += 2e-3;
      const ruler = new Ruler(simulation);
      simulation.step();
      expect(Math.abs(ruler.measure().jointDrift - left), formulation).toBeLessThan(2e-5);
    }
    const joint = new Simulation(compileModel(scene, { coordinates: 'joint' }));
    expect(run(joint, 5).last.jointDrift).toBe(0);
  });

  test('limits are passed by what is beyond them', () => {
    const simulation = new Simulation(compileModel(scene, { coordinates: 'joint' }));
    simulation.state.position[0] = 0.75;
    expect(run(simulation, 1).last.limitViolation).toBeCloseTo(0.25, 12);
  });
});

test('time per phase and statuses are those of the steps measured', () => {
  let now = 0;
  const simulation = new Simulation(box('sap').model, { clock: () => (now += 0.5) });
  simulation.step(10);
  const { phases, statuses, steps } = run(simulation, 4).summarize();
  // every charge of the clock is half a millisecond; after the solve, contacts it made are looked for, and soft bodies it bent
  expect(phases).toEqual({ kinematics: 0.5, freeMotion: 0.5, collision: 1, solve: 1, integrate: 0.5 });
  expect(statuses).toMatchObject({ converged: 4, 'iteration-limit': 0, stalled: 0, diverged: 0 });
  expect(steps).toBe(4);
});

test('measuring changes nothing', () => {
  const plain = box('ccp', {}, [1, 0, 0, 0, 0, 1]);
  const measured = box('ccp', {}, [1, 0, 0, 0, 0, 1]);
  plain.step(50);
  run(measured, 50);
  expect(measured.hash()).toBe(plain.hash());
});

describe('soft bodies', () => {
  function open(position: Vec3, more: Partial<Scene> = {}): Simulation {
    return new Simulation(
      compileModel({
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'sap', timestep: 2e-3, sap: { relativeTolerance: 1e-12 } },
        shapes: [{ kind: 'plane' }],
        softBodies: [
          {
            name: 'cube',
            mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.05], cells: [2, 2, 1] },
            elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, massDamping: 10 },
            contact: 'point',
            position,
          },
        ],
        ...more,
      }),
    );
  }

  test('at rest the ground carries the weight and nothing slips', () => {
    const { last } = run(open([0, 0, 0.05]), 600);
    expect(last.normalForce / (1000 * 0.004 * G)).toBeCloseTo(1, 3);
    expect(last.creep).toBeLessThan(1e-5);
    expect(Math.abs(last.energyCreated)).toBeLessThan(1e-6);
  });

  test('in the air energy is lost to damping alone', () => {
    const ruler = run(open([0, 0, 10]), 50);
    // v̇ = −g − d v: the damper takes m d v² h, steps m g² h²/2
    const v = (G / 10) * (1 - Math.exp(-10 * 0.1));
    expect(ruler.last.energyCreated / (-4 * 10 * v * v * 2e-3)).toBeCloseTo(1, 1);
    // of momentum the ruler knows that of rigid bodies alone, and there is none
    expect(ruler.summarize().metrics.momentumResidual.max).toBeNaN();
  });

  test('contacts with them explain the motion of a rigid box on top', () => {
    const bodies = [
      {
        name: 'box',
        position: [0, 0, 0.151] as Vec3,
        joints: [{ kind: 'free' as const }],
        shapes: [{ kind: 'box' as const, halfSize: [0.2, 0.2, 0.05] as Vec3, mass: 3 }],
      },
    ];
    const ruler = run(open([0, 0, 0.05], { bodies }), 300);
    expect(ruler.summarize().metrics.momentumResidual.max).toBeLessThan(1e-8);
    expect(ruler.last.normalForce / ((3 + 3 + 4) * G)).toBeCloseTo(1, 1);
  });
});
