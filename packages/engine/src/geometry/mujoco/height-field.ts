/**
 * Height field and convex shape as in MuJoCo: the ground under the box of the shape is cut into prisms, two to a cell, from the base up to
 * the surface; each prism that the shape overlaps gives one contact, the deepest points of the two. Walls between prisms count.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { HeightField } from '../height-field.ts';
import { type PlacedShape, writeLocalOrigin } from '../placed-shape.ts';
import { collide, witnesses } from './convex-contact.ts';
import { ConvexObject, PRISM } from './convex-object.ts';

/** Most contacts of a pair. */
const MOST = 50;

const prism = /* @__PURE__ */ new ConvexObject();
const shape = /* @__PURE__ */ new ConvexObject();
const position = /* @__PURE__ */ new Float64Array(3);
const rotation = /* @__PURE__ */ new Float64Array(9);
const point = /* @__PURE__ */ new Float64Array(3);

export function testMujocoHeightField(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const field = a.heightField;
  if (field === undefined) return;
  // the shape in the frame of the field
  writeLocalOrigin(position, a, b);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      rotation[3 * i + j] =
        a.rotation[i] * b.rotation[j] + a.rotation[3 + i] * b.rotation[3 + j] + a.rotation[6 + i] * b.rotation[6 + j];
    }
  }
  shape.set(b);
  shape.position = position;
  shape.rotation = rotation;
  const { rows, columns, halfSizeX, halfSizeY } = field;
  const high = findExtent(0, 1);
  const low = findExtent(0, -1);
  const bottom = findExtent(2, -1);
  const top = findExtent(2, 1);
  const back = findExtent(1, 1);
  const front = findExtent(1, -1);
  if (low - reach > halfSizeX || high + reach < -halfSizeX || front - reach > halfSizeY || back + reach < -halfSizeY)
    return;
  if (top + reach < -field.baseDepth) return;
  const firstColumn = Math.max(0, Math.floor(((low - reach + halfSizeX) / (2 * halfSizeX)) * (columns - 1)));
  const lastColumn = Math.min(columns - 1, Math.ceil(((high + reach + halfSizeX) / (2 * halfSizeX)) * (columns - 1)));
  const firstRow = Math.max(0, Math.floor(((front - reach + halfSizeY) / (2 * halfSizeY)) * (rows - 1)));
  const lastRow = Math.min(rows - 1, Math.ceil(((back + reach + halfSizeY) / (2 * halfSizeY)) * (rows - 1)));
  prism.core = PRISM;
  for (let k = 0; k < 3; k++) prism.prism[3 * k + 2] = -field.baseDepth;
  let count = 0;
  for (let row = firstRow; row < lastRow; row++) {
    addCorner(field, row + 1, firstColumn);
    addCorner(field, row, firstColumn);
    for (let column = firstColumn + 1; column <= lastColumn; column++) {
      for (let i = 0; i < 2; i++) {
        addCorner(field, row + 1 - i, column);
        const p = prism.prism;
        const least = bottom - reach;
        if (p[11] < least && p[14] < least && p[17] < least) continue;
        prism.corner = -1;
        prism.inflation = 0;
        shape.inflation = 0;
        if (!collide(prism, shape, reach, 1)) continue;
        addContact(out, a, row * columns + column + i);
        if (++count >= MOST) return;
      }
    }
  }
}

/** How far the shape reaches along an axis, m. */
function findExtent(axis: number, sign: number): number {
  shape.support(point, 0, axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0);
  return point[axis];
}

/** Moves the prism on by one grid point. */
function addCorner({ rows, columns, halfSizeX, halfSizeY, heights }: HeightField, row: number, column: number): void {
  const p = prism.prism;
  for (const o of [0, 9]) {
    for (let k = 0; k < 2; k++) {
      p[o + k] = p[o + 3 + k];
      p[o + 3 + k] = p[o + 6 + k];
    }
  }
  p[11] = p[14];
  p[14] = p[17];
  const x = ((2 * halfSizeX) / (columns - 1)) * column - halfSizeX;
  const y = ((2 * halfSizeY) / (rows - 1)) * row - halfSizeY;
  p[6] = x;
  p[7] = y;
  p[15] = x;
  p[16] = y;
  p[17] = heights[row * columns + column];
}

function addContact(out: ContactPoints, a: PlacedShape, feature: number): void {
  const { x1, x2, normal: n, gap } = witnesses;
  const r = a.rotation;
  const p = a.position;
  const [x, y, z] = [0.5 * (x1[0] + x2[0]), 0.5 * (x1[1] + x2[1]), 0.5 * (x1[2] + x2[2])];
  out.add(
    r[0] * x + r[1] * y + r[2] * z + p[0],
    r[3] * x + r[4] * y + r[5] * z + p[1],
    r[6] * x + r[7] * y + r[8] * z + p[2],
    r[0] * n[0] + r[1] * n[1] + r[2] * n[2],
    r[3] * n[0] + r[4] * n[1] + r[5] * n[2],
    r[6] * n[0] + r[7] * n[1] + r[8] * n[2],
    gap[0],
    feature,
  );
}
