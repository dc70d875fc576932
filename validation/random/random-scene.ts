/**
 * Scenes at random, from a seed: free bodies, chains and trees of every shape and joint, springs, dampers, limits, dry friction,
 * servos, motors, equalities and tendons, mass ratios up to 1000, over a plane, a slope, boxes or nothing; steps from 1 ms to 1/60 s, all
 * integrators, solvers and options that change the physics, both coordinates. Free bodies start apart; joints may overlap.
 */
import type { Actuator, Body, Equality, Joint, Scene, SceneOptions, Shape, Tendon, Vec3 } from '@nexdyn/engine';

/** Numbers from 0 up to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The scene of a seed; the formulation is for the caller to choose. */
export function createRandomScene(seed: number): Scene {
  return new SceneGenerator(seed).create();
}

class SceneGenerator {
  readonly #random: () => number;
  readonly #joints: { name: string; kind: Joint['kind'] }[] = [];
  readonly #bodies: string[] = [];

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  create(): Scene {
    const trees = 1 + this.#whole(4);
    const bodies: Body[] = [];
    for (let n = 0; n < trees; n++) bodies.push(this.#createTree(n));
    return {
      format: 'nexdyn-scene',
      version: 1,
      options: this.#createOptions(),
      meshes: [{ name: 'wedge', vertices: WEDGE, faces: WEDGE_FACES }],
      shapes: this.#createGround(),
      bodies,
      equalities: this.#createEqualities(),
      tendons: this.#createTendons(),
      actuators: this.#createActuators(),
    };
  }

  #createOptions(): SceneOptions {
    const cone = this.#pick(['pyramidal', 'elliptic'] as const);
    return {
      timestep: this.#pick([0.001, 0.002, 0.005, 0.01, 1 / 60]),
      gravity: this.#chance(0.85) ? [0, 0, -9.81] : [0, 0, 0],
      ...(this.#chance(0.5) && {
        integrator: this.#pick(['semiImplicit', 'euler', 'implicitfast', 'implicit', 'rk4'] as const),
      }),
      ...(this.#chance(0.3) && { coordinates: this.#pick(['joint', 'body'] as const) }),
      ...(this.#chance(0.1) && { medium: { density: 1.2, viscosity: 1e-5, wind: this.#vector(3) } }),
      mujoco: {
        cone,
        solver: this.#pick(['newton', 'newton', 'cg', 'pgs'] as const),
        impedanceRatio: this.#pick([1, 10]),
      },
      sap: {
        solver: this.#pick(['auto', 'newton', 'pcg'] as const),
        contactModel: this.#pick(['sap', 'lagged'] as const),
      },
      ccp: { coulomb: this.#chance(0.2) },
      ipc: { frictionPasses: this.#pick([1, 1, -1] as const) },
    };
  }

  #createGround(): Shape[] {
    const friction = this.#pick([0, 0.3, 0.8]);
    const a = 0.5 * this.#random() * 0.5;
    return this.#pick<Shape[]>([
      [],
      [{ kind: 'plane', friction }],
      [{ kind: 'plane', friction }],
      [{ kind: 'plane', friction, orientation: [Math.cos(a), Math.sin(a), 0, 0] }],
      [{ kind: 'box', halfSize: [2, 2, 0.1], position: [0, 0, -0.1], friction }],
      [
        { kind: 'plane', friction },
        { kind: 'sphere', radius: 0.25, friction, position: [0, 0, 0.1] },
      ],
    ]);
  }

  // trees stand on a grid 1.2 m apart, so that only what hangs on each other overlaps
  #createTree(n: number): Body {
    const isFree = this.#chance(0.6);
    const links = isFree && this.#chance(0.5) ? 1 : 1 + this.#whole(5);
    const position: Vec3 = [1.2 * (n % 2) - 0.6, 1.2 * Math.floor(n / 2) - 0.6, 0.45 + this.#random()];
    const size = 0.05 + 0.12 * this.#random();
    const root = this.#createBody(`t${n}b0`, position, size, isFree);
    let parent = root;
    for (let k = 1; k < links; k++) {
      const from = this.#chance(0.8) ? parent : root;
      const offset = 2.2 * size;
      const child = this.#createBody(`t${n}b${k}`, [offset, 0.3 * size * this.#random(), 0], size, false);
      from.bodies = [...(from.bodies ?? []), child];
      parent = child;
    }
    return root;
  }

  #createBody(name: string, position: Vec3, size: number, isFree: boolean): Body {
    this.#bodies.push(name);
    const density = 10 ** (1.5 + 2.5 * this.#random());
    return {
      name,
      position,
      orientation: [1, 0.4 * this.#random(), 0.4 * this.#random(), 0.4 * this.#random()],
      joints: isFree ? [{ kind: 'free', name: `${name} free` }] : this.#createJoints(name, size),
      shapes: [{ ...this.#createShape(size), density, friction: this.#pick([0, 0.2, 0.5, 1]) }],
    };
  }

  #createShape(r: number): Shape {
    return this.#pick<Shape>([
      { kind: 'sphere', radius: 0.8 * r },
      { kind: 'capsule', radius: 0.4 * r, halfLength: 0.6 * r },
      { kind: 'cylinder', radius: 0.6 * r, halfLength: 0.5 * r },
      { kind: 'ellipsoid', radii: [0.9 * r, 0.5 * r, 0.6 * r] },
      { kind: 'box', halfSize: [0.8 * r, 0.5 * r, 0.4 * r] },
      { kind: 'box', halfSize: [0.9 * r, 0.3 * r, 0.1 * r] },
      { kind: 'convexMesh', mesh: 'wedge' },
    ]);
  }

  #createJoints(body: string, size: number): Joint[] {
    const kind = this.#pick(['hinge', 'hinge', 'hinge', 'slide', 'ball'] as const);
    const name = `${body} ${kind}`;
    this.#joints.push({ name, kind });
    const common = {
      name,
      ...(this.#chance(0.4) && { damping: 10 ** (-3 + 3 * this.#random()) }),
      ...(this.#chance(0.3) && { stiffness: 10 ** (5 * this.#random()) }),
      ...(this.#chance(0.2) && { armature: 10 ** (-4 + 3 * this.#random()) }),
      ...(this.#chance(0.2) && { frictionLoss: 10 ** (-2 + 3 * this.#random()) }),
    };
    const anchor: Vec3 = [-1.1 * size, 0, 0];
    if (kind === 'ball') return [{ ...common, kind, anchor, ...(this.#chance(0.3) && { limit: { range: [0, 1] } }) }];
    const axis = this.#vector(1);
    if (kind === 'slide') {
      return [{ ...common, kind, axis, ...(this.#chance(0.5) && { limit: { range: [-0.1, 0.3] } }) }];
    }
    return [{ ...common, kind, anchor, axis, ...(this.#chance(0.3) && { limit: { range: [-1, 1] } }) }];
  }

  #createActuators(): Actuator[] {
    const list: Actuator[] = [];
    for (const { name: joint, kind } of this.#joints) {
      if (kind === 'ball' || !this.#chance(0.25)) continue;
      const transmission = { kind: 'joint' as const, joint };
      const stiffness = 10 ** (4 * this.#random());
      const limits = this.#chance(0.5) && { forceRange: [-50, 50] as [number, number] };
      list.push(
        this.#pick<Actuator>([
          { kind: 'position', name: `${joint} servo`, transmission, stiffness, damping: 0.1 * stiffness, ...limits },
          { kind: 'position', name: `${joint} servo`, transmission, stiffness, ...limits },
          { kind: 'velocity', name: `${joint} servo`, transmission, gain: stiffness, ...limits },
          { kind: 'motor', name: `${joint} motor`, transmission },
        ]),
      );
    }
    return list;
  }

  #createEqualities(): Equality[] {
    if (this.#bodies.length < 2 || !this.#chance(0.2)) return [];
    const [body1, body2] = [this.#bodies[0]!, this.#bodies.at(-1)!];
    return [
      this.#pick<Equality>([
        { kind: 'connect', body1, body2 },
        { kind: 'weld', body1, body2 },
        { kind: 'distance', body1, body2 },
      ]),
    ];
  }

  #createTendons(): Tendon[] {
    const scalar = this.#joints.filter(({ kind }) => kind === 'hinge' || kind === 'slide');
    if (scalar.length < 2 || !this.#chance(0.15)) return [];
    const terms = scalar.slice(0, 2).map(({ name: joint }) => ({ joint, coefficient: this.#random() - 0.5 }));
    return [{ kind: 'fixed', name: 'tendon', terms, stiffness: 10 ** (3 * this.#random()), damping: this.#random() }];
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
