/**
 * Signed distance of terrain: the solid between −baseDepth and the height over the rectangle of the grid, each cell cut from
 * its corner of low x and y to that of high x and y. Exact within a few cells of the ground; farther away a lower bound of
 * the distance, since only triangles in a window around the point are checked.
 *
 *   above     the nearest triangle
 *   beside    the nearest point of the walls where they are as high as the point, else the nearest triangle
 *   below     out through the nearest of ground, walls and bottom
 */
import type { HeightField } from '../height-field.ts';
import { findNearestOnTriangle, NearestOnTriangle } from '../triangle-distance.ts';
import type { SignedDistanceField } from './field.ts';

export function createTerrainField(terrain: HeightField): SignedDistanceField {
  return new TerrainField(terrain);
}

/** Half the window, in cells. */
const WINDOW = 4;

class TerrainField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  readonly #terrain: HeightField;
  readonly #cellX: number;
  readonly #cellY: number;

  constructor(terrain: HeightField) {
    this.#terrain = terrain;
    this.#cellX = (2 * terrain.halfSizeX) / (terrain.columns - 1);
    this.#cellY = (2 * terrain.halfSizeY) / (terrain.rows - 1);
    const { halfSizeX: x, halfSizeY: y, heights } = terrain;
    let top = -terrain.baseDepth;
    for (let n = 0; n < heights.length; n++) top = Math.max(top, heights[n]);
    this.bounds = Float64Array.of(-x, -y, -terrain.baseDepth, x, y, top);
  }

  distance(x: number, y: number, z: number): number {
    return this.gradient(scratch, x, y, z);
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const { halfSizeX, halfSizeY, baseDepth } = this.#terrain;
    const qx = Math.min(Math.max(x, -halfSizeX), halfSizeX);
    const qy = Math.min(Math.max(y, -halfSizeY), halfSizeY);
    const ground = this.#heightAt(qx, qy);
    if (z > ground) return this.#fromGround(out, x, y, z, qx, qy, ground, 1);
    // beside or below the walls
    const dx = x - qx;
    const dy = y - qy;
    const dz = Math.min(z + baseDepth, 0);
    if (dx !== 0 || dy !== 0 || dz !== 0) {
      const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
      out[0] = dx / d;
      out[1] = dy / d;
      out[2] = dz / d;
      return d;
    }
    // inside: ground, walls or bottom, whichever is nearest
    let depth = -this.#fromGround(out, x, y, z, qx, qy, ground, -1);
    const wallX = halfSizeX - Math.abs(x);
    const wallY = halfSizeY - Math.abs(y);
    const bottom = z + baseDepth;
    if (wallX < depth) depth = point(out, wallX, x < 0 ? -1 : 1, 0, 0);
    if (wallY < depth) depth = point(out, wallY, 0, y < 0 ? -1 : 1, 0);
    if (bottom < depth) depth = point(out, bottom, 0, 0, -1);
    return -depth;
  }

  // distance with sign `side` from the triangles in the window around the point, whose foot on the rectangle is q
  #fromGround(
    out: Float64Array,
    x: number,
    y: number,
    z: number,
    qx: number,
    qy: number,
    ground: number,
    side: number,
  ): number {
    const { rows, columns, halfSizeX, halfSizeY, heights } = this.#terrain;
    const cellX = this.#cellX;
    const cellY = this.#cellY;
    // the ground at the foot is near enough: nothing beyond that distance matters, nor beyond the window
    const foot = Math.sqrt((x - qx) * (x - qx) + (y - qy) * (y - qy) + (z - ground) * (z - ground));
    const window = WINDOW * Math.min(cellX, cellY);
    const reach = Math.min(foot, window);
    const firstColumn = clampCell((x - reach + halfSizeX) / cellX, columns);
    const lastColumn = clampCell((x + reach + halfSizeX) / cellX, columns);
    const firstRow = clampCell((y - reach + halfSizeY) / cellY, rows);
    const lastRow = clampCell((y + reach + halfSizeY) / cellY, rows);
    let best = Infinity;
    let nx = 0;
    let ny = 0;
    let nz = 1;
    let fx = qx;
    let fy = qy;
    let fz = ground;
    for (let r = firstRow; r <= lastRow; r++) {
      for (let c = firstColumn; c <= lastColumn; c++) {
        const n = r * columns + c;
        const x0 = c * cellX - halfSizeX;
        const y0 = r * cellY - halfSizeY;
        for (let half = 0; half < 2; half++) {
          setCorner(0, x0, y0, heights[n]);
          setCorner(
            3,
            x0 + cellX,
            half === 0 ? y0 : y0 + cellY,
            half === 0 ? heights[n + 1] : heights[n + columns + 1],
          );
          setCorner(6, half === 0 ? x0 + cellX : x0, y0 + cellY, heights[half === 0 ? n + columns + 1 : n + columns]);
          const squared = findNearestOnTriangle(nearest, corners, 0, x, y, z);
          if (squared >= best) continue;
          best = squared;
          fx = nearest.point[0];
          fy = nearest.point[1];
          fz = nearest.point[2];
          // its normal, for points on it
          const rise = half === 0 ? heights[n + 1] - heights[n] : heights[n + columns + 1] - heights[n + columns];
          const climb = half === 0 ? heights[n + columns + 1] - heights[n + 1] : heights[n + columns] - heights[n];
          nx = -rise / cellX;
          ny = -climb / cellY;
          nz = 1;
        }
      }
    }
    const d = Math.sqrt(best);
    const isOn = !(d > 1e-12 * (halfSizeX + halfSizeY));
    const gx = isOn ? nx : side * (x - fx);
    const gy = isOn ? ny : side * (y - fy);
    const gz = isOn ? nz : side * (z - fz);
    const scale = 1 / Math.sqrt(gx * gx + gy * gy + gz * gz);
    out[0] = gx * scale;
    out[1] = gy * scale;
    out[2] = gz * scale;
    // triangles beyond the window are farther than it is wide
    return side * (d <= window ? d : Math.min(d, Math.max(window, z - this.bounds[5])));
  }

  #heightAt(x: number, y: number): number {
    const { rows, columns, halfSizeX, halfSizeY, heights } = this.#terrain;
    const u = (x + halfSizeX) / this.#cellX;
    const v = (y + halfSizeY) / this.#cellY;
    const c = clampCell(u, columns);
    const r = clampCell(v, rows);
    const s = u - c;
    const t = v - r;
    const n = r * columns + c;
    const corner = heights[n];
    const opposite = heights[n + columns + 1];
    if (s > t) return corner + s * (heights[n + 1] - corner) + t * (opposite - heights[n + 1]);
    return corner + t * (heights[n + columns] - corner) + s * (opposite - heights[n + columns]);
  }
}

const scratch = /* @__PURE__ */ new Float64Array(3);
const corners = /* @__PURE__ */ new Float64Array(9);
const nearest = /* @__PURE__ */ new NearestOnTriangle();

function setCorner(o: number, x: number, y: number, z: number): void {
  corners[o] = x;
  corners[o + 1] = y;
  corners[o + 2] = z;
}

function clampCell(u: number, count: number): number {
  return Math.min(Math.max(Math.floor(u), 0), count - 2);
}

function point(out: Float64Array, depth: number, x: number, y: number, z: number): number {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return depth;
}
