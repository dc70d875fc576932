/**
 * Parts of two surfaces that come within reach of each other, by boxes along axes: points and triangles, edges and edges,
 * and points with edges or points where the other side has no triangles. Large surfaces are searched by a tree, small ones one by
 * one; both give the same lists, in the order of the numbers of the parts. Boxes of rigid surfaces stay in their frames
 * (rigid-parts.ts), those of soft bodies are found anew in the world.
 * Parts of a soft body with a vertex in common do not touch, nor do parts with a vertex that is fixed to the other side's frame.
 */

import type { FramePoses } from '../../dynamics/frames.ts';
import type { BoundingTree } from '../../geometry/bounding-tree/bounding-tree.ts';
import { collectBoxOverlaps } from '../../geometry/bounding-tree/box-overlap.ts';
import { IndexList } from '../../geometry/bounding-tree/index-list.ts';
import { buildTree, createTreeBuilder, type TreeBuilder } from '../../geometry/bounding-tree/tree-builder.ts';
import { checkDeadlineSometimes } from '../../step-deadline.ts';
import type { Surface, SurfaceSet } from '../surface/surface-set.ts';
import { RigidParts } from './rigid-parts.ts';

const NO_SLACK = /* @__PURE__ */ new Float64Array(0);

/** Number of pairs of parts above which a tree is faster. */
const TREE_FROM = 4096;

export class NearParts {
  /** Point, pair, how many triangles, and those. */
  readonly triangles: IndexList = new IndexList();
  /** Edge, edge, pair. */
  readonly edges: IndexList = new IndexList();
  /** Point, edge, pair; and point, point, pair: where the other side has no triangles. */
  readonly looseEdges: IndexList = new IndexList();
  readonly points: IndexList = new IndexList();
  readonly #set: SurfaceSet;
  /** Per surface: a box around it, low and high corner. */
  readonly #surfaceBoxes: Float64Array;
  readonly #near1 = new IndexList();
  readonly #near2 = new IndexList();
  readonly #found = new IndexList();
  readonly #builder: TreeBuilder = createTreeBuilder();
  #partBoxes: Float64Array = new Float64Array(384);
  #slack: Float64Array = NO_SLACK;
  readonly #rigid: RigidParts;

  /** Points of the set are where the poses have them. */
  constructor(set: SurfaceSet, surfaceBoxes: Float64Array, poses: FramePoses) {
    this.#set = set;
    this.#surfaceBoxes = surfaceBoxes;
    this.#rigid = new RigidParts(set, poses);
  }

  /** Numbers in the lists that are long. */
  get count(): number {
    return this.edges.count + this.triangles.count;
  }

  clear(): void {
    this.triangles.clear();
    this.edges.clear();
    this.looseEdges.clear();
    this.points.clear();
  }

  /**
   * All that is within reach (m) between surfaces a and b; between a body and itself every two parts once. `slack`: by how much each
   * vertex of a soft body reaches farther, m.
   */
  add(a: number, b: number, pair: number, reach: number, slack: Float64Array = NO_SLACK): void {
    this.#slack = slack;
    const { surfaces } = this.#set;
    const one = surfaces[a];
    const two = surfaces[b];
    if (one.soft < 0 && two.soft < 0) {
      this.#rigid.addTriangles(this.triangles, a, b, pair, reach);
      this.#rigid.addTriangles(this.triangles, b, a, pair, reach);
      this.#rigid.addEdges(this.edges, a, b, pair, reach);
    } else {
      this.#addTriangles(one, two, b, pair, reach);
      if (a !== b) this.#addTriangles(two, one, a, pair, reach);
      this.#addEdges(one, a, two, b, pair, reach);
    }
    if (a === b) return;
    this.#addLoose(one, two, pair, reach);
    this.#addLoose(two, one, pair, reach);
    if (one.isPoint && two.isPoint) this.#addPoints(one, two, pair, reach);
  }

  // points of one near triangles of two
  #addTriangles(one: Surface, two: Surface, twoNumber: number, pair: number, reach: number): void {
    if (two.endTriangle === two.firstTriangle) return;
    const { world } = this.#set;
    const points = this.#near1;
    const found = this.#found;
    this.#collectPoints(points, one, twoNumber, reach);
    if (points.count === 0) return;
    const boxes = this.#boxTriangles(two);
    const count = two.endTriangle - two.firstTriangle;
    const tree = this.#plantTree(boxes, count, points.count);
    for (let i = 0; i < points.count; i++) {
      const v = points.values[i];
      checkDeadlineSometimes('search for candidates');
      writeQuery(world, 3 * v, 3 * v, reach);
      if (this.#slack.length > 0) this.#growSpan(query, v, v);
      this.#search(tree, boxes, count);
      this.#dropJoined(found, v, two.firstTriangle);
      if (found.count === 0) continue;
      this.triangles.add(v);
      this.triangles.add(pair);
      this.triangles.add(found.count);
      for (let k = 0; k < found.count; k++) this.triangles.add(two.firstTriangle + found.values[k]);
    }
  }

  // edges of one near edges of two
  #addEdges(one: Surface, a: number, two: Surface, b: number, pair: number, reach: number): void {
    const { world, edge } = this.#set;
    const mine = this.#near1;
    const theirs = this.#near2;
    const found = this.#found;
    this.#collectEdges(mine, one, b, reach);
    this.#collectEdges(theirs, two, a, reach);
    if (mine.count === 0 || theirs.count === 0) return;
    const boxes = this.#boxEdges(theirs);
    const tree = this.#plantTree(boxes, theirs.count, mine.count);
    for (let i = 0; i < mine.count; i++) {
      const e = mine.values[i];
      checkDeadlineSometimes('search for candidates');
      writeQuery(world, 3 * edge[2 * e], 3 * edge[2 * e + 1], reach);
      if (this.#slack.length > 0) this.#growSpan(query, edge[2 * e], edge[2 * e + 1]);
      this.#search(tree, boxes, theirs.count);
      for (let k = 0; k < found.count; k++) {
        const other = theirs.values[found.values[k]];
        // of a body with itself every pair once
        if (a === b && other <= e) continue;
        if (this.#set.areJoined(edge[2 * e], edge[2 * e + 1], edge, 2 * other, 2)) continue;
        addTriple(this.edges, e, other, pair);
      }
    }
  }

  // a tree over boxes, where the number of questions makes it pay
  #plantTree(boxes: Float64Array, count: number, questions: number): BoundingTree | undefined {
    return count * questions > TREE_FROM ? buildTree(this.#builder, boxes, count) : undefined;
  }

  // the boxes that meet the query, in their order
  #search(tree: BoundingTree | undefined, boxes: Float64Array, count: number): void {
    const found = this.#found;
    found.clear();
    if (tree) {
      collectBoxOverlaps(found, tree, query);
      found.values.subarray(0, found.count).sort();
    } else {
      for (let n = 0; n < count; n++) if (meetsQuery(boxes, 6 * n)) found.add(n);
    }
  }

  // takes triangles out of a list (numbered from the first) that have the point v as a corner or are fixed to it
  #dropJoined(list: IndexList, v: number, first: number): void {
    const { triangle } = this.#set;
    const { values } = list;
    let kept = 0;
    for (let k = 0; k < list.count; k++) {
      if (!this.#set.areJoined(v, -1, triangle, 3 * (first + values[k]), 3)) values[kept++] = values[k];
    }
    list.count = kept;
  }

  // points of two clouds
  #addPoints(one: Surface, two: Surface, pair: number, reach: number): void {
    const { world } = this.#set;
    for (let v = one.firstVertex; v < one.endVertex; v++) {
      checkDeadlineSometimes('search for candidates');
      writeQuery(world, 3 * v, 3 * v, reach);
      for (let w = two.firstVertex; w < two.endVertex; w++) {
        writeSpan(span, world, 3 * w, 3 * w);
        if (meetsQuery(span, 0)) addTriple(this.points, v, w, pair);
      }
    }
  }

  // points of one against edges of two that have no triangles
  #addLoose(one: Surface, two: Surface, pair: number, reach: number): void {
    if (!two.isLoose) return;
    const { world, edge, isExposed } = this.#set;
    for (let v = one.firstVertex; v < one.endVertex; v++) {
      if (isExposed[v] === 0) continue;
      checkDeadlineSometimes('search for candidates');
      writeQuery(world, 3 * v, 3 * v, reach);
      for (let e = two.firstEdge; e < two.endEdge; e++) {
        writeSpan(span, world, 3 * edge[2 * e], 3 * edge[2 * e + 1]);
        if (!meetsQuery(span, 0) || this.#set.areJoined(v, -1, edge, 2 * e, 2)) continue;
        addTriple(this.looseEdges, v, e, pair);
      }
    }
  }

  // points of a surface within reach of the box of another (which is grown already: only more than enough)
  #collectPoints(out: IndexList, { firstVertex, endVertex }: Surface, other: number, reach: number): void {
    const { world, isExposed } = this.#set;
    const boxes = this.#surfaceBoxes;
    out.clear();
    for (let v = firstVertex; v < endVertex; v++) {
      let isNear = isExposed[v] === 1;
      for (let k = 0; k < 3 && isNear; k++) {
        const x = world[3 * v + k];
        isNear = x >= boxes[6 * other + k] - reach && x <= boxes[6 * other + 3 + k] + reach;
      }
      if (isNear) out.add(v);
    }
  }

  #collectEdges(out: IndexList, { firstEdge, endEdge }: Surface, other: number, reach: number): void {
    const { world, edge, isSharp } = this.#set;
    const boxes = this.#surfaceBoxes;
    checkDeadlineSometimes('search for candidates');
    out.clear();
    for (let e = firstEdge; e < endEdge; e++) {
      if (isSharp[e] === 0) continue;
      writeSpan(span, world, 3 * edge[2 * e], 3 * edge[2 * e + 1]);
      let isNear = true;
      for (let k = 0; k < 3 && isNear; k++)
        isNear = span[3 + k] >= boxes[6 * other + k] - reach && span[k] <= boxes[6 * other + 3 + k] + reach;
      if (isNear) out.add(e);
    }
  }

  #boxTriangles({ firstTriangle, endTriangle }: Surface): Float64Array {
    const { world, triangle } = this.#set;
    const boxes = this.#fit(6 * (endTriangle - firstTriangle));
    for (let t = firstTriangle, o = 0; t < endTriangle; t++, o += 6) {
      for (let k = 0; k < 3; k++) {
        let low = Infinity;
        let high = -Infinity;
        for (let c = 0; c < 3; c++) {
          const x = world[3 * triangle[3 * t + c] + k];
          if (x < low) low = x;
          if (x > high) high = x;
        }
        boxes[o + k] = low;
        boxes[o + 3 + k] = high;
      }
      if (this.#slack.length === 0) continue;
      const grow = Math.max(
        this.#slackOf(triangle[3 * t]),
        this.#slackOf(triangle[3 * t + 1]),
        this.#slackOf(triangle[3 * t + 2]),
      );
      for (let k = 0; k < 3; k++) {
        boxes[o + k] -= grow;
        boxes[o + 3 + k] += grow;
      }
    }
    return boxes;
  }

  #boxEdges(list: IndexList): Float64Array {
    const { world, edge } = this.#set;
    const boxes = this.#fit(6 * list.count);
    for (let n = 0; n < list.count; n++) {
      const e = list.values[n];
      writeSpan(span, world, 3 * edge[2 * e], 3 * edge[2 * e + 1]);
      if (this.#slack.length > 0) this.#growSpan(span, edge[2 * e], edge[2 * e + 1]);
      boxes.set(span, 6 * n);
    }
    return boxes;
  }

  #slackOf(point: number): number {
    return this.#slack[this.#set.vertexOf[point]];
  }

  // by the larger slack of two vertices
  #growSpan(box: Float64Array, p: number, q: number): void {
    const grow = Math.max(this.#slackOf(p), this.#slackOf(q));
    for (let k = 0; k < 3; k++) {
      box[k] -= grow;
      box[3 + k] += grow;
    }
  }

  // room for boxes of parts: it grows and never shrinks
  #fit(length: number): Float64Array {
    if (length > this.#partBoxes.length) this.#partBoxes = new Float64Array(2 * length);
    return this.#partBoxes;
  }
}

/** The query box and the box it is compared with. */
const query = /* @__PURE__ */ new Float64Array(6);
const span = /* @__PURE__ */ new Float64Array(6);

// the box of the segment p q
function writeSpan(out: Float64Array, x: Float64Array, p: number, q: number): void {
  for (let k = 0; k < 3; k++) {
    out[k] = Math.min(x[p + k], x[q + k]);
    out[3 + k] = Math.max(x[p + k], x[q + k]);
  }
}

function meetsQuery(boxes: Float64Array, o: number): boolean {
  return (
    boxes[o] <= query[3] &&
    boxes[o + 3] >= query[0] &&
    boxes[o + 1] <= query[4] &&
    boxes[o + 4] >= query[1] &&
    boxes[o + 2] <= query[5] &&
    boxes[o + 5] >= query[2]
  );
}

// the same, grown by the reach
function writeQuery(x: Float64Array, p: number, q: number, reach: number): void {
  writeSpan(query, x, p, q);
  for (let k = 0; k < 3; k++) {
    query[k] -= reach;
    query[3 + k] += reach;
  }
}

function addTriple(list: IndexList, first: number, second: number, pair: number): void {
  list.add(first);
  list.add(second);
  list.add(pair);
}
