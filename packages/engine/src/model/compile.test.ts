import type { MjModel } from '@mujoco/mujoco';
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../../../scripts/long-run.ts';
import { rotateTensor } from '../geometry/mass-properties.ts';
import { Simulation } from '../index.ts';
import type { Body } from '../scene/body.ts';
import type { Joint } from '../scene/joint.ts';
import type { Integrator } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { loadMujocoParser } from '../testing/mujoco-parser.ts';
import { compileModel, recompileModel } from './compile.ts';
import type { Model } from './model.ts';
import { setSceneParameters } from './scene-parameters.ts';

// the same mechanisms written by hand as a Scene and as MJCF; MuJoCo 3.14 is the oracle

const parse = await loadMujocoParser();

const scene = (parts: Partial<Scene>): Scene => ({ format: 'nexdyn-scene', version: 1, ...parts });

/** Numbers agree to round-off relative to their largest. */
function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, label: string, tolerance = 1e-13): void {
  expect(actual.length, `${label}: length`).toBe(expected.length);
  let scale = 1e-300;
  for (let i = 0; i < expected.length; i++) scale = Math.max(scale, Math.abs(expected[i]));
  for (let i = 0; i < expected.length; i++) {
    // written so that what is no number fails
    if (!(Math.abs(actual[i] - expected[i]) / scale <= tolerance))
      expect.fail(`${label}[${i}]: ${actual[i]} for ${expected[i]}`);
  }
}

/** Inertia in the body frame; unlike its principal axes it is unique. */
function tensorOf(moments: Float64Array, quaternion: Float64Array): Float64Array {
  return rotateTensor(Float64Array.of(moments[0], moments[1], moments[2], 0, 0, 0), quaternion);
}

/** Everything about the tree that both sides number alike. */
function expectSameTree(model: Model, oracle: MjModel): void {
  const { body, joint, dof } = model;
  expect(model.size.body).toBe(oracle.nbody);
  expect(model.size.joint).toBe(oracle.njnt);
  expect(model.size.position).toBe(oracle.nq);
  expect(model.size.velocity).toBe(oracle.nv);
  expect(model.size.shape).toBe(oracle.ngeom);
  expectClose(body.parent, oracle.body_parentid, 'parent', 0);
  expectClose(body.root, oracle.body_rootid, 'root', 0);
  expectClose(body.weld, oracle.body_weldid, 'weld', 0);
  expectClose(body.mocap, oracle.body_mocapid, 'mocap', 0);
  expectClose(body.jointCount, oracle.body_jntnum, 'jointCount', 0);
  expectClose(body.dofCount, oracle.body_dofnum, 'dofCount', 0);
  expectClose(body.shapeCount, oracle.body_geomnum, 'shapeCount', 0);
  expectClose(body.position, oracle.body_pos, 'position');
  expectClose(body.orientation, oracle.body_quat, 'orientation');
  expectClose(body.subtreeMass, oracle.body_subtreemass, 'subtreeMass');
  expectClose(body.gravityCompensation, oracle.body_gravcomp, 'gravityCompensation', 0);
  expectClose(joint.kind, oracle.jnt_type, 'joint kind', 0);
  expectClose(joint.body, oracle.jnt_bodyid, 'joint body', 0);
  expectClose(joint.positionStart, oracle.jnt_qposadr, 'positionStart', 0);
  expectClose(joint.dofStart, oracle.jnt_dofadr, 'dofStart', 0);
  expectClose(joint.anchor, oracle.jnt_pos, 'anchor');
  expectClose(joint.axis, oracle.jnt_axis, 'axis');
  expectClose(joint.range, oracle.jnt_range, 'range');
  expectClose(joint.margin, oracle.jnt_margin, 'margin');
  expectClose(joint.stiffness, oracle.jnt_stiffness, 'stiffness');
  expectClose(joint.solref, oracle.jnt_solref, 'solref', 0);
  expectClose(joint.solimp, oracle.jnt_solimp, 'solimp', 0);
  expectClose(joint.actuatorForceRange, oracle.jnt_actfrcrange, 'actuatorForceRange', 0);
  expectClose(dof.body, oracle.dof_bodyid, 'dof body', 0);
  expectClose(dof.joint, oracle.dof_jntid, 'dof joint', 0);
  expectClose(dof.parent, oracle.dof_parentid, 'dof parent', 0);
  expectClose(dof.damping, oracle.dof_damping, 'damping');
  expectClose(dof.armature, oracle.dof_armature, 'armature');
  expectClose(dof.frictionLoss, oracle.dof_frictionloss, 'frictionLoss');
  expectClose(dof.solref, oracle.dof_solref, 'dof solref', 0);
  expectClose(dof.solimp, oracle.dof_solimp, 'dof solimp', 0);
  expectClose(model.initialPosition, oracle.qpos0, 'initialPosition');
  expectClose(model.springPosition, oracle.qpos_spring, 'springPosition');
  expect(model.massMatrix.column.length).toBe(oracle.nC);
  expectClose(body.mass, oracle.body_mass, 'mass');
  expectClose(body.inertiaCenter, oracle.body_ipos, 'inertiaCenter');
  expectClose(body.inertiaMoments, oracle.body_inertia, 'inertiaMoments');
  for (let b = 1; b < model.size.body; b++) {
    if (body.mass[b] === 0) continue;
    expectClose(
      tensorOf(body.inertiaMoments.subarray(3 * b), body.inertiaOrientation.subarray(4 * b)),
      tensorOf(oracle.body_inertia.subarray(3 * b), oracle.body_iquat.subarray(4 * b)),
      `tensor of body ${b}`,
      1e-12,
    );
  }
}

describe('trees', () => {
  test('chains, branches, welded bodies, several joints per body', () => {
    const model = compileModel(
      scene({
        shapes: [{ kind: 'plane' }],
        bodies: [
          {
            name: 'base',
            position: [0.1, 0.2, 1],
            orientation: [2, 0.2, 0, 1],
            joints: [{ kind: 'free', name: 'root' }],
            shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3] }],
            bodies: [
              {
                name: 'bracket',
                position: [0, 0, 0.3],
                shapes: [{ kind: 'sphere', radius: 0.05 }],
                bodies: [
                  {
                    name: 'arm',
                    position: [0.2, 0, 0],
                    gravityCompensation: 0.5,
                    joints: [
                      {
                        kind: 'hinge',
                        axis: [1, 2, 0],
                        anchor: [0.01, 0, 0],
                        reference: 0.3,
                        springReference: 0.1,
                        stiffness: 4,
                        damping: 0.2,
                        armature: 0.01,
                        frictionLoss: 0.3,
                        limit: { range: [-1, 2], margin: 0.01 },
                        mujoco: { solrefLimit: [0.03, 0.9], solimpFriction: [0.8, 0.9, 0.01, 0.4, 3] },
                      },
                      { kind: 'slide', axis: [0, 0, -2], reference: 0.1, actuatorForceRange: [-3, 4] },
                    ],
                    shapes: [{ kind: 'capsule', radius: 0.03, halfLength: 0.2, position: [0, 0, 0.2] }],
                  },
                ],
              },
              { joints: [{ kind: 'ball' }], shapes: [{ kind: 'ellipsoid', radii: [0.1, 0.05, 0.02] }] },
            ],
          },
          { mocap: true, position: [1, 0, 0], shapes: [{ kind: 'sphere', radius: 0.1 }], bodies: [{}] },
          { bodies: [{ joints: [{ kind: 'slide' }], shapes: [{ kind: 'sphere', radius: 0.1, mass: 2 }] }] },
        ],
      }),
    );
    const oracle = parse(`<mujoco><compiler angle="radian"/><worldbody><geom type="plane" size="0 0 1"/>
      <body pos=".1 .2 1" quat="2 .2 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
        <body pos="0 0 .3"><geom size=".05"/>
          <body pos=".2 0 0" gravcomp=".5">
            <joint axis="1 2 0" pos=".01 0 0" ref=".3" springref=".1" stiffness="4" damping=".2" armature=".01" frictionloss=".3"
              limited="true" range="-1 2" margin=".01" solreflimit=".03 .9" solimpfriction=".8 .9 .01 .4 3"/>
            <joint type="slide" axis="0 0 -2" ref=".1" actuatorfrclimited="true" actuatorfrcrange="-3 4"/>
            <geom type="capsule" size=".03 .2" pos="0 0 .2"/></body></body>
        <body><joint type="ball"/><geom type="ellipsoid" size=".1 .05 .02"/></body></body>
      <body mocap="true" pos="1 0 0"><geom size=".1"/><body/></body>
      <body><body><joint type="slide"/><geom size=".1" mass="2"/></body></body></worldbody></mujoco>`);
    expectSameTree(model, oracle);
  });

  test('limits and force ranges are marked', () => {
    const model = compileModel(
      scene({
        bodies: [
          {
            joints: [
              { kind: 'slide', limit: { range: [-1, 1] }, actuatorForceRange: [-2, 2] },
              { kind: 'hinge', actuatorGravityCompensation: true },
            ],
            shapes: [{ kind: 'sphere', radius: 0.1 }],
          },
        ],
      }),
    );
    expect(Array.from(model.joint.limited)).toEqual([1, 0]);
    expect(Array.from(model.joint.actuatorForceLimited)).toEqual([1, 0]);
    expect(Array.from(model.joint.actuatorGravityCompensation)).toEqual([0, 1]);
  });

  test('random trees', () => {
    for (let seed = 1; seed <= takeSamples(40, 0.25); seed++) {
      const random = createRandom(seed);
      const bodies = Array.from({ length: 1 + Math.floor(3 * random()) }, () => growBody(random, 0));
      const model = compileModel(scene({ bodies }));
      const xml = `<mujoco><compiler angle="radian"/><worldbody>${bodies.map(writeBody).join('')}</worldbody></mujoco>`;
      expectSameTree(model, parse(xml));
    }
  });

  test('a long chain of links', () => {
    const links = takeSamples(1000, 0.3);
    let body: Body | undefined;
    for (let i = 0; i < links; i++) {
      body = {
        joints: [{ kind: 'slide' }],
        shapes: [{ kind: 'sphere', radius: 0.1 }],
        bodies: body ? [body] : [],
      };
    }
    const { size, dof, massMatrix } = compileModel(scene({ bodies: [body as Body] }));
    expect(size.velocity).toBe(links);
    expect(dof.parent[links - 1]).toBe(links - 2);
    expect(massMatrix.column.length).toBe((links * (links + 1)) / 2);
  });
});

/** A scene with something of everything that a step reads: overrides, pairs, materials, fields, wires, paths, springs. */
function crowded(isSoft: boolean): Scene {
  const block = (x: number, more: object = {}): Body => ({
    position: [x, 0, 0.1002],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], material: 'wood', ...more }],
  });
  return scene({
    options: {
      timestep: 0.005,
      contactOverride: { friction: [0.3, 0.3, 0.01, 0.001, 0.001], margin: 0.001 },
      contactKinds: { softFloor: 'point' },
      ccp: { envelope: 0.01 },
    },
    materials: [
      { name: 'wood', friction: 0.4, stiffness: 1e5, dissipation: 0.02 },
      { name: 'skin', friction: 0.6 },
    ],
    signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.2, minorRadius: 0.05 }],
    shapes: [{ kind: 'plane', name: 'floor', material: 'wood' }],
    bodies: [
      block(0, { name: 'paired' }),
      block(1),
      {
        position: [3, 0, 0.06],
        joints: [{ kind: 'free' }],
        inertia: { kind: 'principal', mass: 1, moments: [0.02, 0.02, 0.04] },
        shapes: [{ kind: 'signedDistance', field: 'ring' }],
      },
    ],
    contactPairs: [{ shape1: 'floor', shape2: 'paired', friction: [0.2, 0.2, 0.01, 0.001, 0.001], stiffness: 2e5 }],
    keyframes: [{ name: 'start' }],
    ...(isSoft && {
      softBodies: [
        {
          name: 'jelly',
          position: [0, 2, 0.1],
          mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.05], cells: [2, 2, 2] },
          elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
          material: 'skin',
          pinned: [0],
          driven: [{ vertices: [2], times: [0, 1], displacements: [0, 0, 0, 0.1, 0, 0.1] }],
          springs: [{ vertices: [8], stiffness: 50 }],
        },
      ],
    }),
  });
}

/** Changes every number, text and list of a value in place. */
function scramble(value: object): void {
  for (const [key, part] of Object.entries(value)) {
    const owner = value as Record<string, unknown>;
    if (typeof part === 'object' && part !== null) scramble(part);
    else if (typeof part === 'number') owner[key] = 2 * part + 1;
    else if (typeof part === 'string') owner[key] = `${part}?`;
    else owner[key] = !part;
  }
  if (Array.isArray(value)) value.reverse();
}

describe('the model', () => {
  const pendulum: Scene = scene({
    name: 'pendulum',
    bodies: [{ joints: [{ kind: 'hinge' }], shapes: [{ kind: 'sphere', radius: 0.1 }] }],
  });

  test('is frozen to its last list and leaves the scene alone', () => {
    const model = compileModel(crowded(true), { formulation: 'sap' });
    const open: string[] = [];
    const visit = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || part instanceof Set) return;
      if (Object.getPrototypeOf(part) !== Object.prototype && !Array.isArray(part)) return;
      if (!Object.isFrozen(part)) open.push(path);
      for (const [key, inner] of Object.entries(part)) visit(inner, `${path}.${key}`);
    };
    visit(model, 'model');
    expect(open).toEqual([]);
    expect('scene' in model).toBe(false);
    compileModel(pendulum);
    expect(Object.isFrozen(pendulum) || Object.isFrozen(pendulum.bodies)).toBe(false);
  });

  test.each(takeCases(['mujoco', 'sap', 'ccp', 'ipc'] as const, 2))(
    '%s: later changes of the scene are not seen',
    (formulation) => {
      const isSoft = formulation === 'sap' || formulation === 'ipc';
      const run = (change: (written: Scene) => void): string[] => {
        const written = crowded(isSoft);
        const model = compileModel(written, { formulation, coordinates: 'body' });
        change(written);
        const simulation = new Simulation(model);
        simulation.state.velocity[0] = simulation.state.velocity[6] = 1;
        // in contact after one or two steps
        simulation.step(takeSamples(10, 0.3));
        change(written);
        simulation.step(takeSamples(10, 0.3));
        return [simulation.hash(), ...simulation.formulation.unresolved];
      };
      const unchanged = run(() => {});
      expect(run(scramble)).toEqual(unchanged);
      expect(
        run((written) => {
          written.options!.contactOverride!.friction = [5, 5, 5, 5, 5];
        }),
      ).toEqual(unchanged);
    },
  );

  test('fills in options', () => {
    const { options } = compileModel(pendulum);
    expect(options.timestep).toBe(0.002);
    expect(Array.from(options.gravity)).toEqual([0, 0, -9.81]);
    expect(options.integrator).toBe('semiImplicit');
    expect(options.formulation).toBe('mujoco');
    expect(options.medium.density).toBe(0);
    expect(options.disabled.size).toBe(0);
    const chosen = compileModel(
      scene({ options: { timestep: 0.01, gravity: [0, 0, 0], integrator: 'implicit', disable: ['contact'] } }),
      { timestep: 0.001, formulation: 'sap' },
    ).options;
    expect(chosen.timestep).toBe(0.001);
    expect(chosen.formulation).toBe('sap');
    expect(chosen.integrator).toBe('semiImplicit');
    expect(Array.from(chosen.gravity)).toEqual([0, 0, 0]);
    expect(chosen.disabled.has('contact')).toBe(true);
  });

  test('leaves integrators to the formulations that have them', () => {
    const withIntegrator = (integrator: Integrator): Scene => scene({ options: { integrator } });
    expect(compileModel(withIntegrator('rk4'), { formulation: 'sap' }).options.integrator).toBe('semiImplicit');
    expect(compileModel(withIntegrator('rk4'), { formulation: 'ipc' }).options.integrator).toBe('bdf2');
    expect(compileModel(withIntegrator('rk4'), { formulation: 'mujoco' }).options.integrator).toBe('rk4');
    for (const [coordinates, integrator] of [
      ['joint', 'euler'],
      ['body', 'semiImplicit'],
    ] as const) {
      expect(compileModel(withIntegrator('euler'), { coordinates }).options.integrator).toBe(integrator);
    }
    // of order two: over velocities and impulses the one, over positions the other
    for (const integrator of ['midpoint', 'bdf2'] as const) {
      for (const formulation of ['sap', 'ccp'] as const)
        expect(compileModel(withIntegrator(integrator), { formulation }).options.integrator).toBe('midpoint');
      expect(compileModel(withIntegrator(integrator), { formulation: 'ipc' }).options.integrator).toBe('bdf2');
      expect(() => compileModel(withIntegrator(integrator), { formulation: 'mujoco' })).toThrow(
        new RegExp(`options\\.integrator.*${integrator}`),
      );
    }
  });

  test('takes steps of order two by default where they are error-controlled', () => {
    const controlled = scene({ options: { accuracy: 1e-4 }, bodies: pendulum.bodies! });
    const choose = (formulation: 'mujoco' | 'sap' | 'ccp' | 'ipc', one = controlled): Integrator =>
      compileModel(one, { formulation }).options.integrator;
    expect(choose('sap')).toBe('midpoint');
    // a joint in body coordinates would be of order one
    expect(choose('ccp')).toBe('semiImplicit');
    expect(compileModel(controlled, { formulation: 'ccp', coordinates: 'joint' }).options.integrator).toBe('midpoint');
    expect(
      choose(
        'ccp',
        scene({
          options: { accuracy: 1e-4 },
          bodies: [{ joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] }],
        }),
      ),
    ).toBe('midpoint');
    expect(choose('mujoco')).toBe('semiImplicit');
    expect(choose('ipc')).toBe('bdf2');
    expect(choose('sap', pendulum)).toBe('semiImplicit');
    const said = scene({ options: { accuracy: 1e-4, integrator: 'semiImplicit' }, bodies: pendulum.bodies! });
    expect(choose('sap', said)).toBe('semiImplicit');
  });

  test('takes coordinates from the caller, then the scene, then the formulation', () => {
    expect(compileModel(pendulum).coordinates).toBe('joint');
    expect(compileModel(pendulum, { formulation: 'sap' }).coordinates).toBe('joint');
    expect(compileModel(pendulum, { formulation: 'ccp' }).coordinates).toBe('body');
    expect(compileModel(pendulum, { formulation: 'ipc' }).coordinates).toBe('body');
    const inJoints: Scene = { ...pendulum, options: { coordinates: 'joint' } };
    expect(compileModel(inJoints, { formulation: 'ccp' }).coordinates).toBe('joint');
    expect(compileModel(inJoints, { coordinates: 'body' }).coordinates).toBe('body');
  });

  test('of an empty scene is the world alone', () => {
    const { size, body } = compileModel(scene({}));
    expect(size.body).toBe(1);
    expect(size.velocity).toBe(0);
    expect(body.name).toEqual(['world']);
    expect(Array.from(body.lastDof)).toEqual([-1]);
  });
});

/** Numbers in [0, 1) from a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function growBody(random: () => number, depth: number): Body {
  const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)];
  const number = () => Math.round(1000 * (random() - 0.5)) / 500;
  const vector = (): [number, number, number] => [number(), number(), number()];
  const quaternion = (): [number, number, number, number] => [1 + random(), number(), number(), number()];
  const joints: Joint[] = pick<() => Joint[]>(
    () => (depth === 0 ? [{ kind: 'free' }] : []),
    () => [{ kind: 'hinge', axis: [1, number(), number()], anchor: vector(), reference: number(), damping: random() }],
    () => [
      { kind: 'slide', axis: [number(), 1, 0] },
      { kind: 'ball', anchor: vector(), stiffness: random() },
    ],
    () => [
      { kind: 'hinge', armature: random() },
      { kind: 'slide', reference: number(), springReference: number() },
    ],
    () => [],
  )();
  const shapes: Shape[] = Array.from({ length: 1 + Math.floor(3 * random()) }, () => ({
    ...pick<() => Shape>(
      () => ({ kind: 'sphere', radius: 0.1 + random() }),
      () => ({ kind: 'capsule', radius: 0.1 + random(), halfLength: 0.1 + random() }),
      () => ({ kind: 'cylinder', radius: 0.1 + random(), halfLength: 0.1 + random(), shell: true }),
      () => ({ kind: 'box', halfSize: [0.1 + random(), 0.1 + random(), 0.1 + random()], mass: 0.1 + random() }),
      () => ({ kind: 'ellipsoid', radii: [0.1 + random(), 0.1 + random(), 0.1 + random()], density: 500 }),
    )(),
    position: vector(),
    orientation: quaternion(),
  }));
  const children = depth < 3 ? Math.floor(3 * random()) : 0;
  return {
    position: vector(),
    orientation: quaternion(),
    joints,
    shapes,
    bodies: Array.from({ length: children }, () => growBody(random, depth + 1)),
  };
}

function writeBody(body: Body): string {
  const joints = (body.joints ?? []).map((joint) => {
    if (joint.kind === 'free') return '<freejoint/>';
    const axis = joint.kind === 'ball' ? '' : `axis="${(joint.axis ?? [0, 0, 1]).join(' ')}"`;
    const reference =
      joint.kind === 'ball' ? '' : `ref="${joint.reference ?? 0}" springref="${joint.springReference ?? 0}"`;
    return `<joint type="${joint.kind}" pos="${(joint.anchor ?? [0, 0, 0]).join(' ')}" ${axis} ${reference}
      damping="${joint.damping ?? 0}" armature="${joint.armature ?? 0}" stiffness="${joint.stiffness ?? 0}"/>`;
  });
  const shapes = (body.shapes ?? []).map((shape) => {
    const mass = shape.mass !== undefined ? `mass="${shape.mass}"` : `density="${shape.density ?? 1000}"`;
    return `<geom type="${shape.kind}" size="${sizeOf(shape).join(' ')}" pos="${shape.position?.join(' ')}"
      quat="${shape.orientation?.join(' ')}" shellinertia="${shape.shell ?? false}" ${mass}/>`;
  });
  return `<body pos="${body.position?.join(' ')}" quat="${body.orientation?.join(' ')}">
    ${joints.join('')}${shapes.join('')}${(body.bodies ?? []).map(writeBody).join('')}</body>`;
}

function sizeOf(shape: Shape): number[] {
  switch (shape.kind) {
    case 'sphere':
      return [shape.radius];
    case 'capsule':
    case 'cylinder':
      return [shape.radius, shape.halfLength];
    case 'box':
      return shape.halfSize;
    case 'ellipsoid':
      return shape.radii;
    default:
      throw new Error(`no size for ${shape.kind}`);
  }
}

describe('a model compiled again', () => {
  const tetrahedron = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], faces: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] };
  const SCENE: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    meshes: [{ name: 'stone', ...tetrahedron }],
    heightFields: [{ name: 'ground', rows: 2, columns: 2, halfSize: [5, 5], baseDepth: 1, heights: [0, 0.1, 0, 0.1] }],
    shapes: [{ kind: 'heightField', heightField: 'ground' }],
    bodies: [
      {
        name: 'arm',
        position: [0, 0, 1],
        joints: [{ kind: 'hinge', name: 'elbow', axis: [0, 1, 0] }],
        shapes: [{ kind: 'convexMesh', name: 'rock', mesh: 'stone' }],
      },
      { name: 'ball', position: [3, 0, 0.3], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] },
    ],
  };

  test.each([
    { 'bodies.arm.mass': 7, 'shapes.*.friction': 0.2 },
    { 'joints.elbow.damping': 3, 'joints.elbow.stiffness': 2, 'gravity.2': -1 },
    { 'shapes.rock.position.0': 0.1, 'shapes.rock.density': 300 },
    { 'shapes.rock.collisionGroups': 0, 'shapes.rock.collisionMask': 0 },
    { formulation: 'ccp' },
  ])('with %o: what compileModel gives', (values) => {
    const before = compileModel(SCENE);
    const changed = setSceneParameters(SCENE, values);
    const model = recompileModel(before, changed);
    expect(model).toEqual(compileModel(changed));
    expect(model.mesh).toBe(before.mesh);
    const isOther = 'shapes.rock.collisionMask' in values || 'formulation' in values;
    expect(model.geometry === before.geometry).toBe(!isOther);
    const fresh = new Simulation(compileModel(changed));
    const again = new Simulation(model);
    fresh.step(5);
    again.step(5);
    expect(again.hash()).toBe(fresh.hash());
  });

  test('with another mesh: everything is built again', () => {
    const changed = structuredClone(SCENE);
    changed.meshes![0].vertices[3] = 2;
    expect(recompileModel(compileModel(SCENE), changed)).toEqual(compileModel(changed));
  });

  test('bad values are refused as they are the first time', () => {
    const changed = setSceneParameters(SCENE, { 'shapes.rock.friction': -1 });
    const read = (action: () => unknown): unknown => {
      try {
        return action();
      } catch (error) {
        return (error as Error).message;
      }
    };
    const again = read(() => recompileModel(compileModel(SCENE), changed));
    expect(again).toBe(read(() => compileModel(changed)));
    expect(again).toMatch(/friction/);
  });
});
