/**
 * Contacts that begin, go on and end, pair of shapes by pair, for programs that react to them. Two shapes touch in a step where the sum of normal
 * forces of their contacts is above zero; the impulse of a step is J = h Σ f, with h its length (s) and f the forces of shape 1 on shape 2 (N).
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Model } from '../model/model.ts';

/** What happened between two shapes in the last step. */
export interface ContactEvent {
  kind: 'begin' | 'persist' | 'end';
  /** Numbers of the shapes, the lower first; soft body n counts as shape `size.shape` + n. */
  shape1: number;
  /** The higher number. */
  shape2: number;
  /** Names of what they belong to: a body, or a soft body. */
  body1: string;
  /** That of the second shape. */
  body2: string;
  /** Impulse of shape 1 on shape 2 in this step, world axes, N s; zero where the contact ends. */
  impulse: [number, number, number];
  /** Its part along the normals of the contacts, N s. */
  normalImpulse: number;
  /** Where it acts: the mean of the contact points, weighted by normal force, m; where it was last, where the contact ends. */
  point: [number, number, number];
}

/** The part of a simulation that events are read from. */
export interface EventfulSimulation {
  /** What is simulated. */
  readonly model: Model;
  /** Length of the last step, s. */
  readonly stepLength: number;
  /** Contacts of the last step with their forces. */
  readonly solvedContacts: ContactSet;
}

/** Tells events after each step: `const events = new ContactEvents(simulation); simulation.step(); for (const event of events.update()) ...` */
export class ContactEvents {
  readonly #simulation: EventfulSimulation;
  #touching = new Map<number, ContactEvent>();

  constructor(simulation: EventfulSimulation) {
    this.#simulation = simulation;
  }

  /** Events of the last step, in the order of the shapes; to be called once after each step. */
  update(): ContactEvent[] {
    const before = this.#touching;
    const now = this.#gather();
    const events: ContactEvent[] = [];
    for (const [key, event] of now) {
      event.kind = before.has(key) ? 'persist' : 'begin';
      events.push(event);
    }
    for (const [key, event] of before) {
      if (!now.has(key)) events.push({ ...event, kind: 'end', impulse: [0, 0, 0], normalImpulse: 0 });
    }
    this.#touching = now;
    return events.sort((a, b) => a.shape1 - b.shape1 || a.shape2 - b.shape2);
  }

  /** Forgets what touched: after a reset, or a jump to another state, contacts begin again. */
  clear(): void {
    this.#touching = new Map();
  }

  #gather(): Map<number, ContactEvent> {
    const { model, stepLength, solvedContacts: set } = this.#simulation;
    const found = new Map<number, ContactEvent>();
    const shapes = model.size.shape + model.size.softBody;
    for (let i = 0; i < set.count; i++) {
      const [a, b] = [set.shape1[i], set.shape2[i]];
      const sign = a <= b ? 1 : -1;
      // force is given in the frame of the contact: normal first
      const normal = set.force[6 * i];
      if (!(normal > 0)) continue;
      const [low, high] = sign > 0 ? [a, b] : [b, a];
      const key = low * shapes + high;
      let event = found.get(key);
      if (!event) found.set(key, (event = createEvent(model, low, high)));
      const impulse = stepLength * normal;
      for (let k = 0; k < 3; k++) {
        let force = 0;
        for (let r = 0; r < 3; r++) force += set.force[6 * i + r] * set.frame[9 * i + 3 * r + k];
        event.impulse[k] += sign * stepLength * force;
        event.point[k] += (impulse / (event.normalImpulse + impulse)) * (set.position[3 * i + k] - event.point[k]);
      }
      event.normalImpulse += impulse;
    }
    return found;
  }
}

function createEvent(model: Model, shape1: number, shape2: number): ContactEvent {
  return {
    kind: 'begin',
    shape1,
    shape2,
    body1: nameOwner(model, shape1),
    body2: nameOwner(model, shape2),
    impulse: [0, 0, 0],
    normalImpulse: 0,
    point: [0, 0, 0],
  };
}

function nameOwner({ shape, body, soft, size }: Model, s: number): string {
  return s < size.shape ? body.name[shape.body[s]] : soft.name[s - size.shape];
}
