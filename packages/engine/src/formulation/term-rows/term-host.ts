/** What holds the rows of the user's terms: the builder of a convex problem. The rows come with '@nexdyn/engine/terms'. */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import { LazyModule } from '../../parts/lazy-module.ts';
import type { State } from '../../state/state.ts';

/** Where the rows go. */
export interface TermHost {
  readonly model: Model;
  readonly problem: ConvexProblem;
  /** Time step, s. */
  readonly h: number;
  /** Gives a row its numbers: λ, and the velocity along it that held vertices have, m/s. */
  setTermRow(row: number, stiffness: number, heldVelocity: number): void;
  /** Gives a row a constant force, N. */
  setTermForce(row: number, force: number): void;
}

/** The rows of all terms in a step. */
export interface HostedTerms {
  /** Begins the step of all terms and adds their forces to the smooth ones. */
  begin(state: State, work: Workspace, h: number): void;
  /** Adds the rows. */
  add(state: State, work: Workspace): void;
  /** Counts what the rows did, times a scale that makes it a force, as smooth force. */
  moveForces(work: Workspace, scale: number): void;
}

export const TERM_ROWS: LazyModule<(host: TermHost) => HostedTerms> = new LazyModule('terms', 'energy terms');

/** Terms of a problem: nothing is done, and nothing is loaded, where a simulation has none. */
export class OptionalTerms implements HostedTerms {
  readonly #host: TermHost;
  #rows: HostedTerms | undefined;

  constructor(host: TermHost) {
    this.#host = host;
  }

  begin(state: State, work: Workspace, h: number): void {
    if (work.terms.isEmpty) return;
    this.#rows ??= TERM_ROWS.require()(this.#host);
    this.#rows.begin(state, work, h);
  }

  add(state: State, work: Workspace): void {
    if (!work.terms.isEmpty) this.#rows?.add(state, work);
  }

  moveForces(work: Workspace, scale: number): void {
    if (!work.terms.isEmpty) this.#rows?.moveForces(work, scale);
  }
}
