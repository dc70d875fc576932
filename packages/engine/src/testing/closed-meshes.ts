/** Closed triangle meshes for tests: a sphere, a torus, and prisms over an L and a gear. */

export interface Mesh {
  vertices: number[];
  faces: number[];
}

/** Rings of `slices` points on a sphere of radius r, and two poles. */
export function sphereMesh(r: number, slices: number, rings: number): Mesh {
  const vertices = [0, 0, r];
  for (let j = 1; j <= rings; j++) {
    const polar = (Math.PI * j) / (rings + 1);
    for (let i = 0; i < slices; i++) {
      const turn = (2 * Math.PI * i) / slices;
      vertices.push(r * Math.sin(polar) * Math.cos(turn), r * Math.sin(polar) * Math.sin(turn), r * Math.cos(polar));
    }
  }
  vertices.push(0, 0, -r);
  const at = (j: number, i: number) => 1 + j * slices + (i % slices);
  const faces: number[] = [];
  for (let i = 0; i < slices; i++) {
    faces.push(0, at(0, i), at(0, i + 1));
    for (let j = 0; j + 1 < rings; j++) {
      faces.push(at(j, i), at(j + 1, i), at(j + 1, i + 1), at(j, i), at(j + 1, i + 1), at(j, i + 1));
    }
    faces.push(at(rings - 1, i + 1), at(rings - 1, i), vertices.length / 3 - 1);
  }
  return { vertices, faces };
}

/** A ring in the xy plane. */
export function torusMesh(R: number, r: number, slices: number, sides: number): Mesh {
  const vertices: number[] = [];
  const faces: number[] = [];
  for (let i = 0; i < slices; i++) {
    const turn = (2 * Math.PI * i) / slices;
    for (let j = 0; j < sides; j++) {
      const tilt = (2 * Math.PI * j) / sides;
      const q = R + r * Math.cos(tilt);
      vertices.push(q * Math.cos(turn), q * Math.sin(turn), r * Math.sin(tilt));
      const at = (a: number, b: number) => ((i + a) % slices) * sides + ((j + b) % sides);
      faces.push(at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1));
    }
  }
  return { vertices, faces };
}

/** A prism over an outline (x y of each corner, counter-clockwise, seen whole from its first corner `hub` or the origin). */
export function prismMesh(outline: readonly number[], height: number, hub: readonly [number, number]): Mesh {
  const n = outline.length / 2;
  const vertices: number[] = [];
  for (const z of [-height / 2, height / 2]) {
    for (let i = 0; i < n; i++) vertices.push(outline[2 * i], outline[2 * i + 1], z);
  }
  vertices.push(...hub, -height / 2, ...hub, height / 2);
  const faces: number[] = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    faces.push(i, j, n + j, i, n + j, n + i, 2 * n, j, i, 2 * n + 1, n + i, n + j);
  }
  return { vertices, faces };
}

/** Legs 2 and 1.5 long, 0.5 wide; all of it is seen from a point near the inner corner. */
export const L_OUTLINE: readonly number[] = [0, 0, 2, 0, 2, 0.5, 0.5, 0.5, 0.5, 1.5, 0, 1.5];
export const L_HUB: readonly [number, number] = [0.3, 0.3];

/** Teeth with steep flanks between two radii. */
export function gearOutline(teeth: number, inner: number, outer: number): number[] {
  const outline: number[] = [];
  const radii = [inner, outer, outer, inner];
  const turns = [0, 0.15, 0.4, 0.55];
  for (let i = 0; i < teeth; i++) {
    for (let k = 0; k < 4; k++) {
      const turn = (2 * Math.PI * (i + turns[k])) / teeth;
      outline.push(radii[k] * Math.cos(turn), radii[k] * Math.sin(turn));
    }
  }
  return outline;
}

/** Whether (x, y) is inside an outline: crossings of a ray along x. */
export function isInsideOutline(outline: readonly number[], x: number, y: number): boolean {
  let isInside = false;
  for (let i = 0, j = outline.length - 2; i < outline.length; j = i, i += 2) {
    const [x0, y0, x1, y1] = [outline[j], outline[j + 1], outline[i], outline[i + 1]];
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) isInside = !isInside;
  }
  return isInside;
}

/** Whether a point is inside a closed mesh: crossings of a ray along z. For points in general position. */
export function isInsideMesh({ vertices: v, faces }: Mesh, x: number, y: number, z: number): boolean {
  let isInside = false;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    const u = (v[b] - x) * (v[c + 1] - y) - (v[b + 1] - y) * (v[c] - x);
    const s = (v[c] - x) * (v[a + 1] - y) - (v[c + 1] - y) * (v[a] - x);
    const t = (v[a] - x) * (v[b + 1] - y) - (v[a + 1] - y) * (v[b] - x);
    if (!((u > 0 && s > 0 && t > 0) || (u < 0 && s < 0 && t < 0))) continue;
    if ((u * v[a + 2] + s * v[b + 2] + t * v[c + 2]) / (u + s + t) > z) isInside = !isInside;
  }
  return isInside;
}
