/**
 * Rigid bodies that lie in each other by more than a share of the thinner one,
 *
 *   −φ > σ min(t₁, t₂)
 *
 * with the gap φ and the thickness t of a shape, its smallest extent, m; σ = 0.1. A step whose solve has converged may leave them there: it obeys
 * the law of its formulation, and contacts that give way do so by their load (sap m g/k, mujoco g (1 − d) (t ζ)² m/m_light), and motion that is
 * fast for the step is judged where the step began. So no status tells; this does. Overlaps of the start that come apart, contacts that
 * are soft by their pressure and those of soft bodies do not count.
 */
import { AHEAD, isSoftContact } from '../collision/contact-set.ts';
import { namePair } from '../collision/initial-state/overlap-limit.ts';
import { measureShapeThickness } from '../collision/shape-thickness.ts';
import type { MeasuredSimulation } from './ruler.ts';

/** σ. */
const DEEP_SHARE = 0.1;

/** Two shapes that lay in each other, where that was deepest. */
export interface DeepContact {
  /** Both shapes, as in `'wheel' and 'road'`. */
  names: string;
  /** How deep, m. */
  depth: number;
  /** The same as a share of the thickness of the thinner shape. */
  share: number;
  /** When, s: at the start of the step that was deepest. */
  time: number;
}

/** What of a simulation is looked at. */
type Watched = Pick<MeasuredSimulation, 'model' | 'state' | 'stepLength' | 'solvedContacts' | 'formulation'>;

/** Finds bodies that lie too deep in each other: `look()` after each step, `found` at the end. */
export class DeepContacts {
  readonly #simulation: Watched;
  /** Of every shape, m; measured when first asked for. */
  #thickness: Float64Array | undefined;
  /** By pair of shapes. */
  readonly #found = new Map<number, DeepContact>();

  constructor(simulation: Watched) {
    this.#simulation = simulation;
  }

  /** The contacts of the last step, where it began. */
  look(): void {
    const { model, state, stepLength, solvedContacts: contacts, formulation } = this.#simulation;
    if (!formulation.usesContacts) return;
    const { count, gap, recovery, ahead, pressure, area, shape1, shape2, pair } = contacts;
    for (let i = 0; i < count; i++) {
      const depth = -gap[i] - recovery[i];
      if (!(depth > 0) || ahead[i] !== AHEAD.no || pressure[i] > 0 || area[i] > 0 || isSoftContact(contacts, i))
        continue;
      this.#thickness ??= measureShapeThickness(model);
      const share = depth / Math.min(this.#thickness[shape1[i]], this.#thickness[shape2[i]]);
      if (!(share > DEEP_SHARE)) continue;
      const before = this.#found.get(pair[i]);
      if (before && before.share >= share) continue;
      const names = before?.names ?? namePair(model, shape1[i], shape2[i]);
      this.#found.set(pair[i], { names, depth, share, time: state.time[0] - stepLength });
    }
  }

  /** The deepest of every pair, the worst pair first. */
  get found(): DeepContact[] {
    return [...this.#found.values()].sort((a, b) => b.share - a.share);
  }
}
