/**
 * Bodies that joints and equalities hold together, for moving them apart from others: a cluster shifts as one, so that its joints stay as
 * they are. What hangs on the world stays where it is, unless one body lets it go by its joints to the world:
 *   slides   d = Σ a (a·d)         a: an orthonormal basis of their axes; other joints of that body stay as they are
 *   a hinge  d = (R(θ a) − 1)(x − p)     a: its axis, p: its anchor, |Σ θ| ≤ MOST_TURN
 * A gap along n at x then changes by n·d, to first order by θ n·(a × (x − p)). θ stands in the place of the first number of a step until it
 * is solved for.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { cos, sin } from '../../linear-algebra/elementary.ts';
import { EQUALITY, JOINT, type Model } from '../../model/model.ts';
import type { MovingBodies } from './moving-bodies.ts';

/** Share of a direction that a guide must follow: along less of it, a way apart would be many times the gap. */
const LEAST_SHARE = 0.3;
/** How far a hinge turns at most, rad: what takes more is left out. */
const MOST_TURN = 0.5;
/** Axes with less than this beyond those before them are the same, m/m. */
const NEW_AXIS = 1e-3;

/** Frames that joints and equalities hold together. */
export interface Clusters {
  /** Per frame: the lowest of its cluster; the world is frame `moving`. */
  readonly root: Int32Array;
  /** Per root: frames and mass, kg. */
  readonly size: Int32Array;
  readonly mass: Float64Array;
  /** Roots that hang on the world, and how they may go. */
  readonly guides: ReadonlyMap<number, Guide>;
}

/** How a cluster may go: along axes that are orthonormal, or about one axis through an anchor. */
export interface Guide {
  readonly axes: readonly Float64Array[];
  readonly anchor?: Float64Array;
  /** How far it has turned, rad. */
  turned: number;
}

/** Clusters of a model at the poses in the workspace. */
export function findClusters(model: Model, { frames, inertia }: MovingBodies, work: Workspace): Clusters {
  const { constraintJoint: joints, equality } = model;
  const root = Int32Array.from({ length: frames.count }, (_, f) => f);
  const find = (f: number): number => {
    while (root[f] !== f) f = root[f];
    return f;
  };
  const join = (a: number, b: number): void => {
    const [one, two] = [find(frames.ofBody[a]), find(frames.ofBody[b])];
    root[Math.max(one, two)] = Math.min(one, two);
  };
  const guided = listGuided(model, frames, work);
  for (let c = 0; c < joints.kind.length; c++) {
    if (!guided.has(joints.body2[c])) join(joints.body1[c], joints.body2[c]);
  }
  equality.kind.forEach((kind, e) => {
    const isOfBodies = kind === EQUALITY.connect || kind === EQUALITY.weld || kind === EQUALITY.distance;
    if (isOfBodies) join(equality.object1[e], Math.max(0, equality.object2[e]));
  });
  const guides = new Map<number, Guide>();
  for (const [body, guide] of guided) {
    const own = find(frames.ofBody[body]);
    // two guides may contradict each other
    if (guides.has(own)) join(body, 0);
    else guides.set(own, guide);
  }
  const size = new Int32Array(frames.count);
  const mass = new Float64Array(frames.count);
  for (let f = 0; f < frames.count; f++) {
    root[f] = find(f);
    size[root[f]]++;
    // what hangs on the world or on a mocap body does not shift
    mass[root[f]] += f < frames.moving ? inertia.mass[3 * f] : Infinity;
  }
  for (const f of [...guides.keys()]) if (root[f] !== f || mass[f] === Infinity) guides.delete(f);
  return { root, size, mass, guides };
}

/** Takes from a row of six numbers, about a centre, what the guide does not follow. */
export function followGuide(row: number[], at: number, { axes, anchor }: Guide, center: Float64Array, c: number): void {
  const [x, y, z] = [row[at], row[at + 1], row[at + 2]];
  if (anchor) {
    const [ax, ay, az] = axes[0];
    const [px, py, pz] = [center[c] - anchor[0], center[c + 1] - anchor[1], center[c + 2] - anchor[2]];
    const turn =
      ax * (row[at + 3] + py * z - pz * y) +
      ay * (row[at + 4] + pz * x - px * z) +
      az * (row[at + 5] + px * y - py * x);
    row.fill(0, at, at + 6);
    // the arm of a body about its hinge is about as long as the way to its centre
    if (Math.abs(turn) > LEAST_SHARE * Math.hypot(px, py, pz)) row[at] = turn;
    return;
  }
  row.fill(0, at, at + 6);
  for (const [ax, ay, az] of axes) {
    const along = ax * x + ay * y + az * z;
    row[at] += along * ax;
    row[at + 1] += along * ay;
    row[at + 2] += along * az;
  }
  if (Math.hypot(row[at], row[at + 1], row[at + 2]) < LEAST_SHARE) row.fill(0, at, at + 3);
}

/** Writes the step of a frame of the cluster, from that of its root, which comes last. */
export function writeGuided(
  step: Float64Array,
  f: number,
  root: number,
  guide: Guide | undefined,
  center: Float64Array,
): void {
  const o = 6 * f;
  if (!guide?.anchor) {
    for (let k = 0; k < 6; k++) step[o + k] = step[6 * root + k];
    return;
  }
  const { anchor } = guide;
  const [ax, ay, az] = guide.axes[0];
  const angle = Math.max(-MOST_TURN, Math.min(MOST_TURN, guide.turned + step[6 * root])) - guide.turned;
  if (f === root) guide.turned += angle;
  const [px, py, pz] = [center[3 * f] - anchor[0], center[3 * f + 1] - anchor[1], center[3 * f + 2] - anchor[2]];
  const across = [ay * pz - az * py, az * px - ax * pz, ax * py - ay * px];
  // a × (a × p)
  const inward = [ay * across[2] - az * across[1], az * across[0] - ax * across[2], ax * across[1] - ay * across[0]];
  for (let k = 0; k < 3; k++) {
    step[o + k] = sin(angle) * across[k] + (1 - cos(angle)) * inward[k];
    step[o + 3 + k] = angle * guide.axes[0][k];
  }
}

// bodies that slides, or a single hinge, let go from the world
function listGuided(
  { constraintJoint: { kind, body1, body2, axis1, anchor1 } }: Model,
  { moving, ofBody }: MovingBodies['frames'],
  { bodyRotation, bodyPosition }: Workspace,
): Map<number, Guide> {
  const guided = new Map<number, Guide>();
  const joints = new Map<number, number[]>();
  for (let c = 0; c < kind.length; c++) {
    if (ofBody[body1[c]] >= moving) joints.set(body2[c], [...(joints.get(body2[c]) ?? []), c]);
  }
  const turn = (c: number, vector: Float64Array): Float64Array =>
    Float64Array.from({ length: 3 }, (_, k) => {
      const r = 9 * body1[c] + 3 * k;
      return (
        bodyRotation[r] * vector[3 * c] +
        bodyRotation[r + 1] * vector[3 * c + 1] +
        bodyRotation[r + 2] * vector[3 * c + 2]
      );
    });
  for (const [body, list] of joints) {
    const axes = orthonormalize(list.filter((c) => kind[c] === JOINT.slide).map((c) => turn(c, axis1)));
    if (axes.length > 0) guided.set(body, { axes, turned: 0 });
    else if (list.length === 1 && kind[list[0]] === JOINT.hinge) {
      const anchor = turn(list[0], anchor1);
      for (let k = 0; k < 3; k++) anchor[k] += bodyPosition[3 * body1[list[0]] + k];
      guided.set(body, { axes: [turn(list[0], axis1)], anchor, turned: 0 });
    }
  }
  return guided;
}

// Gram and Schmidt; axes that lie in the span of those before are left out
function orthonormalize(axes: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const axis of axes) {
    for (const [x, y, z] of basis) {
      const along = axis[0] * x + axis[1] * y + axis[2] * z;
      axis[0] -= along * x;
      axis[1] -= along * y;
      axis[2] -= along * z;
    }
    const rest = Math.hypot(axis[0], axis[1], axis[2]);
    if (rest > NEW_AXIS) basis.push(axis.map((x) => x / rest));
  }
  return basis;
}
