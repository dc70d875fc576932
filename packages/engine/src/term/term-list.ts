/** The user's terms of a simulation, in the order in which they were added. */
import { NexdynError } from '../error.ts';
import type { Configuration, StepContext, Term } from './term.ts';
import type { TermGradient } from './term-gradient.ts';

/** Names of energies that every simulation has. */
const TAKEN = ['kinetic', 'gravity', 'springs', 'elastic', 'barrier', 'contacts', 'friction', 'joints'];

export class TermList {
  readonly items: Term[] = [];

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  /** Whether one of them stands for an outside influence. */
  get hasExternal(): boolean {
    return this.items.some(({ external }) => external === true);
  }

  /** Adds a term; its name must be new. */
  add(term: Term): void {
    if (typeof term.name !== 'string' || term.name === '')
      throw new NexdynError('invalid-argument', 'a term needs a name', { hint: "give it one, as in name: 'tether'" });
    if (TAKEN.includes(term.name)) {
      throw new NexdynError('duplicate-name', `the name '${term.name}' is reserved for an energy of the engine`, {
        hint: `reserved names are ${TAKEN.join(', ')}`,
      });
    }
    if (this.items.some(({ name }) => name === term.name)) {
      throw new NexdynError('duplicate-name', `two terms have the name '${term.name}'`, {
        hint: 'remove the first one or give the other another name',
      });
    }
    this.items.push(term);
  }

  /** Takes a term out; false where there is none of that name. */
  remove(name: string): boolean {
    const at = this.items.findIndex((term) => term.name === name);
    if (at < 0) return false;
    this.items.splice(at, 1);
    return true;
  }

  /** A step begins. */
  begin(step: StepContext): void {
    for (const term of this.items) {
      term.begin?.(step);
      term.lag?.(step.start);
    }
  }

  /** Σ w ψ, J. */
  value(x: Configuration): number {
    let sum = 0;
    for (const term of this.items) sum += weigh(term, term.value(x));
    return sum;
  }

  /** Adds Σ w ∂ψ/∂x. */
  addGradient(x: Configuration, out: TermGradient): void {
    for (const term of this.items) addWeighted(term, x, out);
  }
}

/** Adds the gradient of one term, times its weight. */
export function addWeighted(term: Term, x: Configuration, out: TermGradient): void {
  out.weight = term.weight ?? 1;
  term.addGradient(x, out);
  out.weight = 1;
}

/** A value times the weight of its term; a weight of 0 switches a term off even where it is infinite. */
export function weigh(term: Term, value: number): number {
  const weight = term.weight ?? 1;
  return weight === 0 ? 0 : weight * value;
}
