/** Short builders for scenes of validation cases, and read-outs. */

import {
  type Body,
  type Coordinates,
  compileModel,
  type Joint,
  type Scene,
  type SceneOptions,
  type Shape,
  Simulation,
  type Vec3,
  wasTaken,
} from '@nexdyn/engine';
import { describeRefusal } from '../run/refusal-report.ts';
import type { ComparedFormulation } from './validation-case.ts';

/** m/s². */
export const G = 9.81;

/** Solvers run to convergence, so that only the error of the method remains. */
export const TIGHT: SceneOptions = {
  timestep: 1e-3,
  mujoco: { tolerance: 1e-12, iterations: 200, cone: 'elliptic' },
  sap: { relativeTolerance: 1e-12, absoluteTolerance: 1e-16 },
  ccp: { tolerance: 1e-10, iterations: 5000 },
  ipc: { tolerance: 1e-7, frictionPasses: -1 },
};

export const FREE: Joint[] = [{ kind: 'free' }];

export interface SceneParts extends Partial<Omit<Scene, 'format' | 'version' | 'options'>> {
  options?: SceneOptions;
  /** Of the first keyframe. */
  position?: number[];
  velocity?: number[];
}

/** A simulation under a formulation; options of each formulation are added to the tight ones. */
export function simulate(formulation: ComparedFormulation, parts: SceneParts, coordinates?: Coordinates): Simulation {
  const { options = {}, position, velocity, ...rest } = parts;
  const merged: SceneOptions = {
    ...TIGHT,
    ...options,
    mujoco: { ...TIGHT.mujoco, ...options.mujoco },
    sap: { ...TIGHT.sap, ...options.sap },
    ccp: { ...TIGHT.ccp, ...options.ccp },
    ipc: { ...TIGHT.ipc, ...options.ipc },
  };
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    ...rest,
    options: merged,
    ...((position || velocity) && { keyframes: [{ ...(position && { position }), ...(velocity && { velocity }) }] }),
  };
  return new Simulation(compileModel(scene, { formulation, ...(coordinates && { coordinates }) }));
}

/** A body without size that cannot touch anything. */
export function pointBody(
  name: string,
  mass: number,
  joints: Joint[],
  position: Vec3 = [0, 0, 0],
  moment = 1e-6,
): Body {
  return { name, position, joints, inertia: { kind: 'principal', mass, moments: [moment, moment, moment] } };
}

/** A free box. */
export function box(name: string, half: Vec3, mass: number, friction: number, position: Vec3 = [0, 0, half[2]]): Body {
  return { name, position, joints: FREE, shapes: [{ kind: 'box', halfSize: half, mass, friction }] };
}

/** A free sphere. */
export function ball(name: string, radius: number, mass: number, surface: Partial<Shape>, position?: Vec3): Body {
  const shape = { kind: 'sphere', radius, mass, ...surface } as Shape;
  return { name, position: position ?? [0, 0, radius], joints: FREE, shapes: [shape] };
}

/** The ground. */
export function ground(surface: Partial<Shape> = {}): Shape {
  return { kind: 'plane', ...surface } as Shape;
}

/** Gravity as on a slope of some angle that falls along x, seen from the slope. */
export function tilt(angle: number, g: number = G): Vec3 {
  return [g * Math.sin(angle), 0, -g * Math.cos(angle)];
}

/** Steps that cover a time. */
export function advance(simulation: Simulation, seconds: number): Simulation {
  const steps = Math.round(seconds / simulation.timestep);
  for (let n = 0; n < steps; n++) takeStep(simulation);
  return simulation;
}

/** One step, which must have been taken. */
export function takeStep(simulation: Simulation): void {
  const report = simulation.step();
  if (!wasTaken(report.status)) throw new Error(`${report.status}: ${describeRefusal(report, simulation.time)}`);
}

/** Where a body is, m. */
export function placeOf(simulation: Simulation, body: string): Vec3 {
  const o = 3 * simulation.model.body.name.indexOf(body);
  const [x, y, z] = simulation.bodyPosition.subarray(o, o + 3);
  return [x!, y!, z!];
}

/** Velocity of the origin of a body, m/s: what it moves in a step. */
export function velocityOf(simulation: Simulation, body: string): Vec3 {
  const before = placeOf(simulation, body);
  takeStep(simulation);
  const after = placeOf(simulation, body);
  return after.map((value, k) => (value - before[k]!) / simulation.timestep) as Vec3;
}

/** Angle of a body about the y axis, rad. */
export function angleOf(simulation: Simulation, body: string): number {
  const o = 4 * simulation.model.body.name.indexOf(body);
  const [w, , y] = simulation.bodyOrientation.subarray(o, o + 4);
  return 2 * Math.atan2(y!, w!);
}

/** Sum of all contact forces on the sides that are not the world's, along z, N. */
export function sumVerticalForces(simulation: Simulation): number {
  return simulation
    .contactForces()
    .filter(({ bodyName1 }) => bodyName1 === 'world')
    .reduce((sum, { force }) => sum + force[2], 0);
}

/** Time at which a number of the state first passes zero, between steps by the straight line, s. */
export function findCrossing(simulation: Simulation, read: () => number, seconds: number): number {
  let before = read();
  while (simulation.time < seconds) {
    takeStep(simulation);
    const now = read();
    if (before * now <= 0 && before !== 0) return simulation.time - simulation.timestep * (now / (now - before));
    before = now;
  }
  throw new Error(`nothing passes zero within ${seconds} s`);
}
