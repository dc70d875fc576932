/**
 * The boxes of all points, edges and triangles of a mesh along the path of its body, in trees. The trees keep the shape they
 * have in the frame of the body; only their boxes are written anew, and only where the path or the margin is another one.
 */
import type { BoundingTree } from '../bounding-tree/bounding-tree.ts';
import { buildTree, createTreeBuilder, refitTree } from '../bounding-tree/tree-builder.ts';
import type { ContactMesh } from './contact-mesh.ts';
import { createPosePaths, PATH, type PosePaths } from './pose-path.ts';
import { growBox, writeSweptPoints } from './swept-box.ts';

/** Parts of a mesh that have trees. */
export const MESH_PARTS = ['points', 'edges', 'triangles', 'looseEdges', 'loosePoints'] as const;
export type MeshPart = (typeof MESH_PARTS)[number];

export class SweptMesh {
  readonly mesh: ContactMesh;
  /** Trees over the swept boxes; their items are vertices, edges or triangles, or places in the lists of loose ones. */
  readonly trees: Readonly<Record<MeshPart, BoundingTree>>;

  readonly #boxes: Record<MeshPart, Float64Array>;
  readonly #path = new Float64Array(PATH.stride);
  #margin = Number.NaN;

  constructor(mesh: ContactMesh) {
    this.mesh = mesh;
    const { vertices, edges, triangles, looseEdges, loosePoints } = mesh;
    this.#boxes = {
      points: new Float64Array(2 * vertices.length),
      edges: new Float64Array(3 * edges.length),
      triangles: new Float64Array(2 * triangles.length),
      looseEdges: new Float64Array(6 * looseEdges.length),
      loosePoints: new Float64Array(6 * loosePoints.length),
    };
    this.#writeBoxes(createPosePaths(1), 0, 0);
    const build = (part: MeshPart): BoundingTree => {
      const boxes = this.#boxes[part];
      return buildTree(createTreeBuilder(boxes.length / 6), boxes, boxes.length / 6);
    };
    this.trees = {
      points: build('points'),
      edges: build('edges'),
      triangles: build('triangles'),
      looseEdges: build('looseEdges'),
      loosePoints: build('loosePoints'),
    };
  }

  /** Boxes along the path of body i, grown by `margin` and the radius of the mesh. */
  update(paths: PosePaths, i: number, margin: number): void {
    if (!this.#isNew(paths, PATH.stride * i, margin)) return;
    this.#writeBoxes(paths, i, margin + this.mesh.radius);
    for (const part of MESH_PARTS) if (this.trees[part].count > 0) refitTree(this.trees[part], this.#boxes[part]);
  }

  #isNew(paths: PosePaths, o: number, margin: number): boolean {
    let isNew = margin !== this.#margin;
    this.#margin = margin;
    for (let k = 0; k < PATH.stride; k++) {
      if (this.#path[k] !== paths[o + k]) isNew = true;
      this.#path[k] = paths[o + k];
    }
    return isNew;
  }

  #writeBoxes(paths: PosePaths, i: number, margin: number): void {
    const { vertices, edges, triangles, looseEdges, loosePoints } = this.mesh;
    const boxes = this.#boxes;
    writeSweptPoints(boxes.points, paths, i, vertices, vertices.length / 3, margin);
    uniteCorners(boxes.edges, boxes.points, edges, 2);
    uniteCorners(boxes.triangles, boxes.points, triangles, 3);
    pickBoxes(boxes.looseEdges, boxes.edges, looseEdges);
    pickBoxes(boxes.loosePoints, boxes.points, loosePoints);
  }
}

/** A primitive is at any time in the hull of its corners: its box is that around theirs. */
function uniteCorners(out: Float64Array, points: Float64Array, corners: Int32Array, width: number): void {
  for (let i = 0, o = 0; i < corners.length; i += width, o += 6) {
    for (let k = 0; k < 6; k++) out[o + k] = points[6 * corners[i] + k];
    for (let k = 1; k < width; k++) growBox(out, o, points, 6 * corners[i + k]);
  }
}

function pickBoxes(out: Float64Array, boxes: Float64Array, items: Int32Array): void {
  for (let i = 0; i < items.length; i++) for (let k = 0; k < 6; k++) out[6 * i + k] = boxes[6 * items[i] + k];
}
