/** One contact as an object; `ContactSet` has the same data as arrays. */
import type { Model } from '../model/model.ts';
import type { ContactSet } from './contact-set.ts';

/** The two shapes of a contact. Unnamed shapes have empty names. A soft body is shape and body in one, numbered after all shapes. */
export interface ShapePair {
  /** Number of the first shape. */
  shape1: number;
  /** Number of the second shape. */
  shape2: number;
  /** Name of the first shape. */
  shapeName1: string;
  /** Name of the second shape. */
  shapeName2: string;
  /** Name of the body of the first shape. */
  bodyName1: string;
  /** Name of the body of the second shape. */
  bodyName2: string;
}

/** One contact as an object; `ContactSet` has the same data as arrays. */
export interface Contact extends ShapePair {
  /** Halfway between the two surfaces, world, m. */
  position: [number, number, number];
  /** Unit, from shape 1 to shape 2. */
  normal: [number, number, number];
  /** Signed distance, negative in penetration, m. */
  gap: number;
  /** Gap below which the contact acts, m. */
  margin: number;
  /** Two sliding coefficients, spin (m), two rolling (m). */
  friction: [number, number, number, number, number];
  /** Part of the surface that the contact represents, m²; 0 at points of rigid bodies. */
  area: number;
}

/** A contact of the last step with the force it had. */
export interface ContactForce extends Contact {
  /** Of shape 1 on shape 2, world axes, N. */
  force: [number, number, number];
  /** Of shape 1 on shape 2: spin and rolling friction, world axes, N m. */
  torque: [number, number, number];
  /** Along the normal, N. */
  normalForce: number;
  /** Normal force per area, Pa; 0 at points of rigid bodies. */
  pressure: number;
  /** No force; a force inside the friction cone; a force on it. */
  mode: 'open' | 'stick' | 'slide';
}

const MODES = ['open', 'stick', 'slide'] as const;

/** Contacts with their forces. */
export function listContactForces(model: Model, contacts: ContactSet): ContactForce[] {
  return listContacts(model, contacts).map((contact, i) => ({
    ...contact,
    force: rotateFromFrame(contacts, i, 6 * i),
    torque: rotateFromFrame(contacts, i, 6 * i + 3),
    normalForce: contacts.force[6 * i],
    pressure: contacts.area[i] > 0 ? contacts.force[6 * i] / contacts.area[i] : 0,
    mode: MODES[contacts.mode[i]],
  }));
}

// Σ of the rows of the frame times three numbers
function rotateFromFrame({ frame, force }: ContactSet, i: number, at: number): [number, number, number] {
  const along = (k: number): number =>
    frame[9 * i + k] * force[at] + frame[9 * i + 3 + k] * force[at + 1] + frame[9 * i + 6 + k] * force[at + 2];
  return [along(0), along(1), along(2)];
}

export function listContacts(model: Model, contacts: ContactSet): Contact[] {
  return Array.from({ length: contacts.count }, (_, i) => readContact(model, contacts, i));
}

function readContact(model: Model, contacts: ContactSet, i: number): Contact {
  const [a, b] = [contacts.shape1[i], contacts.shape2[i]];
  const [px, py, pz] = contacts.position.subarray(3 * i, 3 * i + 3);
  const [nx, ny, nz] = contacts.frame.subarray(9 * i, 9 * i + 3);
  const [f0, f1, f2, f3, f4] = contacts.friction.subarray(5 * i, 5 * i + 5);
  return {
    ...nameShapes(model, a, b),
    position: [px, py, pz],
    normal: [nx, ny, nz],
    gap: contacts.gap[i],
    margin: contacts.margin[i],
    friction: [f0, f1, f2, f3, f4],
    area: contacts.area[i],
  };
}

/** Numbers and names of shapes a and b and of their bodies. */
export function nameShapes(model: Model, a: number, b: number): ShapePair {
  return {
    shape1: a,
    shape2: b,
    shapeName1: nameOfShape(model, a),
    shapeName2: nameOfShape(model, b),
    bodyName1: nameOfBody(model, a),
    bodyName2: nameOfBody(model, b),
  };
}

// a soft body is numbered after all shapes
function nameOfShape({ shape, soft, size }: Model, s: number): string {
  return s < size.shape ? shape.name[s] : soft.name[s - size.shape];
}

// a soft body is its own body
function nameOfBody({ shape, body, soft, size }: Model, s: number): string {
  return s < size.shape ? body.name[shape.body[s]] : soft.name[s - size.shape];
}
