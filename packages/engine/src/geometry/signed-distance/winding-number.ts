/**
 * Generalised winding number of a point: the solid angles of all triangles over 4π. One inside a closed surface, zero
 * outside, and still close to these where a surface passes through itself a little.
 *
 *   tan ½Ω = a · (b × c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)
 *
 * a, b, c the corners seen from the point. Sources: Van Oosterom, Strackee (1983); Jacobson, Kavan, Sorkine-Hornung (2013).
 */
import { atan2 } from '../../linear-algebra/elementary.ts';

const FULL_ANGLE = 12.566370614359172; // 4 π

/**
 * @param corners nine coordinates per triangle, m
 * @param start where the first triangle begins, and where the last ends
 */
export function computeWindingNumber(
  corners: Float64Array,
  x: number,
  y: number,
  z: number,
  start = 0,
  end: number = corners.length,
): number {
  let sum = 0;
  for (let o = start; o < end; o += 9) {
    const ax = corners[o] - x;
    const ay = corners[o + 1] - y;
    const az = corners[o + 2] - z;
    const bx = corners[o + 3] - x;
    const by = corners[o + 4] - y;
    const bz = corners[o + 5] - z;
    const cx = corners[o + 6] - x;
    const cy = corners[o + 7] - y;
    const cz = corners[o + 8] - z;
    const a = Math.sqrt(ax * ax + ay * ay + az * az);
    const b = Math.sqrt(bx * bx + by * by + bz * bz);
    const c = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const ab = ax * bx + ay * by + az * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    sum += 2 * atan2(volume, a * b * c + ab * c + bc * a + ca * b);
  }
  return sum / FULL_ANGLE;
}
