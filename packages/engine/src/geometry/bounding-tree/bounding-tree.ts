/**
 * A binary tree of boxes over n items, packed. With n items there are n − 1 inner nodes and n leaves; node 0 is the root.
 * Node k has its box at bounds[6 k]: low x y z, high x y z; its children at children[2 k], children[2 k + 1]. A leaf has −1 as
 * its first child and its item as the second.
 *
 * Nodes are in depth-first order: the first child of an inner node k is k + 1, children come after their parents, and the
 * nodes below k are k + 1 up to skip[k] − 1. So a query walks forward, k → k + 1 where a box is of interest and k → skip[k]
 * where it is not, without a stack; and a refit walks backward. The arrays may be longer than the tree.
 */
export interface BoundingTree {
  /** Items. */
  readonly count: number;
  /** Per node: low x y z, high x y z. */
  readonly bounds: Float64Array;
  /** Per node: its two children; of a leaf −1 and its item. */
  readonly children: Int32Array;
  /** First node after those below node k; 2 n − 1 at the end. */
  readonly skip: Int32Array;
}
