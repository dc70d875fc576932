/**
 * The boxes of the parts of a rigid surface in the frame of its body, where they stay: triangles, sharp edges and exposed points, each
 * with a tree where there are many, built when first asked for. A ball keeps its size in every frame: what is within reach of a part of
 * another body meets the box of that part, taken in this frame and grown by the reach.
 */
import type { BoundingTree } from '../../geometry/bounding-tree/bounding-tree.ts';
import { collectBoxOverlaps } from '../../geometry/bounding-tree/box-overlap.ts';
import type { IndexList } from '../../geometry/bounding-tree/index-list.ts';
import { buildBoundingTree } from '../../geometry/bounding-tree/tree-builder.ts';
import type { Surface, SurfaceSet } from '../surface/surface-set.ts';

/** Number of boxes above which a tree is faster. */
const TREE_FROM = 48;
/** Number of items up to which they are sorted by insertion. */
const FEW = 32;

/** Boxes of parts with their numbers in the set, ascending, and a tree over many. */
export interface BoxedParts {
  readonly number: Int32Array;
  readonly boxes: Float64Array;
  readonly tree: BoundingTree | undefined;
}

export class FramedParts {
  /** Around all points: low and high corner, m. */
  readonly box: Float64Array = new Float64Array(6);
  readonly #set: SurfaceSet;
  readonly #surface: Surface;
  #triangles: BoxedParts | undefined;
  #edges: BoxedParts | undefined;
  #points: BoxedParts | undefined;

  constructor(set: SurfaceSet, surface: Surface) {
    this.#set = set;
    this.#surface = surface;
    const { firstVertex, endVertex } = surface;
    clearBox(this.box, 0);
    for (let v = firstVertex; v < endVertex; v++) growBox(this.box, 0, set.local, 3 * v);
  }

  get triangles(): BoxedParts {
    const { firstTriangle, endTriangle } = this.#surface;
    this.#triangles ??= this.#boxParts(firstTriangle, endTriangle, this.#set.triangle, 3);
    return this.#triangles;
  }

  /** Those that are sharp. */
  get edges(): BoxedParts {
    const { firstEdge, endEdge } = this.#surface;
    this.#edges ??= this.#boxParts(firstEdge, endEdge, this.#set.edge, 2, this.#set.isSharp);
    return this.#edges;
  }

  /** Those that are exposed. */
  get points(): BoxedParts {
    const { firstVertex, endVertex } = this.#surface;
    this.#points ??= this.#boxParts(firstVertex, endVertex, undefined, 1, this.#set.isExposed);
    return this.#points;
  }

  #boxParts(
    first: number,
    end: number,
    corner: Int32Array | undefined,
    corners: number,
    isTaken?: Uint8Array,
  ): BoxedParts {
    const number = Int32Array.from({ length: end - first }, (_, i) => first + i).filter((n) => isTaken?.[n] !== 0);
    const boxes = new Float64Array(6 * number.length);
    for (let i = 0; i < number.length; i++) {
      clearBox(boxes, 6 * i);
      for (let c = 0; c < corners; c++)
        growBox(boxes, 6 * i, this.#set.local, 3 * (corner ? corner[corners * number[i] + c] : number[i]));
    }
    const tree = number.length > TREE_FROM ? buildBoundingTree(boxes, number.length) : undefined;
    return { number, boxes, tree };
  }
}

/** Fills a list with the numbers of the parts whose boxes meet a box (low x y z, high x y z), ascending; touching counts. */
export function collectParts(out: IndexList, { number, boxes, tree }: BoxedParts, box: Float64Array): void {
  out.clear();
  if (!tree) {
    for (let i = 0, o = 0; i < number.length; i++, o += 6) if (meet(boxes, o, box)) out.add(number[i]);
    return;
  }
  collectBoxOverlaps(out, tree, box);
  const { values, count } = out;
  sortAscending(values, count);
  for (let i = 0; i < count; i++) values[i] = number[values[i]];
}

function sortAscending(values: Int32Array, count: number): void {
  if (count > FEW) {
    values.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const value = values[i];
    let k = i;
    for (; k > 0 && values[k - 1] > value; k--) values[k] = values[k - 1];
    values[k] = value;
  }
}

function meet(boxes: Float64Array, o: number, box: Float64Array): boolean {
  return (
    boxes[o] <= box[3] &&
    boxes[o + 3] >= box[0] &&
    boxes[o + 1] <= box[4] &&
    boxes[o + 4] >= box[1] &&
    boxes[o + 2] <= box[5] &&
    boxes[o + 5] >= box[2]
  );
}

function clearBox(box: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    box[o + k] = Infinity;
    box[o + 3 + k] = -Infinity;
  }
}

function growBox(box: Float64Array, o: number, x: Float64Array, v: number): void {
  for (let k = 0; k < 3; k++) {
    if (x[v + k] < box[o + k]) box[o + k] = x[v + k];
    if (x[v + k] > box[o + 3 + k]) box[o + 3 + k] = x[v + k];
  }
}
