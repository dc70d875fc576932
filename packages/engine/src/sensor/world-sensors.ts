/** Energies and time. */
import { measureGravity, measureSprings } from '../dynamics/energy.ts';
import { addJointSpringEnergy } from '../joint/spring-energy.ts';
import { multiplyInertia } from '../linear-algebra/spatial.ts';
import type { Model } from '../model/model.ts';
import type { WorldSensor } from '../scene/sensor.ts';
import { plainReader, type SensorReader, type SolvedMoment } from './sensor-reader.ts';

const momentum = /* @__PURE__ */ new Float64Array(6);

export function createWorldReader(model: Model, { kind }: WorldSensor): SensorReader {
  if (kind === 'clock')
    return plainReader(({ state }, out, at) => {
      out[at] = state.time[0];
    });
  const measure = kind === 'kineticEnergy' ? measureKinetic : measurePotential;
  return plainReader((moment, out, at) => {
    out[at] = measure(model, moment);
  });
}

// ½ Σ V·I V of bodies, drives and soft vertices: the mass matrix of the workspace may be that of the middle of the step
function measureKinetic(model: Model, { work, state, joints, soft }: SolvedMoment): number {
  const { dof, tendon, constraintJoint, size } = model;
  let twice = 0;
  for (let b = 1; b < size.body; b++) {
    multiplyInertia(momentum, 0, work.bodyInertia, 10 * b, work.bodyTwist, 6 * b);
    for (let k = 0; k < 6; k++) twice += momentum[k] * work.bodyTwist[6 * b + k];
  }
  for (let i = 0; i < size.velocity; i++) twice += dof.armature[i] * state.velocity[i] ** 2;
  for (let t = 0; t < size.tendon; t++) twice += tendon.armature[t] * work.tendonVelocity[t] ** 2;
  for (let c = 0; c < size.constraintJoint; c++) {
    for (let k = 0; k < 3; k++) twice += constraintJoint.armature[c] * joints.coordinates.velocity[3 * c + k] ** 2;
  }
  for (const { mesh, first } of soft.parts) {
    for (let v = 0; v < mesh.vertexCount; v++) {
      for (let k = 0; k < 3; k++) twice += mesh.mass[v] * state.softVelocity[3 * (first + v) + k] ** 2;
    }
  }
  return 0.5 * twice;
}

function measurePotential(model: Model, { work, state, joints, soft }: SolvedMoment): number {
  const potential = measureGravity(model, work) + measureSprings(model, state, work);
  if (model.size.constraintJoint === 0 && soft.parts.length === 0) return potential;
  const rigid = { kinetic: 0, potential, elastic: 0, total: potential };
  const { springs } = work.weights;
  return soft.addEnergy(addJointSpringEnergy(rigid, model, joints, springs), work).potential;
}
