/**
 * Contacts of a state that no step has to have led to: what is nearer than d̂, where the barrier pushes. Detection by the margins of
 * the scene (collision/detect-contacts.ts) finds nothing there, since surfaces never meet under `ipc`; it finds overlaps, which there may
 * be before the first step. The search has poses and candidates of its own: whoever looks does not change the motion.
 */
import { CONTACT_MODE, type ContactSet } from '../../collision/contact-set.ts';
import { keyOf } from '../../collision/initial-state/left-out-pairs.ts';
import { MovingCollisions } from '../../collision/moving-collisions.ts';
import { Frames } from '../../dynamics/frames.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { GROWING_MEMORY } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import { type CollisionSource, ContactEntries } from './contact-entries.ts';

export class NearContacts {
  readonly #model: Model;
  readonly #collisions: MovingCollisions;
  readonly #source: CollisionSource;
  readonly #entries: ContactEntries;

  constructor(model: Model) {
    const frames = new Frames(model, GROWING_MEMORY);
    const collisions = new MovingCollisions(model, frames, model.options.ipc.barrierDistance, GROWING_MEMORY);
    const { surfaces, candidates, ofSurfaces: contacts, ofFields: fields } = collisions;
    this.#model = model;
    this.#collisions = collisions;
    this.#source = { contacts, candidates, surfaces, fields, frames };
    this.#entries = new ContactEntries(model, this.#source);
  }

  /** Adds the contacts of the state to those of detection; of pairs that overlap these are all. */
  add(out: ContactSet, state: State, work: Workspace): void {
    const { contacts, candidates, surfaces, fields, frames } = this.#source;
    const { barrierDistance, separation } = this.#model.options.clearance;
    const found = new Set<number>();
    for (let i = 0; i < out.count; i++) found.add(keyOf(out.shape1[i], out.shape2[i]));
    // margins of the scene are not read in a step
    out.margin.fill(barrierDistance + separation, 0, out.count);
    if (!this.#collisions.isActive) return;
    frames.begin(state, work);
    this.#collisions.leftOut.read(state.impulses);
    this.#collisions.holdVertices(state.softHeld);
    candidates.forget();
    surfaces.place(frames.current);
    candidates.cover();
    this.#collisions.place(frames.current);
    const start = out.count;
    for (let n = 0; n < contacts.count; n++) {
      const pair = contacts.pair[n];
      const { shape1, shape2 } = candidates.pairs;
      if (!found.has(keyOf(shape1[pair], shape2[pair]))) this.#entries.addSurface(out, n, 0);
    }
    for (let n = 0; n < fields.count; n++) {
      const { samples, shape } = fields.pairs[fields.pair[n]];
      if (!found.has(keyOf(shape, samples.shape))) this.#entries.addField(out, n, 0);
    }
    out.mode.fill(CONTACT_MODE.open, start, out.count);
    // detection does not know them again
    out.pair.fill(-1, start, out.count);
  }
}
