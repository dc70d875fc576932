/**
 * What no scene should ask for, under every formulation: either an error that names the code and the place, or a step that ends
 * with finite numbers and says how it ended. A state never holds NaN that its user did not write there.
 */
import {
  type Body,
  type Coordinates,
  compileModel,
  type FormulationId,
  type Joint,
  NexdynError,
  type Scene,
  type SceneOptions,
  type Shape,
  Simulation,
  type SolveStatus,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun, takeCases, takeSamples } from '../../scripts/long-run.ts';

interface Variant {
  formulation: FormulationId;
  solver: 'newton' | 'cg' | 'pgs' | 'pcg' | 'apgd' | 'spg' | 'admm';
  coordinates: Coordinates;
}

/** Solvers that stop within their tolerance or at their limit, where Newton's method ends on the minimum. */
const ITERATIVE: SolveStatus[] = ['iteration-limit', 'stalled'];

/** In `npm test` one solver of each formulation in both coordinates, and sweeps; in `npm run validate` all of them. */
const VARIANTS: Variant[] = (
  [
    { formulation: 'mujoco', solver: 'newton', coordinates: 'joint' },
    { formulation: 'mujoco', solver: 'cg', coordinates: 'joint' },
    { formulation: 'mujoco', solver: 'pgs', coordinates: 'joint' },
    { formulation: 'mujoco', solver: 'newton', coordinates: 'body' },
    { formulation: 'sap', solver: 'newton', coordinates: 'joint' },
    { formulation: 'sap', solver: 'pcg', coordinates: 'joint' },
    { formulation: 'sap', solver: 'newton', coordinates: 'body' },
    { formulation: 'ccp', solver: 'apgd', coordinates: 'body' },
    { formulation: 'ccp', solver: 'apgd', coordinates: 'joint' },
    { formulation: 'ccp', solver: 'spg', coordinates: 'body' },
    { formulation: 'ccp', solver: 'pgs', coordinates: 'body' },
    { formulation: 'ccp', solver: 'admm', coordinates: 'body' },
  ] as const
).filter(({ solver }) => isLongRun || !['cg', 'pcg', 'spg', 'admm'].includes(solver));

const free: Joint[] = [{ kind: 'free' }];
const box: Shape = { kind: 'box', halfSize: [0.1, 0.1, 0.1] };
const floor: Shape = { kind: 'plane' };
const world: Scene = { format: 'nexdyn-scene', version: 1 };
const hinge: Body = { name: 'arm', joints: [{ kind: 'hinge', name: 'turn', axis: [0, 1, 0] }], shapes: [box] };

/** A box on the floor, one millimetre deep. */
function boxOnFloor(shape: Partial<Shape> = {}, scene: Partial<Scene> = {}): Scene {
  const body: Body = { name: 'a', position: [0, 0, 0.099], joints: free, shapes: [{ ...box, ...shape } as Shape] };
  return { ...world, shapes: [floor], bodies: [body], ...scene };
}

function simulate(scene: Scene, { formulation, solver, coordinates }: Variant): Simulation {
  const options: SceneOptions = { ...scene.options, formulation, coordinates };
  if (formulation === 'mujoco') options.mujoco = { ...options.mujoco, solver: solver as 'newton' | 'cg' | 'pgs' };
  else if (formulation === 'sap') options.sap = { ...options.sap, solver: solver as 'newton' | 'pcg' };
  else options.ccp = { ...options.ccp, solver: solver as 'apgd' | 'spg' | 'pgs' | 'admm' };
  return new Simulation(compileModel({ ...scene, options }));
}

describe.each(VARIANTS)('errors of the scene under $formulation, $solver, $coordinates', (variant) => {
  const CASES: Record<string, { scene: Scene; code: string; path: string }> = {
    'a free body without shapes': {
      scene: { ...world, bodies: [{ name: 'a', joints: free }] },
      code: 'invalid-mass',
      path: 'bodies[0]',
    },
    'a free body of density zero': { scene: boxOnFloor({ density: 0 }), code: 'invalid-mass', path: 'bodies[0]' },
    'a time step of zero': {
      scene: { ...world, options: { timestep: 0 } },
      code: 'invalid-value',
      path: 'options.timestep',
    },
    'a negative time step': {
      scene: { ...world, options: { timestep: -0.01 } },
      code: 'invalid-value',
      path: 'options.timestep',
    },
    'a time step that is not a number': {
      scene: { ...world, options: { timestep: NaN } },
      code: 'invalid-value',
      path: 'options.timestep',
    },
    'an endless time step': {
      scene: { ...world, options: { timestep: Infinity } },
      code: 'invalid-value',
      path: 'options.timestep',
    },
    'a material of infinite stiffness': {
      scene: boxOnFloor({ material: 'm' }, { materials: [{ name: 'm', stiffness: Infinity }] }),
      code: 'invalid-value',
      path: 'materials[0].stiffness',
    },
    'a spring of infinite stiffness': {
      scene: {
        ...world,
        bodies: [{ ...hinge, joints: [{ kind: 'hinge', axis: [0, 1, 0], stiffness: Infinity }] }],
      },
      code: 'invalid-value',
      path: 'bodies[0].joints[0].stiffness',
    },
    'a contact of infinite stiffness': {
      scene: boxOnFloor({ mujoco: { solref: [-Infinity, -1] } }),
      code: 'invalid-value',
      path: 'bodies[0].shapes[0].mujoco.solref[0]',
    },
    'negative friction': {
      scene: boxOnFloor({ friction: -1 }),
      code: 'invalid-value',
      path: 'bodies[0].shapes[0].friction',
    },
    'an impedance ratio of zero': {
      scene: boxOnFloor({}, { options: { mujoco: { impedanceRatio: 0 } } }),
      code: 'invalid-value',
      path: 'options.mujoco.impedanceRatio',
    },
  };
  test.each(Object.entries(CASES))('%s', (_name, { scene, code, path }) => {
    let error: unknown;
    try {
      simulate(scene, variant);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(NexdynError);
    expect(error).toMatchObject({ code, path });
  });
});

describe.each(VARIANTS)('errors of the caller under $formulation, $solver, $coordinates', (variant) => {
  const scene: Scene = {
    ...world,
    bodies: [hinge, { name: 'hand', mocap: true, shapes: [box] }],
    actuators: [{ name: 'motor', kind: 'motor', transmission: { kind: 'joint', joint: 'turn' } }],
  };
  const CALLS: Record<string, (simulation: Simulation) => void> = {
    'a control': (simulation) => simulation.setControl('motor', NaN),
    'a force': (simulation) => simulation.applyForce('arm', { force: [0, NaN, 0] }),
    'an infinite torque': (simulation) => simulation.applyForce('arm', { torque: [Infinity, 0, 0] }),
    'the point of a force': (simulation) => simulation.applyForce('arm', { force: [1, 0, 0], point: [NaN, 0, 0] }),
    'a mocap position': (simulation) => simulation.setMocapPose('hand', [NaN, 0, 0]),
    'a mocap orientation': (simulation) => simulation.setMocapPose('hand', [0, 0, 0], [NaN, 0, 0, 0]),
    'a mocap orientation of zeros': (simulation) => simulation.setMocapPose('hand', [0, 0, 0], [0, 0, 0, 0]),
  };
  test.each(Object.entries(CALLS))('%s', (_name, call) => {
    const simulation = simulate(scene, variant);
    const before = simulation.hash();
    expect(() => call(simulation)).toThrow(expect.objectContaining({ name: 'NexdynError', code: 'invalid-argument' }));
    expect(simulation.hash()).toBe(before);
  });
});

describe.each(VARIANTS)(
  'numbers written into the state under $formulation, $solver, $coordinates: the step is not taken and names them',
  (variant) => {
    const WRITES: Record<string, { quantity: string; write: (simulation: Simulation) => void }> = {
      'NaN force on a joint': { quantity: 'appliedForce', write: ({ state }) => state.appliedForce.fill(NaN, 2, 3) },
      'NaN force on a body': { quantity: 'bodyWrench', write: ({ state }) => state.bodyWrench.fill(NaN, 7, 8) },
      'NaN position': { quantity: 'position', write: ({ state }) => state.position.fill(NaN, 1, 2) },
      'NaN warm start': { quantity: 'warmStart', write: ({ state }) => state.warmStart.fill(NaN, 0, 1) },
    };
    test.each(Object.entries(WRITES))('%s', (_name, { quantity, write }) => {
      const simulation = simulate(boxOnFloor(), variant);
      write(simulation);
      const before = simulation.hash();
      for (let k = 0; k < 3; k++) {
        const report = simulation.step();
        expect(report.status).toBe('diverged');
        expect(report.nonFinite).toMatchObject({ quantity, name: 'a' });
      }
      expect(simulation.hash()).toBe(before);
    });
  },
);

test.each(VARIANTS)('numbers that overflow in a step under $formulation, $solver, $coordinates', (variant) => {
  for (const quantity of ['velocity', 'appliedForce'] as const) {
    const simulation = simulate(boxOnFloor(), variant);
    simulation.state[quantity][2] = -1e200;
    const before = simulation.hash();
    for (let k = 0; k < 3; k++) {
      const { status, nonFinite } = simulation.step();
      if (variant.solver === 'newton') {
        // the step is not taken
        expect(status).toBe('diverged');
        expect(nonFinite).toMatchObject({ quantity: 'acceleration', name: 'a' });
        expect(simulation.hash()).toBe(before);
      } else if (variant.formulation === 'ccp') {
        // impulses are linear in velocities: what is rigid stops 1e200 m/s as it stops one
        expect(['converged', 'diverged', ...ITERATIVE]).toContain(status);
      } else expect(['diverged', ...ITERATIVE]).toContain(status);
      expect(simulation.state.all.every(Number.isFinite)).toBe(true);
    }
  }
});

interface Hard {
  scene: Scene;
  prepare?: (simulation: Simulation) => void;
  steps: number;
  /** Only by Newton's method in joint coordinates: the others take seconds. */
  isLarge?: boolean;
  /** How steps may end. Default: converged. Iterative solvers may also reach their limit, or stall. */
  status?: SolveStatus[];
  /** How steps of iterative solvers may end beyond that. */
  iterative?: SolveStatus[];
  check?: (simulation: Simulation) => void;
}

/** Two boxes, one on the other; contacts stiff enough for 1e8 kg where stiffness is in N/m. */
function stack(lower: number, upper: number): Scene {
  const body = (name: string, z: number, mass: number): Body => ({
    name,
    position: [0, 0, z],
    joints: free,
    shapes: [{ ...box, mass, material: 'rock' } as Shape],
  });
  return {
    ...world,
    materials: [{ name: 'rock', stiffness: 1e13 }],
    shapes: [{ ...floor, material: 'rock' } as Shape],
    bodies: [body('a', 0.1, lower), body('b', 0.3, upper)],
  };
}

function expectAt(simulation: Simulation, body: string, expected: [number, number, number], slack: number): void {
  const b = simulation.model.body.name.indexOf(body);
  expected.forEach((x, k) => {
    expect(Math.abs(simulation.bodyPosition[3 * b + k] - x), `${body}, axis ${k}`).toBeLessThan(slack);
  });
}

const HARD: Record<string, Hard> = {
  'stiffness of 1e300 N/m': {
    scene: boxOnFloor({ material: 'm' }, { materials: [{ name: 'm', stiffness: 1e300 }] }),
    steps: 50,
  },
  'a contact so stiff that it overflows': {
    scene: boxOnFloor({ mujoco: { solref: [-1e300, -1] } }),
    steps: 20,
    status: ['converged', 'diverged'],
  },
  'no friction: a box slides as on ice': {
    scene: boxOnFloor(
      { friction: 0 },
      { shapes: [{ ...floor, friction: 0 } as Shape], options: { gravity: [1, 0, -9.81] } },
    ),
    steps: 100,
    // 1 m/s² for 0.2 s; the least friction of `mujoco` is 1e-5
    check: ({ state, time }) => expect(Math.abs(state.velocity[0] - time)).toBeLessThan(1e-4 * 9.81 * time),
  },
  'no friction, elliptic': {
    scene: boxOnFloor(
      { friction: 0 },
      {
        shapes: [{ ...floor, friction: 0 } as Shape],
        options: { gravity: [1, 0, -9.81], mujoco: { cone: 'elliptic' } },
      },
    ),
    steps: 100,
    check: ({ state, time }) => expect(Math.abs(state.velocity[0] - time)).toBeLessThan(1e-4 * 9.81 * time),
  },
  'a light box on one of 1e8 times its mass': {
    scene: stack(1e8, 1),
    steps: takeSamples(150, 0.4),
    check(simulation) {
      expectAt(simulation, 'a', [0, 0, 0.1], 1e-3);
      expectAt(simulation, 'b', [0, 0, 0.3], 1e-3);
    },
  },
  // both formulations scale the softness of contacts by the lighter side: the heavy box sinks in, at a finite pace
  // first-order methods end at their limit, and the impulses they have then create energy
  'a box of 1e8 times the mass on a light one': {
    scene: stack(1, 1e8),
    steps: takeSamples(150, 0.4),
    iterative: ['unstable'],
  },
  'a chain whose end has 1e8 times the mass': {
    scene: {
      ...world,
      bodies: [
        {
          name: 'light',
          joints: [{ kind: 'hinge', axis: [0, 1, 0], frictionLoss: 1, limit: { range: [-1, 1] } }],
          shapes: [{ ...box, mass: 1e-4 } as Shape],
          bodies: [
            {
              name: 'heavy',
              position: [0.3, 0, 0],
              joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
              shapes: [{ ...box, mass: 1e4 } as Shape],
            },
          ],
        },
      ],
    },
    steps: 500,
    // joints of body coordinates that open are told; ccp cannot tell them from contradictions at such a ratio
    status: ['converged', 'stalled', 'infeasible'],
    // the limit holds: 1 rad
    check: ({ state }) => expect(state.position[0]).toBeLessThan(1.05),
  },
  'a body tied to two points a metre apart': {
    scene: {
      ...world,
      options: { gravity: [0, 0, 0] },
      bodies: [
        { name: 'a', joints: free, shapes: [box] },
        { name: 'left', mocap: true },
        { name: 'right', mocap: true },
      ],
      equalities: [
        { kind: 'connect', body1: 'left', body2: 'a', anchor: [0, 0, 0] },
        { kind: 'connect', body1: 'right', body2: 'a', anchor: [0, 0, 0] },
      ],
    },
    prepare: (simulation) => simulation.setMocapPose('right', [1, 0, 0]),
    steps: 1000,
    // the two contradict each other
    status: ['converged', 'infeasible', 'stalled'],
    // under ipc in the middle, by symmetry; elsewhere what contradicts keeps its place, or is in balance everywhere between
    check: (simulation) => expectAt(simulation, 'a', [0.5, 0, 0], simulation.formulation.id === 'ipc' ? 1e-3 : 0.501),
  },
  'a box welded into the floor': {
    scene: boxOnFloor(
      {},
      {
        bodies: [{ name: 'a', position: [0, 0, 0.05], joints: free, shapes: [box] }],
        equalities: [{ kind: 'weld', body1: 'world', body2: 'a' }],
      },
    ),
    steps: takeSamples(500, 0.2),
    // the weld and the floor contradict each other
    status: ['converged', 'infeasible'],
    check({ state }) {
      expect(state.position[2]).toBeGreaterThan(0.0499);
      expect(state.position[2]).toBeLessThan(0.1 + 1e-6);
    },
  },
  'the same weld fifty times': {
    scene: boxOnFloor(
      {},
      { equalities: Array.from({ length: 50 }, () => ({ kind: 'weld', body1: 'world', body2: 'a' })) },
    ),
    steps: 20,
    // the welds hold the box a millimetre deep in the floor
    status: ['converged', 'infeasible'],
    // no higher than where the floor leaves it
    check: (simulation) => expectAt(simulation, 'a', [0, 0, 0.099], 1.001e-3),
  },
  '10,000 contacts, 2500 times the same four': {
    scene: boxOnFloor(
      {},
      { bodies: [{ name: 'a', position: [0, 0, 0.0999], joints: free, shapes: new Array<Shape>(2500).fill(box) }] },
    ),
    steps: 3,
    isLarge: true,
    check(simulation) {
      const { solvedContacts, derived, model } = simulation;
      expect(solvedContacts.count).toBe(10_000);
      let normal = 0;
      for (let i = 0; i < solvedContacts.count; i++) normal += solvedContacts.force[6 * i];
      // Newton's law for the step before: the contacts carry what lifts the body
      const mass = model.body.mass[1];
      expect(Math.abs(normal - mass * (9.81 + derived.solution[2]))).toBeLessThan(1e-6 * normal);
      expect(normal).toBeGreaterThan(0);
    },
  },
  '142 spheres in one place: 10,011 contacts without a direction': {
    scene: {
      ...world,
      shapes: [floor],
      bodies: Array.from({ length: 142 }, (_, i) => ({
        name: `a${i}`,
        position: [0, 0, 0.099],
        joints: free,
        shapes: [{ kind: 'sphere', radius: 0.1 }],
      })),
    },
    // pairs that overlap so deeply at a start are left out
    prepare: ({ state }) => {
      state.time[0] = 1;
    },
    steps: 1,
    isLarge: true,
    check: ({ solvedContacts }) => expect(solvedContacts.count).toBeGreaterThan(10_000),
  },
  'no iterations': {
    scene: boxOnFloor({}, { options: { mujoco: { iterations: 0 } } }),
    steps: 5,
    status: ['converged', 'iteration-limit'],
  },
  'a time step of 1e-300 s': { scene: boxOnFloor({}, { options: { timestep: 1e-300 } }), steps: 20 },
  'a time step of 1e6 s': {
    scene: boxOnFloor({}, { options: { timestep: 1e6 } }),
    steps: 20,
    // a fall of 1e13 m and back is energy from nowhere
    status: ['converged', 'unstable', 'infeasible'],
  },
  'friction of 1e300': {
    scene: boxOnFloor({ friction: 1e300 }),
    prepare: ({ state }) => state.velocity.fill(1, 0, 1),
    steps: 20,
    status: ['converged', 'stalled', 'diverged'],
  },
};

describe.each(VARIANTS)('hard scenes under $formulation, $solver, $coordinates', (variant) => {
  const isNewton = variant.solver === 'newton';
  const all = Object.entries(HARD).filter(
    ([, { isLarge }]) => !isLarge || (isNewton && variant.coordinates === 'joint'),
  );
  const cases = takeCases(all, isNewton ? 4 : 6);
  test.each(cases)('%s', (_name, { scene, prepare, steps, status = ['converged'], iterative = [], check }) => {
    const simulation = simulate(scene, variant);
    prepare?.(simulation);
    const ends = new Set<SolveStatus>();
    for (let k = 0; k < steps; k++) ends.add(simulation.step().status);
    expect(isNewton ? status : [...status, ...ITERATIVE, ...iterative]).toEqual(expect.arrayContaining([...ends]));
    expect(simulation.state.all.every(Number.isFinite)).toBe(true);
    check?.(simulation);
  });
});
