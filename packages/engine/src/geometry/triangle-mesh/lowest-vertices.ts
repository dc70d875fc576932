import type { TriangleMesh } from './triangle-mesh.ts';

/** Vertices of a mesh below a height along a direction. Grows and never shrinks. */
export class LowVertices {
  count = 0;
  vertex: Int32Array = new Int32Array(64);
  // per vertex of the mesh: the search that has seen it last
  #seen: Int32Array = new Int32Array(0);
  #search = 0;

  /** Collects the vertices v with u·v ≤ height, by rising number of their triangles; u in the frame of the mesh. */
  collect(mesh: TriangleMesh, ux: number, uy: number, uz: number, height: number): void {
    const { tree, triangles, vertices } = mesh;
    const { bounds, children, skip } = tree;
    this.count = 0;
    if (this.#seen.length < vertices.length / 3) this.#seen = new Int32Array(vertices.length / 3);
    const search = ++this.#search;
    const end = 2 * tree.count - 1;
    for (let j = 0; j < end; ) {
      if (findLowestOfBox(bounds, 6 * j, ux, uy, uz) > height) {
        j = skip[j];
        continue;
      }
      if (children[2 * j] < 0) {
        const t = 3 * children[2 * j + 1];
        for (let k = 0; k < 3; k++) {
          const v = triangles[t + k];
          if (this.#seen[v] === search) continue;
          this.#seen[v] = search;
          if (ux * vertices[3 * v] + uy * vertices[3 * v + 1] + uz * vertices[3 * v + 2] <= height) this.#add(v);
        }
      }
      j++;
    }
    this.#sort();
  }

  #add(vertex: number): void {
    if (this.count === this.vertex.length) {
      const larger = new Int32Array(2 * this.count);
      larger.set(this.vertex);
      this.vertex = larger;
    }
    this.vertex[this.count++] = vertex;
  }

  // results must not depend on the shape of the tree
  #sort(): void {
    const { vertex, count } = this;
    let gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap >= 1; gap = Math.floor(gap / 3)) {
      for (let i = gap; i < count; i++) {
        const item = vertex[i];
        let j = i;
        for (; j >= gap && vertex[j - gap] > item; j -= gap) vertex[j] = vertex[j - gap];
        vertex[j] = item;
      }
    }
  }
}

/** Least u·v over the vertices of a mesh that its triangles use, m. */
export function findLowestVertex(mesh: TriangleMesh, ux: number, uy: number, uz: number): number {
  const { tree, triangles, vertices } = mesh;
  const { bounds, children, skip } = tree;
  const end = 2 * tree.count - 1;
  let lowest = Infinity;
  for (let j = 0; j < end; ) {
    if (findLowestOfBox(bounds, 6 * j, ux, uy, uz) >= lowest) {
      j = skip[j];
      continue;
    }
    if (children[2 * j] < 0) {
      const t = 3 * children[2 * j + 1];
      for (let k = 0; k < 3; k++) {
        const v = 3 * triangles[t + k];
        const height = ux * vertices[v] + uy * vertices[v + 1] + uz * vertices[v + 2];
        if (height < lowest) lowest = height;
      }
    }
    j++;
  }
  return lowest;
}

function findLowestOfBox(bounds: Float64Array, o: number, ux: number, uy: number, uz: number): number {
  return ux * bounds[ux > 0 ? o : o + 3] + uy * bounds[uy > 0 ? o + 1 : o + 4] + uz * bounds[uz > 0 ? o + 2 : o + 5];
}
