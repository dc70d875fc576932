/**
 * Transmissions of bodies: a force f acts along the normals of the n contacts of a body, an equal share at each, and pulls both sides together,
 *   m = −(1/n) Σ J_n,   l̇ = m · v,
 * J_n the rows of the normal velocities of side 2 minus side 1. Contacts that are only detected (within the gap) count as well.
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import { createCollisionWorkspace, detectContacts } from '../collision/detect-contacts.ts';
import { computeActuation } from '../dynamics/actuation.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { addWrench } from '../dynamics/wrench.ts';
import type { Arena } from '../kernels/arena.ts';
import { type Model, TRANSMISSION } from '../model/model.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { State } from '../state/state.ts';

/** Finds what bodies that stick touch, where the formulation does not before its solve. */
export type FindTouch = (work: Workspace) => ContactSet;

/** Undefined where a model has no such transmissions; `contacts` are those of the step where the solve is given some. */
export function createFindTouch(model: Model, arena: Arena, contacts: ContactSet | undefined): FindTouch | undefined {
  if (!model.actuator.transmission.includes(TRANSMISSION.body)) return undefined;
  if (contacts) return () => contacts;
  // surfaces that are kept at a distance touch within the reach of their barrier
  const { formulation, formulations } = model.options;
  const clearance = findFormulation(formulation).clearance?.(formulations[formulation] as never);
  const reach = clearance ? clearance.barrierDistance + clearance.separation : 0;
  const near: Model = { ...model, shape: { ...model.shape, gap: model.shape.gap.map((gap) => gap + 0.5 * reach) } };
  const collision = createCollisionWorkspace(near, arena);
  return (work) => {
    detectContacts(near, work, collision);
    return collision.contacts;
  };
}

/** Takes the moments from the contacts, and the actuators' forces anew with them. */
export function applyBodyTransmissions(
  model: Model,
  state: State,
  work: Workspace,
  contacts: ContactSet,
  h: number,
): void {
  const { transmission } = model.actuator;
  for (let a = 0; a < transmission.length; a++)
    if (transmission[a] === TRANSMISSION.body) findMoment(model, work, contacts, a);
  const { smoothForce, actuatorJointForce } = work;
  for (let i = 0; i < smoothForce.length; i++) smoothForce[i] -= actuatorJointForce[i];
  computeActuation(model, state, work, h);
  for (let i = 0; i < smoothForce.length; i++) smoothForce[i] += actuatorJointForce[i];
}

function findMoment(model: Model, work: Workspace, contacts: ContactSet, a: number): void {
  const { row, actuatorMoment, plan } = work;
  const { carrierKind1, carrierKind2, carrier1, carrier2, position, frame, count } = contacts;
  const body = model.actuator.target[a];
  const { shape } = model;
  // shapes stay with the body that has them, carriers are the bodies that move
  const isOf = (s: number): boolean => s < model.size.shape && shape.body[s] === body;
  let n = 0;
  for (let i = 0; i < count; i++) {
    if (!isOf(contacts.shape1[i]) && !isOf(contacts.shape2[i])) continue;
    n++;
    const p = 3 * i;
    const f = 9 * i;
    for (let side = 1; side <= 2; side++) {
      const kind = side === 1 ? carrierKind1[i] : carrierKind2[i];
      if (kind !== CARRIER.body) continue;
      const sign = side === 1 ? 1 : -1;
      const b = side === 1 ? carrier1[i] : carrier2[i];
      const [x, y, z] = [position[p], position[p + 1], position[p + 2]];
      addWrench(row, 0, model, work, b, x, y, z, sign * frame[f], sign * frame[f + 1], sign * frame[f + 2], 0, 0, 0);
    }
  }
  const first = plan.moment.rowStart[a];
  for (let i = 0; i < row.length; i++) {
    actuatorMoment[first + i] = n > 0 ? row[i] / n : 0;
    row[i] = 0;
  }
}
