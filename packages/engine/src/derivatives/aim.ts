/**
 * How a body is to start, and which controls it needs, so that it comes to a goal after some steps:
 *   minimise ½ |p_T(z) − g|²      (Jᵀ J + λ I) δz = −Jᵀ (p_T − g)
 * z are the linear velocity of the body at the start, where it moves freely, and the controls, which stay all along. J has three rows and
 * as many columns as z has numbers: centred differences of whole runs, as many as z asks for, whatever the size of the scene.
 * Symbols: p_T place of the body at the end, m; g goal, m; λ damping.
 */
import { NexdynError } from '../error.ts';
import { wasTaken } from '../formulation/solve-status.ts';
import { solveSmallSystem } from '../linear-algebra/small-system.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { Vec3 } from '../scene/pose.ts';
import type { Simulation } from '../simulation.ts';
import { findIndex } from '../state/inputs.ts';
import { type Goal, measureMiss } from './goal.ts';
import { createTightTwin } from './twin.ts';

/** m/s, and units of controls. */
const SHIFT = 1e-5;
/** Tries of a step, each with more damping. */
const TRIALS = 10;
/** m/s, and units of controls: longest step. Gradients hold for one piece of the motion. */
const LONGEST = 1;

/** What is aimed with. */
export interface Shot {
  /** Linear velocity of the body at the start, world, m/s; empty where it is not free. */
  readonly velocity: readonly number[];
  /** Controls all along. */
  readonly control: readonly number[];
}

/** What becomes of a shot. */
export interface Aim {
  readonly shot: Shot;
  /** Distance from the goal at the end, m. */
  readonly distance: number;
  /** From the goal to the body at the end, world, m. */
  readonly offset: Vec3;
  /** Gradient of the distance by the velocity at the start, s. */
  readonly velocityGradient: readonly number[];
  /** Gradient of the distance by the controls, m per unit. */
  readonly controlGradient: readonly number[];
  /** Place of the body at the start, after every step, and at the end, world, three numbers each, m. */
  readonly path: Float64Array;
}

/** Shots of one body from the state of a simulation, which stays as it is. */
export class Aiming {
  readonly #simulation: Simulation;
  readonly #start: Float64Array;
  readonly #goal: Goal;
  readonly #steps: number;
  readonly #isFree: boolean;
  /** The shot of the state itself. */
  readonly shot: Shot;

  constructor(simulation: Simulation, goal: Goal, steps: number) {
    const { model, state } = simulation;
    const b = findIndex(model.body.name, goal.body, 'body');
    if (!(Number.isInteger(steps) && steps > 0)) {
      throw new NexdynError('invalid-argument', `a shot cannot have ${steps} steps`, {
        hint: 'a whole number above 0',
      });
    }
    this.#simulation = createTightTwin(simulation, model);
    this.#start = simulation.snapshot();
    this.#goal = goal;
    this.#steps = steps;
    this.#isFree = isFreeBody(model, b);
    if (!this.#isFree && state.control.length === 0) {
      throw new NexdynError('invalid-argument', `'${model.body.name[b]}' can neither be thrown nor driven`, {
        hint: 'choose a body that moves freely, or a scene with actuators',
      });
    }
    this.shot = { velocity: this.#isFree ? simulation.velocity(b).linear : [], control: [...state.control] };
  }

  /** Where a shot leads, and how its miss changes with it. */
  aim(shot: Shot = this.shot): Aim {
    const jacobian = this.#differentiate(shot);
    return this.#describe(shot, jacobian);
  }

  /** A shot that misses by less, by one damped Gauss-Newton step; the same one where there is none. */
  improve(shot: Shot): Shot {
    const jacobian = this.#differentiate(shot);
    const offset = this.#shoot(shot);
    const z = [...shot.velocity, ...shot.control];
    const n = z.length;
    const distance = Math.hypot(...offset);
    for (let trial = 0, damping = 1e-6; trial < TRIALS; trial++, damping *= 10) {
      const matrix = new Float64Array(n * n);
      const step = new Float64Array(n);
      let largest = 0;
      for (let i = 0; i < n; i++) largest = Math.max(largest, dot(jacobian[i], jacobian[i]));
      if (largest === 0) return shot;
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) matrix[i * n + j] = dot(jacobian[i], jacobian[j]);
        matrix[i * n + i] += damping * largest;
        step[i] = -dot(jacobian[i], offset);
      }
      solveSmallSystem(matrix, step, n);
      const scale = Math.min(1, LONGEST / Math.hypot(...step));
      const next = this.#split(z.map((value, i) => value + scale * step[i]));
      const found = this.#shoot(next);
      if (Math.hypot(...found) < distance) return next;
    }
    return shot;
  }

  // columns ∂p_T/∂z
  #differentiate(shot: Shot): Vec3[] {
    const z = [...shot.velocity, ...shot.control];
    return z.map((_, i) => {
      const shifted = (sign: number): Vec3 =>
        this.#shoot(this.#split(z.map((value, k) => (k === i ? value + sign * SHIFT : value))));
      const [ahead, behind] = [shifted(1), shifted(-1)];
      return ahead.map((value, k) => (value - behind[k]) / (2 * SHIFT)) as Vec3;
    });
  }

  #split(z: readonly number[]): Shot {
    const count = this.#isFree ? 3 : 0;
    return { velocity: z.slice(0, count), control: z.slice(count) };
  }

  #begin({ velocity, control }: Shot): void {
    const simulation = this.#simulation;
    simulation.restore(this.#start);
    if (velocity.length === 3) simulation.setVelocity(this.#goal.body, { linear: [...velocity] as Vec3 });
    simulation.state.control.set(control);
  }

  // p_T − g
  #shoot(shot: Shot): Vec3 {
    this.#begin(shot);
    const { status } = this.#simulation.step(this.#steps);
    if (!wasTaken(status)) return [Infinity, Infinity, Infinity];
    return measureMiss(this.#simulation, this.#goal).offset;
  }

  #describe(shot: Shot, jacobian: readonly Vec3[]): Aim {
    const path = new Float64Array(3 * (this.#steps + 1));
    this.#begin(shot);
    let offset: Vec3 = [0, 0, 0];
    for (let n = 0; n <= this.#steps; n++) {
      if (n > 0) this.#simulation.step();
      ({ offset } = measureMiss(this.#simulation, this.#goal));
      for (let k = 0; k < 3; k++) path[3 * n + k] = offset[k] + this.#goal.position[k];
    }
    const distance = Math.hypot(...offset);
    const gradient = jacobian.map((column) => (distance > 0 ? dot(column, offset) / distance : 0));
    const count = this.#isFree ? 3 : 0;
    return {
      shot,
      distance,
      offset,
      velocityGradient: gradient.slice(0, count),
      controlGradient: gradient.slice(count),
      path,
    };
  }
}

/** Whether a body moves with six dofs of its own that no joint constrains. */
function isFreeBody({ body, joint, constraintJoint }: Model, b: number): boolean {
  const isFree = body.jointCount[b] > 0 && joint.kind[body.jointStart[b]] === JOINT.free;
  return isFree && !constraintJoint.body1.includes(b) && !constraintJoint.body2.includes(b);
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
