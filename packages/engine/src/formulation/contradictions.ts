/**
 * Constraints that contradict each other under `mujoco` and `sap`, whose rows give way, and overlaps of the start that push against joints under
 * `ccp` as well, where they could move next to nothing at next to no speed: a joint that holds a body in the floor, a hinge
 * against a distance. Forces then pull against each other and move nothing. With x* the motion without constraints, γ the forces of rows
 * and R their regularisation, the rows of an island move it by  e² = (x − x*)ᵀ Jᵀ γ.
 *   joints, equalities, limits   Σ R γ² > e²/STRAIN_SHARE: what is stored in rows that are to be rigid is far more than what moves,
 *                                Σ γ²/m > e²/PUSH_SHARE with m the mass of everything: forces cancel each other, which those that
 *                                carry loads do not, and a row is open by more than OPEN. Forces p_d of drives and terms are loads: where
 *                                the others, p, carry them, a servo at a limit, e² has −p_d · p/diag(A) more.
 *   overlaps of the start        Σ γ_n²/m > e²/PUSH_SHARE: what would throw the mechanism, of mass m, moves next to nothing
 * Such an island is solved again without the corrections that ask for the impossible: those of contacts, equalities and limits, then those
 * of joints as well. Everything keeps its place and forces carry the loads. Overlapping links of one mechanism that its joints do not let apart
 * contradict nothing: the pair is left out, as deeper overlaps are. Where MuJoCo's trajectories are kept, they are, and
 * the status alone says so.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { StartingPairs } from '../collision/initial-state/starting-pairs.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { JointDrift, OPEN } from '../joint/joint-drift.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import { addTransposed } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { type ConvexProblem, SOURCE } from '../objective/convex-problem.ts';
import type { Islands } from '../objective/islands.ts';
import type { State } from '../state/state.ts';

const STRAIN_SHARE = 0.01;
const PUSH_SHARE = 1e-3;
/** Depth of contacts that count where no overlaps of the start are known, m. */
const DEEP = 5e-3;

/** Motion and force of a solve, over all dofs. */
export interface SolvedMotion {
  readonly x: Float64Array;
  readonly target: Float64Array;
  /** Jᵀ γ / scale. */
  readonly push: Float64Array;
  readonly scale: number;
}

/** What the corrections of a row are. */
export interface Corrections {
  /** Reference of a row without its correction: what it asks for where nothing is open. */
  restReference(row: number): number;
}

/** What a search for contradictions works on. */
export interface ContradictionParts {
  readonly model: Model;
  readonly problem: ConvexProblem;
  readonly islands: Islands;
  readonly joints: JointWorkspace;
  readonly starting: StartingPairs | undefined;
  readonly corrections: Corrections;
  readonly memory: Memory;
}

export class Contradictions {
  readonly #model: Model;
  readonly #problem: ConvexProblem;
  readonly #islands: Islands;
  readonly #starting: StartingPairs | undefined;
  readonly #corrections: Corrections;
  readonly #drift: JointDrift;
  /** Per body: the first of the bodies that joints and welds connect with it, the world apart. */
  readonly #mechanism: Int32Array;
  /** Per body: mass of what joints connect with it, kg. */
  readonly #mass: Float64Array;
  /** Of all bodies, kg. */
  #wholeMass = 0;
  readonly #hasRows: boolean;
  /** Islands with a contradiction of joints and equalities, and of overlaps. */
  readonly #strained = new Set<number>();
  readonly #pushed = new Set<number>();

  constructor({ model, problem, islands, joints, starting, corrections, memory }: ContradictionParts) {
    this.#model = model;
    this.#problem = problem;
    this.#islands = islands;
    this.#starting = starting;
    this.#corrections = corrections;
    this.#drift = new JointDrift(model, joints, memory);
    this.#mechanism = findMechanisms(model);
    this.#mass = new Float64Array(model.size.body);
    this.weigh();
    const { joint, tendon, constraintJoint, size } = model;
    this.#hasRows =
      size.equality > 0 ||
      constraintJoint.kind.length > 0 ||
      [joint.limited, tendon.limited].some((flags) => flags.some(Boolean));
  }

  /** Reads the masses of the model. */
  weigh(): void {
    this.#mass.set(weighMechanisms(this.#model, this.#mechanism));
    this.#wholeMass = this.#model.body.mass.reduce((sum, mass) => sum + mass, 0);
  }

  /** Whether the rows of the last solve contradict each other. */
  find(motion: SolvedMotion, state: State, work: Workspace, contacts: ContactSet): boolean {
    // clearing a set makes it anew, even if it is empty
    if (this.#strained.size > 0) this.#strained.clear();
    if (this.#pushed.size > 0) this.#pushed.clear();
    const looksAtContacts = this.#starting ? this.#starting.count > 0 : hasDeep(contacts);
    if (!this.#hasRows && !looksAtContacts) return false;
    for (let island = 0; island < this.#islands.count; island++) {
      const moved = this.#measureMotion(island, motion);
      if (
        this.#hasRows &&
        this.#isStrained(island, moved) &&
        this.#isStrained(island, moved + this.#measureLoad(island, motion))
      )
        this.#strained.add(island);
      if (looksAtContacts && PUSH_SHARE * this.#measurePush(island, contacts) > moved) this.#pushed.add(island);
    }
    if (this.#strained.size > 0 && !this.#isOpen(state, work)) this.#strained.clear();
    return this.#strained.size + this.#pushed.size > 0;
  }

  /**
   * Takes corrections out of the islands found: of contacts, equalities and limits, or all of them. Links of one mechanism that overlap are
   * left out from the next step on. Whether anything else contradicts itself.
   */
  drop(contacts: ContactSet, withJoints: boolean): boolean {
    const { source, sourceIndex, rows, reference } = this.#problem;
    let isReal = this.#strained.size > 0;
    this.#visit((b, island) => {
      const first = rows.rowStart[b];
      if (source[b] === SOURCE.contact) {
        if (!this.#pushed.has(island) || !this.#isOverlap(contacts, sourceIndex[b])) return;
        reference[first] = Math.min(reference[first], this.#corrections.restReference(first));
        if (!this.#leaveOut(contacts, sourceIndex[b])) isReal = true;
        return;
      }
      if (!this.#strained.has(island) || !isRigid(source[b])) return;
      if (source[b] === SOURCE.constraintJoint && !withJoints) return;
      for (let row = first; row < rows.rowStart[b + 1]; row++) reference[row] = this.#corrections.restReference(row);
    });
    return isReal;
  }

  /** Whether links of one mechanism overlap since the start. */
  hasOverlappingLinks(contacts: ContactSet): boolean {
    if (this.#starting === undefined || this.#starting.count === 0) return false;
    for (let i = 0; i < contacts.count; i++) if (this.#areOverlappingLinks(contacts, i)) return true;
    return false;
  }

  /** Leaves out the overlapping links of one mechanism from the next step on, and takes their corrections out of a problem that is to be solved. */
  leaveOutLinks(contacts: ContactSet): void {
    const { source, sourceIndex, rows, reference } = this.#problem;
    for (let b = 0; b < rows.blockCount; b++) {
      if (source[b] !== SOURCE.contact || !this.#areOverlappingLinks(contacts, sourceIndex[b])) continue;
      const first = rows.rowStart[b];
      reference[first] = Math.min(reference[first], this.#corrections.restReference(first));
    }
    for (let i = 0; i < contacts.count; i++)
      if (this.#areOverlappingLinks(contacts, i)) this.#starting?.giveUp(contacts, i);
  }

  #areOverlappingLinks(contacts: ContactSet, i: number): boolean {
    return this.#isOverlap(contacts, i) && this.#areLinks(contacts, i);
  }

  // leaves out a pair of one mechanism; of others the allowance stays
  #leaveOut(contacts: ContactSet, i: number): boolean {
    const areLinks = this.#starting !== undefined && this.#areLinks(contacts, i);
    if (areLinks) this.#starting?.giveUp(contacts, i);
    else this.#starting?.hold(contacts, i);
    return areLinks;
  }

  #areLinks({ carrier1, carrier2 }: ContactSet, i: number): boolean {
    const one = this.#mechanism[carrier1[i]];
    return one > 0 && one === this.#mechanism[carrier2[i]];
  }

  #visit(see: (block: number, island: number) => void): void {
    const { block, blockStart, count } = this.#islands;
    for (let island = 0; island < count; island++)
      for (let s = blockStart[island]; s < blockStart[island + 1]; s++) see(block[s], island);
  }

  #measureMotion(island: number, { x, target, push, scale }: SolvedMotion): number {
    const { dof, dofStart } = this.#islands;
    let sum = 0;
    for (let s = dofStart[island]; s < dofStart[island + 1]; s++) sum += (x[dof[s]] - target[dof[s]]) * push[dof[s]];
    return Math.abs(scale * sum);
  }

  // of drives and terms that other rows carry
  #measureLoad(island: number, { push, scale }: SolvedMotion): number {
    const { block, blockStart, dof, dofStart } = this.#islands;
    const { source, rows, data, metric } = this.#problem;
    const { rowStart } = this.#model.massMatrix;
    const load = new Float64Array(push.length);
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const kind = source[block[s]];
      if (kind === SOURCE.drive || kind === SOURCE.term) addTransposed(load, 1, rows, data.force, block, s, s + 1);
    }
    let sum = 0;
    for (let s = dofStart[island]; s < dofStart[island + 1]; s++) {
      const i = dof[s];
      if (i < this.#model.size.velocity) sum -= (load[i] * (scale * push[i] - load[i])) / metric[rowStart[i + 1] - 1];
    }
    return Math.max(0, sum);
  }

  #isStrained(island: number, moved: number): boolean {
    const { block, blockStart } = this.#islands;
    const { source, rows, regularization } = this.#problem;
    const { force } = this.#problem.data;
    let stored = 0;
    let push = 0;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      if (!isRigid(source[b])) continue;
      for (let row = rows.rowStart[b]; row < rows.rowStart[b + 1]; row++) {
        stored += regularization[row] * force[row] ** 2;
        push += force[row] ** 2;
      }
    }
    return STRAIN_SHARE * stored > moved && PUSH_SHARE * push > moved * this.#wholeMass;
  }

  #measurePush(island: number, contacts: ContactSet): number {
    const { block, blockStart } = this.#islands;
    const { source, sourceIndex, rows } = this.#problem;
    const { force } = this.#problem.data;
    let sum = 0;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      if (source[b] !== SOURCE.contact || !this.#isOverlap(contacts, sourceIndex[b])) continue;
      sum += force[rows.rowStart[b]] ** 2 / this.#weigh(contacts, sourceIndex[b]);
    }
    return sum;
  }

  // springs that the user has given may be pressed as far as he likes
  #isOverlap(contacts: ContactSet, i: number): boolean {
    if (contacts.stiffness[i] > 0 || contacts.ahead[i] === 1) return false;
    return this.#starting ? this.#starting.isStarting(contacts, i) : contacts.gap[i] < -DEEP;
  }

  #weigh({ carrier1, carrier2 }: ContactSet, i: number): number {
    const one = this.#mass[carrier1[i]];
    const two = this.#mass[carrier2[i]];
    return one > 0 && two > 0 ? (one * two) / (one + two) : Math.max(one, two, Number.MIN_VALUE);
  }

  #isOpen(state: State, work: Workspace): boolean {
    const model = this.#model;
    if (this.#drift.measureDrift(model, state, work) > OPEN) return true;
    return this.#drift.measureLimits(model, state, work) > OPEN;
  }
}

function isRigid(source: number): boolean {
  return (
    source === SOURCE.equality ||
    source === SOURCE.constraintJoint ||
    source === SOURCE.jointLimit ||
    source === SOURCE.tendonLimit
  );
}

function hasDeep({ gap, count }: ContactSet): boolean {
  for (let i = 0; i < count; i++) if (gap[i] < -DEEP) return true;
  return false;
}

// the bodies that joints and welds connect without the world
function findMechanisms({ body, constraintJoint, size }: Model): Int32Array {
  const root = Int32Array.from({ length: size.body }, (_, b) => b);
  const find = (b: number): number => {
    while (root[b] !== b) b = root[b];
    return b;
  };
  const join = (a: number, b: number): void => {
    if (a === 0 || b === 0) return;
    const [one, two] = [find(a), find(b)];
    root[Math.max(one, two)] = Math.min(one, two);
  };
  for (let b = 1; b < size.body; b++) join(b, body.parent[b]);
  for (let c = 0; c < constraintJoint.kind.length; c++) join(constraintJoint.body1[c], constraintJoint.body2[c]);
  return root.map((_, b) => find(b));
}

function weighMechanisms({ body, size }: Model, mechanism: Int32Array): Float64Array {
  const mass = new Float64Array(size.body);
  for (let b = 1; b < size.body; b++) if (body.lastDof[b] >= 0) mass[mechanism[b]] += body.mass[b];
  return mass.map((_, b) => (b > 0 && body.lastDof[b] >= 0 ? mass[mechanism[b]] : 0));
}
