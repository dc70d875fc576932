/**
 * A body and all below it, world axes.
 *   centre Σ m x / Σ m       velocity Σ m v / Σ m       angular momentum Σ (I ω + m (x − centre) × (v − velocity))
 * Where nothing has mass the centre is that of the body.
 */

import type { Workspace } from '../dynamics/workspace.ts';
import { multiplyInertia } from '../linear-algebra/spatial.ts';
import type { Model } from '../model/model.ts';
import type { SubtreeSensor } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import { plainReader, type SensorReader } from './sensor-reader.ts';

const LEAST_MASS = 1e-15;

const momentum = /* @__PURE__ */ new Float64Array(6);
const center = /* @__PURE__ */ new Float64Array(3);
const linear = /* @__PURE__ */ new Float64Array(3);

/** Bodies of a subtree, also where joints are constraints. */
export function listSubtree({ body, constraintJoint, size }: Model, top: number): Int32Array {
  const carrier = Int32Array.from(body.parent);
  constraintJoint.body2.forEach((b, c) => {
    carrier[b] = constraintJoint.body1[c];
  });
  const isIn = new Uint8Array(size.body);
  isIn[top] = 1;
  for (let b = top + 1; b < size.body; b++) if (isIn[carrier[b]] === 1) isIn[b] = 1;
  return Int32Array.from([...isIn.keys()].filter((b) => isIn[b] === 1));
}

export function createSubtreeReader(model: Model, { kind, body }: SubtreeSensor): SensorReader {
  const top = findIndex(model.body.name, body, 'body');
  const bodies = listSubtree(model, top);
  const mass = bodies.reduce((sum, b) => sum + model.body.mass[b], 0);
  return plainReader(({ work }, out, at) => {
    sumMasses(model, work, bodies, mass, top);
    if (kind !== 'subtreeAngularMomentum') {
      const given = kind === 'subtreeCenter' ? center : linear;
      for (let k = 0; k < 3; k++) out[at + k] = given[k];
      return;
    }
    sumSpin(model, work, bodies, out, at);
  });
}

// `center`, and `linear`: the velocity of the centre
function sumMasses(model: Model, work: Workspace, bodies: Int32Array, mass: number, top: number): void {
  center.fill(0);
  linear.fill(0);
  for (const b of bodies) {
    multiplyInertia(momentum, 0, work.bodyInertia, 10 * b, work.bodyTwist, 6 * b);
    for (let k = 0; k < 3; k++) {
      center[k] += model.body.mass[b] * work.bodyCenter[3 * b + k];
      linear[k] += momentum[3 + k];
    }
  }
  for (let k = 0; k < 3; k++) {
    center[k] = mass > LEAST_MASS ? center[k] / mass : work.bodyCenter[3 * top + k];
    linear[k] /= Math.max(mass, LEAST_MASS);
  }
}

// momenta about centres of trees, moved to that of the subtree; Σ m (v − velocity) = 0 leaves nothing of the velocity
function sumSpin(model: Model, work: Workspace, bodies: Int32Array, out: Float64Array, at: number): void {
  out.fill(0, at, at + 3);
  for (const b of bodies) {
    multiplyInertia(momentum, 0, work.bodyInertia, 10 * b, work.bodyTwist, 6 * b);
    const c = 3 * model.body.root[b];
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const m = (k + 2) % 3;
      const x = work.treeCenter[c + l] - center[l];
      const y = work.treeCenter[c + m] - center[m];
      out[at + k] += momentum[k] + x * momentum[3 + m] - y * momentum[3 + l];
    }
  }
}
