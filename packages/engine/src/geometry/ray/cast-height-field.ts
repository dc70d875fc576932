/**
 * A ray against terrain in its frame: the solid between −baseDepth and the height h(x, y) over the rectangle of the grid. Each
 * cell has two triangles, parted by the diagonal from its corner of low x and y to that of high x and y.
 *
 * Along the ray the height above ground g(t) = z(t) − h(x(t), y(t)) is continuous and straight between the places where the
 * ray crosses a line of the grid or a diagonal. The traversal goes from one such point to the next until g changes sign, so a ray
 * cannot slip through between pieces. (Amanatides and Woo 1987, A fast voxel traversal algorithm.)
 *
 * u, v: grid coordinates along x and y, in cells; c, r: column and row of a cell; t: in multiples of the direction.
 */
import { heightExtent } from '../bounds/height-extent.ts';
import type { HeightField } from '../height-field.ts';
import type { RayHit } from './ray-hit.ts';

/** Where the ray is over the rectangle: enters, leaves. The axes whose borders it crosses there (−1: none). */
const span = /* @__PURE__ */ new Float64Array(2);
let enterAxis = -1;
let leaveAxis = -1;

/** Plane of a triangle: height at the corner of its cell, rises along u and v. */
const plane = /* @__PURE__ */ new Float64Array(3);

export function castHeightField(hit: RayHit, ray: Float64Array, field: HeightField): void {
  if (!crossRectangle(ray, field)) return;
  const rate = ray[5];
  const bottom = rate === 0 ? Infinity : (-field.baseDepth - ray[2]) / rate;

  // from below: through the bottom
  let enter = span[0];
  let leave = span[1];
  const start = heightAt(ray, enter);
  if (start < -field.baseDepth || (start === -field.baseDepth && rate > 0)) {
    if (rate > 0 && bottom <= leave) hit.set(Math.max(bottom, 0), 0, 0, -1, -1);
    return;
  }

  // from above: down through the ground; the part above all ground is skipped
  if (groundGap(ray, field, enter) >= 0) {
    const { high } = heightExtent(field);
    if (start > high) {
      if (!(rate < 0)) return;
      enter = Math.max(enter, (high - ray[2]) / rate);
      if (enter > leave) return;
    }
    walkGround(hit, ray, field, enter, leave, false);
    return;
  }

  // from the side
  if (enterAxis >= 0) {
    setSide(hit, enter, enterAxis, ray[3 + enterAxis] > 0 ? -1 : 1);
    return;
  }

  // from inside: out through the ground, the bottom or a side
  const leavesBottom = rate < 0 && bottom <= leave;
  if (leavesBottom) leave = Math.max(bottom, 0);
  if (walkGround(hit, ray, field, enter, leave, true)) return;
  if (leavesBottom) hit.set(leave, 0, 0, -1, -1);
  else if (leaveAxis >= 0) setSide(hit, leave, leaveAxis, ray[3 + leaveAxis] > 0 ? 1 : -1);
}

/** Finds where g falls below zero (or rises above it: upward) between enter and leave. */
function walkGround(
  hit: RayHit,
  ray: Float64Array,
  field: HeightField,
  enter: number,
  leave: number,
  upward: boolean,
): boolean {
  const { rows, columns, halfSizeX, halfSizeY } = field;
  const perX = (columns - 1) / (2 * halfSizeX);
  const perY = (rows - 1) / (2 * halfSizeY);
  const u0 = (ray[0] + halfSizeX) * perX;
  const v0 = (ray[1] + halfSizeY) * perY;
  const du = ray[3] * perX;
  const dv = ray[4] * perY;
  const sign = upward ? -1 : 1;
  let c = clampCell(u0 + enter * du, columns);
  let r = clampCell(v0 + enter * dv, rows);

  // straight up or down: one triangle
  if (du === 0 && dv === 0) {
    fitTriangle(field, c, r, u0 - c >= v0 - r);
    const t = (plane[0] + plane[1] * (u0 - c) + plane[2] * (v0 - r) - ray[2]) / ray[5];
    if (!(sign * ray[5] < 0)) return false;
    setGround(hit, Math.max(t, enter), perX, perY);
    return true;
  }

  for (let from = enter; ; ) {
    // the cell ends at a column line, a row line or with the stretch
    const nextU = du === 0 ? Infinity : (c + (du > 0 ? 1 : 0) - u0) / du;
    const nextV = dv === 0 ? Infinity : (r + (dv > 0 ? 1 : 0) - v0) / dv;
    const end = Math.max(from, Math.min(nextU, nextV, leave));
    const diagonal = du === dv ? Infinity : (c - r - (u0 - v0)) / (du - dv);
    while (from < end) {
      const to = diagonal > from && diagonal < end ? diagonal : end;
      const middle = 0.5 * (from + to);
      fitTriangle(field, c, r, u0 + middle * du - c >= v0 + middle * dv - r);
      const before = sign * gapAbove(ray, from, u0 + from * du - c, v0 + from * dv - r);
      const after = sign * gapAbove(ray, to, u0 + to * du - c, v0 + to * dv - r);
      if (after < 0) {
        setGround(hit, before > 0 ? from + (to - from) * (before / (before - after)) : from, perX, perY);
        return true;
      }
      from = to;
    }
    if (end >= leave) return false;

    // on to the next cell
    if (nextU <= nextV) c += du > 0 ? 1 : -1;
    if (nextV <= nextU) r += dv > 0 ? 1 : -1;
    if (c < 0 || r < 0 || c > columns - 2 || r > rows - 2) return false;
    from = end;
  }
}

/** Stretch of the ray over the rectangle of the grid, from the origin on, to span. */
function crossRectangle(ray: Float64Array, { halfSizeX, halfSizeY }: HeightField): boolean {
  let enter = 0;
  let leave = Infinity;
  enterAxis = -1;
  leaveAxis = -1;
  for (let k = 0; k < 2; k++) {
    const half = k === 0 ? halfSizeX : halfSizeY;
    const d = ray[3 + k];
    if (d === 0) {
      if (Math.abs(ray[k]) > half) return false;
      continue;
    }
    const s = d > 0 ? half : -half;
    const a = (-s - ray[k]) / d;
    const b = (s - ray[k]) / d;
    if (a >= enter) {
      enter = a;
      enterAxis = k;
    }
    if (b < leave) {
      leave = b;
      leaveAxis = k;
    }
  }
  span[0] = enter;
  span[1] = leave;
  return enter <= leave;
}

/** Height of the ray above ground. */
function groundGap(ray: Float64Array, field: HeightField, t: number): number {
  const u = ((ray[0] + t * ray[3] + field.halfSizeX) * (field.columns - 1)) / (2 * field.halfSizeX);
  const v = ((ray[1] + t * ray[4] + field.halfSizeY) * (field.rows - 1)) / (2 * field.halfSizeY);
  const c = clampCell(u, field.columns);
  const r = clampCell(v, field.rows);
  fitTriangle(field, c, r, u - c >= v - r);
  return gapAbove(ray, t, u - c, v - r);
}

/** Height of the ray above the plane of the fitted triangle, u and v from its corner. */
function gapAbove(ray: Float64Array, t: number, u: number, v: number): number {
  return heightAt(ray, t) - (plane[0] + plane[1] * u + plane[2] * v);
}

/** Plane of the triangle of cell (c, r) below the diagonal (u ≥ v) or above it. */
function fitTriangle({ heights, columns }: HeightField, c: number, r: number, below: boolean): void {
  const k = r * columns + c;
  const corner = heights[k];
  const opposite = heights[k + columns + 1];
  plane[0] = corner;
  if (below) {
    plane[1] = heights[k + 1] - corner;
    plane[2] = opposite - heights[k + 1];
  } else {
    plane[1] = opposite - heights[k + columns];
    plane[2] = heights[k + columns] - corner;
  }
}

/** A hit of the fitted triangle. */
function setGround(hit: RayHit, t: number, perX: number, perY: number): void {
  const x = -plane[1] * perX;
  const y = -plane[2] * perY;
  const length = Math.sqrt(x * x + y * y + 1);
  hit.set(t, x / length, y / length, 1 / length, -1);
}

function setSide(hit: RayHit, t: number, axis: number, sign: number): void {
  hit.set(t, axis === 0 ? sign : 0, axis === 1 ? sign : 0, 0, -1);
}

function heightAt(ray: Float64Array, t: number): number {
  return ray[2] + t * ray[5];
}

function clampCell(x: number, samples: number): number {
  return x > 0 ? (x < samples - 2 ? Math.floor(x) : samples - 2) : 0;
}
