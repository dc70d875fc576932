/**
 * What someone tries first, with default options: springs, servos, overlaps, large steps, fast bodies. Each of these scenes went wrong in version
 * 0.1 behind a good status, or was refused. They use nothing but scenes, steps and readings that 0.1 had, so that they run on it as well.
 */
import {
  type Body,
  type Coordinates,
  compileModel,
  type FormulationId,
  type Joint,
  Ruler,
  type Scene,
  type Shape,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const ALL: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
/** Along x instead of z. */
const LYING: [number, number, number, number] = [Math.SQRT1_2, 0, Math.SQRT1_2, 0];
const FLOOR: Shape = { kind: 'plane', friction: 0.6 };
const BRICK: Shape = { kind: 'box', halfSize: [0.1, 0.06, 0.03], density: 1000, friction: 0.6 };
const cube = (half: number, density = 1000): Shape => ({ kind: 'box', halfSize: [half, half, half], density });

function place(name: string, position: Vec3, shape: Shape, joint: Joint = { kind: 'free' }): Body {
  return { name, position, joints: [joint], shapes: [shape] };
}

function start(parts: Partial<Scene>, formulation: FormulationId, coordinates?: Coordinates): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, ...parts };
  return new Simulation(compileModel(scene, { formulation, ...(coordinates && { coordinates }) }));
}

/** Takes steps that all converge with a residual that is a number. */
function advance(simulation: Simulation, steps: number, look: (n: number) => void = () => {}): void {
  for (let n = 1; n <= steps; n++) {
    const { status, residual } = simulation.step();
    expect(status, `step ${n}`).toBe('converged');
    expect(Number.isFinite(residual), `residual of step ${n}`).toBe(true);
    look(n);
  }
}

describe('overlaps of the start', () => {
  // 50 kg on boxes of 0.1 kg, all 45 µm in each other: what is less than half the range of the barrier is no overlap
  test('ipc: something heavy on light boxes, a hair too low', () => {
    const hair = 4.5e-5;
    const bodies = [
      place('a', [0, 0, 0.05 - hair], cube(0.05, 100)),
      place('b', [0, 0, 0.15 - 2 * hair], cube(0.05, 100)),
      place('c', [0, 0, 0.3 - 3 * hair], cube(0.1, 6250)),
    ];
    const simulation = start({ shapes: [FLOOR], bodies }, 'ipc');
    advance(simulation, 10);
    expect(Math.abs(simulation.bodyPosition[11]! - 0.3)).toBeLessThan(3e-3);
  });

  test.each([0, 1e-17])('ipc: a hinge holds a link %d m in the floor', (depth) => {
    const link = place('link', [0, 0, 0.1 - depth], cube(0.1), { kind: 'hinge', axis: [0, 0, 1] });
    advance(start({ shapes: [FLOOR], bodies: [link] }, 'ipc'), 5);
  });

  // a joint against an overlap of 27 mm: forces of the size of the weight, and the joint holds
  test.each(['mujoco', 'sap', 'ccp'] as const)('%s: a hinge holds a link 27 mm in the floor', (formulation) => {
    const link = place('link', [0, 0, 0.073], cube(0.1), { kind: 'hinge', axis: [0, 0, 1] });
    const simulation = start({ shapes: [FLOOR], bodies: [link] }, formulation);
    for (let n = 0; n < 10; n++) {
      expect(simulation.step().status).toBe('infeasible');
      for (const { normalForce } of simulation.contactForces()) expect(normalForce).toBeLessThan(8 * 9.81);
    }
    expect(Math.abs(simulation.bodyPosition[5]! - 0.073)).toBeLessThan(1e-4);
  });
});

describe('steps of a game', () => {
  // round-off alone: energy and momentum of single bodies are kept exactly
  test.each(ALL.flatMap((formulation) => [60, 240].map((rate) => [formulation, rate] as const)))(
    '%s: a tumbling box keeps its energy and momentum at 1/%d s',
    (formulation, rate) => {
      const options = { timestep: 1 / rate, gravity: [0, 0, 0] as Vec3 };
      const box: Shape = { kind: 'box', halfSize: [0.1, 0.2, 0.3], mass: 1 };
      const simulation = start({ options, bodies: [place('box', [0, 0, 0], box)] }, formulation);
      const spin = [0.1, 5, 0.1];
      const moments = [0.13, 0.1, 0.05].map((square) => square / 3);
      simulation.state.velocity.set(spin, 3);
      const energy = moments.reduce((sum, moment, k) => sum + 0.5 * moment * spin[k]! ** 2, 0);
      const momentum = Math.hypot(...moments.map((moment, k) => moment * spin[k]!));
      advance(simulation, 600, (n) => {
        if (n % 20 !== 0) return;
        expect(Math.abs(simulation.energy().kinetic / energy - 1)).toBeLessThan(1e-9);
        expect(Math.abs(Math.hypot(...simulation.momentum().angular) / momentum - 1)).toBeLessThan(1e-9);
      });
    },
  );

  // order two loses a quarter of (ω h)⁴ of the amplitude a step, 30° · 1200 · ¼ · (3.13/60)⁴ = 0.07°; backward Euler left 6°
  test('ipc: a pendulum of 1 m swings by 30° after 20 s at 1/60 s', () => {
    const angle = Math.PI / 6;
    const bob: Shape = {
      kind: 'sphere',
      radius: 0.05,
      mass: 1,
      position: [-Math.sin(angle), 0, -Math.cos(angle)],
    };
    const joint: Joint = { kind: 'hinge', axis: [0, 1, 0] };
    const simulation = start({ options: { timestep: 1 / 60 }, bodies: [place('rod', [0, 0, 0], bob, joint)] }, 'ipc');
    let swing = 0;
    advance(simulation, 1200, (n) => {
      const q = simulation.bodyOrientation;
      if (n > 1060) swing = Math.max(swing, Math.abs(2 * Math.atan2(q[6]!, q[4]!) + angle));
    });
    expect((swing * 180) / Math.PI).toBeGreaterThan(29);
  });

  // it sinks and leans within a millimetre while friction takes hold, and creeps by 0.1 mm from then on; it crept by 24 mm
  test('mujoco: a block that friction holds stays for 10 s at 1/60 s', () => {
    const options = { timestep: 1 / 60, gravity: [9.81 * Math.sin(0.3), 0, -9.81 * Math.cos(0.3)] as Vec3 };
    const simulation = start({ options, shapes: [FLOOR], bodies: [place('block', [0, 0, 0.1], cube(0.1))] }, 'mujoco');
    advance(simulation, 600);
    expect(Math.abs(simulation.bodyPosition[3]!)).toBeLessThan(2e-3);
  });

  test.each(['ccp', 'ipc'] as const)('%s: a chain of 50 links with an end a hundred times as heavy', (formulation) => {
    const links = 50;
    const length = 0.1;
    let chain: Body | undefined;
    for (let k = links; k > 0; k--) {
      const shape: Shape = {
        kind: 'capsule',
        radius: 0.01,
        halfLength: 0.03,
        position: [0.5 * length, 0, 0],
        orientation: LYING,
        mass: k === links ? 10 : 0.1,
      };
      const joint: Joint = { kind: 'hinge', axis: [0, 1, 0] };
      chain = { ...place(`link ${k}`, [k === 1 ? 0 : length, 0, 0], shape, joint), ...(chain && { bodies: [chain] }) };
    }
    const options: Scene['options'] = { timestep: 1 / 60, disable: ['contact'] };
    const simulation = start({ options, bodies: [chain!] }, formulation, 'body');
    let gap = 0;
    advance(simulation, 30, () => {
      const { bodyPosition: x, bodyOrientation: q } = simulation;
      for (let b = 1; b < links; b++) {
        const [w, , j] = q.subarray(4 * b, 4 * b + 3);
        const [along, down] = [1 - 2 * j! * j!, -2 * w! * j!];
        const gapX = x[3 * b]! + length * along - x[3 * b + 3]!;
        const gapZ = x[3 * b + 2]! + length * down - x[3 * b + 5]!;
        gap = Math.max(gap, Math.hypot(gapX, gapZ));
      }
    });
    expect(gap).toBeLessThan(1e-3);
  });

  test.each(['mujoco', 'sap', 'ccp'] as const)('%s: balls of 100 m/s do not pass a wall of 1 cm', (formulation) => {
    const wall: Shape = { kind: 'box', halfSize: [0.005, 4, 4] };
    const ball: Shape = { kind: 'sphere', radius: 0.02, density: 1000 };
    for (let k = 0; k < 20; k++) {
      const h = k % 2 === 0 ? 1 / 240 : 1 / 60;
      const from: Vec3 = [-0.3 - 0.17 * k, 0.05 * k - 0.2, 0.03 * k];
      const options = { timestep: h, gravity: [0, 0, 0] as Vec3 };
      const simulation = start({ options, shapes: [wall], bodies: [place('ball', from, ball)] }, formulation);
      simulation.state.velocity[0] = 100;
      advance(simulation, Math.round(0.1 / h));
      expect(simulation.bodyPosition[3]).toBeLessThan(0);
    }
  });
});

// six links, the last of 30 g, with the gains of a robot of 20 kg; parts were 1e50 mm away under mujoco and 1e35 mm under ipc
describe('servos', () => {
  const arm = (): Body => {
    const tube: Shape = { kind: 'capsule', radius: 0.04, halfLength: 0.12, position: [0, 0, 0.2], density: 1500 };
    const wrist: Shape = { kind: 'sphere', radius: 0.02, position: [0, 0, 0.03], density: 1000 };
    let link: Body | undefined;
    for (let k = 5; k >= 0; k--) {
      const axis: Vec3 = k % 3 === 0 || k === 5 ? [0, 0, 1] : [0, 1, 0];
      const joint: Joint = { name: `joint ${k}`, kind: 'hinge', axis, damping: 1 };
      const height = k === 0 ? 0.5 : k < 4 ? 0.4 : 0.06;
      const body = place(`link ${k}`, [0, 0, height], k < 4 ? tube : wrist, joint);
      link = { ...body, ...(link && { bodies: [link] }) };
    }
    return link!;
  };
  const actuators: Scene['actuators'] = Array.from({ length: 6 }, (_, k) => ({
    kind: 'position',
    transmission: { kind: 'joint', joint: `joint ${k}` },
    stiffness: 2000,
    damping: 200,
  }));
  const settle = (formulation: FormulationId, coordinates: Coordinates): Float64Array => {
    const options: Scene['options'] = { timestep: 0.002, disable: ['contact'] };
    const simulation = start({ options, bodies: [arm()], actuators: actuators! }, formulation, coordinates);
    simulation.state.control.set([0.3, 0.5, -0.8, 0.4, 0.6, 0]);
    advance(simulation, 100);
    return simulation.bodyPosition;
  };

  // both are of order one at least: 0.5 mm after 0.2 s
  test.each(['mujoco', 'sap', 'ipc'] as const)('%s: an arm in body coordinates moves as in joint coordinates', (id) => {
    const joint = settle('mujoco', 'joint').slice();
    for (const [i, x] of settle(id, 'body').entries()) expect(Math.abs(x - joint[i]!)).toBeLessThan(1e-3);
  });
});

describe('statuses', () => {
  test.each(ALL)('%s: a spring of 1e7 N/m on 1 kg at 2 ms makes no energy', (formulation) => {
    const spring: Joint = { kind: 'slide', axis: [1, 0, 0], stiffness: 1e7 };
    const ball: Shape = { kind: 'sphere', radius: 0.1, mass: 1 };
    const options = { timestep: 0.002, gravity: [0, 0, 0] as Vec3 };
    const simulation = start({ options, bodies: [place('ball', [0, 0, 0], ball, spring)] }, formulation);
    simulation.state.velocity[0] = 1;
    advance(simulation, 100, () => expect(simulation.energy().total).toBeLessThan(0.5 * (1 + 1e-6)));
  });

  test.each(ALL)('%s: a box at 100 rad/s and 10 ms keeps its energy', (formulation) => {
    const options = { timestep: 0.01, gravity: [0, 0, 0] as Vec3 };
    const simulation = start({ options, bodies: [place('box', [0, 0, 0], BRICK)] }, formulation);
    simulation.state.velocity.set([60, 70, 40], 3);
    const mass = 1000 * 0.2 * 0.12 * 0.06;
    const square = [0.1 ** 2, 0.06 ** 2, 0.03 ** 2];
    const energy = [60, 70, 40].reduce(
      (sum, w, k) => sum + (mass / 6) * (square[(k + 1) % 3]! + square[(k + 2) % 3]!) * w * w,
      0,
    );
    advance(simulation, 100, () => expect(Math.abs(simulation.energy().kinetic / energy - 1)).toBeLessThan(1e-6));
  });

  // it lands and swings on; the energy of the start is that of its spin and height, which contacts can only lower
  test.each([
    ['newton', 'pyramidal'],
    ['pgs', 'elliptic'],
  ] as const)('mujoco, %s, %s: a capsule on a ball joint over a floor at 5 ms', (solver, cone) => {
    const joint: Joint = { kind: 'ball' };
    const capsule: Shape = {
      kind: 'capsule',
      radius: 0.05,
      halfLength: 0.3,
      position: [0.3, 0, 0],
      orientation: LYING,
      density: 1000,
    };
    const options: Scene['options'] = { timestep: 0.005, mujoco: { solver, cone } };
    const simulation = start(
      { options, shapes: [FLOOR], bodies: [place('arm', [0, 0, 0.35], capsule, joint)] },
      'mujoco',
    );
    simulation.state.velocity.set([50, 0, 60], 0);
    simulation.step();
    const first = simulation.energy().total;
    advance(simulation, 200, () => expect(simulation.energy().total).toBeLessThan(1.001 * first));
  });

  // version 0.1 made 6e8 J of 72 J in steps that were all converged; so does MuJoCo
  test('mujoco: without friction, pyramids do not throw a link on a ball joint', () => {
    const rod = (mass: number): Shape => ({ kind: 'capsule', radius: 0.05, halfLength: 0.25, mass, friction: 0 });
    const link: Body = place('link', [0.4, 0, 0.1], rod(0.1), { kind: 'ball', anchor: [-0.25, 0, 0] });
    const body: Body = { ...place('body', [0, 0, 0.5], rod(10)), bodies: [link] };
    const options: Scene['options'] = { timestep: 0.005, integrator: 'implicit', mujoco: { cone: 'pyramidal' } };
    const shapes: Shape[] = [{ kind: 'plane', friction: 0 }];
    const simulation = start({ options, shapes, bodies: [body] }, 'mujoco');
    simulation.state.velocity.set([1, -1, 0.5, 2, -1, 1.5, 1, -2, 1]);
    for (let n = 0; n < 300; n++) {
      const { status } = simulation.step();
      if (status === 'unstable') break;
      expect(simulation.energy().total).toBeLessThan(200);
    }
  });

  // the ruler bounds what a converged step promises: momentum to 1e-4 under sap, to 1e-6 under ccp
  test.each([
    ['sap', 1e-4],
    ['ccp', 1e-6],
  ] as const)('%s: momentum is balanced with the integrator implicit', (formulation, bound) => {
    const options: Scene['options'] = { timestep: 0.01, integrator: 'implicit' };
    const bodies = [place('brick', [0, 0, 0.3], BRICK)];
    const simulation = start({ options, shapes: [FLOOR], bodies }, formulation);
    simulation.state.velocity.set([1, 0, 0, 20, 30, 10]);
    const ruler = new Ruler(simulation);
    advance(simulation, 100, () => expect(ruler.measure().momentumResidual).toBeLessThan(bound));
  });

  // within the cone to a thousandth of the largest normal force; 890 N outside it before
  test('sap: lagged friction ends with the normal force', () => {
    const options: Scene['options'] = { timestep: 0.002, sap: { contactModel: 'lagged' } };
    const bodies = [place('brick', [0, 0, 0.3], BRICK)];
    const simulation = start({ options, shapes: [FLOOR], bodies }, 'sap');
    simulation.state.velocity.set([2, 0, -2, 5, 3, 1]);
    const ruler = new Ruler(simulation);
    advance(simulation, 200, () => {
      const normal = simulation.contactForces().map(({ normalForce }) => normalForce);
      expect(ruler.measure().coneViolation).toBeLessThanOrEqual(1e-3 * Math.max(0, ...normal) + 1e-12);
    });
  });

  // one pass over friction: the friction that acted is that of the report
  test('ipc: momentum is balanced by the friction that acted', () => {
    const options = { timestep: 0.01 };
    const bodies = [place('brick', [0, 0, 0.05], BRICK)];
    const simulation = start({ options, shapes: [FLOOR], bodies }, 'ipc');
    simulation.state.velocity.set([3, 0, -3, 0, 2, 1]);
    const ruler = new Ruler(simulation);
    // tolerance / (h g)
    advance(simulation, 60, () => expect(ruler.measure().momentumResidual).toBeLessThan(1e-4 / (0.01 * 9.81)));
  });

  test('ipc: a tolerance below all numbers takes no more iterations than round-off allows', () => {
    const options: Scene['options'] = { timestep: 0.005, ipc: { tolerance: 1e-300 } };
    const bodies = [place('low', [0.003, 0, 0.1005], cube(0.1)), place('high', [0.009, 0, 0.302], cube(0.1))];
    const simulation = start({ options, shapes: [FLOOR], bodies }, 'ipc');
    for (let n = 0; n < 10; n++) expect(simulation.step().iterations).toBeLessThan(100);
  });
});
