/**
 * Boxes of a tree's nodes in few bits, for traversals of very many nodes. The root's box is divided into 2¹⁰, 2¹⁰ and 2⁹
 * cells along x, y and z; a corner of a box becomes the cell it lies in, its three numbers packed into one integer with a zero
 * bit (guard) above each:
 *
 *   g z₈…z₀ g y₉…y₀ g x₉…x₀
 *
 * With the guards of a high corner set, high − low leaves a guard set exactly where high ≥ low: two subtractions compare all
 * axes of two boxes. Rounding down keeps order, so boxes that meet still do; cells may also meet where boxes do not.
 */
import type { BoundingTree } from './bounding-tree.ts';

/** Numbers per node: low corner, high corner with guards, four times the nodes below it, 1 for a leaf and 0 else. */
export const PACKED_STRIDE = 4;

/** The three guard bits. */
export const GUARDS: number = (1 << 10) | (1 << 21) | (1 << 31);

// the number of cells, less a part in a million: the last corner falls into the last cell whatever the rounding
const CELLS_XY = 1023.999;
const CELLS_Z = 511.999;

/**
 * Packs all nodes. False where the cells are larger than the boxes on average, so that too many would seem to meet: some
 * items are far from the others, or unbounded.
 */
export function packNodes(packed: Int32Array, tree: BoundingTree): boolean {
  const { bounds, children, skip, count } = tree;
  const lowX = bounds[0];
  const lowY = bounds[1];
  const lowZ = bounds[2];
  const extentX = bounds[3] - lowX;
  const extentY = bounds[4] - lowY;
  const extentZ = bounds[5] - lowZ;
  const scaleX = extentX > 0 ? CELLS_XY / extentX : 0;
  const scaleY = extentY > 0 ? CELLS_XY / extentY : 0;
  const scaleZ = extentZ > 0 ? CELLS_Z / extentZ : 0;
  let widthX = 0;
  let widthY = 0;
  let widthZ = 0;
  for (let k = 0, o = 0, w = 0; k < 2 * count - 1; k++, o += 6, w += PACKED_STRIDE) {
    const isLeaf = children[2 * k] < 0;
    packed[w] =
      ((bounds[o] - lowX) * scaleX) |
      (((bounds[o + 1] - lowY) * scaleY) << 11) |
      (((bounds[o + 2] - lowZ) * scaleZ) << 22);
    packed[w + 1] =
      ((bounds[o + 3] - lowX) * scaleX) |
      (((bounds[o + 4] - lowY) * scaleY) << 11) |
      (((bounds[o + 5] - lowZ) * scaleZ) << 22) |
      GUARDS;
    packed[w + 2] = PACKED_STRIDE * (skip[k] - k - 1);
    packed[w + 3] = isLeaf ? 1 : 0;
    if (isLeaf) {
      widthX += bounds[o + 3] - bounds[o];
      widthY += bounds[o + 4] - bounds[o + 1];
      widthZ += bounds[o + 5] - bounds[o + 2];
    }
  }
  return (
    extentX * count <= widthX * CELLS_XY && extentY * count <= widthY * CELLS_XY && extentZ * count <= widthZ * CELLS_Z
  );
}
