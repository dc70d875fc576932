/**
 * Scenes whose answers are known, as a user of a game engine would write them: no options but the time step. Each function builds
 * one, runs it and returns the measured number.
 */

import { type Body, compileModel, type Joint, type Scene, type Shape, Simulation, type Vec3 } from '@nexdyn/engine';
import { angleOf, G, placeOf, takeStep, tilt } from '../case-scene.ts';
import type { ComparedFormulation } from '../validation-case.ts';

const FREE: Joint[] = [{ kind: 'free' }];

/** A simulation with the defaults of a formulation at a time step. */
function open(formulation: ComparedFormulation, h: number, parts: Partial<Scene>, gravity?: Vec3): Simulation {
  const options = { timestep: h, ...(gravity && { gravity }) };
  const scene: Scene = { format: 'nexdyn-scene', version: 1, options, ...parts };
  return new Simulation(compileModel(scene, { formulation }));
}

function run(simulation: Simulation, seconds: number, watch?: () => void): void {
  const steps = Math.round(seconds / simulation.timestep);
  for (let n = 0; n < steps; n++) {
    takeStep(simulation);
    watch?.();
  }
}

const crate = (half: Vec3, density: number, friction: number, position: Vec3): Body => ({
  name: 'crate',
  position,
  joints: FREE,
  shapes: [{ kind: 'box', halfSize: half, density, friction }],
});

/** Box of 0.5 m on a slope: how far it has moved downhill after some seconds, m. */
export function measureSlope(formulation: ComparedFormulation, h: number, friction: number, seconds: number): number {
  const simulation = open(
    formulation,
    h,
    { shapes: [{ kind: 'plane', friction }], bodies: [crate([0.25, 0.25, 0.25], 1000, friction, [0, 0, 0.25])] },
    tilt((20 * Math.PI) / 180),
  );
  run(simulation, seconds);
  return placeOf(simulation, 'crate')[0];
}

/** What a torque-free body that turns about its middle axis does in 10 s. */
export interface Tumbling {
  /** Half turns of the middle axis in space. */
  flips: number;
  /** Largest error of the angular momentum, part of its size. */
  momentum: number;
  /** Largest change of the kinetic energy, part of it. */
  energy: number;
}

/** A wing nut of principal moments 0.1, 0.2, 0.25 kg m² at 15 rad/s about the middle axis, disturbed by 0.01 rad/s. */
export function measureTumbling(formulation: ComparedFormulation, h: number): Tumbling {
  const nut: Body = {
    name: 'nut',
    joints: FREE,
    inertia: { kind: 'principal', mass: 1, moments: [0.1, 0.2, 0.25] },
  };
  const simulation = open(formulation, h, { bodies: [nut] }, [0, 0, 0]);
  simulation.state.velocity.set([0, 0, 0, 0.01, 15, 0.01]);
  const start = simulation.momentum().angular;
  const size = Math.hypot(...start);
  const energy = simulation.energy().kinetic;
  const result: Tumbling = { flips: 0, momentum: 0, energy: 0 };
  let sign = 1;
  run(simulation, 10, () => {
    const { angular } = simulation.momentum();
    const away = Math.hypot(...angular.map((value, k) => value - start[k]!)) / size;
    result.momentum = Math.max(result.momentum, away);
    result.energy = Math.max(result.energy, Math.abs(simulation.energy().kinetic / energy - 1));
    // the rate about the middle axis, in the axes of the body
    const rate = simulation.state.velocity[4]!;
    if (rate * sign < -7.5) {
      sign = -sign;
      result.flips++;
    }
  });
  return result;
}

/** What a rod of 1 m on a hinge does that starts 30° from the vertical. */
export interface Swing {
  /** s. */
  period: number;
  /** Largest gap of the joint, m. */
  gap: number;
  /** Largest angle in the last two seconds of 20, degrees. */
  amplitude: number;
}

export function measurePendulum(formulation: ComparedFormulation, h: number): Swing {
  const start = Math.PI / 6;
  const rod: Body = {
    name: 'rod',
    joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 1, 0] }],
    shapes: [{ kind: 'box', halfSize: [0.02, 0.02, 0.5], position: [0, 0, -0.5], density: 1000 }],
  };
  const simulation = open(formulation, h, { bodies: [rod], keyframes: [{ position: [start] }] });
  const result: Swing = { period: 0, gap: 0, amplitude: 0 };
  let before = angleOf(simulation, 'rod');
  const crossings: number[] = [];
  run(simulation, 20, () => {
    const angle = angleOf(simulation, 'rod');
    if (before < 0 && angle >= 0) crossings.push(simulation.time - (h * angle) / (angle - before));
    before = angle;
    result.gap = Math.max(result.gap, Math.hypot(...placeOf(simulation, 'rod')));
    if (simulation.time > 18) result.amplitude = Math.max(result.amplitude, (Math.abs(angle) * 180) / Math.PI);
  });
  result.period = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1);
  return result;
}

/** Period of the rod, 1 m long and 4 cm thick, that swings by θ: 2π √(2 (1 + 4e-4)/3g) (1 + θ²/16 + 11 θ⁴/3072), s. */
export function predictPeriod(amplitude: number): number {
  const series = 1 + amplitude ** 2 / 16 + (11 * amplitude ** 4) / 3072 + (173 * amplitude ** 6) / 737280;
  return 2 * Math.PI * Math.sqrt((2 * (1 + 4e-4)) / (3 * G)) * series;
}

const LINKS = 50;
const LINK = 0.1;

/** 50 links of 0.1 m and 0.1 kg on ball joints with 10 kg at the end, which hangs or starts level. */
function openChain(formulation: ComparedFormulation, h: number, isLevel: boolean): Simulation {
  const along = (at: number): Vec3 => (isLevel ? [at, 0, 0] : [0, 0, -at]);
  const link = (k: number): Body => ({
    name: `link${k}`,
    position: along(k === 0 ? 0 : LINK),
    joints: [{ kind: 'ball' }],
    inertia: {
      kind: 'principal',
      mass: k === LINKS - 1 ? 10 : 0.1,
      moments: k === LINKS - 1 ? [0.01, 0.01, 0.01] : [1e-4, 1e-4, 1e-4],
      center: along(LINK / 2),
    },
    bodies: k === LINKS - 1 ? [] : [link(k + 1)],
  });
  return open(formulation, h, { bodies: [link(0)] });
}

/** Largest gap of a joint, m. */
function findGap(simulation: Simulation, isLevel: boolean): number {
  let gap = 0;
  for (let k = 0; k < LINKS; k++) {
    const here = placeOf(simulation, `link${k}`);
    const end = k === 0 ? ([0, 0, 0] as Vec3) : findLinkEnd(simulation, k - 1, isLevel);
    gap = Math.max(gap, Math.hypot(here[0] - end[0], here[1] - end[1], here[2] - end[2]));
  }
  return gap;
}

/** Where the joint to the next link is on a link. */
function findLinkEnd(simulation: Simulation, k: number, isLevel: boolean): Vec3 {
  const name = `link${k}`;
  const b = simulation.model.body.name.indexOf(name);
  const [w, x, y, z] = simulation.bodyOrientation.subarray(4 * b, 4 * b + 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  const p = placeOf(simulation, name);
  const [a, c, d]: Vec3 = isLevel ? [LINK, 0, 0] : [0, 0, -LINK];
  const t = [2 * (y * d - z * c), 2 * (z * a - x * d), 2 * (x * c - y * a)] as const;
  return [
    p[0] + a + w * t[0] + y * t[2] - z * t[1],
    p[1] + c + w * t[1] + z * t[0] - x * t[2],
    p[2] + d + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** Largest gap of a joint while the chain falls from level and swings for 5 s, m; and the steps that did not converge. */
export function measureChainSwing(formulation: ComparedFormulation, h: number): { gap: number; open: number } {
  const simulation = openChain(formulation, h, true);
  const result = { gap: 0, open: 0 };
  run(simulation, 5, () => {
    result.gap = Math.max(result.gap, findGap(simulation, true));
    if (simulation.report.status !== 'converged') result.open++;
  });
  return result;
}

/** By how much the hanging chain is longer after 5 s, part of its length. */
export function measureChainStretch(formulation: ComparedFormulation, h: number): number {
  const simulation = openChain(formulation, h, false);
  run(simulation, 5);
  const last = placeOf(simulation, `link${LINKS - 1}`);
  return -last[2] / (LINK * (LINKS - 1)) - 1;
}

/** A stack of ten boxes of 0.2 m whose top weighs a hundred times the others, 10 s. */
export interface Tower {
  /** Whether it stands at the end. */
  stands: boolean;
  /** Depth of the deepest contact at rest, m. */
  depth: number;
  /** How far the top has moved sideways, m. */
  drift: number;
}

export function measureTower(formulation: ComparedFormulation, h: number): Tower {
  const half = 0.1;
  const bodies = Array.from({ length: 10 }, (_, i): Body => {
    const density = i === 9 ? 1e5 : 1000;
    const shape: Shape = { kind: 'box', halfSize: [half, half, half], density, friction: 0.5 };
    return { name: `box${i}`, position: [0, 0, half * (2 * i + 1)], joints: FREE, shapes: [shape] };
  });
  const simulation = open(formulation, h, { shapes: [{ kind: 'plane', friction: 0.5 }], bodies });
  run(simulation, 10);
  const places = bodies.map(({ name }) => placeOf(simulation, name!));
  let depth = 0;
  for (const [i, place] of places.entries()) {
    const below = i === 0 ? -half : places[i - 1]![2];
    depth = Math.max(depth, 2 * half - (place[2] - below));
  }
  const top = places.at(-1)!;
  return { stands: top[2] > 1.5, depth, drift: Math.hypot(top[0], top[1]) };
}

/** Longer than a flight after a fall of 1 m, s. */
const FLIGHT = 1;

/** A ball of 0.1 m that falls by 1 m with a coefficient of restitution: energy left after some seconds, part of it; height of its lowest point, m. */
export function measureBounce(
  formulation: ComparedFormulation,
  h: number,
  restitution: number,
  seconds: number,
): { energy: number; height: number } {
  const radius = 0.1;
  const shape: Shape = { kind: 'sphere', radius, density: 1000, material: 'rubber' };
  const simulation = open(formulation, h, {
    materials: [{ name: 'rubber', friction: 0.5, ...(restitution > 0 && { restitution }) }],
    shapes: [{ kind: 'plane', material: 'rubber' }],
    bodies: [{ name: 'ball', position: [0, 0, 1 + radius], joints: FREE, shapes: [shape] }],
  });
  const rest = ((4 / 3) * Math.PI * radius ** 3 * 1000 * G * radius) as number;
  const start = simulation.energy().total - rest;
  run(simulation, seconds - FLIGHT);
  // energy at the top of the last flight: elsewhere velocities, which are half a step ahead of positions, count with ½ m g h u
  let slowest = Infinity;
  let energy = 0;
  for (let n = 0; n < Math.round(FLIGHT / h); n++) {
    simulation.step();
    const speed = Math.abs(simulation.state.velocity[2]!);
    if (speed < slowest) {
      slowest = speed;
      energy = simulation.energy().total;
    }
  }
  return { energy: (energy - rest) / start, height: placeOf(simulation, 'ball')[2] - radius };
}

/** A box that slides over the floor at 3 m/s, friction 0.4: where it stops, along its way and beside it, m. */
export function measureSlide(formulation: ComparedFormulation, h: number, angle: number): [number, number] {
  const simulation = open(formulation, h, {
    shapes: [{ kind: 'plane', friction: 0.4 }],
    bodies: [crate([0.25, 0.25, 0.05], 1000, 0.4, [0, 0, 0.05])],
  });
  simulation.state.velocity.set([3 * Math.cos(angle), 3 * Math.sin(angle), 0]);
  run(simulation, 2);
  const [x, y] = placeOf(simulation, 'crate');
  return [x * Math.cos(angle) + y * Math.sin(angle), y * Math.cos(angle) - x * Math.sin(angle)];
}

/** What flies at 100 m/s against a wall of 1 cm. */
export type Missile = 'ball' | 'plate' | 'ball at a loose wall';

/** Share of 20 starts from which a missile passes through the wall. */
export function measureTunnelling(formulation: ComparedFormulation, h: number, missile: Missile): number {
  const starts = 20;
  let passed = 0;
  for (let n = 0; n < starts; n++) {
    // starts spread over the way of one step, in an order without pattern: the fractional parts of n φ
    const from = -1 - 100 * h * ((n * 0.6180339887498949) % 1);
    const shape: Shape =
      missile === 'plate'
        ? { kind: 'box', halfSize: [0.0025, 0.05, 0.05], density: 1000 }
        : { kind: 'sphere', radius: 0.02, density: 1000 };
    const wall: Shape = { kind: 'box', halfSize: [0.005, 1, 1] };
    const isLoose = missile === 'ball at a loose wall';
    const simulation = open(
      formulation,
      h,
      {
        shapes: isLoose ? [] : [wall],
        bodies: [
          { name: 'missile', position: [from, 0, 0], joints: FREE, shapes: [shape] },
          ...(isLoose ? [{ name: 'wall', joints: FREE, shapes: [{ ...wall, mass: 10 }] }] : []),
        ],
      },
      [0, 0, 0],
    );
    simulation.state.velocity[0] = 100;
    run(simulation, 0.1);
    const side = placeOf(simulation, 'missile')[0] - (isLoose ? placeOf(simulation, 'wall')[0] : 0);
    if (side > 0) passed++;
  }
  return passed / starts;
}

/** Fifteen wedges between two radii, mean radius 1 m: by how much the crown sinks in 5 s, m; more than half a metre where it falls. */
export function measureArch(formulation: ComparedFormulation, h: number, thickness: number): number {
  const blocks = 15;
  const [inner, outer, depth] = [1 - thickness / 2, 1 + thickness / 2, 0.14];
  const meshes: NonNullable<Scene['meshes']> = [];
  const bodies: Body[] = [];
  for (let i = 0; i < blocks; i++) {
    const sides = [i, i + 1].map((k) => (Math.PI * k) / blocks);
    const middle = (sides[0]! + sides[1]!) / 2;
    const center: Vec3 = [Math.cos(middle), 0, Math.sin(middle)];
    const vertices: number[] = [];
    for (const y of [-depth, depth]) {
      for (const angle of sides) {
        for (const r of [inner, outer])
          vertices.push(r * Math.cos(angle) - center[0], y, r * Math.sin(angle) - center[2]);
      }
    }
    meshes.push({ name: `block${i}`, vertices });
    const shape: Shape = { kind: 'convexMesh', mesh: `block${i}`, density: 2000, friction: 1 };
    bodies.push({ name: `block${i}`, position: center, joints: FREE, shapes: [shape] });
  }
  const simulation = open(formulation, h, { meshes, shapes: [{ kind: 'plane', friction: 1 }], bodies });
  const start = placeOf(simulation, 'block7')[2];
  run(simulation, 5);
  return start - placeOf(simulation, 'block7')[2];
}
