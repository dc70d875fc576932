import { expect, test } from 'vitest';
import { Arena } from '../kernels/arena.ts';
import { compileModel } from '../model/compile.ts';
import { setSceneParameters } from '../model/scene-parameters.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { listEngineParts } from './scene-parts.ts';

const ball = { kind: 'sphere', radius: 0.1 } as const;
const head = { format: 'nexdyn-scene', version: 1 } as const;
const rigid: Scene = { ...head, shapes: [{ kind: 'plane' }], bodies: [{ joints: [{ kind: 'free' }], shapes: [ball] }] };
const pressed: Scene = {
  ...head,
  options: { formulation: 'sap' },
  bodies: [{ bodies: [{ position: [0, 0, 1], shapes: [{ ...ball, contact: 'hydroelastic' }] }] }],
};
const soft: Scene = {
  ...head,
  options: { formulation: 'sap' },
  softBodies: [
    {
      mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [1, 1, 1] },
      elasticity: { youngsModulus: 1e6, poissonRatio: 0.3 },
    },
  ],
};

const ring: Scene = {
  ...head,
  signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.2, minorRadius: 0.05 }],
  shapes: [{ kind: 'plane' }],
  bodies: [
    {
      joints: [{ kind: 'free' }],
      inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
      shapes: [{ kind: 'signedDistance', field: 'ring' }],
    },
  ],
};

// corners of a cube of edge 0.2 m without faces: those of its hull
const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) => [n & 1, (n >> 1) & 1, n >> 2].map((c) => 0.2 * c - 0.1));
const solid: Scene = {
  ...head,
  meshes: [{ name: 'cube', vertices: corners }],
  shapes: [{ kind: 'plane' }],
  bodies: [
    { position: [0, 0, 0.09], joints: [{ kind: 'free' }], shapes: [{ kind: 'triangleMesh', mesh: 'cube' }] },
    { position: [1, 0, 0.09], joints: [{ kind: 'free' }], shapes: [{ kind: 'convexMesh', mesh: 'cube' }] },
  ],
};
const terrain: Scene = {
  ...head,
  heightFields: [{ name: 'flat', rows: 2, columns: 2, halfSize: [1, 1], heights: [0, 0, 0, 0], baseDepth: 0.1 }],
  shapes: [{ kind: 'heightField', heightField: 'flat' }],
  bodies: [{ position: [0, 0, 0.09], joints: [{ kind: 'free' }], shapes: [ball] }],
};

const taught: Scene = {
  ...rigid,
  lesson: {
    title: 'Fall',
    text: ['Things fall.'],
    sliders: [
      {
        name: 'g',
        label: 'Gravity',
        minimum: 0,
        maximum: 20,
        value: 10,
        targets: [{ path: 'gravity.2', formula: '-g' }],
      },
    ],
    question: { text: 'When?', answers: ['now', 'later'], correct: 0, reason: 'so' },
    measure: { label: 'Time', formula: 'time' },
    duration: 1,
  },
};

const filmed: Scene = {
  ...head,
  bodies: [{ bodies: [{ position: [0, 0, 1], cameras: [{ name: 'eye', position: [0, 0, 0.5] }] }], shapes: [ball] }],
};

const strung: Scene = {
  ...head,
  bodies: [
    { position: [0, 0, 1], joints: [{ kind: 'slide', name: 'lift', axis: [0, 0, 1] }], shapes: [ball] },
    { position: [1, 0, 1], joints: [{ kind: 'slide', name: 'drop', axis: [0, 0, 1] }], shapes: [ball] },
  ],
  tendons: [
    {
      kind: 'fixed',
      terms: [
        { joint: 'lift', coefficient: 1 },
        { joint: 'drop', coefficient: 1 },
      ],
      stiffness: 10,
    },
  ],
};

test('a scene says which parts of the engine it runs on', () => {
  expect(listEngineParts(rigid)).toEqual(['compiled']);
  expect(listEngineParts(rigid, 'ipc')).toEqual(['compiled', 'ipc']);
  expect(listEngineParts({ ...rigid, options: { formulation: 'ccp' } })).toEqual(['compiled', 'ccp']);
  expect(listEngineParts({ ...rigid, options: { formulation: 'ccp' } }, 'mujoco')).toEqual(['compiled']);
  expect(listEngineParts(pressed)).toEqual(['compiled', 'compliance', 'sap']);
  expect(listEngineParts(ring, 'ipc')).toEqual(['compiled', 'fields', 'ipc']);
  expect(listEngineParts(soft, 'ipc')).toEqual(['compiled', 'compliance', 'ipc']);
  // eight bodies are solved densely in any coordinates; nine, or options that ask for it, need more
  const many = (count: number): Scene => ({ ...rigid, bodies: new Array(count).fill(rigid.bodies![0]) });
  expect(listEngineParts(many(8))).toEqual(['compiled']);
  expect(listEngineParts(many(9))).toEqual(['compiled', 'sparse']);
  expect(listEngineParts({ ...rigid, options: { mujoco: { jacobian: 'sparse' } } })).toEqual(['compiled', 'sparse']);
  expect(listEngineParts({ ...rigid, options: { sap: { matrix: 'sparse' } } }, 'sap')).toContain('sparse');
  expect(listEngineParts({ ...rigid, options: { sap: { solver: 'pcg' } } }, 'sap')).toContain('sparse');
  expect(listEngineParts({ ...rigid, options: { mujoco: { cone: 'elliptic', solver: 'newton' } } })).toEqual([
    'compiled',
  ]);
  expect(listEngineParts({ ...rigid, options: { medium: { density: 1.2 } } })).toEqual(['compiled', 'fluid']);
  expect(listEngineParts(strung)).toEqual(['compiled', 'tendons']);
  // what cannot touch needs neither contact points nor what makes contact faster
  const rk4 = { integrator: 'rk4' } as const;
  expect(listEngineParts({ ...rigid, options: rk4 })).toEqual(['compiled', 'mujoco-points']);
  expect(listEngineParts({ ...rigid, options: { ...rk4, disable: ['gravity'] } })).toContain('mujoco-points');
  for (const what of ['contact', 'constraint'] as const)
    expect(listEngineParts({ ...rigid, options: { ...rk4, disable: [what] } })).toEqual([]);
  expect(listEngineParts({ ...many(9), options: { disable: ['contact'] } })).toEqual(['sparse']);
  expect(listEngineParts(taught)).toEqual(['compiled', 'lessons']);
  expect(listEngineParts(solid)).toEqual(['compiled', 'meshes']);
  expect(listEngineParts(terrain, 'ipc')).toEqual(['compiled', 'meshes', 'ipc']);
  expect(listEngineParts({ ...rigid, view: { extent: 2 } })).toEqual(['compiled', 'pictures']);
  expect(listEngineParts(filmed)).toEqual(['compiled', 'pictures']);
  expect(listEngineParts({ ...rigid, options: { sleep: {} } })).toEqual(['compiled', 'sleeping']);
  expect(listEngineParts({ ...rigid, terms: [{ kind: 'wind' }] })).toEqual(['compiled', 'terms']);
  expect(listEngineParts({ ...head, bodies: [{ bodies: many(8).bodies! }] })).toEqual(['compiled', 'sparse']);
  expect(listEngineParts({ ...rigid, options: { contactKinds: { rigidFloor: 'hydroelastic' } } })).toEqual([
    'compiled',
    'compliance',
  ]);
});

test('compiled functions come when they are loaded, and change no result', async () => {
  const pendulum: Scene = { ...rigid, shapes: [], bodies: [{ joints: [{ kind: 'ball' }], shapes: [ball] }] };
  pendulum.bodies![0]!.shapes = [{ ...ball, position: [0.5, 0, 0] }];
  const run = (scene: Scene): string => {
    const simulation = new Simulation(compileModel(scene));
    simulation.step(50);
    return simulation.hash();
  };
  expect(new Arena().compiled).toBeUndefined();
  const hashes = [pendulum, rigid].map(run);
  await import('../compiled.ts');
  expect(new Arena().compiled).toBeDefined();
  expect([pendulum, rigid].map(run)).toEqual(hashes);
});

test('solvers over forces are refused with a hint until they are loaded', async () => {
  const pgs: Scene = { ...rigid, options: { mujoco: { solver: 'pgs' } } };
  const noslip: Scene = { ...rigid, options: { mujoco: { noslipIterations: 5 } } };
  for (const scene of [pgs, noslip]) {
    expect(listEngineParts(scene)).toContain('sparse');
    expect(() => new Simulation(compileModel(scene))).toThrow(
      /solvers over forces are not loaded .*@nexdyn\/engine\/sparse/,
    );
  }
  await import('../sparse.ts');
  for (const scene of [pgs, noslip]) expect(new Simulation(compileModel(scene)).step(3).status).toBe('converged');
});

test('what gives way is refused with a hint until it is loaded, and rigid scenes do without', async () => {
  for (const scene of [pressed, soft]) {
    expect(() => compileModel(scene)).toThrow(
      expect.objectContaining({
        code: 'unsupported-element',
        hint: "import '@nexdyn/engine/compliance', or '@nexdyn/engine' for all",
      }),
    );
  }
  const simulation = new Simulation(compileModel(rigid));
  expect(simulation.contactPatches()).toEqual([]);
  expect(simulation.step(3).status).toBe('converged');
  await import('../compliance.ts');
  await import('../formulation/sap/provide.ts');
  expect(compileModel(pressed).pressure.isActive).toBe(true);
  const falling = new Simulation(compileModel(soft));
  falling.step();
  const { timestep } = falling;
  expect(falling.softVelocity(0)[2]).toBeCloseTo(-9.81 * timestep, 12);
});

test('signed-distance fields likewise', async () => {
  expect(() => compileModel(ring)).toThrow(/signed-distance fields are not loaded .*@nexdyn\/engine\/fields/);
  await import('../fields.ts');
  // a ring of minor radius r that lies with its centre in the floor is r deep
  const gaps = new Simulation(compileModel(ring)).contacts().map(({ gap }) => gap);
  expect(Math.min(...gaps)).toBeCloseTo(-0.05, 6);
});

test('meshes and height fields likewise', async () => {
  for (const scene of [solid, terrain])
    expect(() => compileModel(scene)).toThrow(/meshes and height fields are not loaded .*@nexdyn\/engine\/meshes/);
  await import('../meshes.ts');
  // the ground is 0.01 m into each of the three: four corners of both cubes, one point of the ball
  const gaps = (scene: Scene): number[] => new Simulation(compileModel(scene)).contacts().map(({ gap }) => gap);
  expect(gaps(solid)).toHaveLength(8);
  expect(gaps(terrain)).toHaveLength(1);
  for (const gap of [...gaps(solid), ...gaps(terrain)]) expect(gap).toBeCloseTo(-0.01, 12);
});

test('terms likewise, also those that are added to a simulation', async () => {
  const simulation = new Simulation(compileModel({ ...head, bodies: rigid.bodies! }));
  const push = {
    name: 'push',
    value: () => 0,
    addGradient: (_x: unknown, out: { addBody(b: number, ...g: number[]): void }) => out.addBody(1, -3, 0, 0, 0, 0, 0),
  };
  simulation.addTerm(push);
  expect(() => simulation.step()).toThrow(/energy terms are not loaded .*@nexdyn\/engine\/terms/);
  await import('../terms.ts');
  simulation.step();
  const { linear } = simulation.velocity(1);
  const mass = simulation.model.body.mass[1]!;
  expect(linear[0]).toBeCloseTo((3 / mass) * simulation.timestep, 12);
});

test('a fluid and tendons likewise', async () => {
  const open = (scene: Scene): Simulation => new Simulation(compileModel(scene));
  const windy: Scene = { ...rigid, options: { medium: { density: 1.2, wind: [3, 0, 0] } } };
  expect(() => open(windy)).toThrow(/forces of a fluid are not loaded .*@nexdyn\/engine\/fluid/);
  await import('../fluid.ts');
  const blown = open(windy);
  blown.step();
  expect(blown.velocity(1).linear[0]).toBeGreaterThan(0);
  expect(() => open(strung)).toThrow(/tendons are not loaded .*@nexdyn\/engine\/tendons/);
  await import('../tendons.ts');
  expect(open(strung).step(3).status).toBe('converged');
});

test('bodies that sleep likewise', async () => {
  const model = compileModel({ ...rigid, options: { sleep: {} } });
  expect(() => new Simulation(model)).toThrow(/bodies that sleep are not loaded .*@nexdyn\/engine\/sleeping/);
  await import('../sleeping.ts');
  expect(new Simulation(model).isAsleep(1)).toBe(false);
});

test('parameters of single simulations likewise', async () => {
  const model = compileModel(rigid);
  const open = (): Simulation => new Simulation(model, { ownParameters: true });
  expect(open).toThrow(/parameters of single simulations are not loaded .*@nexdyn\/engine\/parameters/);
  await import('../parameters.ts');
  const simulation = open();
  const changed = compileModel(setSceneParameters(rigid, { 'gravity.2': -3 }));
  simulation.setParameters(simulation.matchParameters(changed)!);
  expect([...simulation.model.options.gravity]).toEqual([0, 0, -3]);
});

test('lessons likewise, and what their sliders set', async () => {
  expect(() => compileModel(taught)).toThrow(/lessons are not loaded .*@nexdyn\/engine\/lessons/);
  expect(() => setSceneParameters(taught, { 'lesson.values': [3] })).toThrow(/lessons are not loaded/);
  await import('../lessons.ts');
  const model = compileModel(setSceneParameters(taught, { 'lesson.values': [3] }));
  expect([...model.options.gravity]).toEqual([0, 0, -3]);
});

test('cameras, lights and materials likewise', async () => {
  expect(() => compileModel(filmed)).toThrow(/pictures are not loaded .*@nexdyn\/engine\/pictures/);
  // a scene without them has none, of any length
  const plain = compileModel(rigid).look;
  expect([plain.cameras, plain.textures, plain.view]).toEqual([[], [], {}]);
  expect([...plain.shapeAppearance]).toEqual([-1, -1]);
  await import('../pictures.ts');
  expect(compileModel(rigid).look).toEqual(plain);
  expect(compileModel(filmed).look.camera.name).toEqual(['eye']);
});
