/**
 * Polygons into triangles by the rule of the OBJ reader that MuJoCo uses (tinyobjloader), in single precision: polygons that are not
 * flat, and hulls and masses that follow from their triangles, are then those of MuJoCo.
 *
 * The polygon is seen along the axis in which its first real corner turns most. From a corner on, three in a row are cut off where they
 * turn the way in which the first two go round the origin and no other corner lies among them; else the next corner is tried. What has no such three
 * in a whole round is left out, and so is all that remains after a cut at the very end of a round.
 */

const EPSILON = 1.1920929e-7;

/** Appends the triangles of a polygon of more than four corners. */
export function clipPlainEars(vertices: readonly number[], corners: readonly number[], faces: number[]): void {
  const [u, v] = chooseAxes(vertices, corners);
  const rest = [...corners];
  let start = 0;
  let turns = rest.length;
  let before = rest.length;
  while (rest.length > 3 && turns > 0) {
    const count = rest.length;
    turns = count === before ? turns - 1 : count;
    before = count;
    if (start >= count) start -= count;
    const [a, b, c] = [0, 1, 2].map((k) => rest[(start + k) % count]!) as [number, number, number];
    const x = [a, b, c].map((corner) => vertices[3 * corner + u]!);
    const y = [a, b, c].map((corner) => vertices[3 * corner + v]!);
    const turn = cross(x[1]! - x[0]!, y[1]! - y[0]!, x[2]! - x[1]!, y[2]! - y[1]!);
    const around = cross(x[0]!, y[0]!, x[1]!, y[1]!);
    const isEar =
      turn * around >= 0 &&
      !rest.some((_, k) => {
        if (k < 3) return false;
        const other = rest[(start + k) % count]!;
        return isInside(x, y, vertices[3 * other + u]!, vertices[3 * other + v]!);
      });
    if (!isEar) {
      start++;
      continue;
    }
    faces.push(a, b, c);
    rest.splice((start + 1) % count, 1);
  }
  if (rest.length === 3) faces.push(rest[0]!, rest[1]!, rest[2]!);
}

/** The two axes across the one in which the first corner that is not straight turns most. */
function chooseAxes(vertices: readonly number[], corners: readonly number[]): [number, number] {
  const count = corners.length;
  for (let k = 0; k < count; k++) {
    const [p, q, r] = [0, 1, 2].map((step) => 3 * corners[(k + step) % count]!) as [number, number, number];
    const e = [0, 1, 2].map((axis) => Math.fround(vertices[q + axis]! - vertices[p + axis]!));
    const f = [0, 1, 2].map((axis) => Math.fround(vertices[r + axis]! - vertices[q + axis]!));
    const [cx, cy, cz] = [0, 1, 2].map((axis) => {
      const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
      return Math.abs(cross(e[i]!, e[j]!, f[i]!, f[j]!));
    }) as [number, number, number];
    if (cx <= EPSILON && cy <= EPSILON && cz <= EPSILON) continue;
    if (cx > cy && cx > cz) return [1, 2];
    return cz > cx && cz > cy ? [0, 1] : [0, 2];
  }
  return [1, 2];
}

function cross(ax: number, ay: number, bx: number, by: number): number {
  const [x0, y0, x1, y1] = [Math.fround(ax), Math.fround(ay), Math.fround(bx), Math.fround(by)];
  return Math.fround(Math.fround(x0 * y1) - Math.fround(y0 * x1));
}

/** Whether a ray from the point crosses the triangle an odd number of times. */
function isInside(x: readonly number[], y: readonly number[], px: number, py: number): boolean {
  let inside = false;
  for (let i = 0, j = 2; i < 3; j = i++) {
    if (y[i]! > py === y[j]! > py) continue;
    if (px < ((x[j]! - x[i]!) * (py - y[i]!)) / (y[j]! - y[i]!) + x[i]!) inside = !inside;
  }
  return inside;
}
