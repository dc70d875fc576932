/** Which joint and link of one mechanism is which of another: by names first, then by place in the tree. */
import type { Link, LinkJoint, Mechanism } from './mechanism.ts';
import { add, conjugate, multiply, type Quaternion, rotate, type Vector } from './rotation.ts';

export interface MechanismMatch {
  /** Pairs of joint numbers. */
  joints: [number, number][];
  /** Pairs of link numbers. */
  links: [number, number][];
  byName: number;
  /** What only one of the two has. */
  only: { joints: [LinkJoint[], LinkJoint[]]; links: [Link[], Link[]] };
  /** Takes a point of the first world to the second: x' = R x + t. */
  place: Placement;
}

export interface Placement {
  rotation: Quaternion;
  /** m. */
  shift: Vector;
}

const NOWHERE: Placement = { rotation: [1, 0, 0, 0], shift: [0, 0, 0] };

export function matchMechanisms(one: Mechanism, two: Mechanism): MechanismMatch {
  const joints = new Map<number, number>();
  for (const read of [(name: string) => name, simplify]) matchNames(one, two, read, joints);
  const byName = joints.size;
  let links = matchLinks(one, two, joints);
  // joints that hang on the same link and are of the same kind, in their order
  for (let before = -1; before < joints.size; links = matchLinks(one, two, joints)) {
    before = joints.size;
    matchPlaces(one, two, joints, links);
  }
  const taken = [new Set(joints.keys()), new Set(joints.values())] as const;
  const held = [new Set(links.keys()), new Set(links.values())] as const;
  const left = (side: 0 | 1): LinkJoint[] => [one, two][side]!.joints.filter((_, j) => !taken[side].has(j));
  // massless links carry nothing, and the world is in both
  const spare = (side: 0 | 1): Link[] =>
    [one, two][side]!.links.filter(({ mass, isWorld }, n) => !held[side].has(n) && mass > 0 && !isWorld);
  const pairs = [...joints];
  return {
    joints: pairs,
    links: [...links],
    byName,
    only: { joints: [left(0), left(1)], links: [spare(0), spare(1)] },
    place: findPlace(one, two, pairs),
  };
}

function matchNames(one: Mechanism, two: Mechanism, read: (name: string) => string, joints: Map<number, number>): void {
  const taken = new Set(joints.values());
  for (const [j, { name }] of one.joints.entries()) {
    if (joints.has(j) || name === '') continue;
    const found = two.joints.findIndex((other, k) => !taken.has(k) && read(other.name) === read(name));
    if (found < 0) continue;
    joints.set(j, found);
    taken.add(found);
  }
}

/** Without case, separators, prefixes of a namespace, and the word joint. */
function simplify(name: string): string {
  return name
    .replace(/^.*[/:]/, '')
    .toLowerCase()
    .replace(/joint|jnt/g, '')
    .replace(/[^a-z0-9]/g, '');
}

/** The child of each pair of joints, and the parents of those on top. */
function matchLinks(one: Mechanism, two: Mechanism, joints: ReadonlyMap<number, number>): Map<number, number> {
  const links = new Map<number, number>();
  const taken = new Set<number>();
  const note = (a: number, b: number): void => {
    if (links.has(a) || taken.has(b)) return;
    links.set(a, b);
    taken.add(b);
  };
  for (const [j, k] of joints) {
    const [a, b] = [one.joints[j]!, two.joints[k]!];
    if (a.isLast && b.isLast) note(a.child, b.child);
  }
  for (const [j, k] of joints) note(one.joints[j]!.parent, two.joints[k]!.parent);
  note(0, 0);
  return links;
}

function matchPlaces(
  one: Mechanism,
  two: Mechanism,
  joints: Map<number, number>,
  links: ReadonlyMap<number, number>,
): void {
  const taken = new Set(joints.values());
  for (const [j, joint] of one.joints.entries()) {
    if (joints.has(j)) continue;
    const found = two.joints.findIndex(
      (other, k) => !taken.has(k) && other.kind === joint.kind && other.parent === links.get(joint.parent),
    );
    if (found < 0) continue;
    joints.set(j, found);
    taken.add(found);
  }
}

/** Worlds as they are, or laid over each other by the link that carries the first pair of joints: where anchors come closer. */
function findPlace(one: Mechanism, two: Mechanism, pairs: readonly [number, number][]): Placement {
  if (pairs.length === 0) return NOWHERE;
  const [p, q] = [findBase(one, pairs[0]![0]), findBase(two, pairs[0]![1])];
  const rotation = multiply(q.orientation, conjugate(p.orientation));
  const based: Placement = { rotation, shift: add(q.position, rotate(rotation, p.position), -1) };
  const measure = (place: Placement): number =>
    pairs.reduce(
      (sum, [j, k]) => sum + Math.hypot(...add(move(place, one.joints[j]!.anchor), two.joints[k]!.anchor, -1)),
      0,
    );
  return measure(based) < measure(NOWHERE) ? based : NOWHERE;
}

function findBase({ joints, links }: Mechanism, j: number): Link {
  const { kind, parent, child } = joints[j]!;
  return links[kind === 'free' ? child : parent]!;
}

export function move({ rotation, shift }: Placement, point: Vector): Vector {
  return add(rotate(rotation, point), shift);
}
