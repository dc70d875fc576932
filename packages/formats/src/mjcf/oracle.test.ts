/** The scene of a file is the model that MuJoCo makes of it, field by field. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import loadMujoco, { type MainModule, type MjModel } from '@mujoco/mujoco';
import { type Actuator, type Body, compileModel, type Joint, type Scene, type Shape, type Site } from '@nexdyn/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../../../../scripts/long-run.ts';
import { memoryFiles } from '../file-source.ts';
import { countActivations } from './keyframe.ts';
import { readMjcf } from './mjcf.ts';
import { type Frame, transformPoint } from './orientation.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await loadMujoco();
});

const KINDS = { joint: { free: 0, ball: 1, slide: 2, hinge: 3 } } as const;
const SHAPES: Record<string, number> = {
  plane: 0,
  heightField: 1,
  sphere: 2,
  capsule: 3,
  ellipsoid: 4,
  cylinder: 5,
  box: 6,
  convexMesh: 7,
};
const SOLREF = [0.02, 1];
const SOLIMP = [0.9, 0.95, 0.001, 0.5, 2];

interface Flat {
  bodies: Body[];
  joints: Joint[];
  shapes: Shape[];
  sites: Site[];
}

/** Bodies and what is on them in the order of the model; the world is the first body. */
function flatten(scene: Scene): Flat {
  const flat: Flat = { bodies: [], joints: [], shapes: [], sites: [] };
  const visit = (body: Body): void => {
    flat.bodies.push(body);
    flat.joints.push(...(body.joints ?? []));
    flat.shapes.push(...(body.shapes ?? []));
    flat.sites.push(...(body.sites ?? []));
    body.bodies?.forEach(visit);
  };
  const { shapes, sites, bodies } = scene;
  visit({ ...(shapes && { shapes }), ...(sites && { sites }), ...(bodies && { bodies }) });
  return flat;
}

/** Names of one kind of object; MuJoCo keeps all names in one block of characters. */
function namesOf(model: MjModel, kind: string, count: number): string[] {
  const block = Array.from(model.names as ArrayLike<number>);
  const starts = (model as unknown as Record<string, ArrayLike<number>>)[`name_${kind}adr`]!;
  return Array.from({ length: count }, (_, i) => {
    const start = starts[i]!;
    return String.fromCharCode(...block.slice(start, block.indexOf(0, start)));
  });
}

/** Flags cannot be read through views in this build; the printed model has them. */
function flagsOf(model: MjModel): (name: string) => boolean[] {
  mujoco.mj_printModel(model, '/printed.txt');
  const text = mujoco.FS.readFile('/printed.txt', { encoding: 'utf8' }) as unknown as string;
  const found = new Map<string, boolean[]>();
  for (const [, name, value] of text.matchAll(/^ *((?:jnt|actuator|tendon|eq)_\w+)[ \t]+(\S+)/gm))
    found.set(name!, [...(found.get(name!) ?? []), value !== '0']);
  return (name) => found.get(name) ?? [];
}

function rows(view: ArrayLike<number>, width: number): number[][] {
  const numbers = Array.from(view);
  return Array.from({ length: numbers.length / width }, (_, i) => numbers.slice(width * i, width * (i + 1)));
}

const tables = new WeakMap<MjModel, Map<string, number[][]>>();

/** An array of MuJoCo row by row, read once: every access to it through its module makes a new view. */
function table(model: MjModel, name: keyof MjModel & string, width: number): number[][] {
  const known = tables.get(model) ?? new Map<string, number[][]>();
  tables.set(model, known);
  const found = known.get(name) ?? rows(model[name] as ArrayLike<number>, width);
  known.set(name, found);
  return found;
}

function expectClose(actual: readonly number[], expected: readonly number[], what: string, tolerance = 1e-12): void {
  const worst = Math.max(0, ...actual.map((value, i) => Math.abs(value - expected[i]!) / (1 + Math.abs(expected[i]!))));
  if (actual.length !== expected.length || !(worst <= tolerance)) {
    expect({ what, value: actual }).toEqual({ what, value: expected });
  }
}

/** Quaternions are the same up to sign. */
function expectRotation(actual: readonly number[], expected: readonly number[], what: string, tolerance = 1e-12): void {
  const sign = actual.reduce((sum, value, i) => sum + value * expected[i]!, 0) < 0 ? -1 : 1;
  expectClose(
    actual.map((value) => value * sign),
    expected,
    what,
    tolerance,
  );
}

/** Points and relative poses of connects and welds, as both compile them. */
function compareEqualityData(scene: Scene, model: MjModel): void {
  const compiled = compileModel(scene, { coordinates: 'joint' }).equality;
  scene.equalities?.forEach((equality, i) => {
    if (equality.kind !== 'connect' && equality.kind !== 'weld') return;
    // a connect has two points, a weld a rotation and a scale as well; MuJoCo keeps sites by number instead
    if (equality.site1 !== undefined) return;
    const width = equality.kind === 'connect' ? 6 : 11;
    const ours = Array.from(compiled.data.subarray(11 * i, 11 * i + width));
    expectClose(ours, table(model, 'eq_data', 11)[i]!.slice(0, width), `data of equality ${i}`, 1e-12);
  });
}

function compare(scene: Scene, model: MjModel): void {
  const flat = flatten(scene);
  const flags = flagsOf(model);
  compareCounts(scene, flat, model);
  compareBodies(flat, model);
  compareJoints(flat, model, flags);
  compareShapes(flat, model);
  compareAssets(scene, model);
  compareActuators(scene, model, flags);
  compareTendons(scene, model, flags);
  compareEqualities(scene, model, flags);
  compareEqualityData(scene, model);
  compareContacts(scene, model);
  compareKeyframes(scene, flat, model);
  compareOptions(scene, model);
}

function compareCounts(scene: Scene, { bodies, joints, shapes, sites }: Flat, model: MjModel): void {
  const widths = { free: [7, 6], ball: [4, 3], slide: [1, 1], hinge: [1, 1] };
  const sum = (side: number): number => joints.reduce((total, joint) => total + widths[joint.kind][side]!, 0);
  const actuators = scene.actuators ?? [];
  expect({
    nq: sum(0),
    nv: sum(1),
    nbody: bodies.length,
    ngeom: shapes.length,
    njnt: joints.length,
    nsite: sites.length,
    nu: actuators.length,
    na: actuators.reduce((total, actuator) => total + countActivations(actuator), 0),
    ntendon: scene.tendons?.length ?? 0,
    neq: scene.equalities?.length ?? 0,
    nkey: scene.keyframes?.length ?? 0,
    npair: scene.contactPairs?.length ?? 0,
    nexclude: scene.contactExcludes?.length ?? 0,
    nmocap: bodies.filter((body) => body.mocap).length,
  }).toEqual({
    nq: model.nq,
    nv: model.nv,
    nbody: model.nbody,
    ngeom: model.ngeom,
    njnt: model.njnt,
    nsite: model.nsite,
    nu: model.nu,
    na: model.na,
    ntendon: model.ntendon,
    neq: model.neq,
    nkey: model.nkey,
    npair: model.npair,
    nexclude: model.nexclude,
    nmocap: model.nmocap,
  });
}

function compareBodies({ bodies, sites }: Flat, model: MjModel): void {
  expect(bodies.map((body, i) => (i === 0 ? 'world' : (body.name ?? '')))).toEqual(namesOf(model, 'body', model.nbody));
  const positions = table(model, 'body_pos', 3);
  const rotations = table(model, 'body_quat', 4);
  const compensations = Array.from(model.body_gravcomp as ArrayLike<number>);
  const centers = table(model, 'body_ipos', 3);
  bodies.forEach((body, i) => {
    const what = `body ${i} ${body.name ?? ''}`;
    expectClose(body.position ?? [0, 0, 0], positions[i]!, `${what} position`);
    expectRotation(body.orientation ?? [1, 0, 0, 0], rotations[i]!, `${what} orientation`);
    expectClose([body.gravityCompensation ?? 0], [compensations[i]!], `${what} gravcomp`);
    if (body.inertia) expectClose(body.inertia.center ?? [0, 0, 0], centers[i]!, `${what} centre of mass`);
  });
  expect(sites.map((site) => site.name ?? '')).toEqual(namesOf(model, 'site', model.nsite));
  sites.forEach((site, i) => {
    expectClose(site.position ?? [0, 0, 0], table(model, 'site_pos', 3)[i]!, `site ${i} position`);
    expectRotation(site.orientation ?? [1, 0, 0, 0], table(model, 'site_quat', 4)[i]!, `site ${i} orientation`);
  });
}

function compareJoints({ joints }: Flat, model: MjModel, flags: (name: string) => boolean[]): void {
  expect(joints.map((joint) => joint.name ?? '')).toEqual(namesOf(model, 'jnt', model.njnt));
  const limited = flags('jnt_limited');
  const forceLimited = flags('jnt_actfrclimited');
  const compensated = flags('jnt_actgravcomp');
  joints.forEach((joint, i) => {
    const what = `joint ${i} ${joint.name ?? ''}`;
    const dof = model.jnt_dofadr[i]!;
    const start = model.jnt_qposadr[i]!;
    expect([what, KINDS.joint[joint.kind]]).toEqual([what, model.jnt_type[i]]);
    if (!joint.springDamper) {
      expectClose([joint.stiffness ?? 0], [model.jnt_stiffness[i]!], `${what} stiffness`);
      expectClose([joint.damping ?? 0], [model.dof_damping[dof]!], `${what} damping`);
    }
    expectClose([joint.armature ?? 0], [model.dof_armature[dof]!], `${what} armature`);
    expectClose([joint.frictionLoss ?? 0], [model.dof_frictionloss[dof]!], `${what} friction`);
    const softness = joint.mujoco ?? {};
    expectClose(softness.solrefLimit ?? SOLREF, table(model, 'jnt_solref', 2)[i]!, `${what} solref limit`);
    expectClose(softness.solimpLimit ?? SOLIMP, table(model, 'jnt_solimp', 5)[i]!, `${what} solimp limit`);
    expectClose(softness.solrefFriction ?? SOLREF, table(model, 'dof_solref', 2)[dof]!, `${what} solref friction`);
    expectClose(softness.solimpFriction ?? SOLIMP, table(model, 'dof_solimp', 5)[dof]!, `${what} solimp friction`);
    expect([what, joint.actuatorGravityCompensation ?? false]).toEqual([what, compensated[i]]);
    expect([what, joint.actuatorForceRange !== undefined]).toEqual([what, forceLimited[i]]);
    if (joint.actuatorForceRange) {
      expectClose(joint.actuatorForceRange, table(model, 'jnt_actfrcrange', 2)[i]!, `${what} force range`);
    }
    if (joint.kind === 'free') return;
    expectClose(joint.anchor ?? [0, 0, 0], table(model, 'jnt_pos', 3)[i]!, `${what} anchor`);
    expect([what, joint.limit !== undefined]).toEqual([what, limited[i]]);
    if (joint.limit) {
      expectClose(joint.limit.range, table(model, 'jnt_range', 2)[i]!, `${what} range`);
      expectClose([joint.limit.margin ?? 0], [model.jnt_margin[i]!], `${what} margin`);
    }
    if (joint.kind === 'ball') return;
    const axis = joint.axis ?? [0, 0, 1];
    const norm = Math.hypot(...axis);
    expectClose(
      axis.map((value) => value / norm),
      table(model, 'jnt_axis', 3)[i]!,
      `${what} axis`,
    );
    expectClose([joint.reference ?? 0], [model.qpos0[start]!], `${what} reference`);
    expectClose([joint.springReference ?? 0], [model.qpos_spring[start]!], `${what} spring reference`);
  });
}

function compareShapes({ shapes }: Flat, model: MjModel): void {
  expect(shapes.map((shape) => shape.name ?? '')).toEqual(namesOf(model, 'geom', model.ngeom));
  const sizes = table(model, 'geom_size', 3);
  shapes.forEach((shape, i) => {
    const what = `geom ${i} ${shape.name ?? ''}`;
    expect([what, SHAPES[shape.kind]]).toEqual([what, model.geom_type[i]]);
    const size = sizeOf(shape);
    if (size) expectClose(size, sizes[i]!.slice(0, size.length), `${what} size`, 1e-9);
    if (shape.kind !== 'convexMesh') {
      // principal axes of fitted meshes are as exact as MuJoCo's eigenvectors
      expectClose(shape.position ?? [0, 0, 0], table(model, 'geom_pos', 3)[i]!, `${what} position`, 1e-8);
      expectRotation(shape.orientation ?? [1, 0, 0, 0], table(model, 'geom_quat', 4)[i]!, `${what} orientation`, 1e-8);
    }
    const parameters = shape.mujoco ?? {};
    expect({
      what,
      groups: shape.collisionGroups ?? 1,
      mask: shape.collisionMask ?? 1,
      condim: parameters.condim ?? 3,
      priority: parameters.priority ?? 0,
      layer: shape.layer ?? 0,
    }).toEqual({
      what,
      groups: model.geom_contype[i]! >>> 0,
      mask: model.geom_conaffinity[i]! >>> 0,
      condim: model.geom_condim[i],
      priority: model.geom_priority[i],
      layer: model.geom_group[i],
    });
    const friction = [shape.friction ?? 1, shape.spinFriction ?? 0.005, shape.rollFriction ?? 0.0001];
    expectClose(friction, table(model, 'geom_friction', 3)[i]!, `${what} friction`);
    expectClose(
      [shape.margin ?? 0, shape.gap ?? 0],
      [model.geom_margin[i]!, model.geom_gap[i]!],
      `${what} margin, gap`,
    );
    expectClose([parameters.solmix ?? 1], [model.geom_solmix[i]!], `${what} solmix`);
    expectClose([parameters.adhesion ?? 0], [model.geom_adhesion[i]!], `${what} adhesion`);
    const motion = [...(shape.surfaceVelocity ?? [0, 0, 0]), ...(shape.surfaceSpin ?? [0, 0, 0])];
    expectClose(motion, table(model, 'geom_surfacevel', 6)[i]!, `${what} velocity of its surface`);
    expectClose(parameters.solref ?? SOLREF, table(model, 'geom_solref', 2)[i]!, `${what} solref`);
    expectClose(parameters.solimp ?? SOLIMP, table(model, 'geom_solimp', 5)[i]!, `${what} solimp`);
    const material = model.geom_matid[i]!;
    const plain = table(model, 'geom_rgba', 4)[i]!;
    const own = plain.some((value, k) => value !== [0.5, 0.5, 0.5, 1][k]);
    const color = material >= 0 && !own ? table(model, 'mat_rgba', 4)[material]! : plain;
    expectClose(shape.color ?? [0.5, 0.5, 0.5, 1], color, `${what} colour`, 1e-6);
  });
}

/** Height fields sample by sample; meshes by the box around them, since MuJoCo may merge vertices. */
function compareAssets(scene: Scene, model: MjModel): void {
  scene.heightFields?.forEach((field, i) => {
    const [x, y, height, depth] = table(model, 'hfield_size', 4)[i]! as [number, number, number, number];
    expect([field.rows, field.columns]).toEqual([model.hfield_nrow[i], model.hfield_ncol[i]]);
    expectClose([...field.halfSize, field.baseDepth], [x, y, depth], `height field ${i} size`);
    const start = model.hfield_adr[i]!;
    const data = Array.from(model.hfield_data as ArrayLike<number>).slice(start, start + field.heights.length);
    expectClose(
      field.heights,
      data.map((value) => value * height),
      `height field ${i}`,
    );
  });
  const names = namesOf(model, 'mesh', model.nmesh);
  const vertex = table(model, 'mesh_vert', 3);
  for (const mesh of scene.meshes ?? []) {
    const i = names.indexOf(mesh.name);
    const frame = { position: table(model, 'mesh_pos', 3)[i]!, orientation: table(model, 'mesh_quat', 4)[i]! } as Frame;
    const start = model.mesh_vertadr[i]!;
    const vertices = vertex
      .slice(start, start + model.mesh_vertnum[i]!)
      .map((point) => transformPoint(frame, point as [number, number, number]));
    // MuJoCo keeps vertices in single precision
    expectClose(boxAround(rows(mesh.vertices, 3)), boxAround(vertices), `mesh ${mesh.name}`, 1e-6);
  }
}

function boxAround(points: readonly (readonly number[])[]): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const point of points) {
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(box[axis]!, point[axis]!);
      box[axis + 3] = Math.max(box[axis + 3]!, point[axis]!);
    }
  }
  return box;
}

function sizeOf(shape: Shape): number[] | undefined {
  if (shape.kind === 'sphere') return [shape.radius];
  if (shape.kind === 'capsule' || shape.kind === 'cylinder') return [shape.radius, shape.halfLength];
  if (shape.kind === 'ellipsoid') return shape.radii;
  if (shape.kind === 'box') return shape.halfSize;
  return shape.kind === 'plane' ? (shape.halfSize ?? [0, 0]) : undefined;
}

/** Gain, bias and dynamics of an actuator in MuJoCo's terms; undefined for what depends on the masses. */
function lawOf(actuator: Actuator): { gain: number[]; bias: (number | undefined)[]; dynamics: number; time: number } {
  switch (actuator.kind) {
    case 'motor':
      return { gain: [1, 0, 0], bias: [0, 0, 0], dynamics: 0, time: 0 };
    case 'velocity':
      return { gain: [actuator.gain ?? 1, 0, 0], bias: [0, 0, -(actuator.gain ?? 1)], dynamics: 0, time: 0 };
    case 'position': {
      const stiffness = actuator.stiffness ?? 1;
      const damping = actuator.dampingRatio === undefined ? -(actuator.damping ?? 0) : undefined;
      const time = actuator.timeConstant ?? 0;
      return { gain: [stiffness, 0, 0], bias: [0, -stiffness, damping], dynamics: time > 0 ? 3 : 0, time };
    }
    case 'general': {
      const dynamics = { none: 0, integrator: 1, filter: 2, filterExact: 3, muscle: 4 }[
        actuator.activation?.kind ?? 'none'
      ];
      const time = actuator.activation?.timeConstant ?? 0;
      return { gain: actuator.gain ?? [1, 0, 0], bias: actuator.bias ?? [0, 0, 0], dynamics, time };
    }
    case 'adhesion':
      return { gain: [actuator.gain ?? 1, 0, 0], bias: [0, 0, 0], dynamics: 0, time: 0 };
    case 'muscle':
    case 'dcMotor':
    case 'pid':
    case 'input':
      throw new Error('muscles and motors are compared by their motion');
  }
}

function compareActuators(scene: Scene, model: MjModel, flags: (name: string) => boolean[]): void {
  const actuators = scene.actuators ?? [];
  expect(actuators.map((actuator) => actuator.name ?? '')).toEqual(namesOf(model, 'actuator', model.nu));
  const targets = {
    joint: namesOf(model, 'jnt', model.njnt),
    tendon: namesOf(model, 'tendon', model.ntendon),
    site: namesOf(model, 'site', model.nsite),
    body: namesOf(model, 'body', model.nbody),
  };
  const limited = {
    ctrl: flags('actuator_ctrllimited'),
    force: flags('actuator_forcelimited'),
    act: flags('actuator_actlimited'),
  };
  const early = flags('actuator_actearly');
  actuators.forEach((actuator, i) => {
    const what = `actuator ${i} ${actuator.name ?? ''}`;
    const { transmission } = actuator;
    const type = { joint: 0, tendon: 3, site: 4, crank: 2, body: 5 }[transmission.kind];
    const inParent = transmission.kind === 'joint' && transmission.inParent ? 1 : 0;
    expect([what, type + inParent]).toEqual([what, model.actuator_trntype[i]]);
    const target =
      transmission.kind === 'joint'
        ? transmission.joint
        : transmission.kind === 'tendon'
          ? transmission.tendon
          : transmission.kind === 'site'
            ? transmission.site
            : transmission.kind === 'body'
              ? transmission.body
              : transmission.crankSite;
    const kind = transmission.kind === 'crank' ? 'site' : transmission.kind;
    expect([what, target]).toEqual([what, targets[kind][model.actuator_trnid[2 * i]!]]);
    const gear = transmission.gear ?? [1];
    expectClose(gear, table(model, 'actuator_gear', 6)[i]!.slice(0, gear.length), `${what} gear`);
    const { gain, bias, dynamics, time } = lawOf(actuator);
    const affine = [model.actuator_gaintype[i] === 1, model.actuator_biastype[i] === 1];
    const [g0, ...g] = table(model, 'actuator_gainprm', 10)[i]!.slice(0, 3) as [number, number, number];
    expectClose(gain, affine[0] ? [g0, ...g] : [g0, 0, 0], `${what} gain`);
    const theirs = affine[1] ? table(model, 'actuator_biasprm', 10)[i]!.slice(0, 3) : [0, 0, 0];
    expectClose(
      bias.map((value, k) => value ?? theirs[k]!),
      theirs,
      `${what} bias`,
    );
    expect([what, dynamics]).toEqual([what, model.actuator_dyntype[i]]);
    if (dynamics > 1) expectClose([time], [model.actuator_dynprm[10 * i]!], `${what} time constant`);
    const activation = actuator.kind === 'general' ? actuator.activation : undefined;
    const ranges = { ctrl: actuator.controlRange, force: actuator.forceRange, act: activation?.range };
    for (const key of ['ctrl', 'force', 'act'] as const) {
      expect([what, key, ranges[key] !== undefined]).toEqual([what, key, limited[key][i]]);
      const views = { ctrl: model.actuator_ctrlrange, force: model.actuator_forcerange, act: model.actuator_actrange };
      if (ranges[key]) expectClose(ranges[key], rows(views[key], 2)[i]!, `${what} ${key} range`);
    }
    expect([what, activation?.early ?? false]).toEqual([what, early[i]]);
  });
}

function compareTendons(scene: Scene, model: MjModel, flags: (name: string) => boolean[]): void {
  const tendons = scene.tendons ?? [];
  expect(tendons.map((tendon) => tendon.name ?? '')).toEqual(namesOf(model, 'tendon', model.ntendon));
  const limited = flags('tendon_limited');
  const forceLimited = flags('tendon_actfrclimited');
  const names = {
    joint: namesOf(model, 'jnt', model.njnt),
    site: namesOf(model, 'site', model.nsite),
    shape: namesOf(model, 'geom', model.ngeom),
  };
  tendons.forEach((tendon, i) => {
    const what = `tendon ${i} ${tendon.name ?? ''}`;
    const numbers = [tendon.stiffness ?? 0, tendon.damping ?? 0, tendon.armature ?? 0, tendon.frictionLoss ?? 0];
    const theirs = [model.tendon_stiffness, model.tendon_damping, model.tendon_armature, model.tendon_frictionloss];
    expectClose(
      numbers,
      theirs.map((view) => (view as ArrayLike<number>)[i]!),
      `${what} numbers`,
    );
    expect([what, tendon.limit !== undefined]).toEqual([what, limited[i]]);
    if (tendon.limit) expectClose(tendon.limit.range, table(model, 'tendon_range', 2)[i]!, `${what} range`);
    expect([what, tendon.actuatorForceRange !== undefined]).toEqual([what, forceLimited[i]]);
    if (tendon.springLength)
      expectClose(tendon.springLength, table(model, 'tendon_lengthspring', 2)[i]!, `${what} spring`);
    expectClose(tendon.mujoco?.solrefLimit ?? SOLREF, table(model, 'tendon_solref_lim', 2)[i]!, `${what} solref`);
    expectClose(tendon.mujoco?.solimpLimit ?? SOLIMP, table(model, 'tendon_solimp_lim', 5)[i]!, `${what} solimp`);
    const start = model.tendon_adr[i]!;
    const stations =
      tendon.kind === 'fixed'
        ? tendon.terms.map(({ joint, coefficient }) => `joint ${joint} ${coefficient}`)
        : tendon.path.map((station) => {
            if (station.kind === 'pulley') return `pulley ${station.divisor}`;
            return station.kind === 'site' ? `site ${station.site}` : `wrap ${station.shape} ${station.sideSite ?? ''}`;
          });
    const wraps = Array.from({ length: model.tendon_num[i]! }, (_, k) => {
      const object = model.wrap_objid[start + k]!;
      const parameter = model.wrap_prm[start + k]!;
      const type = model.wrap_type[start + k]!;
      if (type === 1) return `joint ${names.joint[object]} ${parameter}`;
      if (type === 2) return `pulley ${parameter}`;
      if (type === 3) return `site ${names.site[object]}`;
      return `wrap ${names.shape[object]} ${parameter >= 0 ? names.site[parameter] : ''}`;
    });
    expect([what, stations]).toEqual([what, wraps]);
  });
}

function compareEqualities(scene: Scene, model: MjModel, flags: (name: string) => boolean[]): void {
  const equalities = scene.equalities ?? [];
  expect(equalities.map((equality) => equality.name ?? '')).toEqual(namesOf(model, 'eq', model.neq));
  const active = flags('eq_active0');
  const names = {
    body: namesOf(model, 'body', model.nbody),
    joint: namesOf(model, 'jnt', model.njnt),
    site: namesOf(model, 'site', model.nsite),
    tendon: namesOf(model, 'tendon', model.ntendon),
  };
  equalities.forEach((equality, i) => {
    const what = `equality ${i} ${equality.name ?? ''}`;
    expect([what, { connect: 0, weld: 1, joint: 2, tendon: 3, distance: 9 }[equality.kind]]).toEqual([
      what,
      model.eq_type[i],
    ]);
    expect([what, equality.active ?? true]).toEqual([what, active[i]]);
    expectClose(equality.mujoco?.solref ?? SOLREF, table(model, 'eq_solref', 2)[i]!, `${what} solref`);
    expectClose(equality.mujoco?.solimp ?? SOLIMP, table(model, 'eq_solimp', 5)[i]!, `${what} solimp`);
    const data = table(model, 'eq_data', 11)[i]!;
    const [first, second] = [model.eq_obj1id[i]!, model.eq_obj2id[i]!];
    if (equality.kind === 'joint' || equality.kind === 'tendon') {
      const [one, two] =
        equality.kind === 'joint' ? [equality.joint1, equality.joint2] : [equality.tendon1, equality.tendon2];
      expect([what, one, two]).toEqual([what, names[equality.kind][first], names[equality.kind][second]]);
      expectClose(equality.coefficients ?? [0, 1, 0, 0, 0], data.slice(0, 5), `${what} coefficients`);
    } else if (equality.kind === 'connect' || equality.kind === 'weld') {
      if (equality.site1 !== undefined) {
        expect([what, equality.site1, equality.site2]).toEqual([what, names.site[first], names.site[second]]);
        return;
      }
      expect([what, equality.body1, equality.body2 ?? 'world']).toEqual([what, names.body[first], names.body[second]]);
      expectClose(equality.anchor ?? [0, 0, 0], data.slice(0, 3), `${what} anchor`);
      if (equality.kind === 'weld') {
        expectClose([equality.torqueScale ?? 1], [data[10]!], `${what} torque scale`);
        const pose = equality.relativePose;
        if (pose)
          expectRotation(
            pose.orientation.map((v) => v / Math.hypot(...pose.orientation)),
            data.slice(6, 10),
            `${what} pose`,
          );
      }
    }
  });
}

function compareContacts(scene: Scene, model: MjModel): void {
  const geoms = namesOf(model, 'geom', model.ngeom);
  const bodies = namesOf(model, 'body', model.nbody);
  const describePair = (names: string[], numbers: number[][]): string => {
    const rounded = numbers.map((row) => row.map((value) => Number(value.toPrecision(12))));
    return JSON.stringify([names.toSorted(), rounded]);
  };
  const ours = (scene.contactPairs ?? []).map((pair) => {
    const { condim = 3, solref = SOLREF, solimp = SOLIMP, solrefFriction = [0, 0] } = pair.mujoco ?? {};
    const numbers = [pair.friction!, [pair.margin!, pair.gap!, condim], solref, solimp, solrefFriction];
    return describePair([pair.shape1, pair.shape2], numbers);
  });
  const theirs = Array.from({ length: model.npair }, (_, i) => {
    const numbers = [
      table(model, 'pair_friction', 5)[i]!,
      [model.pair_margin[i]!, model.pair_gap[i]!, model.pair_dim[i]!],
      table(model, 'pair_solref', 2)[i]!,
      table(model, 'pair_solimp', 5)[i]!,
      table(model, 'pair_solreffriction', 2)[i]!,
    ];
    return describePair([geoms[model.pair_geom1[i]!]!, geoms[model.pair_geom2[i]!]!], numbers);
  });
  expect(ours.toSorted()).toEqual(theirs.toSorted());
  const excludes = (scene.contactExcludes ?? []).map(({ body1, body2 }) => [body1, body2].toSorted().join(' '));
  const signatures = Array.from(model.exclude_signature as ArrayLike<number>, (s) => [
    bodies[s >> 16]!,
    bodies[s & 0xffff]!,
  ]);
  expect(excludes.toSorted()).toEqual(signatures.map((pair) => pair.toSorted().join(' ')).toSorted());
}

function compareKeyframes(scene: Scene, { joints }: Flat, model: MjModel): void {
  const keyframes = scene.keyframes ?? [];
  expect(keyframes.map((keyframe) => keyframe.name ?? '')).toEqual(namesOf(model, 'key', model.nkey));
  keyframes.forEach((keyframe, i) => {
    const what = `keyframe ${i} ${keyframe.name ?? ''}`;
    expectClose([keyframe.time ?? 0], [model.key_time[i]!], `${what} time`);
    const position = [...(keyframe.position ?? Array.from(model.qpos0 as ArrayLike<number>))];
    joints.forEach((joint, k) => {
      if (joint.kind !== 'free' && joint.kind !== 'ball') return;
      const start = model.jnt_qposadr[k]! + (joint.kind === 'free' ? 3 : 0);
      const norm = Math.hypot(...position.slice(start, start + 4));
      for (let c = start; c < start + 4; c++) position[c] = position[c]! / norm;
    });
    expectClose(position, rows(model.key_qpos, model.nq)[i]!, `${what} position`);
    const velocity = keyframe.velocity ?? new Array<number>(model.nv).fill(0);
    expectClose(velocity, model.nv ? rows(model.key_qvel, model.nv)[i]! : [], `${what} velocity`);
    const control = keyframe.control ?? new Array<number>(model.nu).fill(0);
    expectClose(control, model.nu ? rows(model.key_ctrl, model.nu)[i]! : [], `${what} control`);
    const activation = keyframe.activation ?? new Array<number>(model.na).fill(0);
    expectClose(activation, model.na ? rows(model.key_act, model.na)[i]! : [], `${what} activation`);
  });
}

function compareOptions(scene: Scene, model: MjModel): void {
  const { opt } = model;
  const options = scene.options ?? {};
  const knobs = options.mujoco ?? {};
  expectClose(
    [
      options.timestep ?? 0.002,
      ...(options.gravity ?? [0, 0, -9.81]),
      options.medium?.density ?? 0,
      options.medium?.viscosity ?? 0,
    ],
    [opt.timestep, ...Array.from(opt.gravity as ArrayLike<number>), opt.density, opt.viscosity],
    'options',
  );
  expect({
    integrator: ['euler', 'rkmk4', 'implicit', 'implicitfast'].indexOf(options.integrator ?? 'euler'),
    cone: { pyramidal: 0, elliptic: 1 }[knobs.cone ?? 'pyramidal'],
    solver: { pgs: 0, cg: 1, newton: 2 }[knobs.solver ?? 'newton'],
    iterations: knobs.iterations ?? 100,
    impratio: knobs.impedanceRatio ?? 1,
    noslip: knobs.noslipIterations ?? 0,
    tolerance: knobs.tolerance ?? 1e-8,
  }).toEqual({
    integrator: opt.integrator,
    cone: opt.cone,
    solver: opt.solver,
    iterations: opt.iterations,
    impratio: opt.impratio,
    noslip: opt.noslip_iterations,
    tolerance: opt.tolerance,
  });
}

/** Puts files where MuJoCo finds them and compiles one of them. */
let folders = 0;
function compileOracle(main: string, files: Readonly<Record<string, string | Uint8Array>>): MjModel {
  const root = `/case${folders++}`;
  mujoco.FS.mkdir(root);
  for (const [path, content] of Object.entries(files)) {
    let folder = root;
    for (const part of path.split('/').slice(0, -1)) {
      folder += `/${part}`;
      if (!mujoco.FS.analyzePath(folder, false).exists) mujoco.FS.mkdir(folder);
    }
    mujoco.FS.writeFile(`${root}/${path}`, content);
  }
  return mujoco.MjModel.from_xml_path(`${root}/${main}`);
}

function expectSame(
  files: Readonly<Record<string, string | Uint8Array>>,
  main = 'main.xml',
  massTolerance = 1e-10,
): Scene {
  const model = compileOracle(main, files);
  try {
    const { scene } = readMjcf(main, { files: memoryFiles(files) });
    compare(scene, model);
    const compiled = compileModel(scene);
    expectClose([...compiled.body.mass], Array.from(model.body_mass as ArrayLike<number>), 'masses', massTolerance);
    return scene;
  } finally {
    model.delete();
  }
}

const world = (inside: string, before = '', after = ''): Record<string, string> => ({
  'main.xml': `<mujoco>${before}<worldbody>${inside}</worldbody>${after}</mujoco>`,
});

describe('features', () => {
  test.each<[string, Record<string, string>]>(Object.entries(FEATURES()))('%s', (name, files) => {
    // sizes of fitted primitives are as exact as MuJoCo's eigenvectors
    expectSame(files, 'main.xml', name.includes('fitted') ? 1e-8 : 1e-10);
  });
});

function FEATURES(): Record<string, Record<string, string>> {
  const ball = '<geom size=".1"/>';
  return {
    'orientations in degrees': world(
      `<body pos="1 2 3" quat="1 2 3 4">${ball}<body axisangle="1 1 0 30">${ball}<body euler="10 20 30">${ball}</body></body></body>
       <body xyaxes="1 1 0 0 1 1">${ball}</body><body zaxis="1 -2 3">${ball}</body><body zaxis="0 0 -1">${ball}</body>`,
    ),
    'orientations in radians, fixed axes': world(
      `<body euler=".1 .2 .3">${ball}</body><body axisangle="0 0 2 1">${ball}</body><site euler=".3 .2 .1"/>`,
      '<compiler angle="radian" eulerseq="XyZ"/>',
    ),
    'class orientation under element orientation': world(
      '<geom type="box" size="1 2 3" quat="1 1 0 0"/><geom type="box" size="1 2 3" zaxis="1 0 0"/><geom type="box" size="1 2 3"/>',
      '<default><geom euler="0 0 90"/></default>',
    ),
    fromto: world(
      `<geom type="box" size=".1 .2 .3" fromto="0 0 0 0 0 -1"/><geom type="ellipsoid" size=".1" fromto="0 0 0 1 1 1"/>
       <geom type="capsule" size=".1" pos="0 0 0" fromto="0 0 0 0 0 1"/><geom type="cylinder" size=".1 5" fromto="0 0 0 0 1 0"/>
       <site name="s" type="capsule" size=".1" fromto="0 0 0 1 0 2"/>`,
    ),
    'shapes and contact parameters': world(
      `<geom name="p" type="plane" size="0 0 1"/><geom type="plane" size="1 2 .1" contype="2" conaffinity="-1"/>
       <geom size=".1" condim="6" priority="2" friction=".5 .2" solmix=".3" adhesion="4" surfacevel="1 2 3 4 5 6" solref="-100 -3" solimp=".8" margin=".01" gap=".002" group="4"/>
       <body><freejoint/><geom type="ellipsoid" size=".1 .2 .3" density="500"/><geom type="cylinder" size=".1 .2" mass="3"/>
       <geom type="capsule" size=".1 .2" shellinertia="true" rgba="1 0 0 .5"/><geom size=".2" pos="1 0 0" mass="0"/></body>`,
    ),
    'joints of all kinds': world(
      `<body gravcomp=".5"><joint name="h" axis="1 2 3" pos=".1 .2 .3" range="-30 60" ref="10" springref="20" stiffness="3" damping=".2"
        armature=".01" frictionloss=".4" margin=".2" solreflimit=".01" solimplimit=".5 .6" solreffriction="-5 -6" solimpfriction=".7"
        actuatorfrcrange="-1 2" actuatorgravcomp="true"/><joint type="slide" axis="0 1 0" range="-1 2" ref=".3" springref=".4"/>${ball}
        <body><joint type="ball" range="0 40" pos="0 0 1"/>${ball}</body></body>
       <body pos="0 0 1"><joint name="f" type="free" stiffness="2" damping="1" range="0 1"/>${ball}</body><body><freejoint name="g"/>${ball}</body>`,
      '<default><joint damping="9"/></default>',
    ),
    'limits without autolimits': world(
      `<body><joint limited="true" range="0 10"/><joint limited="false" range="0 10" axis="1 0 0"/>${ball}</body>`,
      '<compiler autolimits="false"/>',
    ),
    'frames in frames': world(
      `<body><frame pos="1 2 3" euler="0 0 90"><joint axis="1 0 0" pos="1 0 0"/><inertial pos="1 0 0" mass="1" diaginertia="1 2 2.5"/>${ball}
        <frame euler="0 30 0"><geom size=".1" pos="1 0 0"/><site pos="0 1 0"/><body pos="0 0 1" euler="40 0 0">${ball}</body></frame></frame></body>
       <frame pos="1 1 1"><geom type="box" size="1 1 1"/></frame>`,
    ),
    'inertia tensors': world(
      `<body><frame euler="10 20 30"><inertial pos=".1 .2 .3" mass="2" fullinertia="1 1.1 1.2 .1 .05 -.02"/></frame><joint/></body>
       <body><inertial pos="0 0 0" mass="2" diaginertia="1 1.1 1.2" euler="0 0 30"/><joint/></body>`,
    ),
    'inertia from shapes of some layers': world(
      `<body><joint/><inertial pos="0 0 0" mass="7" diaginertia="1 1 1"/><geom size="1" group="1"/><geom size=".1" group="2"/></body>
       <body><joint/><geom size=".3" group="1"/><geom size=".1" group="3"/></body>`,
      '<compiler inertiafromgeom="true" inertiagrouprange="2 3"/>',
    ),
    'layers beyond the last': world(
      `<body><joint/><geom size="1" group="1"/><geom size=".1" group="5" density="9"/></body>`,
      '<compiler inertiagrouprange="2 9"/>',
    ),
    'inertial alone': world(
      `<body><geom size="1"/><body><joint/><inertial pos="1 0 0" mass="7" diaginertia="1 1 1"/>${ball}</body></body>`,
      '<compiler inertiafromgeom="false"/>',
    ),
    'mass rules': world(
      `<body><joint/><geom size=".1"/></body><body><joint/><geom size=".01"/></body>`,
      '<compiler boundmass=".5" boundinertia=".1" settotalmass="10"/>',
    ),
    'the least mass of bodies without shapes': world(
      `<body pos=".1 .2 .3" euler="0 30 0"><joint/><body pos="0 .5 0"><joint/></body></body><body pos="1 0 0"><joint/><geom size=".1" group="4"/></body>`,
      '<compiler boundmass=".5" boundinertia=".1" inertiagrouprange="0 2"/>',
    ),
    'classes, nested and by child class': world(
      `<body childclass="x"><frame childclass="y">${ball}<body>${ball}<joint/></body></frame>${ball}<geom size=".1" class="main"/>
        <body childclass="z"><geom class="x" friction=".7"/><joint range="1 2"/></body></body>`,
      `<default class="main"><geom friction="1 .3 .2" size=".2"/><default class="x"><geom condim="4" friction=".4"/><joint damping="3"/>
        <default class="z"><geom rgba="1 0 0 1" solref=".5"/><joint stiffness="4"/></default></default><default class="y"><geom condim="6"/></default></default>
       <default><geom priority="3"/></default>`,
    ),
    'meshes and what is fitted to them': world(
      `<geom type="mesh" mesh="m"/><body><joint/><geom type="mesh" mesh="m" pos="1 0 0" euler="0 30 0"/></body>
       <body pos="1 2 3"><joint/><geom type="box" mesh="m" euler="0 0 20"/></body><body><joint/><geom type="sphere" mesh="m"/></body>
       <body><joint/><geom type="capsule" mesh="m" fitscale="1.5"/></body><body><joint/><geom type="cylinder" mesh="m"/></body>
       <body><joint/><geom type="ellipsoid" mesh="m"/></body><body><joint/><geom type="mesh" mesh="mirrored"/></body>`,
      `<asset><mesh name="m" inertia="exact" refpos=".1 .2 .3" refquat="1 0 .5 0" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1.2 1.5 .3 .4 .1 2.5"/>
        <mesh name="mirrored" inertia="exact" scale="-1 2 1" vertex="0 0 0 1 0 0 0 2 0 0 0 3" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>`,
    ),
    'meshes fitted by bounding box': world(
      ['box', 'sphere', 'capsule', 'cylinder', 'ellipsoid']
        .map((type) => `<body><joint/><geom type="${type}" mesh="m"/></body>`)
        .join(''),
      `<compiler fitaabb="true"/><asset><mesh name="m" inertia="exact" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1.2 1.5 .3 .4 .1 2.5"/></asset>`,
    ),
    'tendons and equalities': world(
      `<body name="a" pos="0 0 1"><joint name="j"/><geom name="ga" size=".1"/><site name="s1"/></body>
       <body name="b" pos="1 0 0"><joint name="k" type="slide"/><geom name="gb" type="cylinder" size=".1 .2"/><site name="s2"/><site name="side" pos=".2 0 0"/></body>
       <site name="s3" pos="2 0 0"/>`,
      '<default><tendon stiffness="2" rgba="1 0 0 1"/><equality solref=".03"/></default>',
      `<tendon><fixed name="t" range="-1 1" frictionloss=".2" armature=".1" springlength=".1"><joint joint="j" coef="2"/><joint joint="k" coef="-1"/></fixed>
        <spatial name="u" damping="3" springlength=".1 .2" solreflimit=".1" actuatorfrcrange="-2 3"><site site="s1"/><geom geom="gb" sidesite="side"/><site site="s2"/>
        <pulley divisor="2"/><site site="s2"/><geom geom="ga"/><site site="s3"/></spatial></tendon>
       <equality><connect name="c" body1="a" anchor="0 0 1"/><connect site1="s1" site2="s2"/><weld body1="a" body2="b" anchor="1 2 3" torquescale="2" relpose="1 0 0 1 1 0 0"/>
        <weld site1="s1" site2="s3"/><weld body1="b" active="false" solimp=".5"/><joint joint1="j" joint2="k" polycoef="1 2 3"/><joint joint1="k"/><tendon tendon1="t" tendon2="u"/></equality>`,
    ),
    'pairs and excludes': world(
      `<geom name="w" size=".1" friction="2" condim="4"/><body name="a"><joint/><geom name="ga" size=".1" margin=".1"/></body><body name="b"><joint/><geom name="gb" size=".1"/></body>`,
      '<default><pair friction=".3 .4 .5"/><default class="k"><pair condim="6" solref=".1"/></default></default>',
      `<contact><pair geom1="w" geom2="ga"/><pair geom1="gb" geom2="ga" class="k" friction=".9" margin=".2" gap=".1" solreffriction=".3 1"/>
        <exclude name="x" body1="b" body2="world"/><exclude body1="a" body2="b"/></contact>`,
    ),
    'actuators of all kinds': world(
      `<body><joint name="j" range="-90 60"/>${ball}<site name="s"/><body><joint name="b" type="ball"/>${ball}<site name="r"/></body></body><body><freejoint name="f"/>${ball}</body>`,
      '<default><general ctrlrange="-3 3"/><default class="c"><position kp="50" kv="2" forcerange="-5 5"/></default></default>',
      `<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon><actuator><motor joint="j" gear="2"/><motor name="m" joint="b" gear="0 1 0"/><motor joint="f"/>
        <motor jointinparent="b" gear="1 2 3"/><motor site="s" gear="0 0 1 0 0 .5"/><motor site="s" refsite="r"/><motor tendon="t" ctrllimited="false"/>
        <position class="c" joint="j"/><position joint="j" kp="7" dampratio="1"/><position joint="j" kp="7" timeconst=".2"/><position class="c" joint="j" kp="3" timeconst="0"/>
        <velocity joint="j" kv="4"/><intvelocity joint="j" kp="3" actrange="-1 2"/><damper joint="j" kv="3" ctrlrange="0 1"/>
        <cylinder joint="j" area="2" timeconst=".1" bias="1 2 3"/><cylinder joint="j" diameter="2"/>
        <general joint="j" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="3 2 1" dyntype="filter" dynprm=".3" actrange="0 1" actearly="true"/>
        <general joint="j" dyntype="filterexact" dynprm=".3"/><general class="c" joint="j"/></actuator>`,
    ),
    'inherited ranges': world(
      `<body><joint name="j" range="-90 30"/>${ball}</body>`,
      '',
      '<actuator><position joint="j" inheritrange="1"/><position joint="j" inheritrange=".5"/><intvelocity joint="j" inheritrange=".8"/></actuator>',
    ),
    replicate: world(
      `<geom name="w" size=".1"/><body name="y">${ball}</body><replicate count="12" offset="1 0 .1" euler="0 10 20" sep="-"><body name="b" pos="0 1 0"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
        <geom size=".1" pos="0 0 1"/><site name="ws"/></replicate><body name="z" pos="0 0 3"><frame pos="1 1 1"><replicate count="2" offset="0 1 0"><geom name="h" size=".1"/><body name="c">${ball}</body></replicate></frame></body>`,
      '',
      `<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon><equality><weld name="e" body1="b"/></equality>
       <contact><exclude body1="b" body2="world"/><pair geom1="g" geom2="w"/><exclude body1="b" body2="y"/></contact>
       <actuator><motor name="a" joint="j"/><motor joint="j"/><motor name="at" tendon="t"/></actuator>`,
    ),
    'replicate in replicate': world(
      `<replicate count="2" offset="1 0 0"><replicate count="3" offset="0 1 0" sep="_"><body name="b"><joint name="j"/>${ball}</body></replicate></replicate><body><joint name="k"/>${ball}</body>`,
      '',
      '<actuator><motor name="a" joint="j"/><motor name="o" joint="k"/><motor name="c" joint="j"/></actuator>',
    ),
    attach: {
      ...world(
        `<body name="r"><joint ref="20"/>${ball}<frame pos="1 2 3" euler="0 0 40"><attach model="c" body="b" prefix="p_"/></frame></body><attach model="whole" prefix="q_"/>`,
        '<asset><model name="c" file="sub/c.xml"/><model name="whole" file="sub/d.xml"/></asset><default><geom size=".7"/></default>',
        '<keyframe><key name="own" qpos="1 2 3 4 5 6"/></keyframe><actuator><motor name="mine" joint="p_j"/></actuator>',
      ),
      'sub/c.xml': attachable(),
      'sub/d.xml': attachable(),
    },
    'attach frame': {
      'main.xml': `<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><frame pos="1 0 0" euler="0 0 30"><attach model="c" frame="f" prefix="p_"/></frame></worldbody></mujoco>`,
      'c.xml': `<mujoco><worldbody><frame name="f" pos="0 1 0" euler="0 20 0"><geom name="g" size=".1"/><body name="b" pos="0 0 1"><joint name="j"/><geom size=".1"/></body></frame><body name="z"><joint name="jz"/><geom size=".2"/></body></worldbody><actuator><motor name="a" joint="j"/><motor name="az" joint="jz"/></actuator></mujoco>`,
    },
    'self attach body': {
      'main.xml': `<mujoco><worldbody><body name="b" pos="0 0 1"><joint name="j"/><geom name="g" size=".1"/></body><frame pos="1 0 0"><attach body="b" prefix="p_"/></frame></worldbody><actuator><motor name="a" joint="j"/></actuator><tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon></mujoco>`,
    },
    'self attach frame': {
      'main.xml': `<mujoco><worldbody><frame name="f" pos="0 1 0"><body name="b" pos="0 0 1"><joint name="j"/><geom name="g" size=".1"/></body></frame><frame pos="1 0 0"><attach frame="f" prefix="p_"/></frame></worldbody></mujoco>`,
    },
    'attach with world refs': {
      'main.xml': `<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" prefix="p_"/></worldbody></mujoco>`,
      'c.xml': `<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/></body></worldbody><equality><connect name="e" body1="b" body2="world" anchor="0 0 0"/><weld name="w" body1="b"/></equality><contact><exclude name="x" body1="world" body2="b"/></contact></mujoco>`,
    },
    'attach body with world refs': {
      'main.xml': `<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" body="b" prefix="p_"/></worldbody></mujoco>`,
      'c.xml': `<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/></body></worldbody><equality><connect name="e" body1="b" body2="world" anchor="0 0 0"/><weld name="w" body1="b"/></equality><contact><exclude name="x" body1="world" body2="b"/></contact></mujoco>`,
    },
    'attach in replicate': {
      'main.xml': `<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><replicate count="3" euler="0 0 30" offset="1 0 0" sep="-"><frame pos="0 1 0"><attach model="c" body="b" prefix="p_"/></frame></replicate></worldbody></mujoco>`,
      'c.xml': `<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" inertia="exact"/></asset><worldbody><body name="b"><freejoint name="j"/><geom name="g" size=".1"/><geom type="mesh" mesh="m"/></body></worldbody><keyframe><key name="k" qpos="1 2 3 1 0 0 0"/></keyframe></mujoco>`,
    },
    'mocap in replicate': {
      'main.xml': `<mujoco><worldbody><replicate count="2" offset="1 0 0"><body name="m" mocap="true" pos="0 0 1"><geom size=".1"/></body></replicate></worldbody></mujoco>`,
    },
    'anonymous model': {
      'main.xml': `<mujoco><asset><model file="c.xml"/></asset><worldbody><attach model="inner" prefix="p_"/></worldbody></mujoco>`,
      'c.xml': `<mujoco model="inner"><worldbody><body name="b"><joint/><geom size=".1"/></body></worldbody></mujoco>`,
    },
    'height fields': world(
      '<geom type="hfield" hfield="h"/><geom type="hfield" hfield="flat" pos="1 2 3"/>',
      '<asset><hfield name="h" nrow="2" ncol="3" size="1 2 3 4" elevation="1 2 3 4 5 7"/><hfield name="flat" nrow="2" ncol="2" size="1 2 3 4"/></asset>',
    ),
    'mesh frames and scales': world(
      '<geom type="mesh" mesh="m"/><geom type="mesh" mesh="n"/>',
      `<default><mesh scale="2 3 -1"/></default><asset><mesh name="m" inertia="exact" refpos=".1 .2 .3" refquat="1 .2 .5 0" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/>
        <mesh name="n" inertia="convex" scale="1 1 1" vertex="0 0 0 1 0 0 0 2 0 0 0 3 .1 .1 .1"/></asset>`,
    ),
    includes: {
      'main.xml':
        '<mujoco><include file="sub/a.xml"/><worldbody><body><include file="inside.xml"/></body></worldbody></mujoco>',
      'sub/a.xml': '<mujoco><include file="b.xml"/><option timestep=".01"/></mujoco>',
      'sub/b.xml': '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>',
      'inside.xml': '<mujocoinclude><geom size="2"/><joint name="j"/></mujocoinclude>',
    },
    'folders of meshes': {
      ...world(
        '<geom type="mesh" mesh="a"/>',
        '<compiler assetdir="wrong" meshdir="sub/meshes"/><asset><mesh file="a.obj"/></asset>',
      ),
      'sub/meshes/a.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n',
    },
    'materials and colours': world(
      '<geom size="1" material="red"/><geom size="1" material="red" rgba="0 1 0 1"/><geom size="1"/>',
      '<default><material rgba=".1 .2 .3 1"/></default><asset><material name="red" rgba="1 0 0 1"/><material name="plain"/></asset>',
    ),
    options: world(
      ball,
      '<option timestep=".01" gravity="0 1 -2" density="1.2" viscosity=".1" integrator="implicitfast" cone="elliptic" solver="CG" iterations="7" impratio="10" noslip_iterations="3" tolerance="1e-6"/><option timestep=".02" integrator="RK4"/>',
    ),
    keyframes: world(
      `<body><freejoint/>${ball}<body><joint name="h" ref="30"/>${ball}</body></body><body mocap="true" pos="1 2 3">${ball}</body>`,
      '',
      `<actuator><position joint="h" timeconst="1"/></actuator><keyframe><key name="a" time="2" qpos="1 2 3 0 2 0 0 .5" qvel="1 2 3 4 5 6 7" act=".3" ctrl=".4"/><key/></keyframe>`,
    ),
  };
}

function attachable(): string {
  return `<mujoco model="inner"><compiler angle="radian"/><default><geom size="0.3"/><default class="k"><geom size="0.4"/></default></default>
    <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" inertia="exact"/></asset>
    <worldbody><geom name="cw"/><site name="csw"/><body name="b" euler="0 0 1" pos=".1 0 0"><joint name="j" range="0 1"/><geom name="g" class="k"/><site name="s"/>
      <geom type="mesh" mesh="m"/><body name="b2"><joint name="j2"/><geom/></body></body><body name="other"><joint name="jo"/><geom name="go"/></body></worldbody>
    <contact><exclude name="x" body1="b" body2="b2"/><exclude name="xo" body1="b" body2="other"/><pair name="p" geom1="g" geom2="cw"/></contact>
    <tendon><fixed name="t"><joint joint="j2" coef="1"/></fixed></tendon>
    <equality><joint name="e" joint1="j2"/><weld name="w" body1="b"/><connect name="cc" body1="b" body2="other" anchor="0 0 0"/></equality>
    <actuator><motor name="a" joint="j2"/><position name="at" tendon="t" timeconst="1"/><motor name="ao" joint="jo"/></actuator>
    <keyframe><key name="k1" qpos=".1 .2 .3" ctrl="1 2 3" act=".7" time="4"/></keyframe></mujoco>`;
}

// the folder of models; trajectories of reference lie beside it
const models = process.env['NEXDYN_MODELS'] ?? resolve(import.meta.dirname, '../../../../../shared/models');
const shared = dirname(models);
const listFiles = (folder: string): string[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder).flatMap((name) => {
        const path = join(folder, name);
        return statSync(path).isDirectory() ? listFiles(path) : [path];
      });
const xmlFiles = [...listFiles(models), ...listFiles(join(shared, 'reference/mujoco'))].filter((path) =>
  path.endsWith('.xml'),
);
// a file that a scene beside it includes is compared as a part of that scene, and alone in `npm run validate`
const included = new Set(
  xmlFiles.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/<include\s+file="([^"]+)"/g)].map(([, file]) =>
      join(dirname(path), file!),
    ),
  ),
);
// validation/oracle/models.test.ts compares robots too
const modelFiles = xmlFiles
  .filter((path) => !path.endsWith('keyframes.xml') && (isLongRun || !included.has(path)))
  .filter((path, i) => isLongRun || i % 12 === 6 || !path.startsWith(models));

describe('models', () => {
  test.skipIf(modelFiles.length > 0)(
    'the folder of models is absent: set NEXDYN_MODELS to compare whole robots',
    () => {
      expect(modelFiles).toEqual([]);
    },
  );

  test.each(modelFiles.map((path) => relative(shared, path)))('%s', (path) => {
    const folder = dirname(join(shared, path));
    const files = Object.fromEntries(
      listFiles(folder).map((file) => [relative(folder, file), new Uint8Array(readFileSync(file))]),
    );
    expectSame(files, relative(folder, join(shared, path)));
  });
});
