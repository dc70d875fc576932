/** What attachments of soft bodies carry, and which of them break. */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import { isBroken } from '../formulation/soft-rows/attachment-rows.ts';
import type { Model, ModelAttachment } from '../model/model.ts';
import type { Vec3 } from '../scene/pose.ts';
import type { State } from '../state/state.ts';
import type { SimulationData } from './simulation-data.ts';

/** An attachment of a soft body and what it carried in the last step. */
export interface AttachmentForce {
  /** Empty where it has none. */
  name: string;
  /** Name of the soft body. */
  softBody: string;
  /** Name of the rigid or soft body it is attached to. */
  body: string;
  /** Vertices of the soft body. */
  vertices: readonly number[];
  /** On the soft body, world axes, N. */
  force: Vec3;
  /** On each vertex, three numbers, N. */
  forces: Float64Array;
  /** About the axes of edges of a rod that may not turn, N m. */
  twist: number;
  /** N; Infinity where it never breaks. */
  breakForce: number;
  /** Whether it is broken. */
  isBroken: boolean;
}

/** What all attachments carried in the last step. */
export function listAttachmentForces(data: SimulationData): AttachmentForce[] {
  const { model, state } = data;
  const { attachments, attachment, tie, clamp } = model.soft;
  const numbers = readForces(data);
  const reactions = hasReactions(data) ? measureReactions(data) : undefined;
  const list = attachments.map(
    (source, of): AttachmentForce => ({
      name: source.name,
      softBody: model.soft.name[source.softBody],
      body: source.body,
      vertices: source.vertices,
      force: [0, 0, 0],
      forces: new Float64Array(3 * source.vertices.length),
      twist: 0,
      breakForce: source.breakForce,
      isBroken: isBroken(model, state, of),
    }),
  );
  const filled = new Int32Array(attachments.length);
  const add = (of: number, from: Float64Array, at: number): void => {
    const entry = list[of];
    const v = filled[of]++;
    for (let c = 0; c < 3; c++) {
      entry.forces[3 * v + c] = from[at + c];
      entry.force[c] += from[at + c];
    }
  };
  attachment.vertex.forEach((vertex, k) => {
    if (reactions && isHeldOrCarried(data, k)) add(attachment.of[k], reactions, 3 * vertex);
    else add(attachment.of[k], numbers, 3 * k);
  });
  const fixed = attachment.vertex.length;
  tie.of.forEach((of, k) => {
    add(of, numbers, 3 * (fixed + k));
  });
  clamp.of.forEach((of, k) => {
    list[of].twist += numbers[3 * (fixed + tie.of.length) + k];
  });
  return list;
}

/** Marks attachments whose force in the last step was more than they bear as broken, from the next step on. */
export function breakAttachments(data: SimulationData): void {
  const { model, state } = data;
  const { attachments, attachment, tie } = model.soft;
  const numbers = readForces(data);
  const fixed = attachment.vertex.length;
  for (let of = 0, k = 0; of < attachments.length; of++) {
    const { breakForce, breakIndex } = attachments[of];
    let [x, y, z] = [0, 0, 0];
    for (; k < tie.of.length && tie.of[k] === of; k++) {
      x += numbers[3 * (fixed + k)];
      y += numbers[3 * (fixed + k) + 1];
      z += numbers[3 * (fixed + k) + 2];
    }
    if (breakIndex >= 0 && Math.sqrt(x * x + y * y + z * z) > breakForce) state.attachmentBroken[breakIndex] = 1;
  }
}

/** Attachments that are broken in a state and were not before, by name, or by their place in the scene. */
export function nameBroken({ soft }: Model, before: Float64Array, { attachmentBroken }: State): string[] | undefined {
  const names: string[] = [];
  soft.attachments.forEach(({ name, softBody, breakIndex }, of) => {
    if (breakIndex < 0 || attachmentBroken[breakIndex] === before[breakIndex]) return;
    names.push(name || `softBodies[${softBody}].attachments[${of - firstOf(soft.attachments, softBody)}]`);
  });
  return names.length > 0 ? names : undefined;
}

function firstOf(attachments: readonly ModelAttachment[], softBody: number): number {
  return attachments.findIndex((other) => other.softBody === softBody);
}

let scratch: Float64Array = new Float64Array(0);

function readForces({ model, formulation }: SimulationData): Float64Array {
  const { attachment, tie, clamp } = model.soft;
  const length = 3 * (attachment.vertex.length + tie.vertex.length) + clamp.edge.length;
  if (scratch.length !== length) scratch = new Float64Array(length);
  scratch.fill(0);
  formulation.readAttachmentForces?.(scratch);
  return scratch;
}

// a vertex that no joint moves is held; under `ipc` one that is attached is a point of its body
function isHeldOrCarried({ model, formulation }: SimulationData, k: number): boolean {
  return formulation.contactsAre === 'after' || model.body.lastDof[model.soft.attachment.body[k]] < 0;
}

function hasReactions(data: SimulationData): boolean {
  return data.hasSolved && data.model.soft.attachment.vertex.some((_, k) => isHeldOrCarried(data, k));
}

// what vertices need beyond elasticity, less what contacts give
function measureReactions({ model, soft, work, state, h, collision }: SimulationData): Float64Array {
  const out = new Float64Array(3 * model.size.softVertex);
  const before = work.stateBefore.subarray((state.softVelocity.byteOffset - state.all.byteOffset) / 8);
  soft.addReactions(out, before, work.softVelocity, work.plan.gravity, h);
  subtractContacts(out, collision.contacts);
  return out;
}

function subtractContacts(out: Float64Array, contacts: ContactSet): void {
  const { frame, force } = contacts;
  for (let i = 0; i < contacts.count; i++) {
    for (let c = 0; c < 3; c++) {
      let push = 0;
      for (let r = 0; r < 3; r++) push += frame[9 * i + 3 * r + c] * force[6 * i + r];
      for (let k = 4 * i; k < 4 * i + 4; k++) {
        if (contacts.carrierKind1[i] === CARRIER.soft && contacts.vertex1[k] >= 0)
          out[3 * contacts.vertex1[k] + c] += contacts.weight1[k] * push;
        if (contacts.carrierKind2[i] === CARRIER.soft && contacts.vertex2[k] >= 0)
          out[3 * contacts.vertex2[k] + c] -= contacts.weight2[k] * push;
      }
    }
  }
}
