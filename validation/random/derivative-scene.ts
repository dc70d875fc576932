/**
 * Small scenes at random, from a seed, on which derivatives are looked at: a body of any shape on any other, trees of every joint with
 * springs, dampers, armature, limits, dry friction, every actuator, tendons and equalities, soft bodies of every element and law, sensors.
 */
import type {
  Actuator,
  Body,
  Equality,
  Joint,
  Scene,
  SceneOptions,
  Sensor,
  Shape,
  SoftBody,
  Tendon,
  Vec3,
} from '@nexdyn/engine';
import { createRandom } from './random-scene.ts';

/** What a scene is about. */
export type DerivativeKind = 'pair' | 'tree' | 'soft';

export const DERIVATIVE_KINDS: readonly DerivativeKind[] = ['pair', 'tree', 'soft'];

/** The scene of a seed; the formulation is for the caller to choose. */
export function createDerivativeScene(seed: number, kind: DerivativeKind): Scene {
  return new DerivativeSceneGenerator(seed).create(kind);
}

class DerivativeSceneGenerator {
  readonly #random: () => number;
  readonly #joints: { name: string; kind: Joint['kind'] }[] = [];
  readonly #bodies: string[] = [];

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  create(kind: DerivativeKind): Scene {
    const parts = kind === 'pair' ? this.#createPair() : kind === 'tree' ? this.#createTree() : this.#createSoft();
    const material = {
      name: 'surface',
      friction: 0.2 + 0.6 * this.#random(),
      ...(this.#chance(0.4) && { stiffness: 10 ** (3 + 2 * this.#random()) }),
      ...(this.#chance(0.4) && { dissipation: 0.02 * this.#random() }),
    };
    return {
      format: 'nexdyn-scene',
      version: 1,
      options: this.#createOptions(kind),
      materials: [material],
      meshes: [{ name: 'wedge', vertices: WEDGE, faces: WEDGE_FACES }],
      heightFields: [
        { name: 'hills', rows: 6, columns: 6, halfSize: [0.6, 0.6], baseDepth: 0.2, heights: this.#createHills() },
      ],
      signedDistanceFields: [{ name: 'ring', kind: 'torus', majorRadius: 0.1, minorRadius: 0.04 }],
      ...parts,
    } as unknown as Scene;
  }

  #createHills(): number[] {
    return Array.from({ length: 36 }, () => 0.1 * this.#random());
  }

  #createOptions(kind: DerivativeKind): SceneOptions {
    return {
      timestep: this.#pick([0.001, 0.002, 0.005, 0.01]),
      gravity: [0.5 * this.#random(), -0.3, -9.81],
      ...(this.#chance(0.4) && {
        integrator: this.#pick(['semiImplicit', 'euler', 'implicitfast', 'implicit'] as const),
      }),
      ...(kind !== 'soft' && this.#chance(0.2) && { coordinates: 'body' as const }),
      ...(this.#chance(0.1) && { medium: { density: 50, viscosity: 1e-2, wind: this.#vector(3) } }),
      mujoco: {
        cone: this.#pick(['pyramidal', 'elliptic', 'elliptic'] as const),
        impedanceRatio: this.#pick([1, 10, 100]),
      },
      sap: { contactModel: this.#pick(['sap', 'sap', 'sap', 'lagged'] as const) },
      ccp: { coulomb: this.#chance(0.2), ...(this.#chance(0.2) && { compliance: 1e-5, relaxation: 0.01 }) },
    };
  }

  // a free body above one that stands, hangs on a joint, or is free on a plane
  #createPair(): Partial<Scene> {
    const upper: Body = {
      name: 'upper',
      position: [0.04 * this.#random(), 0.04 * this.#random(), 0.75],
      orientation: this.#quaternion(1),
      joints: [{ kind: 'free', name: 'upper free', ...(this.#chance(0.2) && { damping: 0.3 }) }],
      shapes: [
        {
          ...this.#createShape(0.12, false),
          name: 'top',
          density: 10 ** (2 + 1.5 * this.#random()),
          material: 'surface',
        } as Shape,
      ],
      sites: [{ name: 'mark', position: [0.02, 0.01, 0.03] }],
    };
    const isStatic = this.#chance(0.5);
    const shape = {
      ...this.#createShape(0.3, isStatic),
      name: 'bottom',
      friction: 0.2 + 0.5 * this.#random(),
      ...(this.#chance(0.2) && { spinFriction: 0.01, rollFriction: 0.002 }),
    } as Shape;
    const position: Vec3 = [0, 0, 0.3];
    if (isStatic) {
      const pose =
        shape.kind === 'heightField'
          ? { position }
          : { position, orientation: this.#quaternion(shape.kind === 'plane' ? 0.3 : 1) };
      return { shapes: [{ ...shape, ...pose } as Shape], bodies: [upper], sensors: this.#createSensors() };
    }
    const joint = this.#pick<Joint>([
      { kind: 'slide', name: 'lower joint', axis: this.#vector(1), stiffness: 3000, damping: 10 },
      {
        kind: 'hinge',
        name: 'lower joint',
        axis: this.#vector(1),
        anchor: this.#vector(0.1),
        stiffness: 30,
        damping: 1,
      },
      { kind: 'ball', name: 'lower joint', anchor: this.#vector(0.1), stiffness: 30, damping: 1 },
      { kind: 'free', name: 'lower joint' },
    ]);
    const lower: Body = {
      name: 'lower',
      position,
      orientation: this.#quaternion(1),
      joints: [joint],
      shapes: [{ ...shape, density: 500 } as Shape],
    };
    return {
      bodies: [lower, upper],
      shapes: joint.kind === 'free' ? [{ kind: 'plane', name: 'ground', friction: 0.4, position: [0, 0, -0.02] }] : [],
      sensors: this.#createSensors(),
    };
  }

  #createSensors(): Sensor[] {
    return [
      { kind: 'accelerometer', name: 'acceleration', site: 'mark' },
      { kind: 'gyro', name: 'spin', site: 'mark' },
      { kind: 'framePosition', name: 'place', object: { kind: 'site', name: 'mark' } },
    ];
  }

  #createShape(r: number, isStatic: boolean): Shape {
    const list: object[] = [
      { kind: 'sphere', radius: 0.8 * r },
      { kind: 'capsule', radius: 0.4 * r, halfLength: 0.6 * r },
      { kind: 'cylinder', radius: 0.6 * r, halfLength: 0.5 * r },
      { kind: 'ellipsoid', radii: [0.9 * r, 0.6 * r, 0.7 * r] },
      { kind: 'box', halfSize: [0.8 * r, 0.6 * r, 0.5 * r] },
      { kind: 'convexMesh', mesh: 'wedge' },
      { kind: 'triangleMesh', mesh: 'wedge' },
      { kind: 'signedDistance', field: 'ring' },
    ];
    if (isStatic) list.push({ kind: 'plane' }, { kind: 'plane' }, { kind: 'heightField', heightField: 'hills' });
    return this.#pick(list) as Shape;
  }

  // a chain or tree with all that hangs on joints, over a floor that its ends may reach
  #createTree(): Partial<Scene> {
    const links = 1 + this.#whole(3);
    const isFree = this.#chance(0.25);
    const root = this.#createLink('b0', [0, 0, 0.9], isFree);
    let parent = root;
    for (let k = 1; k < links; k++) {
      const from = this.#chance(0.7) ? parent : root;
      const child = this.#createLink(`b${k}`, [0.22, 0.03 * this.#random(), -0.05], false);
      from.bodies = [...(from.bodies ?? []), child];
      parent = child;
    }
    const hasFloor = this.#chance(0.5);
    return {
      bodies: [root],
      shapes: hasFloor
        ? [{ kind: 'plane', name: 'ground', friction: 0.5, position: [0, 0, 0.9 - 0.35 * this.#random()] }]
        : [],
      sites: [{ name: 'hook', position: [0.3, 0.2, 1.2] }],
      equalities: this.#createEqualities(isFree),
      tendons: this.#createTendons(),
      actuators: this.#createActuators(),
      sensors: [
        { kind: 'accelerometer', name: 'acceleration', site: 'b0 mark' },
        { kind: 'framePosition', name: 'place', object: { kind: 'body', name: this.#bodies.at(-1)! } },
        { kind: 'frameLinearVelocity', name: 'speed', object: { kind: 'body', name: this.#bodies.at(-1)! } },
      ],
    };
  }

  #createLink(name: string, position: Vec3, isFree: boolean): Body {
    this.#bodies.push(name);
    const shape = this.#pick<object>([
      { kind: 'capsule', radius: 0.03, halfLength: 0.07 },
      { kind: 'box', halfSize: [0.08, 0.03, 0.02] },
      { kind: 'sphere', radius: 0.05 },
      { kind: 'ellipsoid', radii: [0.08, 0.04, 0.03] },
    ]);
    return {
      name,
      position,
      orientation: this.#quaternion(0.4),
      joints: isFree ? [{ kind: 'free', name: `${name} free` }] : this.#createJoints(name),
      shapes: [
        {
          ...shape,
          name: `${name} shape`,
          position: [0.1, 0.01, 0.02],
          density: 10 ** (2.3 + this.#random()),
          friction: 0.4,
        } as unknown as Shape,
      ],
      sites: [{ name: `${name} mark`, position: [0.15, 0.02, 0.01] }],
      ...(this.#chance(0.15) && { gravityCompensation: 0.6 }),
    };
  }

  #createJoints(body: string): Joint[] {
    const count = this.#chance(0.2) ? 2 : 1;
    const joints: Joint[] = [];
    for (let n = 0; n < count; n++) {
      const kind =
        count > 1 ? this.#pick(['hinge', 'slide'] as const) : this.#pick(['hinge', 'hinge', 'slide', 'ball'] as const);
      const name = `${body} ${kind} ${n}`;
      this.#joints.push({ name, kind });
      const common = {
        name,
        ...(this.#chance(0.5) && { damping: 10 ** (-2 + 1.5 * this.#random()) }),
        ...(this.#chance(0.4) && { stiffness: 10 ** (2 * this.#random()) }),
        ...(this.#chance(0.3) && { armature: 10 ** (-3 + 2 * this.#random()) }),
        ...(this.#chance(0.25) && { frictionLoss: 10 ** (-2 + 1.5 * this.#random()) }),
      };
      const anchor = this.#vector(0.05);
      if (kind === 'ball')
        joints.push({
          ...common,
          kind,
          anchor,
          ...(this.#chance(0.3) && { limit: { range: [0, 0.05 + 0.2 * this.#random()] } }),
        });
      else if (kind === 'slide')
        joints.push({
          ...common,
          kind,
          axis: this.#vector(1),
          ...(this.#chance(0.4) && { limit: { range: [-0.003, 0.003] } }),
          ...(this.#chance(0.2) && { springReference: 0.02 }),
        });
      else
        joints.push({
          ...common,
          kind,
          anchor,
          axis: this.#vector(1),
          ...(this.#chance(0.4) && { limit: { range: [-0.02, 0.02] } }),
          ...(this.#chance(0.2) && { springReference: 0.2 }),
        });
    }
    return joints;
  }

  #createActuators(): Actuator[] {
    const list: Actuator[] = [];
    const site = { kind: 'site' as const, site: `${this.#bodies.at(-1)} mark`, gear: [1, 0.5, 0, 0.1, 0, 0.2] };
    if (this.#chance(0.15)) list.push({ kind: 'motor', name: 'jet', transmission: site });
    for (const { name: joint, kind } of this.#joints) {
      if (!this.#chance(0.6)) continue;
      if (kind === 'ball') {
        list.push({
          kind: 'motor',
          name: `${joint} motor`,
          transmission: { kind: 'joint', joint, gear: [0.5, 1, -0.3] },
        });
        continue;
      }
      const transmission = { kind: 'joint' as const, joint, ...(this.#chance(0.3) && { gear: [1.7] }) };
      const stiffness = 10 ** (2 * this.#random());
      const common = {
        name: `${joint} drive`,
        transmission,
        ...(this.#chance(0.2) && { forceRange: [-5, 5] as [number, number] }),
      };
      list.push(
        this.#pick<Actuator>([
          { ...common, kind: 'position', stiffness, damping: 0.1 * stiffness },
          { ...common, kind: 'position', stiffness, damping: 0.05 * stiffness, timeConstant: 0.05 },
          { ...common, kind: 'velocity', gain: 0.1 * stiffness },
          { ...common, kind: 'motor' },
          { ...common, kind: 'general', gain: [2, 0.3, -0.1], bias: [0.2, -3, -0.2] },
          {
            ...common,
            kind: 'general',
            gain: [1.5, 0, 0],
            bias: [0, -2, -0.1],
            activation: { kind: this.#pick(['integrator', 'filter', 'filterExact'] as const), timeConstant: 0.1 },
          },
          { ...common, kind: 'muscle', lengthRange: [-0.5, 0.5], force: 10 },
          {
            ...common,
            kind: 'dcMotor',
            resistance: 2,
            motorConstant: 0.3,
            ...(this.#chance(0.5) && { inductance: 0.01 }),
          },
        ]),
      );
    }
    return list;
  }

  // what hangs on joints has no dofs to spare: there, rigid ties would say the same twice
  #createEqualities(isFree: boolean): Equality[] {
    if (!this.#chance(0.25)) return [];
    const body1 = this.#bodies.at(-1)!;
    if (isFree)
      return [
        this.#pick<Equality>([
          { kind: 'connect', name: 'tie', body1, anchor: [0.1, 0, 0] },
          { kind: 'weld', name: 'tie', body1 },
        ]),
      ];
    const [first, second] = this.#joints.filter(({ kind }) => kind === 'hinge' || kind === 'slide');
    if (!first || !second) return [];
    return [{ kind: 'joint', name: 'tie', joint1: first.name, joint2: second.name, coefficients: [0, 0.7, 0.3, 0, 0] }];
  }

  #createTendons(): Tendon[] {
    if (!this.#chance(0.25)) return [];
    const scalar = this.#joints.filter(({ kind }) => kind === 'hinge' || kind === 'slide');
    const common = {
      name: 'tendon',
      stiffness: 50 * this.#random(),
      damping: this.#random(),
      ...(this.#chance(0.3) && { frictionLoss: 0.2 }),
    };
    if (scalar.length < 2 || this.#chance(0.5)) {
      const path = [
        { kind: 'site' as const, site: 'hook' },
        { kind: 'site' as const, site: `${this.#bodies.at(-1)} mark` },
      ];
      return [{ ...common, kind: 'spatial', path } as Tendon];
    }
    const terms = scalar.slice(0, 2).map(({ name: joint }) => ({ joint, coefficient: this.#random() - 0.5 }));
    return [{ ...common, kind: 'fixed', terms } as Tendon];
  }

  #createSoft(): Partial<Scene> {
    const model = this.#pick(['linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff'] as const);
    const elasticity = {
      model,
      youngsModulus: 10 ** (4 + this.#random()),
      poissonRatio: 0.2 + 0.2 * this.#random(),
      density: 300 + 500 * this.#random(),
      ...(this.#chance(0.5) && { stiffnessDamping: 0.01 }),
      ...(this.#chance(0.3) && { massDamping: 0.5 }),
      ...(this.#chance(0.2) && { viscosity: 20 }),
    };
    const hold = this.#pick(['none', 'none', 'pinned', 'driven', 'attached'] as const);
    const shape = this.#pick(['box', 'box', 'box', 'given', 'grid', 'rod'] as const);
    const thin = { ...elasticity, model: 'saintVenantKirchhoff' as const, youngsModulus: 1e6 };
    delete (thin as { viscosity?: number }).viscosity;
    const body = {
      name: 'jelly',
      position: [0.01, 0.02, 0.12 + 0.02 * this.#random()],
      orientation: this.#quaternion(0.2),
      material: 'surface',
      ...(shape === 'box' && {
        mesh: { kind: 'box', halfSize: [0.1, 0.06, 0.05], cells: [1, 1, 1] },
        elasticity,
        ...(this.#chance(0.3) && { element: this.#pick(['smoothedTet4', 'tet10']) }),
      }),
      ...(shape === 'given' && {
        mesh: {
          kind: 'tetrahedra',
          vertices: [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0.02, 0.03, 0.11, 0.1, 0.1, 0.09],
          tetrahedra: [0, 1, 2, 3, 1, 4, 2, 3],
        },
        elasticity,
      }),
      ...(shape === 'grid' && {
        mesh: { kind: 'grid', size: [0.2, 0.2], cells: [2, 2], thickness: 0.004 },
        elasticity: thin,
      }),
      ...(shape === 'rod' && {
        mesh: { kind: 'polyline', points: [0, 0, 0, 0.06, 0.01, 0, 0.12, 0, 0.01, 0.18, 0.02, 0], radius: 0.01 },
        elasticity: { ...thin, model: undefined },
      }),
      ...(hold === 'pinned' && { pinned: [0, 1] }),
      ...(hold === 'driven' && {
        driven: [{ vertices: [0, 1], times: [0, 1], displacements: [0, 0, 0, 0.3, 0.1, 0.2] }],
      }),
      ...(hold === 'attached' && { attachments: [{ vertices: [0], body: 'carrier' }] }),
    };
    const carrier: Body = {
      name: 'carrier',
      position: [0.02, 0.01, 0.35],
      orientation: this.#quaternion(0.2),
      joints: [
        this.#pick<Joint>([
          { kind: 'free', name: 'carrier joint' },
          { kind: 'hinge', name: 'carrier joint', axis: [0.2, 1, 0.1], stiffness: 20, damping: 0.3 },
        ]),
      ],
      shapes: [
        {
          kind: this.#pick(['box', 'sphere'] as const),
          halfSize: [0.06, 0.05, 0.04],
          radius: 0.05,
          name: 'load',
          density: 400,
          material: 'surface',
        } as unknown as Shape,
      ],
    };
    if (carrier.shapes![0]!.kind === 'box') delete (carrier.shapes![0] as { radius?: number }).radius;
    else delete (carrier.shapes![0] as { halfSize?: Vec3 }).halfSize;
    return {
      shapes: [{ kind: 'plane', name: 'ground', material: 'surface' }],
      bodies: hold === 'attached' || this.#chance(0.4) ? [carrier] : [],
      softBodies: [body as unknown as SoftBody],
    };
  }

  #quaternion(size: number): [number, number, number, number] {
    const [x, y, z] = this.#vector(size * (0.3 + 0.7 * this.#random()));
    const norm = Math.hypot(1, x, y, z);
    return [1 / norm, x / norm, y / norm, z / norm];
  }

  #whole(count: number): number {
    return Math.floor(count * this.#random());
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#whole(list.length)]!;
  }

  #vector(length: number): Vec3 {
    const [x, y, z] = [this.#random() - 0.5, this.#random() - 0.5, this.#random() - 0.5];
    const scale = length / Math.max(1e-3, Math.hypot(x, y, z));
    return [scale * x, scale * y, scale * z];
  }
}

const WEDGE = [-0.1, -0.1, -0.05, 0.1, -0.1, -0.05, 0.1, 0.1, -0.05, -0.1, 0.1, -0.05, -0.1, 0, 0.08, 0.1, 0, 0.08];
const WEDGE_FACES = [0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 3, 4, 5, 3, 5, 2, 0, 4, 3, 1, 2, 5];
