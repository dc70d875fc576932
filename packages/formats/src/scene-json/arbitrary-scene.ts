/** Random scenes that are sound: for tests of everything that takes a scene. Not part of the package's API. */
import type {
  Actuator,
  Body,
  Equality,
  Inertia,
  Joint,
  Material,
  MeshAsset,
  Scene,
  SceneOptions,
  Shape,
  Site,
  SoftBody,
  Tendon,
  TendonStation,
  Vec3,
} from '@nexdyn/engine';
import { listFormulations } from '@nexdyn/engine';
import fc from 'fast-check';

// numbers: all doubles where any will do, so that every way to write one occurs
const real = fc.double({ noNaN: true, noDefaultInfinity: true });
const amount = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });
const positive = fc.double({ noNaN: true, min: 1e-9, max: 1e9 });
const share = fc.double({ noNaN: true, min: 0, max: 1 });
const vec3 = fc.tuple(real, real, real);
const lengths = fc.tuple(positive, positive, positive);
const range = fc.tuple(amount, positive).map(([below, above]): [number, number] => [-below, above]);
const color = fc.tuple(share, share, share, share);
const bits = fc.integer({ min: 0, max: 0xffffffff });
const solref = fc.oneof(
  fc.tuple(positive, positive),
  fc.tuple(positive, positive).map(([k, b]): [number, number] => [-k, -b]),
);
const solimp = fc.tuple(real, real, real, real, real);
const text = fc.string({ maxLength: 8, unit: 'binary' });
const direction = fc
  .tuple(share, share, share)
  .map(([x, y, z]): Vec3 => [x - 0.5, y - 0.5, z - 0.5])
  .filter((v) => Math.hypot(...v) > 1e-3);
const quaternion = fc.tuple(share, direction).map(([w, v]): [number, number, number, number] => [w, ...v]);

/** Some of the fields, in the order given. */
function some<T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>;
}

/** All of the fields. */
function plain<T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

const pose = { position: vec3, orientation: quaternion };
const mujocoContact = some({
  condim: fc.constantFrom(1, 3, 4, 6),
  priority: fc.integer({ min: -9, max: 9 }),
  solmix: amount,
  solref,
  solimp,
  adhesion: amount,
});

const options = some({
  timestep: positive,
  gravity: vec3,
  integrator: fc.constantFrom('semiImplicit', 'euler', 'implicitfast', 'implicit', 'rk4'),
  formulation: fc.constantFrom(...listFormulations().map(({ id }) => id)),
  medium: some({ density: amount, viscosity: amount, wind: vec3 }),
  disable: fc.uniqueArray(fc.constantFrom('contact', 'limit', 'gravity', 'island'), { maxLength: 3 }),
  mujoco: some({ solver: fc.constantFrom('newton', 'cg', 'pgs'), iterations: fc.nat(500), tolerance: amount }),
  sap: some({ nearRigid: amount, stiffness: positive }),
  ccp: some({ coulomb: fc.boolean(), recoverySpeed: amount }),
  ipc: some({ barrierDistance: positive, frictionPasses: fc.integer({ min: -1, max: 9 }) }),
}) as fc.Arbitrary<SceneOptions>;

const material = some({
  friction: amount,
  stiffness: positive,
  dissipation: amount,
  restitution: share,
  density: amount,
  color,
}) as fc.Arbitrary<Omit<Material, 'name'>>;

const mesh = fc
  .record({
    vertices: fc.array(vec3, { minLength: 4, maxLength: 40 }),
    faces: fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3))),
  })
  .map(({ vertices, faces }): Omit<MeshAsset, 'name'> => ({ vertices: vertices.flat(), faces: faces.flat() }));

const form = fc.oneof(
  plain({ kind: fc.constant('sphere' as const), radius: positive }),
  plain({ kind: fc.constantFrom('capsule' as const, 'cylinder' as const), radius: positive, halfLength: positive }),
  plain({ kind: fc.constant('ellipsoid' as const), radii: lengths }),
  plain({ kind: fc.constant('box' as const), halfSize: lengths }),
  plain({ kind: fc.constantFrom('convexMesh' as const, 'triangleMesh' as const), mesh: fc.constant('') }),
);
const shape = fc
  .tuple(
    form,
    some({
      ...pose,
      material: fc.constant(''),
      mass: amount,
      density: amount,
      shell: fc.boolean(),
      collisionGroups: bits,
      collisionMask: bits,
      margin: amount,
      friction: amount,
      contact: fc.constantFrom('point', 'hydroelastic', 'none'),
      mujoco: mujocoContact,
      color,
      layer: fc.nat(5),
    }),
  )
  .map(([what, how]) => ({ ...what, ...how }) as Shape);
const site = some({ ...pose, color, radius: positive, layer: fc.nat(5) }) as fc.Arbitrary<Site>;

const joint = (kind: Joint['kind']): fc.Arbitrary<Joint> =>
  some({
    stiffness: amount,
    damping: amount,
    armature: amount,
    frictionLoss: amount,
    springDamper: fc.tuple(positive, positive),
    actuatorForceRange: range,
    ...(kind !== 'free' && { anchor: vec3 }),
    ...((kind === 'hinge' || kind === 'slide') && { axis: direction, limit: plain({ range }), reference: real }),
  }).map((fields) => ({ kind, ...fields }) as Joint);
const chain = fc.oneof(
  fc.constant([]),
  ...[['hinge'], ['slide'], ['ball'], ['slide', 'hinge'], ['hinge', 'hinge'], ['slide', 'slide', 'slide', 'ball']].map(
    (kinds) => fc.tuple(...kinds.map((kind) => joint(kind as Joint['kind']))),
  ),
);

// moments that some body has: each the sum of two numbers
const moments = fc.tuple(positive, positive, positive).map(([a, b, c]): Vec3 => [b + c, c + a, a + b]);
const inertia: fc.Arbitrary<Inertia> = fc
  .oneof(
    fc.tuple(
      plain({ kind: fc.constant('principal' as const), mass: amount, moments }),
      some({ center: vec3, orientation: quaternion }),
    ),
    fc.tuple(
      plain({ kind: fc.constant('tensor' as const), mass: amount, tensor: moments.map((m) => [...m, 0, 0, 0]) }),
      some({ center: vec3 }),
    ),
  )
  .map(([required, more]) => ({ ...required, ...more }) as Inertia);

const { body } = fc.letrec<{ body: Body }>((tie) => ({
  body: some({
    ...pose,
    joints: chain,
    shapes: fc.array(shape, { maxLength: 3 }),
    sites: fc.array(site, { maxLength: 2 }),
    inertia,
    gravityCompensation: real,
    bodies: fc.array(tie('body'), { maxLength: 2 }),
  }) as fc.Arbitrary<Body>,
}));
const topBody = fc.oneof(
  body,
  fc.tuple(body, joint('free')).map(([top, free]): Body => ({ ...top, joints: [free] })),
);

const softBody = fc
  .tuple(
    plain({
      mesh: fc.oneof(
        plain({
          kind: fc.constant('box'),
          halfSize: lengths,
          cells: fc.tuple(
            fc.integer({ min: 1, max: 9 }),
            fc.integer({ min: 1, max: 9 }),
            fc.integer({ min: 1, max: 9 }),
          ),
        }),
        plain({ kind: fc.constant('sphere'), radius: positive, resolution: positive }),
        plain({
          kind: fc.constant('grid'),
          size: fc.tuple(positive, positive),
          cells: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
          thickness: positive,
        }),
        fc.constant({
          kind: 'triangles',
          vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
          triangles: [0, 1, 2, 1, 3, 2],
          thickness: 0.01,
        }),
        fc.constant({ kind: 'tetrahedra', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] }),
      ),
      elasticity: plain({ youngsModulus: positive, poissonRatio: share.map((value) => 0.49 * value) }),
    }),
    some({
      ...pose,
      priority: fc.integer({ min: -9, max: 9 }),
      velocity: vec3,
      pinned: fc.array(fc.nat(3)),
      selfContact: fc.boolean(),
      color,
    }),
  )
  .map(([required, more]) => ({ ...required, ...more }) as SoftBody);

const draft = plain({
  head: some({ name: text, description: text, options, massRules: some({ minimumMass: amount, totalMass: positive }) }),
  salt: text,
  materials: fc.array(material, { maxLength: 3 }),
  meshes: fc.array(mesh, { maxLength: 2 }),
  shapes: fc.array(shape, { maxLength: 2 }),
  bodies: fc.array(topBody, { maxLength: 4 }),
  softBodies: fc.array(softBody, { maxLength: 2 }),
  picks: fc.array(fc.nat(1000), { minLength: 24, maxLength: 24 }),
  numbers: fc.array(real, { minLength: 12, maxLength: 12 }),
});

type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/** A scene with every kind of part. */
export const arbitraryScene: fc.Arbitrary<Scene> = draft.map(assembleScene);

/** Gives names to all parts and lets them refer to each other. */
function assembleScene({ head, salt, materials, meshes, shapes, bodies, softBodies, picks, numbers }: Draft): Scene {
  let next = 0;
  const label = <T extends object>(part: T): T & { name: string } => ({ ...part, name: `${next++}${salt}` });
  let turn = 0;
  const pick = <T>(list: readonly T[]): T => list[picks[turn++ % picks.length]! % list.length]!;
  const namedMaterials = materials.map(label);
  const namedMeshes = meshes.map(label);
  const found: { bodies: string[]; joints: Joint[]; shapes: Shape[]; sites: string[] } = {
    bodies: [],
    joints: [],
    shapes: [],
    sites: [],
  };

  const finishShape = (raw: Shape): Shape => {
    const named: Shape = label(raw);
    if (named.material !== undefined) {
      if (namedMaterials.length) named.material = pick(namedMaterials).name;
      else delete named.material;
    }
    if ('mesh' in named) {
      if (namedMeshes.length) named.mesh = pick(namedMeshes).name;
      else return finishShape({ kind: 'sphere', radius: 1 });
    }
    found.shapes.push(named);
    return named;
  };
  const finishBody = (raw: Body): Body => {
    const named = label(raw);
    found.bodies.push(named.name);
    if (raw.joints) named.joints = raw.joints.map(label);
    found.joints.push(...(named.joints ?? []));
    if (raw.shapes) named.shapes = raw.shapes.map(finishShape);
    if (raw.sites) named.sites = raw.sites.map(label);
    found.sites.push(...(named.sites ?? []).map((own) => own.name!));
    if (raw.bodies) named.bodies = raw.bodies.map(finishBody);
    return named;
  };

  const scene: Scene = { format: 'nexdyn-scene', version: 1, ...(head as object) };
  if (namedMaterials.length) scene.materials = namedMaterials;
  if (namedMeshes.length) scene.meshes = namedMeshes;
  scene.shapes = [...shapes.map(finishShape), { kind: 'plane', name: `plane${salt}` }];
  scene.bodies = bodies.map(finishBody);
  if (softBodies.length) scene.softBodies = softBodies.map(label);

  const scalar = found.joints.filter(({ kind }) => kind === 'hinge' || kind === 'slide').map((own) => own.name!);
  scene.tendons = makeTendons(scalar, found.sites, numbers).map(label);
  scene.equalities = makeEqualities(found.bodies, scalar, numbers).map(label);
  scene.actuators = makeActuators(scalar, scene.tendons, numbers).map(label);
  if (found.bodies.length) scene.contactExcludes = [{ body1: pick(found.bodies), body2: 'world' }];
  if (found.shapes.length > 1) {
    scene.contactPairs = [{ shape1: found.shapes[0]!.name!, shape2: found.shapes[1]!.name! }];
  }
  scene.keyframes = [label({ time: numbers[0]!, control: numbers })];
  return scene;
}

function makeTendons(joints: string[], sites: string[], numbers: number[]): Tendon[] {
  const tendons: Tendon[] = [];
  if (joints.length)
    tendons.push({ kind: 'fixed', terms: joints.map((joint) => ({ joint, coefficient: numbers[1]! })) });
  const path = sites.map((name): TendonStation => ({ kind: 'site', site: name }));
  if (path.length > 1) tendons.push({ kind: 'spatial', path });
  return tendons;
}

function makeEqualities(bodies: string[], joints: string[], numbers: number[]): Equality[] {
  const equalities: Equality[] = [];
  const [first, second] = bodies;
  if (first !== undefined && second !== undefined) {
    equalities.push({ kind: 'connect', body1: first, body2: second, anchor: [numbers[2]!, numbers[3]!, numbers[4]!] });
    equalities.push({ kind: 'weld', body1: first, active: false }, { kind: 'distance', body1: second, distance: 0.1 });
  }
  const [one, two] = joints;
  if (one !== undefined && two !== undefined) {
    equalities.push({ kind: 'joint', joint1: one, joint2: two, coefficients: [numbers[5]!, 1, 0, -0, 0] });
  }
  return equalities;
}

function makeActuators(joints: string[], tendons: Tendon[], numbers: number[]): Actuator[] {
  return [
    ...joints.map(
      (joint): Actuator => ({ kind: 'motor', transmission: { kind: 'joint', joint, gear: [numbers[6]!] } }),
    ),
    ...tendons.map(
      (tendon): Actuator => ({
        kind: 'general',
        transmission: { kind: 'tendon', tendon: tendon.name! },
        gain: [numbers[7]!, numbers[8]!, numbers[9]!],
        activation: { kind: 'filter', timeConstant: 0.1 },
      }),
    ),
  ];
}
