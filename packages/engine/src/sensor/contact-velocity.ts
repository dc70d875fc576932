/** Velocity of side 2 of a contact relative to side 1 at its point, world axes: angular, rad/s, then linear, m/s. */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';

export function writeContactVelocity(
  out: Float64Array,
  model: Model,
  work: Workspace,
  softVelocity: Float64Array,
  contacts: ContactSet,
  i: number,
): void {
  out.fill(0, 0, 6);
  const { carrierKind1, carrierKind2, carrier1, carrier2 } = contacts;
  if (carrierKind1[i] === CARRIER.soft) addSoft(out, softVelocity, contacts.vertex1, contacts.weight1, i, -1);
  else if (carrierKind1[i] === CARRIER.body) addBody(out, model, work, contacts, i, carrier1[i], -1);
  if (carrierKind2[i] === CARRIER.soft) addSoft(out, softVelocity, contacts.vertex2, contacts.weight2, i, 1);
  else if (carrierKind2[i] === CARRIER.body) addBody(out, model, work, contacts, i, carrier2[i], 1);
}

function addBody(
  out: Float64Array,
  model: Model,
  { bodyTwist: w, treeCenter }: Workspace,
  { position }: ContactSet,
  i: number,
  body: number,
  sign: number,
): void {
  const b = 6 * body;
  const c = 3 * model.body.root[body];
  for (let k = 0; k < 3; k++) {
    const l = (k + 1) % 3;
    const m = (k + 2) % 3;
    const y = position[3 * i + l] - treeCenter[c + l];
    const z = position[3 * i + m] - treeCenter[c + m];
    out[k] += sign * w[b + k];
    out[3 + k] += sign * (w[b + 3 + k] + w[b + l] * z - w[b + m] * y);
  }
}

function addSoft(
  out: Float64Array,
  velocity: Float64Array,
  vertex: Int32Array,
  weight: Float64Array,
  i: number,
  sign: number,
): void {
  for (let n = 4 * i; n < 4 * i + 4; n++) {
    if (vertex[n] < 0) continue;
    for (let k = 0; k < 3; k++) out[3 + k] += sign * weight[n] * velocity[3 * vertex[n] + k];
  }
}
