/**
 * Pairs of primitives of different surfaces that may come near each other along the paths of their bodies.
 *
 * First the surfaces: the box of each along its path (swept-box.ts), grown by half the reach and its radius, in one tree. Then,
 * for two surfaces whose boxes meet, their trees of swept primitives against each other: points and triangles both ways, edges
 * and edges, and loose points and edges. A pair that is ever as near as `reach`, radii taken off, is among the candidates:
 * each box then holds its own half of the way. With paths that stand still this finds what is near now.
 */
import { IndexPairs } from '../bounding-tree/index-list.ts';
import { collectSelfOverlaps } from '../bounding-tree/self-overlap.ts';
import { buildTree, createTreeBuilder } from '../bounding-tree/tree-builder.ts';
import { collectTreeOverlaps } from '../bounding-tree/tree-overlap.ts';
import type { ContactMesh } from './contact-mesh.ts';
import type { PosePaths } from './pose-path.ts';
import { writeSweptBox } from './swept-box.ts';
import { type MeshPart, SweptMesh } from './swept-mesh.ts';

/** A mesh on a body. */
export interface Surface {
  readonly mesh: ContactMesh;
  /** Number of its path. */
  readonly body: number;
}

/** Candidates of one kind, four numbers each: surface, its primitive, the other surface, its primitive. */
export class CandidateList {
  count = 0;
  values: Int32Array = new Int32Array(256);

  clear(): void {
    this.count = 0;
  }

  add(a: number, i: number, b: number, j: number): void {
    const o = 4 * this.count++;
    if (o === this.values.length) this.#grow();
    this.values[o] = a;
    this.values[o + 1] = i;
    this.values[o + 2] = b;
    this.values[o + 3] = j;
  }

  #grow(): void {
    const values = new Int32Array(2 * this.values.length);
    values.set(this.values);
    this.values = values;
  }
}

export class CandidateFinder {
  readonly surfaces: readonly Surface[];
  /** A vertex and a triangle, an edge and an edge, a vertex and an edge, a vertex and a vertex. */
  readonly pointTriangle: CandidateList = new CandidateList();
  readonly edgeEdge: CandidateList = new CandidateList();
  readonly pointEdge: CandidateList = new CandidateList();
  readonly pointPoint: CandidateList = new CandidateList();
  /** Pairs of surfaces whose boxes meet, the lower one first. */
  readonly pairs: IndexPairs = new IndexPairs();
  /** Box of each surface along its path: low x y z, high x y z. */
  readonly boxes: Float64Array;

  readonly #swept: SweptMesh[];
  readonly #mayMeet: (a: number, b: number) => boolean;
  readonly #builder = createTreeBuilder();
  readonly #overlaps = new IndexPairs();

  /** `mayMeet` tells whether two surfaces are looked at; those of one body never are. */
  constructor(surfaces: readonly Surface[], mayMeet: (a: number, b: number) => boolean = () => true) {
    this.surfaces = surfaces;
    this.#mayMeet = mayMeet;
    this.#swept = surfaces.map(({ mesh }) => new SweptMesh(mesh));
    this.boxes = new Float64Array(6 * surfaces.length);
  }

  /** Fills the lists with all pairs that are as near as `reach` (m, beyond their radii) at any time of the paths. */
  find(paths: PosePaths, reach: number): void {
    this.#findPairs(paths, reach);
    this.pointTriangle.clear();
    this.edgeEdge.clear();
    this.pointEdge.clear();
    this.pointPoint.clear();
    for (let k = 0; k < this.pairs.count; k++) {
      const a = this.pairs.values[2 * k];
      const b = this.pairs.values[2 * k + 1];
      this.#swept[a].update(paths, this.surfaces[a].body, 0.5 * reach);
      this.#swept[b].update(paths, this.surfaces[b].body, 0.5 * reach);
      this.#collect(this.pointTriangle, a, 'points', b, 'triangles');
      this.#collect(this.pointTriangle, b, 'points', a, 'triangles');
      this.#collect(this.edgeEdge, a, 'edges', b, 'edges');
      this.#collect(this.pointEdge, a, 'loosePoints', b, 'looseEdges');
      this.#collect(this.pointEdge, b, 'loosePoints', a, 'looseEdges');
      this.#collect(this.pointPoint, a, 'loosePoints', b, 'loosePoints');
    }
  }

  #findPairs(paths: PosePaths, reach: number): void {
    const { surfaces, boxes, pairs } = this;
    for (let s = 0; s < surfaces.length; s++) {
      const { mesh, body } = surfaces[s];
      writeSweptBox(boxes, 6 * s, paths, body, mesh.bounds, 0.5 * reach + mesh.radius);
    }
    const overlaps = this.#overlaps;
    overlaps.clear();
    pairs.clear();
    collectSelfOverlaps(overlaps, buildTree(this.#builder, boxes, surfaces.length));
    for (let k = 0; k < overlaps.count; k++) {
      const a = overlaps.values[2 * k];
      const b = overlaps.values[2 * k + 1];
      if (surfaces[a].body !== surfaces[b].body && this.#mayMeet(a, b)) pairs.add(a, b);
    }
  }

  #collect(out: CandidateList, a: number, partA: MeshPart, b: number, partB: MeshPart): void {
    const overlaps = this.#overlaps;
    overlaps.clear();
    collectTreeOverlaps(overlaps, this.#swept[a].trees[partA], this.#swept[b].trees[partB]);
    const loose = this.#swept[a].mesh.loosePoints;
    const isLooseA = partA === 'loosePoints';
    const itemsB =
      partB === 'looseEdges'
        ? this.#swept[b].mesh.looseEdges
        : partB === 'loosePoints'
          ? this.#swept[b].mesh.loosePoints
          : undefined;
    for (let k = 0; k < overlaps.count; k++) {
      const i = overlaps.values[2 * k];
      const j = overlaps.values[2 * k + 1];
      out.add(a, isLooseA ? loose[i] : i, b, itemsB === undefined ? j : itemsB[j]);
    }
  }
}
