/**
 * Sleep: trees of bodies that rest are left as they are until something touches or drives them. Per tree the state has a number n
 *   n < 0    awake; it grows by one in every step in which the tree hardly moves, up to −1: ready, and falls back to −11 otherwise
 *   n ≥ 0    asleep; n is the next tree of its island, so that the trees of an island that fell asleep together form a ring
 * A tree hardly moves where |v_i| l_i is below the tolerance for all its dofs, l_i = 1 for translations and the length of the body for rotations
 * (body-length.ts). Velocities are those at the start of a step; what falls asleep stays where it was then. An island of trees (joined by contacts, joints, equalities and tendons) falls asleep when all its trees are ready.
 * A tree that sleeps has no velocity and no contacts with others that sleep or stand still. A ring wakes where an awake body touches one of
 * its trees, or where the user writes: positions, velocities, forces, or controls of actuators on it.
 * Where a formulation moves all bodies in one minimisation over positions, all fall asleep together or none.
 * Source: MuJoCo 3.14, "Sleeping islands".
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import type { PairFilter } from '../collision/pair-filter.ts';
import { createMomentPattern, createTendonPattern, type MomentPattern } from '../dynamics/moment-pattern.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { EQUALITY, type Model, SLEEP } from '../model/model.ts';
import { AWAKE, type State } from '../state/state.ts';
import { measureLengths } from './body-length.ts';

const READY = -1;

export class Sleeping {
  readonly #model: Model;
  readonly #state: State;
  readonly #filter: PairFilter;
  readonly #tolerance: number;
  /** Whether all trees sleep or none. */
  readonly #isWhole: boolean;
  readonly #count: number;
  /** First dof of each tree, and one more. */
  readonly #start: Int32Array;
  /** The same of the positions. */
  readonly #place: Int32Array;
  /** Per body: its tree, −1 where nothing moves it. */
  readonly #treeOfBody: Int32Array;
  readonly #mayRest: Uint8Array;
  /** l_i. */
  readonly #length: Float64Array;
  /** Pairs of trees that joints and tendons join. */
  readonly #links: readonly (readonly [number, number])[];
  readonly #drives: MomentPattern;
  readonly #isMoving: Uint8Array;
  /** Places of positions and velocities in the whole state. */
  readonly #positionOffset: number;
  readonly #velocityOffset: number;
  /** Per tree: towards the representative of its island; whether that is ready. */
  readonly #set: Int32Array;
  readonly #isReady: Uint8Array;
  readonly #last: Int32Array;

  constructor(model: Model, state: State, filter: PairFilter, isWhole: boolean) {
    const { dof, body, size, options } = model;
    this.#model = model;
    this.#state = state;
    this.#filter = filter;
    this.#isMoving = Uint8Array.from(filter.isMoving);
    this.#tolerance = options.sleep!.tolerance;
    this.#positionOffset = (state.position.byteOffset - state.all.byteOffset) / 8;
    this.#velocityOffset = (state.velocity.byteOffset - state.all.byteOffset) / 8;
    this.#isWhole = isWhole;
    const start: number[] = [];
    dof.parent.forEach((parent, i) => {
      if (parent < 0) start.push(i);
    });
    this.#count = start.length;
    this.#start = Int32Array.from([...start, size.velocity]);
    this.#place = Int32Array.from([...start.map((i) => model.joint.positionStart[dof.joint[i]]), size.position]);
    const treeOfDof = new Int32Array(size.velocity);
    for (let t = 0; t < this.#count; t++) treeOfDof.fill(t, this.#start[t], this.#start[t + 1]);
    this.#treeOfBody = body.lastDof.map((last) => (last < 0 ? -1 : treeOfDof[last]));
    this.#drives = createMomentPattern(model);
    this.#length = measureLengths(model);
    this.#links = [...listJointLinks(model, this.#treeOfBody), ...listTendonLinks(model, treeOfDof)];
    this.#mayRest = this.#findPolicies(treeOfDof);
    this.#set = new Int32Array(this.#count);
    this.#isReady = new Uint8Array(this.#count);
    this.#last = new Int32Array(this.#count);
    this.start();
  }

  /**
   * At the start: trees that begin asleep are put to sleep where they are in the initial pose, with all that joints, equalities and tendons join
   * them to, or not at all. What they touch need not be known: an awake body wakes them in the first step, and those that touch each
   * other wake together.
   */
  start(): void {
    const { sleep, restPosition } = this.#state;
    const { body, dof, initialPosition } = this.#model;
    let count = 0;
    for (let t = 0; t < this.#count; t++) {
      this.#set[t] = t;
      const isInitial = body.sleepPolicy[dof.body[this.#start[t]]] === SLEEP.init && this.#mayRest[t] === 1;
      sleep[t] = isInitial ? READY : AWAKE;
      if (isInitial) count++;
    }
    if (count === 0) return;
    this.#joinMechanisms();
    this.#findReady();
    restPosition.set(initialPosition);
    this.#makeRings();
    for (let t = 0; t < this.#count; t++) if (sleep[t] === READY) sleep[t] = AWAKE;
    this.#filterShapes();
  }

  /** Before a step: wakes what the user has written to. Whether all is asleep, so that only time goes on. */
  begin(): boolean {
    const { sleep } = this.#state;
    let awake = 0;
    for (let t = 0; t < this.#count; t++) if (sleep[t] >= 0 && this.#isDisturbed(t)) this.#wake(t);
    for (let t = 0; t < this.#count; t++) if (sleep[t] < 0) awake++;
    if (awake > 0 && awake < this.#count && this.#isWhole) {
      sleep.fill(AWAKE);
      awake = this.#count;
    }
    this.#filterShapes();
    return awake === 0 && this.#count > 0 && this.#model.size.softVertex === 0;
  }

  /** Wakes what awake bodies touch; whether there is such a thing, and contacts are to be found again. */
  wakeTouched(contacts: ContactSet): boolean {
    const { sleep } = this.#state;
    const { carrierKind1, carrierKind2, carrier1, carrier2, count } = contacts;
    let hasWoken = false;
    for (let i = 0; i < count; i++) {
      const one = carrierKind1[i] === CARRIER.soft ? -2 : this.#treeOfBody[carrier1[i]];
      const two = carrierKind2[i] === CARRIER.soft ? -2 : this.#treeOfBody[carrier2[i]];
      const isOneAsleep = one >= 0 && sleep[one] >= 0;
      const isTwoAsleep = two >= 0 && sleep[two] >= 0;
      if (isOneAsleep === isTwoAsleep) continue;
      // the other side is awake, soft, or moved by the user; what stands still has no contacts with sleepers
      this.#wake(isOneAsleep ? one : two);
      hasWoken = true;
    }
    if (hasWoken) this.#filterShapes();
    return hasWoken;
  }

  /** After a solve: what sleeps does not move, and what holds it takes all that acts on it. */
  hold({ acceleration, solution, constraintForce, smoothForce }: Workspace): void {
    const { sleep } = this.#state;
    for (let t = 0; t < this.#count; t++) {
      if (sleep[t] < 0) continue;
      for (let i = this.#start[t]; i < this.#start[t + 1]; i++) {
        acceleration[i] = 0;
        solution[i] = 0;
        constraintForce[i] = -smoothForce[i];
      }
    }
  }

  /** After a step: what sleeps is where it was, to the last bit. */
  keep(): void {
    const { sleep, position, restPosition, velocity } = this.#state;
    for (let t = 0; t < this.#count; t++) {
      if (sleep[t] < 0) continue;
      const from = this.#place[t];
      const to = this.#place[t + 1];
      for (let k = from; k < to; k++) position[k] = restPosition[k];
      velocity.fill(0, this.#start[t], this.#start[t + 1]);
    }
  }

  /** At the end of a step: counts how long trees have rested, and puts islands to sleep where the step began. `before` is the state there. */
  update(contacts: ContactSet, before: Float64Array): void {
    const { sleep } = this.#state;
    for (let t = 0; t < this.#count; t++) {
      this.#set[t] = t;
      if (sleep[t] >= 0) continue;
      if (this.#mayRest[t] === 0 || this.#isPushed(t) || !this.#isSlow(t, before)) sleep[t] = AWAKE;
      else if (sleep[t] < READY) sleep[t]++;
    }
    this.#joinIslands(contacts);
    const areAllReady = this.#findReady();
    if (this.#isWhole && !areAllReady) return;
    const { position, restPosition, velocity, control, restControl } = this.#state;
    for (let t = 0; t < this.#count; t++) {
      if (sleep[t] !== READY || this.#isReady[this.#find(t)] === 0) continue;
      velocity.fill(0, this.#start[t], this.#start[t + 1]);
      const to = this.#place[t + 1];
      for (let k = this.#place[t]; k < to; k++) {
        position[k] = before[this.#positionOffset + k];
        restPosition[k] = position[k];
      }
    }
    this.#makeRings();
    restControl.set(control);
  }

  /** Whether a body sleeps. */
  isAsleep(body: number): boolean {
    const t = this.#treeOfBody[body];
    return t >= 0 && this.#state.sleep[t] >= 0;
  }

  // islands all of whose trees are ready; whether all are
  #findReady(): boolean {
    const { sleep } = this.#state;
    this.#isReady.fill(1);
    let areAllReady = true;
    for (let t = 0; t < this.#count; t++) {
      if (sleep[t] === READY) continue;
      this.#isReady[this.#find(t)] = 0;
      areAllReady = false;
    }
    return areAllReady;
  }

  // trees of islands that are ready form rings
  #makeRings(): void {
    const { sleep } = this.#state;
    const last = this.#last.fill(-1);
    for (let t = this.#count - 1; t >= 0; t--) {
      if (sleep[t] !== READY) continue;
      const root = this.#find(t);
      if (this.#isReady[root] === 0) continue;
      // from the highest to the lowest, which is the representative; the highest closes the ring
      sleep[t] = last[root] < 0 ? root : last[root];
      last[root] = t;
    }
  }

  #wake(tree: number): void {
    const { sleep } = this.#state;
    for (let t = tree; sleep[t] >= 0; ) {
      const next = sleep[t];
      sleep[t] = AWAKE;
      t = next;
    }
  }

  // awake, or written to since it fell asleep
  #isDisturbed(t: number): boolean {
    const { position, restPosition, velocity, control, restControl } = this.#state;
    const from = this.#place[t];
    const to = this.#place[t + 1];
    for (let k = from; k < to; k++) if (position[k] !== restPosition[k]) return true;
    for (let i = this.#start[t]; i < this.#start[t + 1]; i++) if (velocity[i] !== 0) return true;
    if (this.#isPushed(t)) return true;
    const { rowStart, column } = this.#drives;
    for (let a = 0; a < control.length; a++) {
      if (control[a] === restControl[a]) continue;
      for (let k = rowStart[a]; k < rowStart[a + 1]; k++)
        if (column[k] >= this.#start[t] && column[k] < this.#start[t + 1]) return true;
    }
    return false;
  }

  #isPushed(t: number): boolean {
    const { appliedForce, bodyWrench } = this.#state;
    for (let i = this.#start[t]; i < this.#start[t + 1]; i++) if (appliedForce[i] !== 0) return true;
    const { dof, size } = this.#model;
    // bodies of a tree stand in one run
    for (let b = dof.body[this.#start[t]]; b < size.body && this.#treeOfBody[b] === t; b++)
      for (let k = 6 * b; k < 6 * b + 6; k++) if (bodyWrench[k] !== 0) return true;
    return false;
  }

  // at the start of a step
  #isSlow(t: number, before: Float64Array): boolean {
    for (let i = this.#start[t]; i < this.#start[t + 1]; i++)
      if (!(Math.abs(before[this.#velocityOffset + i]) * this.#length[i] < this.#tolerance)) return false;
    return true;
  }

  #filterShapes(): void {
    const { shape } = this.#model;
    const { sleep } = this.#state;
    for (let s = 0; s < this.#isMoving.length; s++) {
      const t = this.#treeOfBody[shape.body[s]];
      this.#filter.isMoving[s] = t >= 0 && sleep[t] >= 0 ? 0 : this.#isMoving[s];
    }
  }

  #joinMechanisms(): void {
    const { equality } = this.#model;
    const { equalityActive } = this.#state;
    for (const [one, two] of this.#links) this.#join(one, two);
    for (let e = 0; e < equality.kind.length; e++) {
      if (equalityActive[e] === 0) continue;
      const [one, two] = this.#equalityTrees(e);
      if (one >= 0 && two >= 0) this.#join(one, two);
    }
  }

  #joinIslands({ carrierKind1, carrierKind2, carrier1, carrier2, count }: ContactSet): void {
    const { body } = this.#model;
    const { sleep } = this.#state;
    this.#joinMechanisms();
    for (let i = 0; i < count; i++) {
      const one = carrierKind1[i] === CARRIER.soft ? -1 : this.#treeOfBody[carrier1[i]];
      const two = carrierKind2[i] === CARRIER.soft ? -1 : this.#treeOfBody[carrier2[i]];
      if (one >= 0 && two >= 0) this.#join(one, two);
      // nothing rests on soft bodies and on what the user moves
      const isOneMoved = carrierKind1[i] === CARRIER.soft || (one < 0 && body.mocap[body.root[carrier1[i]]] >= 0);
      const isTwoMoved = carrierKind2[i] === CARRIER.soft || (two < 0 && body.mocap[body.root[carrier2[i]]] >= 0);
      if (isOneMoved && two >= 0 && sleep[two] < 0) sleep[two] = AWAKE;
      if (isTwoMoved && one >= 0 && sleep[one] < 0) sleep[one] = AWAKE;
    }
  }

  #equalityTrees(e: number): [number, number] {
    const { equality, joint, constraintJoint, size } = this.#model;
    const find = (object: number): number => {
      if (object < 0) return -1;
      switch (equality.kind[e]) {
        case EQUALITY.joint:
          return this.#treeOfBody[
            object < size.joint ? joint.body[object] : constraintJoint.body2[object - size.joint]
          ];
        case EQUALITY.tendon:
          return -1;
        default:
          return this.#treeOfBody[object];
      }
    };
    return [find(equality.object1[e]), find(equality.object2[e])];
  }

  #find(tree: number): number {
    const set = this.#set;
    let t = tree;
    while (set[t] !== t) {
      set[t] = set[set[t]];
      t = set[t];
    }
    return t;
  }

  #join(a: number, b: number): void {
    const i = this.#find(a);
    const j = this.#find(b);
    if (i < j) this.#set[j] = i;
    else this.#set[i] = j;
  }

  // trees with actuators stay awake unless they are allowed to sleep; so do those of equalities between tendons
  #findPolicies(treeOfDof: Int32Array): Uint8Array {
    const { body, dof, equality } = this.#model;
    const mayRest = new Uint8Array(this.#count).fill(1);
    const hasDrive = new Uint8Array(this.#count);
    for (const i of this.#drives.column) hasDrive[treeOfDof[i]] = 1;
    for (let t = 0; t < this.#count; t++) {
      const policy = body.sleepPolicy[dof.body[this.#start[t]]];
      if (policy === SLEEP.never || (policy === SLEEP.auto && hasDrive[t] === 1)) mayRest[t] = 0;
    }
    if (equality.kind.includes(EQUALITY.tendon)) mayRest.fill(0);
    return mayRest;
  }
}

function listJointLinks({ constraintJoint }: Model, treeOfBody: Int32Array): [number, number][] {
  const links: [number, number][] = [];
  for (let c = 0; c < constraintJoint.kind.length; c++) {
    const one = treeOfBody[constraintJoint.body1[c]];
    const two = treeOfBody[constraintJoint.body2[c]];
    if (one >= 0 && two >= 0) links.push([one, two]);
  }
  return links;
}

function listTendonLinks(model: Model, treeOfDof: Int32Array): [number, number][] {
  const { rowStart, column } = createTendonPattern(model);
  const links: [number, number][] = [];
  for (let t = 0; t < model.size.tendon; t++)
    for (let k = rowStart[t] + 1; k < rowStart[t + 1]; k++)
      links.push([treeOfDof[column[rowStart[t]]], treeOfDof[column[k]]]);
  return links;
}
