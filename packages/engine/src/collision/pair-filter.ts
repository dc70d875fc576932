/**
 * Which shapes may touch: one names the group of the other, their bodies are not rigidly connected, not parent and child
 * (unless the parent is the world), not excluded, and at least one of them moves. Explicit pairs pass every rule.
 */
import type { Model } from '../model/model.ts';

export interface PairFilter {
  /** Per shape: the rigid group of its body, and the group that carries it. */
  readonly group: Int32Array;
  readonly parentGroup: Int32Array;
  /** Whether the shape's body can move. */
  readonly isMoving: Uint8Array;
  /** Keys of excluded pairs of bodies and of explicit pairs of shapes. */
  readonly excluded: ReadonlySet<number>;
  readonly explicit: ReadonlySet<number>;
  readonly filtersParents: boolean;
}

export function createPairFilter(model: Model): PairFilter {
  const { body, shape, constraintJoint, contactFilter, options, size } = model;
  const group = new Int32Array(size.shape);
  const parentGroup = new Int32Array(size.shape);
  const isMoving = new Uint8Array(size.shape);
  // the group that carries a group: by the tree, and in body coordinates by the joints
  const carrier = body.parent.map((parent) => body.weld[parent]);
  for (let c = 0; c < constraintJoint.kind.length; c++) {
    carrier[body.weld[constraintJoint.body2[c]]] = body.weld[constraintJoint.body1[c]];
  }
  for (let s = 0; s < size.shape; s++) {
    const weld = body.weld[shape.body[s]];
    group[s] = weld;
    parentGroup[s] = carrier[weld];
    isMoving[s] = body.lastDof[shape.body[s]] >= 0 || body.mocap[body.root[shape.body[s]]] >= 0 ? 1 : 0;
  }
  return {
    group,
    parentGroup,
    isMoving,
    excluded: pairKeys(contactFilter.excludedBodies, size.body),
    explicit: pairKeys(contactFilter.pairShapes, size.shape),
    filtersParents: !options.disabled.has('parentFilter'),
  };
}

/** Whether the shapes a and b may touch. */
export function mayTouch(model: Model, filter: PairFilter, a: number, b: number): boolean {
  const { groups, mask, body } = model.shape;
  if (filter.explicit.size > 0 && filter.explicit.has(pairKey(a, b, model.size.shape))) return true;
  if (((groups[a] & mask[b]) | (groups[b] & mask[a])) === 0) return false;
  const one = filter.group[a];
  const two = filter.group[b];
  if (one === two || !(filter.isMoving[a] | filter.isMoving[b])) return false;
  if (
    filter.filtersParents &&
    one !== 0 &&
    two !== 0 &&
    (one === filter.parentGroup[b] || two === filter.parentGroup[a])
  ) {
    return false;
  }
  return filter.excluded.size === 0 || !filter.excluded.has(pairKey(body[a], body[b], model.size.body));
}

/** One number for an unordered pair. */
export function pairKey(a: number, b: number, count: number): number {
  return a < b ? a * count + b : b * count + a;
}

function pairKeys(pairs: Int32Array, count: number): ReadonlySet<number> {
  const keys = new Set<number>();
  for (let i = 0; i < pairs.length; i += 2) keys.add(pairKey(pairs[i], pairs[i + 1], count));
  return keys;
}
