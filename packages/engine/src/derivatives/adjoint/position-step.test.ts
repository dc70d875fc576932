/** `ipc` in reverse: every entry against centred differences of whole steps, and the gradient along itself. */
import { expect, test } from 'vitest';
import { takeCases } from '../../../../../scripts/long-run.ts';
import '../../compliance.ts';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Shape } from '../../scene/shape.ts';
import type { SoftBody } from '../../scene/soft-body.ts';
import { Simulation } from '../../simulation.ts';
import { linearize } from '../linearize.ts';
import { jvp, vjp } from '../products.ts';
import { rollout } from '../rollout.ts';
import { findTwin } from '../twin.ts';
import { findAdjoint } from './twin-adjoint.ts';

const GROUND: Shape = { kind: 'plane', friction: 0.4 };

const free = (name: string, z: number, shape: object): Body => ({
  name,
  position: [0.02 * z, 0.01, z],
  joints: [{ kind: 'free' }],
  shapes: [{ friction: 0.4, density: 500, ...shape } as Shape],
});

const block = (parts: object): SoftBody =>
  ({
    name: 'block',
    mesh: { kind: 'box', halfSize: [0.1, 0.05, 0.05], cells: [1, 1, 1] },
    elasticity: { model: 'neoHookean', youngsModulus: 2e4, poissonRatio: 0.3, stiffnessDamping: 0.01, density: 500 },
    ...parts,
  }) as SoftBody;

const link = (name: string, joint: object, bodies: Body[] = []): Body => ({
  name,
  position: [0.3, 0, 0],
  joints: [joint as never],
  shapes: [{ kind: 'box', position: [0.15, 0, 0], halfSize: [0.1, 0.02, 0.03], density: 500 }],
  bodies,
});

/** What moves, and steps before the one that is looked at. */
const SCENES: Readonly<Record<string, { parts: Partial<Scene>; steps: number }>> = {
  'a box that flies and turns': {
    parts: { bodies: [free('a', 2, { kind: 'box', halfSize: [0.1, 0.12, 0.2] })] },
    steps: 3,
  },
  'a ball that rolls': {
    parts: { shapes: [GROUND], bodies: [free('a', 0.1002, { kind: 'sphere', radius: 0.1 })] },
    steps: 2,
  },
  'a box that slides': {
    parts: { shapes: [GROUND], bodies: [free('a', 0.1002, { kind: 'box', halfSize: [0.1, 0.12, 0.1] })] },
    steps: 2,
  },
  'a box on its edge across a box': {
    parts: {
      shapes: [GROUND],
      bodies: [
        free('a', 0.1002, { kind: 'box', halfSize: [0.1, 0.06, 0.1] }),
        {
          ...free('b', 0.2004 + 0.1 * Math.SQRT2, { kind: 'box', halfSize: [0.1, 0.2, 0.1] }),
          orientation: [Math.cos(Math.PI / 8), 0, Math.sin(Math.PI / 8), 0],
        },
      ],
    },
    steps: 2,
  },
  'a capsule and a corner on a box': {
    parts: {
      shapes: [GROUND],
      bodies: [
        free('a', 0.1002, { kind: 'box', halfSize: [0.2, 0.2, 0.1] }),
        free('b', 0.2504, { kind: 'capsule', radius: 0.05, halfLength: 0.05, orientation: [0.7, 0.1, 0.7, 0.1] }),
        {
          ...free('c', 0.2004 + 0.05 * Math.sqrt(3), { kind: 'box', halfSize: [0.05, 0.05, 0.05] }),
          position: [0.1, 0.12, 0.2004 + 0.05 * Math.sqrt(3)],
          orientation: [0.8804762392171493, 0.3647051996310008, -0.27984814233312133, -0.11591689595929514],
        },
      ],
    },
    steps: 2,
  },
  'a soft block, pinned': { parts: { softBodies: [block({ position: [0, 0, 1], pinned: [0, 1] })] }, steps: 2 },
  'a soft block on a box': {
    parts: {
      shapes: [GROUND],
      bodies: [free('a', 0.1252, { kind: 'box', halfSize: [0.2, 0.22, 0.125] })],
      softBodies: [
        block({
          position: [0, 0, 0.3004],
          elasticity: { model: 'neoHookean', youngsModulus: 2e4, poissonRatio: 0.3, density: 500 },
        }),
      ],
    },
    steps: 2,
  },
  'links on a hinge and a ball': {
    parts: { bodies: [link('a', { kind: 'hinge', axis: [0, 1, 0] }, [link('b', { kind: 'ball' })])] },
    steps: 2,
  },
  // it sees both sides of the valley, and the line between them counts negative: they share its friction
  'a ball on a hinged link in a valley': {
    parts: {
      options: { timestep: 0.004, ipc: { frictionPasses: 1, barrierDistance: 0.02 } },
      heightFields: [
        {
          name: 'valley',
          rows: 2,
          columns: 3,
          halfSize: [0.3, 0.3],
          baseDepth: 0.1,
          heights: [0.02, 0, 0.02, 0.02, 0, 0.02],
        },
      ],
      shapes: [{ kind: 'heightField', heightField: 'valley', friction: 0.4 } as Shape],
      bodies: [
        {
          name: 'a',
          position: [-0.296, 0.04, 0.065],
          joints: [{ kind: 'hinge', axis: [0.3, 1, 0] }],
          shapes: [{ kind: 'sphere', position: [0.3, 0, 0], radius: 0.05, density: 9000, friction: 0.4 }],
        },
      ],
    },
    steps: 20,
  },
  // the field is curved along the surface that touches it
  'a ring on an ellipsoid': {
    parts: {
      signedDistanceFields: [{ name: 'ring', kind: 'torus', majorRadius: 0.1, minorRadius: 0.04 }],
      shapes: [{ kind: 'ellipsoid', radii: [0.27, 0.18, 0.21], friction: 0 } as Shape],
      bodies: [
        {
          ...free('a', 0.285, { kind: 'signedDistance', field: 'ring', friction: 0 }),
          orientation: [0.93, 0.3, 0.2, 0],
        },
      ],
    },
    steps: 6,
  },
  // friction of soft bodies begins the step anew to see its start: the forces of terms were in its predictions then
  'a box on a spring beside a soft block that slides': {
    parts: {
      shapes: [GROUND],
      bodies: [free('a', 2, { kind: 'box', halfSize: [0.1, 0.12, 0.2] })],
      softBodies: [block({ position: [0, 0, 0.0502] })],
      terms: [
        {
          kind: 'springNetwork',
          name: 'net',
          points: [
            { body: 'a', at: [0.1, 0.02, 0.2] },
            { body: 'world', at: [0, 0, 3.5] },
          ],
          springs: [{ between: [0, 1], restLength: 0.5 }],
          stiffness: 300,
        },
      ],
    },
    steps: 8,
  },
  'boxes and soft vertices on springs with dampers, in a wind': {
    parts: {
      bodies: [
        free('a', 2, { kind: 'box', halfSize: [0.1, 0.12, 0.2] }),
        free('b', 3, { kind: 'box', halfSize: [0.1, 0.05, 0.1] }),
      ],
      softBodies: [block({ position: [0, 0, 1] })],
      terms: [
        {
          kind: 'springNetwork',
          name: 'net',
          points: [
            { body: 'a', at: [0.1, 0.02, 0.2] },
            { body: 'b', at: [-0.1, 0.05, 0] },
            { body: 'world', at: [0, 0, 3.5] },
            { softBody: 'block', vertex: 1 },
          ],
          springs: [{ between: [0, 1] }, { between: [1, 2] }, { between: [0, 3], restLength: 0.5 }],
          stiffness: 200,
          damping: 2,
        },
        { kind: 'wind', name: 'wind', points: [{ body: 'a', at: [0, 0.1, 0] }], velocity: [3, 1, 0], drag: 0.4 },
      ],
    },
    steps: 2,
  },
};

function open({ parts, steps }: { parts: Partial<Scene>; steps: number }, options: Scene['options'] = {}): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    ...parts,
    options: { timestep: 0.004, ipc: { frictionPasses: 1 }, ...parts.options, ...options },
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
  const { velocity, softVelocity } = simulation.state;
  for (let i = 0; i < softVelocity.length; i++) softVelocity[i] = 0.05 * Math.sin(i);
  const isJointed = parts.bodies?.some(({ bodies }) => bodies && bodies.length > 0);
  for (let i = 0; !isJointed && i < velocity.length; i++) velocity[i] = [0.6, 0.3, -0.05, 0.2, 0.3, 0.1][i % 6]!;
  simulation.step(steps);
  return simulation;
}

for (const [name, scene] of Object.entries(SCENES)) {
  test(name, () => {
    const simulation = open(scene);
    const twin = findTwin(simulation);
    twin.restore(simulation.snapshot());
    expect(findAdjoint(twin)?.begin()).toBe(true);
    const { report } = linearize(simulation, { check: true, inputs: ['state', 'appliedForce'] });
    expect(report.method).toBe('implicit');
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(1e-6);
  });
}

test('vertices that are pinned and pulled are left to Newton steps', () => {
  const net = {
    kind: 'springNetwork',
    name: 'net',
    points: [
      { softBody: 'block', vertex: 1 },
      { body: 'a', at: [0, 0, 0] },
    ],
    springs: [{ between: [0, 1], restLength: 0.5 }],
    stiffness: 60,
  };
  const bodies = [free('a', 2, { kind: 'box', halfSize: [0.1, 0.12, 0.2] })];
  const parts = { bodies, softBodies: [block({ position: [0, 0, 1], pinned: [0, 1] })], terms: [net] };
  const simulation = open({ parts: parts as unknown as Partial<Scene>, steps: 3 });
  const { report } = linearize(simulation, { check: true });
  expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(1e-6);
});

test('the gradient along itself is its length squared, by differences of whole steps', () => {
  const simulation = open(SCENES['a soft block on a box']!);
  const size = 2 * simulation.model.size.velocity + 6 * simulation.model.size.softVertex;
  const lambda = Float64Array.from({ length: size }, (_, i) => Math.sin(1 + 3 * i));
  const { state } = vjp(simulation, { state: lambda });
  const length = Math.hypot(...state);
  const along = jvp(simulation, { state: state.map((value) => value / length) }, { method: 'difference' }).state;
  const slope = along.reduce((sum, value, i) => sum + value * lambda[i]!, 0);
  expect(Math.abs(slope / length - 1)).toBeLessThan(1e-6);
});

test('bodies that were moved by hand take backward Euler in derivatives as well', () => {
  const arm = {
    bodies: [link('a', { kind: 'hinge', axis: [0, 1, 0] }, [link('b', { kind: 'hinge', axis: [0, 1, 0.3] })])],
  };
  const simulation = open({ parts: arm, steps: 20 });
  for (const [i, speed] of [0.1, -0.2, 0.3, 0.2, 0.1, -0.1].entries()) simulation.state.velocity[i]! += speed;
  const count = simulation.model.size.velocity;
  const lambda = new Float64Array(2 * count);
  for (let i = count; i < 2 * count; i++) lambda[i] = Math.sin(1 + 3 * i);
  const { state } = vjp(simulation, { state: lambda });
  const length = Math.hypot(...state.subarray(count));
  // steps of the simulation itself, from velocities that are moved along the gradient
  const measure = (by: number): number => {
    const copy = new Simulation(simulation.model);
    copy.restore(simulation.snapshot());
    for (let i = 0; i < count; i++) copy.state.velocity[i]! += (by * state[count + i]!) / length;
    copy.step();
    return copy.state.velocity.reduce((sum, value, i) => sum + value * lambda[count + i]!, 0);
  };
  const slope = (measure(1e-2) - measure(-1e-2)) / 2e-2;
  // these end within the tolerance of the scene; steps of order two are 0.5 away
  expect(Math.abs(slope / length - 1)).toBeLessThan(1e-3);
});

test('bodies that a step moves apart first begin where they are put, not where they were', () => {
  for (const gap of [-0.005, 0, 5e-5]) {
    const ball = free('a', 0.1 + gap, { kind: 'sphere', radius: 0.1 });
    const simulation = open({ parts: { shapes: [GROUND], bodies: [ball] }, steps: 0 });
    const measure = (by: number): number => {
      const copy = open({ parts: { shapes: [GROUND], bodies: [ball] }, steps: 0 });
      copy.state.position[2]! += by;
      copy.step();
      return copy.state.position[2]! + copy.state.velocity[2]!;
    };
    const loss = new Float64Array(12);
    loss[2] = loss[8] = 1;
    const { state, report } = vjp(simulation, { state: loss });
    expect(report.kinks).toEqual([]);
    // steps of the scene end within its tolerance; without the move it is 250 or more
    expect(state[2]! - (measure(1e-6) - measure(-1e-6)) / 2e-6).toBeCloseTo(0, 2);
  }
});

// corners above corners: the Hessian of their distance holds to no side
test('boxes that stand exactly on each other', () => {
  const tower = (count: number): Simulation => {
    const cube = { kind: 'box', halfSize: [0.1, 0.1, 0.1] };
    const bodies = Array.from({ length: count }, (_, i) => ({
      ...free(`b${i}`, 0, cube),
      position: [0, 0, 0.1 + 0.2002 * i] as [number, number, number],
    }));
    const scene: Scene = { format: 'nexdyn-scene', version: 1, options: { timestep: 0.004 }, shapes: [GROUND], bodies };
    const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
    simulation.step(43);
    return simulation;
  };
  const simulation = tower(2);
  const { A, size, names, report } = linearize(simulation);
  expect(report.method).toBe('implicit');
  const twice = linearize(simulation, { method: 'difference' }).A;
  const entry = names.state.indexOf('velocity of b1 (turn x)') * size + names.state.indexOf('b1 (y)');
  // rounding of differences under ipc is 1e-7 of the largest entry of the row; the Hessian at the corner makes it twice as large
  expect(Math.abs(A[entry]! / twice[entry]! - 1)).toBeLessThan(1e-3);
  // many are gone through in reverse, and it is said
  const high = tower(5);
  const lambda = new Float64Array(2 * high.model.size.velocity).fill(1);
  expect(vjp(high, { state: lambda }).report.kinks).toEqual(['contact points']);
});

test('a rollout goes back from the solutions of its own steps as a chain of single steps does', () => {
  for (const name of ['a box on its edge across a box', 'a soft block, pinned', 'links on a hinge and a ball']) {
    // a step of order two also reads the one before
    const simulation = open(SCENES[name]!, { integrator: 'semiImplicit' });
    const size = 2 * simulation.model.size.velocity + 6 * simulation.model.size.softVertex;
    const lambda = Float64Array.from({ length: size }, (_, i) => Math.sin(1 + 3 * i));
    const run = rollout(simulation, undefined, { steps: 4 });
    const { state, unconverged } = run.backward(lambda);
    expect(unconverged).toEqual([]);
    const snapshots: Float64Array[] = [];
    for (let k = 0; k < 4; k++) {
      snapshots.push(simulation.snapshot());
      simulation.step();
    }
    let chained: Float64Array = lambda;
    for (const snapshot of snapshots.reverse()) {
      simulation.restore(snapshot);
      chained = vjp(simulation, { state: chained }).state;
    }
    const largest = Math.max(...chained.map(Math.abs));
    const error = Math.max(...state.map((value, i) => Math.abs(value - chained[i]!)));
    expect(error / largest, name).toBeLessThan(1e-8);
  }
});

test('an arm that swings keeps the order of its steps where rounding ends the solve', () => {
  const scene = {
    bodies: [link('a', { kind: 'hinge', axis: [0, 1, 0] }, [link('b', { kind: 'hinge', axis: [0, 1, 0] })])],
  };
  for (const steps of takeCases([20, 25, 29, 31], 2)) {
    const simulation = open({ parts: scene, steps });
    const twin = findTwin(simulation);
    twin.restore(simulation.snapshot());
    twin.step();
    simulation.step();
    const change = twin.state.velocity.map((v, i) => Math.abs(v - simulation.state.velocity[i]!));
    // backward Euler is 1e-2 away
    expect(Math.max(...change)).toBeLessThan(1e-3);
  }
});
