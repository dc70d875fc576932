/**
 * Joints of the position-level formulation: the augmented Lagrangian closes gaps that the pure penalty leaves open, its
 * multiplier is the force of the joint, pendulums swing in their time, loops stay closed, limits hold.
 */
import {
  type Body,
  compileModel,
  type IpcOptions,
  Ruler,
  type Scene,
  type Shape,
  Simulation,
  scene,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest, takeCases } from '../../scripts/long-run.ts';

const G = 9.81;
const ghost = { collisionGroups: 0, collisionMask: 0 };

function build(parts: Partial<Scene>, h: number, ipc: IpcOptions = {}): Simulation {
  const options = { timestep: h, ...parts.options, ipc: { tolerance: 1e-6, ...ipc } };
  return new Simulation(
    compileModel({ format: 'nexdyn-scene', version: 1, ...parts, options }, { formulation: 'ipc' }),
  );
}

/** A bar along x from the origin of its body, m. */
const bar = (length: number): Shape => ({
  kind: 'box',
  halfSize: [length / 2, 0.02, 0.02],
  position: [length / 2, 0, 0],
  ...ghost,
});

/** A pendulum of length 1 that hangs down from the origin. */
const pendulum: Body = {
  name: 'rod',
  joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
  shapes: [{ kind: 'box', halfSize: [0.02, 0.02, 0.5], position: [0, 0, -0.5], ...ghost }],
};
const MASS = 1000 * 0.04 * 0.04;

/** Distance of the hinge's point of the rod from the origin. */
const gapOf = (simulation: Simulation): number => Math.hypot(...simulation.bodyPosition.subarray(3, 6));

describe('a hinge', () => {
  test('at rest its multiplier is the weight, and its gap is closed', () => {
    const simulation = build({ bodies: [pendulum] }, 0.01);
    for (let n = 0; n < 20; n++) expect(simulation.step().status).toBe('converged');
    const force = simulation.state.impulses.value.subarray(0, 6).map((impulse) => impulse / 0.01);
    expect(Math.abs(force[2]! / (MASS * G) - 1)).toBeLessThan(1e-6);
    for (const k of [0, 1, 3, 4]) expect(Math.abs(force[k]!)).toBeLessThan(1e-6);
    expect(gapOf(simulation)).toBeLessThan(1e-9);
  });

  test('the pure penalty leaves the gap g h²/γ', () => {
    const simulation = build({ bodies: [pendulum] }, 0.01, { joints: 'penalty' });
    simulation.step(50);
    expect(gapOf(simulation) / ((G * 1e-4) / 100)).toBeCloseTo(1, 6);
  });

  test.each([1e2, 1e3, 1e4])('with γ = %f the pure penalty leaves g h²/γ', (jointPenalty) => {
    const simulation = build({ bodies: [pendulum] }, 0.01, { joints: 'penalty', jointPenalty });
    simulation.step(50);
    expect(gapOf(simulation) / ((G * 1e-4) / jointPenalty)).toBeCloseTo(1, 5);
  });

  test('one round does not close the gap of a first step, and says so; with more γ and rounds it does', () => {
    const first = build({ bodies: [pendulum] }, 0.01, { jointRounds: 1 });
    expect(first.step().status).toBe('iteration-limit');
    expect(gapOf(first)).toBeGreaterThan(1e-6);
    const hard = build({ bodies: [pendulum] }, 0.01, { jointRounds: 1, jointPenalty: 1e5 });
    expect(hard.step().status).toBe('converged');
    expect(gapOf(hard)).toBeLessThan(1e-6);
  });

  test('a penalty below the inertia needs growth: without it the rounds run out', () => {
    const soft = { jointPenalty: 0.1, jointRounds: 12 };
    expect(build({ bodies: [pendulum] }, 0.01, { ...soft, jointPenaltyGrowth: 1 }).step().status).toBe(
      'iteration-limit',
    );
    const growing = build({ bodies: [pendulum] }, 0.01, { ...soft, jointPenaltyGrowth: 10 });
    expect(growing.step().status).toBe('converged');
    expect(gapOf(growing)).toBeLessThan(1e-6);
  });

  test.each([1e-4, 1e-8, 1e-10])('the gap keeps to a tolerance of %f m', (jointTolerance) => {
    const simulation = build({ bodies: [pendulum] }, 0.01, { jointTolerance, jointAngleTolerance: jointTolerance });
    simulation.state.velocity[4] = 3;
    for (let n = 0; n < 20; n++) {
      expect(simulation.step().status).toBe('converged');
      // the tolerance is by row: three of them
      expect(gapOf(simulation)).toBeLessThan(2 * jointTolerance);
    }
  });

  test('a pendulum swings in its time, to the order of the step, with its gap below 1e-6 m throughout', () => {
    const inertia = MASS * (1 / 3 + 0.04 ** 2 / 12);
    const a = 0.1;
    const exact = 2 * Math.PI * Math.sqrt(inertia / (MASS * G * 0.5)) * (1 + a ** 2 / 16);
    for (const h of [0.01, 0.005]) {
      const simulation = build({ bodies: [pendulum] }, h);
      const [c, s] = [Math.cos(a / 2), Math.sin(a / 2)];
      simulation.state.position.set([-0.5 * Math.sin(a), 0, -0.5 * Math.cos(a), c, 0, s, 0]);
      const crossings: number[] = [];
      let last = 1;
      for (let n = 0; n < 5 / h; n++) {
        expect(simulation.step().status).toBe('converged');
        expect(gapOf(simulation)).toBeLessThan(1e-6);
        const angle = Math.atan2(-simulation.state.position[0]!, -simulation.state.position[2]!);
        if (last < 0 && angle >= 0) crossings.push(simulation.time - (h * angle) / (angle - last));
        last = angle;
      }
      const period = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1);
      // backward Euler damps: the period of the damped swing differs by (h ω)²/8 and by the falling amplitude
      expect(Math.abs(period / exact - 1)).toBeLessThan(a ** 2 / 16 + (h * 4) ** 2);
    }
  });

  test('a limit holds the rod against gravity', () => {
    const held: Body = { ...pendulum, joints: [{ kind: 'hinge', axis: [0, 1, 0], limit: { range: [0.2, 1] } }] };
    const simulation = build({ bodies: [held] }, 0.01);
    const a = 0.4;
    simulation.state.position.set([-0.5 * Math.sin(a), 0, -0.5 * Math.cos(a), Math.cos(a / 2), 0, Math.sin(a / 2), 0]);
    for (let n = 0; n < 200; n++) expect(simulation.step().status).toBe('converged');
    const angle = Math.atan2(-simulation.state.position[0]!, -simulation.state.position[2]!);
    expect(Math.abs(angle - 0.2)).toBeLessThan(1e-5);
  });

  test('a restored state goes on with the same bytes', () => {
    const simulation = build({ bodies: [pendulum] }, 0.01);
    simulation.state.velocity[4] = 1;
    simulation.step(20);
    const snapshot = simulation.snapshot();
    simulation.step(20);
    const hash = simulation.hash();
    simulation.restore(snapshot);
    simulation.step(20);
    expect(simulation.hash()).toBe(hash);
  });
});

describe('a chain of five links with a hundred times the mass at its end', () => {
  const link = (k: number): Body => ({
    name: `link ${k}`,
    position: [k === 0 ? 0 : 0.2, 0, 0],
    joints: [{ kind: 'ball' }],
    shapes: [
      {
        kind: 'capsule',
        radius: 0.02,
        halfLength: 0.08,
        position: [0.1, 0, 0],
        orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
        mass: k === 4 ? 100 : 1,
        ...ghost,
      },
    ],
    bodies: k === 4 ? [] : [link(k + 1)],
  });

  // it falls from level, through the lowest point and up again: the tension is more than the weight of 100 kg
  test.each(takeCases([0.005, 0.01, 0.02], 3))('swings for a second at h = %f s: every step converges, no gap', (h) => {
    const simulation = build({ bodies: [link(0)] }, h);
    const ruler = new Ruler(simulation);
    for (let n = 0; n < Math.round(1 / h); n++) {
      expect(simulation.step().status).toBe('converged');
      expect(ruler.measure().jointDrift).toBeLessThan(1e-5);
    }
  });
});

/**
 * Links that turn over in a step are pushed together where they were pulled apart before: the tension that was makes a saddle, which
 * negative curvature leads away from.
 */
test('a chain of ten links with a hundred times the mass at its end whips at 1/60 s: every step converges, no gap', () => {
  const link = (n: number): Body => {
    const scale = n === 10 ? 100 : 1;
    const inertia = { mass: 0.1 * scale, moments: [1e-4 * scale, 1e-4 * scale, 1e-4 * scale] as Vec3 };
    return {
      position: [n === 1 ? 0 : 0.1, 0, 0],
      joints: [{ kind: 'ball' }],
      inertia: { kind: 'principal', center: [0.05, 0, 0], ...inertia },
      bodies: n === 10 ? [] : [link(n + 1)],
    };
  };
  const simulation = build({ bodies: [link(1)] }, 1 / 60);
  const ruler = new Ruler(simulation);
  const start = simulation.energy().total;
  for (let n = 0; n < 100; n++) {
    expect(simulation.step().status).toBe('converged');
    expect(ruler.measure().jointDrift).toBeLessThan(1e-5);
    expect(simulation.energy().total).toBeLessThan(start + 1e-6);
  }
});

describe('closed loops', () => {
  /** Distance of two points of bodies. */
  function gapBetween(simulation: Simulation, b1: number, x1: number, b2: number, x2: number): number {
    const end = (b: number, x: number): number[] => {
      const [w, qx, qy, qz] = simulation.bodyOrientation.subarray(4 * b, 4 * b + 4) as unknown as number[];
      const axis = [1 - 2 * (qy! * qy! + qz! * qz!), 2 * (qx! * qy! + w! * qz!), 2 * (qx! * qz! - w! * qy!)];
      return axis.map((value, k) => simulation.bodyPosition[3 * b + k]! + x * value);
    };
    const [p, q] = [end(b1, x1), end(b2, x2)];
    return Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!);
  }

  const upright: [number, number, number, number] = [Math.SQRT1_2, 0, -Math.SQRT1_2, 0];

  test('a four-bar linkage driven by a motor turns for 5 s and stays closed', () => {
    const crank: Body = {
      name: 'crank',
      orientation: upright,
      joints: [{ kind: 'hinge', name: 'drive', axis: [0, 1, 0], damping: 0.5 }],
      shapes: [bar(0.3)],
      bodies: [
        {
          name: 'coupler',
          position: [0.3, 0, 0],
          orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
          joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
          shapes: [bar(1)],
        },
      ],
    };
    // at the start the coupler is level, 0.3 above the ground pivots, and the rocker reaches up to its end
    const rocker: Body = {
      name: 'rocker',
      position: [1, 0, -0.4],
      orientation: upright,
      joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
      shapes: [bar(0.7)],
    };
    const simulation = build(
      {
        options: { gravity: [0, 0, 0] },
        bodies: [crank, rocker],
        equalities: [{ kind: 'connect', body1: 'coupler', body2: 'rocker', anchor: [1, 0, 0] }],
        actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'drive' } }],
      },
      0.01,
    );
    simulation.setControl('motor', 2);
    let turned = 0;
    for (let n = 0; n < 500; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(gapBetween(simulation, 2, 1, 3, 0.7)).toBeLessThan(2e-6);
      turned += Math.abs(simulation.state.velocity[4]!) * 0.01;
    }
    expect(turned).toBeGreaterThan(4 * Math.PI);
  });

  longTest('a slider-crank runs for 5 s', () => {
    const simulation = build(
      {
        options: { gravity: [0, 0, 0] },
        bodies: [
          {
            name: 'crank',
            joints: [{ kind: 'hinge', name: 'drive', axis: [0, 1, 0], damping: 0.5 }],
            shapes: [bar(0.3)],
            bodies: [
              {
                name: 'rod',
                position: [0.3, 0, 0],
                joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
                shapes: [bar(0.8)],
              },
            ],
          },
          {
            name: 'piston',
            position: [1.1, 0, 0],
            joints: [{ kind: 'slide', axis: [1, 0, 0] }],
            shapes: [{ kind: 'box', halfSize: [0.05, 0.05, 0.05], ...ghost }],
          },
        ],
        equalities: [{ kind: 'connect', body1: 'rod', body2: 'piston', anchor: [0.8, 0, 0] }],
        actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'drive' } }],
      },
      0.01,
    );
    simulation.setControl('motor', 2);
    let least = Infinity;
    let most = -Infinity;
    for (let n = 0; n < 500; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(gapBetween(simulation, 2, 0.8, 3, 0)).toBeLessThan(2e-6);
      const x = simulation.bodyPosition[9]!;
      least = Math.min(least, x);
      most = Math.max(most, x);
    }
    // both dead centres: 0.8 ± 0.3
    expect(least).toBeLessThan(0.51);
    expect(least).toBeGreaterThan(0.5 - 1e-5);
    expect(most).toBeGreaterThan(1.09);
    expect(most).toBeLessThan(1.1 + 1e-5);
  });
});

test.each([1e-9, 1e-8])(
  'a pin of one gram with a slide %d m from its centre is held, with a mocap body beside it',
  (off) => {
    const world = scene('pin').timestep(0.001);
    world.plane('floor');
    world.body('hand', { position: [0, 0, 1], mocap: true }).sphere({ radius: 0.02 });
    const object = world.body('object', { position: [0, 0, 0.3] }).free();
    object.cylinder({ radius: 0.03, halfLength: 0.035, position: [0, 0, -0.05], mass: 0.1 });
    object
      .body('pin')
      .slide('lift', { axis: [0, 0, 1], limit: { range: [1e-4, 1.001e-4] }, frictionLoss: 1, damping: 0.05 })
      .capsule({ radius: 0.002, halfLength: 0.03, position: [off, 0, 0], mass: 0.001 });
    const simulation = new Simulation(compileModel(world.build(), { formulation: 'ipc' }));
    for (let k = 0; k < 30; k++) expect(simulation.step().status).toBe('converged');
    expect(simulation.jointPosition('lift')).toBeGreaterThan(1e-4 - 1e-6);
    expect(simulation.jointPosition('lift')).toBeLessThan(1.001e-4 + 1e-6);
  },
);
