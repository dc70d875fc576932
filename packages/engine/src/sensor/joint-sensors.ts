/**
 * Joints, tendons and actuators. Joints of body coordinates are read off the poses.
 *   limit position   distance to the nearer limit less its margin, where it acts; else 0
 *   limit velocity   rate of that distance                limit force   what the limit does, ≥ 0
 */

import { normalizeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model, TRANSMISSION } from '../model/model.ts';
import type { ActuatorSensor, JointSensor, TendonSensor } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import { plainReader, type SensorReader, type SolvedMoment } from './sensor-reader.ts';

const quaternion = /* @__PURE__ */ new Float64Array(4);
const turn = /* @__PURE__ */ new Float64Array(3);

/** Number of a joint, those of the constraints after the others. */
export function findJoint({ joint, constraintJoint, size }: Model, name: string): number {
  const j = joint.name.indexOf(name);
  return j >= 0 ? j : size.joint + findIndex(constraintJoint.name, name, 'joint');
}

/** Position of a hinge or slide. */
function jointPosition({ model, state, joints }: SolvedMoment, j: number): number {
  const c = j - model.size.joint;
  return c < 0 ? state.position[model.joint.positionStart[j]] : joints.coordinates.position[c];
}

function jointVelocity({ model, state, joints }: SolvedMoment, j: number, k = 0): number {
  const c = j - model.size.joint;
  return c < 0 ? state.velocity[model.joint.dofStart[j] + k] : joints.coordinates.velocity[3 * c + k];
}

export function createJointReader(model: Model, sensor: JointSensor): SensorReader {
  const j = findJoint(model, sensor.joint);
  const c = j - model.size.joint;
  switch (sensor.kind) {
    case 'jointPosition':
      return plainReader((moment, out, at) => {
        out[at] = jointPosition(moment, j);
      });
    case 'jointVelocity':
      return plainReader((moment, out, at) => {
        out[at] = jointVelocity(moment, j);
      });
    case 'jointActuatorForce':
      return plainReader((moment, out, at) => {
        out[at] = readJointActuation(moment, j);
      });
    case 'ballOrientation':
      return plainReader(({ state, joints }, out, at) => {
        if (c < 0) normalizeQuaternion(out, at, state.position, model.joint.positionStart[j]);
        else normalizeQuaternion(out, at, joints.coordinates.orientation, 4 * c);
      });
    case 'ballAngularVelocity':
      return plainReader((moment, out, at) => {
        for (let k = 0; k < 3; k++) out[at + k] = jointVelocity(moment, j, k);
      });
    case 'jointLimitPosition':
    case 'jointLimitVelocity':
      return createJointLimit(model, j, sensor.kind === 'jointLimitVelocity');
    case 'jointLimitForce':
      return {
        needs: ['limits'],
        read({ limitForce }, out, at): void {
          out[at] = limitForce[j];
        },
      };
  }
}

/** What actuators do to a joint: in joint coordinates the force on its dof, gravity compensation and limits included. */
function readJointActuation({ model, work }: SolvedMoment, j: number): number {
  if (j < model.size.joint) return work.actuatorJointForce[model.joint.dofStart[j]];
  const { constraintJoint, actuator, size } = model;
  let force = 0;
  for (let a = 0; a < size.actuator; a++) {
    if (actuator.target[a] === j && drivesJoint(model, a)) force += actuator.gear[6 * a] * work.actuatorForce[a];
  }
  const c = j - size.joint;
  if (constraintJoint.actuatorForceLimited[c] === 0) return force;
  const { actuatorForceRange: range } = constraintJoint;
  return Math.min(range[2 * c + 1], Math.max(range[2 * c], force));
}

/** Limits that are switched off do not act. */
function hasNoLimits({ options }: Model): boolean {
  return options.disabled.has('limit') || options.disabled.has('constraint');
}

function createJointLimit(model: Model, j: number, isVelocity: boolean): SensorReader {
  const c = j - model.size.joint;
  const { limited, range, margin, kind } = c < 0 ? model.joint : model.constraintJoint;
  const n = c < 0 ? j : c;
  const isOff = hasNoLimits(model);
  return plainReader((moment, out, at) => {
    out[at] = 0;
    if (limited[n] === 0 || isOff) return;
    if (kind[n] === JOINT.ball) {
      out[at] = readBallLimit(moment, j, range, n, margin[n], isVelocity);
      return;
    }
    const q = jointPosition(moment, j);
    const rate = isVelocity ? jointVelocity(moment, j) : 0;
    out[at] = readSides(q, rate, range, 2 * n, margin[n], isVelocity);
  });
}

// the lower side first, as in the rows of `mujoco`
function readSides(
  q: number,
  rate: number,
  range: Float64Array,
  r: number,
  margin: number,
  isVelocity: boolean,
): number {
  const low = q - range[r];
  if (low < margin) return isVelocity ? rate : low - margin;
  const high = range[r + 1] - q;
  if (high < margin) return isVelocity ? -rate : high - margin;
  return 0;
}

function readBallLimit(
  moment: SolvedMoment,
  j: number,
  range: Float64Array,
  n: number,
  margin: number,
  isVelocity: boolean,
): number {
  const { model, state, joints } = moment;
  const c = j - model.size.joint;
  if (c < 0) normalizeQuaternion(quaternion, 0, state.position, model.joint.positionStart[j]);
  else normalizeQuaternion(quaternion, 0, joints.coordinates.orientation, 4 * c);
  rotationVector(turn, 0, quaternion, 0);
  const angle = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
  const distance = Math.max(range[2 * n], range[2 * n + 1]) - angle;
  if (!(distance < margin)) return 0;
  if (!isVelocity) return distance - margin;
  if (angle < 1e-15) return -jointVelocity(moment, j, 0);
  let rate = 0;
  for (let k = 0; k < 3; k++) rate -= (turn[k] / angle) * jointVelocity(moment, j, k);
  return rate;
}

export function createTendonReader(model: Model, sensor: TendonSensor): SensorReader {
  const t = findIndex(model.tendon.name, sensor.tendon, 'tendon');
  const { tendon, actuator, size } = model;
  switch (sensor.kind) {
    case 'tendonPosition':
      return plainReader(({ work }, out, at) => {
        out[at] = work.tendonLength[t];
      });
    case 'tendonVelocity':
      return plainReader(({ work }, out, at) => {
        out[at] = work.tendonVelocity[t];
      });
    case 'tendonActuatorForce':
      return plainReader(({ work }, out, at) => {
        out[at] = 0;
        for (let a = 0; a < size.actuator; a++) {
          if (actuator.transmission[a] === TRANSMISSION.tendon && actuator.target[a] === t)
            out[at] += work.actuatorForce[a];
        }
      });
    case 'tendonLimitPosition':
    case 'tendonLimitVelocity': {
      const isVelocity = sensor.kind === 'tendonLimitVelocity';
      const isOff = hasNoLimits(model);
      return plainReader(({ work }, out, at) => {
        const { range, margin, limited } = tendon;
        const length = work.tendonLength[t];
        out[at] =
          limited[t] === 0 || isOff
            ? 0
            : readSides(length, work.tendonVelocity[t], range, 2 * t, margin[t], isVelocity);
      });
    }
    case 'tendonLimitForce':
      return {
        needs: ['limits'],
        read({ limitForce }, out, at): void {
          out[at] = limitForce[size.joint + size.constraintJoint + t];
        },
      };
  }
}

export function createActuatorReader(model: Model, sensor: ActuatorSensor): SensorReader {
  const a = findIndex(model.actuator.name, sensor.actuator, 'actuator');
  const field = (
    {
      actuatorPosition: 'actuatorLength',
      actuatorVelocity: 'actuatorVelocity',
      actuatorForce: 'actuatorForce',
    } as const
  )[sensor.kind];
  return plainReader(({ work }, out, at) => {
    out[at] = work[field][a];
  });
}

function drivesJoint({ actuator }: Model, a: number): boolean {
  return actuator.transmission[a] === TRANSMISSION.joint || actuator.transmission[a] === TRANSMISSION.jointInParent;
}
