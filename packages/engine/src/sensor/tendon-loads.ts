/**
 * What spatial tendons do to the bodies of their paths, for sensors of force: as in MuJoCo 4.0 it acts from outside and is not carried by
 * joints. The force along a tendon of length L, positive where it lengthens, is
 *   spring, damper and dry friction + Σ gear · actuators + limit + Σ ∂C/∂L · equalities − m (J a + J̇ v)       m its armature
 * Tendons over joints act inside these. Makes no objects.
 */
import type { BodyLoads } from '../diagnostics/body-loads.ts';
import { type AddPull, pullPath } from '../dynamics/tendon.ts';
import { measureTendonDrift } from '../dynamics/tendon-armature.ts';
import { EQUALITY, type Model, STATION, TRANSMISSION } from '../model/model.ts';
import type { SolvedMoment } from './sensor-reader.ts';

export class TendonLoads {
  /** Spatial tendons. */
  readonly #tendons: readonly number[];
  readonly #force: Float64Array;
  readonly #subtract: AddPull;

  constructor({ tendon, size }: Model, loads: BodyLoads) {
    this.#subtract = (b, point, i, pull, torque) => {
      if (b > 0) loads.add(b, point, i, pull, 0, torque, 0, -1);
    };
    const all = Array.from({ length: size.tendon }, (_, t) => t);
    this.#tendons = all.filter((t) => tendon.stationKind[tendon.stationStart[t]] !== STATION.joint);
    this.#force = new Float64Array(size.tendon);
  }

  get isEmpty(): boolean {
    return this.#tendons.length === 0;
  }

  /** Subtracts the forces of a step from the loads; those of limits are in the moment, accelerations are of dofs. */
  subtract(moment: SolvedMoment, equalityForce: Float64Array, acceleration: Float64Array): void {
    const { model, work, formulation } = moment;
    const force = this.#force;
    force.fill(0);
    formulation.readTendonFriction?.(force);
    for (let t = 0; t < force.length; t++) force[t] += work.tendonForce[t] + readLimit(moment, t);
    addActuators(force, moment);
    addEqualities(force, moment, equalityForce);
    addArmature(force, moment, acceleration);
    for (let n = 0; n < this.#tendons.length; n++) {
      const t = this.#tendons[n];
      if (force[t] !== 0) pullPath(model, work, t, force[t], this.#subtract);
    }
  }
}

// the nearer end of the range is the one that acts
function readLimit({ model, work, limitForce }: SolvedMoment, t: number): number {
  const { range, limited } = model.tendon;
  if (limited[t] === 0) return 0;
  const isLow = work.tendonLength[t] - range[2 * t] < range[2 * t + 1] - work.tendonLength[t];
  return (isLow ? 1 : -1) * limitForce[model.size.joint + model.size.constraintJoint + t];
}

function addActuators(force: Float64Array, { model, work }: SolvedMoment): void {
  const { actuator, size } = model;
  for (let a = 0; a < size.actuator; a++) {
    if (actuator.transmission[a] === TRANSMISSION.tendon)
      force[actuator.target[a]] += actuator.gear[6 * a] * work.actuatorForce[a];
  }
}

// C = y − p(x), polynomial.ts
function addEqualities(
  force: Float64Array,
  { model, state, work, joints }: SolvedMoment,
  equalityForce: Float64Array,
): void {
  const { kind, object1, object2, data } = model.equality;
  for (let e = 0; e < kind.length; e++) {
    if (kind[e] !== EQUALITY.tendon || state.equalityActive[e] === 0) continue;
    const x = object2[e];
    const d = 11 * e;
    force[object1[e]] += equalityForce[6 * e];
    if (x < 0) continue;
    const u = work.tendonLength[x] - joints.tendonReference[x];
    const slope = data[d + 1] + u * (2 * data[d + 2] + u * (3 * data[d + 3] + u * 4 * data[d + 4]));
    force[x] -= slope * equalityForce[6 * e];
  }
}

function addArmature(force: Float64Array, { model, work }: SolvedMoment, acceleration: Float64Array): void {
  const { rowStart, column } = work.plan.tendon;
  const nv = model.size.velocity;
  for (let t = 0; t < force.length; t++) {
    const mass = model.tendon.armature[t];
    if (mass === 0) continue;
    let rate = measureTendonDrift(model, work, t);
    for (let k = rowStart[t]; k < rowStart[t + 1]; k++)
      rate += work.tendonJacobian[t * nv + column[k]] * acceleration[column[k]];
    force[t] -= mass * rate;
  }
}
