/**
 * A binary tree of boxes over n items, packed. With n items there are n − 1 inner nodes and n leaves; node 0 is the root.
 * Node k has its box at bounds[6 k]: low x y z, high x y z; its children at children[2 k], children[2 k + 1]. A leaf has −1 as
 * its first child and its item as the second.
 */
export interface BoundingTree {
  /** Items. */
  readonly count: number;
  readonly bounds: Float64Array;
  readonly children: Int32Array;
}
