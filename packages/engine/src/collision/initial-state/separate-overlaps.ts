/**
 * Bodies that touch or overlap at the start, as scenes are often written, are moved apart to where the barrier would hold them
 * (separation-rows.ts). At the start of a run, so are those that are nearer than that without touching: the barrier would throw them off
 * with energy that nothing has put there.
 *   touching   gap + J dq ≥ δ exactly, for as long as anything touches
 *   near       the same, but contacts yield to each other; a step that does not bring the bodies nearer to their places is taken back
 * Bodies that joints hold together shift as one and do not turn, so that their joints stay as they are; those that joints hold to the
 * world stay, or go as slides or a hinge let them (joint-clusters.ts). Pairs that are deeper in each other than their limit are not
 * looked at: it is for the rule of the start (start-rule.ts) to say what becomes of them.
 */

import { updateKinematics } from '../../dynamics/kinematics.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { Arena } from '../../kernels/arena.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import { checkDeadline } from '../../step-deadline.ts';
import { type CollisionWorkspace, createCollisionWorkspace, detectContacts } from '../detect-contacts.ts';
import { type Clusters, findClusters } from './joint-clusters.ts';
import { keyOf } from './left-out-pairs.ts';
import type { MovingBodies } from './moving-bodies.ts';
import { shiftSoftBodies, storeSoftBodies } from './separate-soft.ts';
import { gatherRows, type Rows, type SeparationRule, solveApart } from './separation-rows.ts';

const ROUNDS = 20;
/** Share of its goal below which a gap is near; above it, what stands on a body may have pressed it down. */
const NEAR_GOAL = 0.85;
/** Share of its goal from which on a gap is there. */
const THERE = 0.99;
/** How much near contacts yield to each other. */
const YIELDING = 0.05;
/** Longest way of a body in a round of near contacts, share of d̂: what lies beyond the reach of contacts is seen in the next one. */
const LONGEST_WAY = 0.5;
const NEAR_ROUNDS = 40;
/** Least part of what is lacking, squared, that a round takes away if there is to be another. */
const LEAST_GAIN = 0.01;

/** Moves bodies apart that touch, in the state and the frames; how many contacts touched at first. */
export function separateOverlaps(
  model: Model,
  bodies: MovingBodies,
  state: State,
  work: Workspace,
  rule: SeparationRule,
): number {
  const look = new NearPairs(model, bodies, state, work, rule);
  let first = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const rows = look.gather(round === 0);
    if (round === 0) first = rows.touching;
    if (rows.touching === 0) break;
    solveApart(bodies, look.clusters, rows);
    look.move();
  }
  updateKinematics(model, state, work);
  return first;
}

/** Moves bodies to their places that are near others without touching them, as far as others let them; whether any was near. */
export function spreadNear(
  model: Model,
  bodies: MovingBodies,
  state: State,
  work: Workspace,
  rule: SeparationRule,
): boolean {
  const look = new NearPairs(model, bodies, state, work, rule);
  let rows = look.gather(true);
  if (rows.least >= NEAR_GOAL) return false;
  for (let round = 0; round < NEAR_ROUNDS && rows.least < THERE; round++) {
    const [position, soft] = [state.position.slice(), state.softPosition.slice()];
    solveApart(bodies, look.clusters, rows, YIELDING);
    limitWay(bodies, LONGEST_WAY * bodies.range);
    look.move();
    const next = look.gather(false);
    const [before, after] = [measureLack(rows), measureLack(next)];
    if (after > before || next.least < Math.min(rows.least, NEAR_GOAL)) {
      look.place(position, soft);
      break;
    }
    rows = next;
    if (after > (1 - LEAST_GAIN) * before) break;
  }
  updateKinematics(model, state, work);
  return true;
}

/** Pairs within the reach of the barrier at the poses of a state. */
class NearPairs {
  readonly clusters: Clusters;
  readonly #model: Model;
  readonly #bodies: MovingBodies;
  readonly #state: State;
  readonly #work: Workspace;
  readonly #rule: SeparationRule;
  readonly #wide: Model;
  readonly #collision: CollisionWorkspace;

  constructor(model: Model, bodies: MovingBodies, state: State, work: Workspace, rule: SeparationRule) {
    this.#model = model;
    this.#bodies = bodies;
    this.#state = state;
    this.#work = work;
    this.#rule = rule;
    // every pair is looked at up to where it is to be
    const { separation } = model.options.clearance;
    this.#wide = withPointContacts(model, 0.5 * (bodies.range + separation));
    this.#collision = createCollisionWorkspace(this.#wide, new Arena());
    updateKinematics(model, state, work);
    this.clusters = findClusters(model, bodies, work);
  }

  /** Contacts at the poses of the state. */
  gather(isFirst: boolean): Rows {
    checkDeadline('separation of overlaps');
    updateKinematics(this.#model, this.#state, this.#work);
    detectContacts(this.#wide, this.#work, this.#collision);
    if (isFirst) skipDeepPairs(this.#collision, this.#rule);
    const { separation } = this.#model.options.clearance;
    return gatherRows(this.#bodies, this.#collision, separation, this.#rule, this.clusters.root);
  }

  /** Takes the step of the frames, in the state too. */
  move(): void {
    const { frames } = this.#bodies;
    const { position } = this.#state;
    shiftSoftBodies(this.#bodies);
    frames.writePaths();
    frames.move(1);
    frames.accept();
    for (let g = 0; g < frames.moving; g++) {
      for (let k = 0; k < 3; k++) position[7 * g + k] = frames.current.position[3 * g + k];
      for (let k = 0; k < 4; k++) position[7 * g + 3 + k] = frames.current.orientation[4 * g + k];
    }
    storeSoftBodies(this.#bodies, this.#state);
  }

  /** Back to a state before. */
  place(position: Float64Array, soft: Float64Array): void {
    this.#state.position.set(position);
    this.#state.softPosition.set(soft);
    updateKinematics(this.#model, this.#state, this.#work);
    this.#bodies.frames.begin(this.#state, this.#work);
  }
}

// every shape and soft body touches at points, from a margin on
function withPointContacts(model: Model, margin: number): Model {
  const { shape, soft, options, pressure } = model;
  return {
    ...model,
    shape: { ...shape, margin: shape.margin.map(() => margin) },
    soft: { ...soft, contact: soft.contact.map(() => SOFT_CONTACT.point) },
    options: { ...options, contactKinds: undefined },
    pressure: { ...pressure, isActive: false },
  };
}

// a pair with one point that is too deep is left alone as a whole
function skipDeepPairs({ contacts }: CollisionWorkspace, { limit, skipped }: SeparationRule): void {
  for (let i = 0; i < contacts.count; i++) {
    const [one, two] = [contacts.shape1[i], contacts.shape2[i]];
    if (contacts.gap[i] < 0 && -contacts.gap[i] > limit(one, two)) skipped.add(keyOf(one, two));
  }
}

// Σ lack², m²
function measureLack({ lack }: Rows): number {
  return lack.reduce((sum, d) => sum + Math.max(0, d) ** 2, 0);
}

// shortens the step of all frames until none goes farther than `longest`, m
function limitWay({ frames: { step, moving }, surfaces: { reach } }: MovingBodies, longest: number): void {
  let most = 0;
  for (let i = 0; i < step.length; i += 6) {
    const way = Math.hypot(step[i], step[i + 1], step[i + 2]);
    const turn = i < 6 * moving ? Math.hypot(step[i + 3], step[i + 4], step[i + 5]) * reach[i / 6] : 0;
    most = Math.max(most, way + turn);
  }
  if (most <= longest) return;
  for (let i = 0; i < step.length; i++) step[i] *= longest / most;
}
