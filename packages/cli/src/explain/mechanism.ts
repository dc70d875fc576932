/**
 * A model as links and joints: bodies that no joint separates are one link, and everything is seen in the world at the initial pose. So two
 * files of one robot can be compared though their frames, their fixed joints and the names of their bodies differ.
 *
 *   m = Σ mᵢ, c = Σ mᵢ cᵢ / m, I = Σ Iᵢ + mᵢ (|d|² 1 − d dᵀ), d = cᵢ − c
 *
 * m: mass, kg; c: centre of mass, world, m; I: inertia about c, world axes, kg m².
 */
import { JOINT, type Model, SHAPE, Simulation } from '@nexdyn/engine';
import { add, type Quaternion, rotate, type Vector } from './rotation.ts';

/** Bodies that move as one. */
export interface Link {
  /** Name of its first body that has one. */
  name: string;
  /** Number of its topmost body. */
  body: number;
  isWorld: boolean;
  /** Of its topmost body. */
  position: Vector;
  orientation: Quaternion;
  mass: number;
  center: Vector;
  /** Row by row. */
  inertia: readonly number[];
  /** Shapes that can touch: what they are, and what contacts read off them. */
  shapes: { kinds: string; sizes: string; friction: string; condim: string; solref: string; solimp: string };
}

export interface LinkJoint {
  name: string;
  kind: string;
  /** Numbers of links. */
  parent: number;
  child: number;
  /** Whether no other joint of the same body follows: it is the one that moves the child. */
  isLast: boolean;
  /** World, m. */
  anchor: Vector;
  /** World, unit. */
  axis: Vector;
  /** By the words of reports, each as text with its unit. */
  limits: string;
  /** Drives: N or N m and powers of s, m, rad. */
  damping: number;
  stiffness: number;
  armature: number;
  frictionLoss: number;
  effort: string;
  /** Of its first number. */
  position: number;
  /** Actuators that act on it, by their names. */
  actuators: string;
}

export interface Mechanism {
  links: Link[];
  joints: LinkJoint[];
  /** Of the body's link, by number of body. */
  linkOf: Int32Array;
}

const JOINT_NAMES = nameNumbers(JOINT);
const SHAPE_NAMES = nameNumbers(SHAPE);

/** Reads a model in joint coordinates. */
export function readMechanism(model: Model): Mechanism {
  const simulation = new Simulation(model);
  simulation.reset(null);
  const { size, body } = model;
  const linkOf = new Int32Array(size.body);
  const tops: number[] = [];
  for (let b = 0; b < size.body; b++) {
    if (body.weld[b] === b) tops.push(b);
    linkOf[b] = tops.indexOf(body.weld[b]!);
  }
  const links = tops.map((top, n) => readLink(model, simulation, top, linkOf, n));
  const joints = Array.from({ length: size.joint }, (_, j) => readJoint(model, simulation, j, linkOf));
  return { links, joints, linkOf };
}

function readLink(model: Model, simulation: Simulation, top: number, linkOf: Int32Array, n: number): Link {
  const { body, size } = model;
  const members = Array.from({ length: size.body }, (_, b) => b).filter((b) => linkOf[b] === n);
  const isWorld = top === 0;
  const named = members.find((b) => b > 0 && body.name[b]);
  const mass = members.reduce((sum, b) => sum + body.mass[b]!, 0);
  const centers = members.map((b) => {
    const { position, orientation } = simulation.pose(b);
    return add(position, rotate(orientation, slice(body.inertiaCenter, b)));
  });
  const mean = (k: number): number =>
    mass > 0 ? members.reduce((sum, b, i) => sum + body.mass[b]! * centers[i]![k]!, 0) / mass : 0;
  const center: Vector = [mean(0), mean(1), mean(2)];
  const inertia = new Array<number>(9).fill(0);
  for (const [i, b] of members.entries()) {
    const { orientation } = simulation.pose(b);
    const own = body.inertiaOrientation.subarray(4 * b, 4 * b + 4);
    const axes = [0, 1, 2].map((k) => rotate(orientation, rotate(own, unit(k))));
    const d = add(centers[i]!, center, -1);
    const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        for (const [k, axis] of axes.entries())
          inertia[3 * r + c]! += body.inertiaMoments[3 * b + k]! * axis[r]! * axis[c]!;
        inertia[3 * r + c]! += body.mass[b]! * ((r === c ? square : 0) - d[r]! * d[c]!);
      }
    }
  }
  const name = named === undefined ? (isWorld ? 'world' : `body ${top}`) : body.name[named]!;
  const { position, orientation } = simulation.pose(top);
  return { name, body: top, isWorld, position, orientation, mass, center, inertia, shapes: readShapes(model, members) };
}

function readShapes({ shape, size }: Model, members: readonly number[]): Link['shapes'] {
  const touching = Array.from({ length: size.shape }, (_, s) => s).filter(
    (s) => members.includes(shape.body[s]!) && (shape.groups[s]! !== 0 || shape.mask[s]! !== 0),
  );
  const list = (read: (s: number) => string): string => [...new Set(touching.map(read))].sort().join('; ') || 'none';
  const numbers = (array: ArrayLike<number>, s: number, width: number): string =>
    Array.from({ length: width }, (_, k) => short(array[width * s + k]!)).join(' ');
  const kinds = new Map<string, number>();
  for (const s of touching) {
    const kind = SHAPE_NAMES[shape.kind[s]!] ?? '';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return {
    kinds: [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'none',
    sizes: list((s) => `${SHAPE_NAMES[shape.kind[s]!]} ${numbers(shape.size, s, 3)}`),
    friction: list((s) => numbers(shape.friction, s, 3)),
    condim: list((s) => String(shape.condim[s])),
    solref: list((s) => numbers(shape.solref, s, 2)),
    solimp: list((s) => numbers(shape.solimp, s, 5)),
  };
}

function readJoint(model: Model, simulation: Simulation, j: number, linkOf: Int32Array): LinkJoint {
  const { joint, body, dof, actuator, size } = model;
  const b = joint.body[j]!;
  const { position, orientation } = simulation.pose(b);
  const kind = JOINT_NAMES[joint.kind[j]!] ?? '';
  const d = joint.dofStart[j]!;
  const isTurn = kind !== 'slide';
  const [low, high] = [joint.range[2 * j]!, joint.range[2 * j + 1]!];
  const [least, most] = [joint.actuatorForceRange[2 * j]!, joint.actuatorForceRange[2 * j + 1]!];
  const acting = Array.from({ length: size.actuator }, (_, a) => a).filter(
    (a) => actuator.transmission[a]! <= 1 && actuator.target[a] === j,
  );
  return {
    name: joint.name[j]!,
    kind,
    parent: linkOf[body.parent[b]!]!,
    child: linkOf[b]!,
    isLast: j === body.jointStart[b]! + body.jointCount[b]! - 1,
    anchor: add(position, rotate(orientation, slice(joint.anchor, j))),
    axis: rotate(orientation, slice(joint.axis, j)),
    limits: joint.limited[j] ? `${short(low)} to ${short(high)} ${isTurn ? 'rad' : 'm'}` : 'none',
    damping: dof.damping[d]!,
    stiffness: joint.stiffness[j]!,
    armature: dof.armature[d]!,
    frictionLoss: dof.frictionLoss[d]!,
    effort: joint.actuatorForceLimited[j] ? `${short(least)} to ${short(most)} N${isTurn ? ' m' : ''}` : 'none',
    position: model.initialPosition[joint.positionStart[j]!]!,
    actuators: acting.length === 0 ? 'none' : String(acting.length),
  };
}

function unit(k: number): Vector {
  return [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
}

function slice(array: ArrayLike<number>, i: number): Vector {
  return [array[3 * i]!, array[3 * i + 1]!, array[3 * i + 2]!];
}

/** Six digits: more than files are written with by hand. */
export function short(value: number): string {
  return Number(value.toPrecision(6))
    .toString()
    .replace(/0{6,}$/, (zeros) => `e${zeros.length}`);
}

function nameNumbers(table: Readonly<Record<string, number>>): Record<number, string> {
  return Object.fromEntries(Object.entries(table).map(([name, number]) => [number, name]));
}
