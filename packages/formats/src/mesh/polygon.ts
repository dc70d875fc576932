/**
 * Polygons into triangles. A quad is cut along its shorter diagonal; larger polygons by ear clipping in the plane of
 * their (Newell) normal n = ½ Σ pᵢ × pᵢ₊₁: a corner is an ear when it turns left and no other corner lies in its triangle.
 */

import { clipPlainEars } from './plain-ears.ts';

/** How many comparisons of corners the polygons of a file may still take; below 0 where they took more. */
export interface CuttingBudget {
  left: number;
}

/**
 * Appends the triangles of a polygon to `faces`; `corners` are vertex indices in order. Stops where the budget is used up. @param isPlain
 * cuts as the reader of MuJoCo does.
 */
export function triangulatePolygon(
  vertices: readonly number[],
  corners: readonly number[],
  faces: number[],
  budget: CuttingBudget,
  isPlain = false,
): void {
  if (corners.length === 3) {
    faces.push(corners[0]!, corners[1]!, corners[2]!);
  } else if (corners.length === 4) {
    const [a, b, c, d] = corners as [number, number, number, number];
    if (squaredDistance(vertices, a, c) < squaredDistance(vertices, b, d)) faces.push(a, b, c, a, c, d);
    else faces.push(a, b, d, b, c, d);
  } else if (isPlain) {
    // each corner may be looked at from each other once per cut
    budget.left -= corners.length ** 2;
    if (budget.left >= 0) clipPlainEars(vertices, corners, faces);
  } else {
    clipEars(vertices, corners, faces, budget);
  }
}

/** |p − q|² in single precision, so that ties fall as they do in single-precision readers. */
function squaredDistance(vertices: readonly number[], p: number, q: number): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const difference = Math.fround(vertices[3 * p + axis]! - vertices[3 * q + axis]!);
    sum = Math.fround(sum + Math.fround(difference * difference));
  }
  return sum;
}

function clipEars(
  vertices: readonly number[],
  corners: readonly number[],
  faces: number[],
  budget: CuttingBudget,
): void {
  // project along the largest component of the normal, keeping the orientation
  const normal = [0, 0, 0];
  corners.forEach((p, i) => {
    const q = corners[(i + 1) % corners.length]!;
    for (let axis = 0; axis < 3; axis++) {
      const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
      normal[axis]! += vertices[3 * p + j]! * vertices[3 * q + k]! - vertices[3 * p + k]! * vertices[3 * q + j]!;
    }
  });
  const size = normal.map(Math.abs);
  const drop = size.indexOf(Math.max(...size));
  const first = (drop + 1) % 3;
  const second = (drop + 2) % 3;
  const sign = normal[drop]! < 0 ? -1 : 1;
  const turn = (a: number, b: number, c: number): number => {
    const [ax, ay] = [vertices[3 * a + first]!, vertices[3 * a + second]!];
    const [bx, by] = [vertices[3 * b + first]!, vertices[3 * b + second]!];
    const [cx, cy] = [vertices[3 * c + first]!, vertices[3 * c + second]!];
    return sign * ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
  };

  // cut ears until a triangle is left; a polygon without an ear (flat or crossing itself) loses its first corner
  const rest = [...corners];
  while (rest.length > 3 && budget.left >= 0) {
    const count = rest.length;
    let ear = rest.findIndex((b, i) => {
      const a = rest[(i + count - 1) % count]!;
      const c = rest[(i + 1) % count]!;
      budget.left--;
      if (!(turn(a, b, c) > 0)) return false;
      budget.left -= count;
      return !rest.some(
        (p) => p !== a && p !== b && p !== c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0,
      );
    });
    if (ear < 0) ear = 0;
    faces.push(rest[(ear + count - 1) % count]!, rest[ear]!, rest[(ear + 1) % count]!);
    rest.splice(ear, 1);
  }
  faces.push(rest[0]!, rest[1]!, rest[2]!);
}
