/**
 * Boxes along the world's axes around placed shapes, m: centre p, rotation R (rows i, columns k), half extents e along axis i.
 *
 *   sphere       e = r
 *   capsule      e = h |Rᵢ₂| + r
 *   cylinder     e = h |Rᵢ₂| + r √(Rᵢ₀² + Rᵢ₁²)      the disc's shadow: r times the sine of the angle to the axis
 *   ellipsoid    e = √(Σ (Rᵢₖ aₖ)²)                  support of the unit ball under the map R diag(a)
 *   box          e = Σ |Rᵢₖ| sₖ
 *
 * These are exact, and so is the box of a convex polyhedron, over all its vertices. Triangle meshes, height fields and
 * distance fields have the box of their own frame put into the world: exact while that frame stands along the world's axes.
 * A plane is a solid half-space: endless except upwards along its normal, where that is an axis of the world.
 */
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { HeightField } from '../height-field.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import type { TriangleMesh } from '../triangle-mesh/triangle-mesh.ts';
import { heightExtent } from './height-extent.ts';
import { UNBOUNDED } from './unbounded.ts';

const local = /* @__PURE__ */ new Float64Array(6);

/** Writes the box of a shape, grown by `inflate` (m) on all sides, at offset o: low x y z, high x y z. */
export function writeShapeBounds(out: Float64Array, o: number, shape: PlacedShape, inflate: number): void {
  const { size, position, rotation } = shape;
  switch (shape.kind) {
    case SHAPE.plane:
      writePlane(out, o, position, rotation, inflate);
      return;
    case SHAPE.sphere:
      for (let i = 0; i < 3; i++) writeRange(out, o + i, position[i], size[0] + inflate);
      return;
    case SHAPE.capsule:
      for (let i = 0; i < 3; i++) {
        writeRange(out, o + i, position[i], size[1] * Math.abs(rotation[3 * i + 2]) + size[0] + inflate);
      }
      return;
    case SHAPE.cylinder:
      for (let i = 0; i < 3; i++) {
        const x = rotation[3 * i];
        const y = rotation[3 * i + 1];
        const half = size[1] * Math.abs(rotation[3 * i + 2]) + size[0] * Math.sqrt(x * x + y * y);
        writeRange(out, o + i, position[i], half + inflate);
      }
      return;
    case SHAPE.ellipsoid:
      for (let i = 0; i < 3; i++) {
        const x = rotation[3 * i] * size[0];
        const y = rotation[3 * i + 1] * size[1];
        const z = rotation[3 * i + 2] * size[2];
        writeRange(out, o + i, position[i], Math.sqrt(x * x + y * y + z * z) + inflate);
      }
      return;
    case SHAPE.box:
      for (let i = 0; i < 3; i++) {
        const x = Math.abs(rotation[3 * i]) * size[0];
        const y = Math.abs(rotation[3 * i + 1]) * size[1];
        const z = Math.abs(rotation[3 * i + 2]) * size[2];
        writeRange(out, o + i, position[i], x + y + z + inflate);
      }
      return;
    case SHAPE.convexMesh:
      writeVertices(out, o, (shape.hull as ConvexPolyhedron).vertices, shape, inflate);
      return;
    case SHAPE.triangleMesh:
      writeLocalBox(out, o, (shape.mesh as TriangleMesh).tree.bounds, shape, inflate);
      return;
    case SHAPE.heightField:
      writeLocalBox(out, o, heightFieldBox(shape.heightField as HeightField), shape, inflate);
      return;
    case SHAPE.signedDistance:
      writeLocalBox(out, o, (shape.field as SignedDistanceField).bounds, shape, inflate);
  }
}

function writeRange(out: Float64Array, o: number, center: number, half: number): void {
  out[o] = center - half;
  out[o + 3] = center + half;
}

/** Half-space below z = 0 of the frame. */
function writePlane(
  out: Float64Array,
  o: number,
  position: Float64Array,
  rotation: Float64Array,
  inflate: number,
): void {
  for (let i = 0; i < 3; i++) {
    const normal = rotation[3 * i + 2];
    out[o + i] = normal === -1 ? position[i] - inflate : -UNBOUNDED;
    out[o + 3 + i] = normal === 1 ? position[i] + inflate : UNBOUNDED;
  }
}

/** Box of points of the shape's frame. */
function writeVertices(
  out: Float64Array,
  o: number,
  vertices: Float64Array,
  { position, rotation }: PlacedShape,
  inflate: number,
): void {
  for (let i = 0; i < 3; i++) {
    const x = rotation[3 * i];
    const y = rotation[3 * i + 1];
    const z = rotation[3 * i + 2];
    let low = Infinity;
    let high = -Infinity;
    for (let v = 0; v < vertices.length; v += 3) {
      const along = x * vertices[v] + y * vertices[v + 1] + z * vertices[v + 2];
      if (along < low) low = along;
      if (along > high) high = along;
    }
    out[o + i] = position[i] + low - inflate;
    out[o + 3 + i] = position[i] + high + inflate;
  }
}

/** Box around a box of the shape's frame, which may be endless: sums of the least and largest shares of its edges. */
function writeLocalBox(
  out: Float64Array,
  o: number,
  box: Float64Array,
  { position, rotation }: PlacedShape,
  inflate: number,
): void {
  for (let i = 0; i < 3; i++) {
    let low = position[i] - inflate;
    let high = position[i] + inflate;
    for (let k = 0; k < 3; k++) {
      const r = rotation[3 * i + k];
      if (r === 0) continue;
      low += r * (r > 0 ? box[k] : box[3 + k]);
      high += r * (r > 0 ? box[3 + k] : box[k]);
    }
    out[o + i] = Math.max(low, -UNBOUNDED);
    out[o + 3 + i] = Math.min(high, UNBOUNDED);
  }
}

function heightFieldBox(field: HeightField): Float64Array {
  const { low, high } = heightExtent(field);
  local[0] = -field.halfSizeX;
  local[1] = -field.halfSizeY;
  local[2] = Math.min(low, -field.baseDepth);
  local[3] = field.halfSizeX;
  local[4] = field.halfSizeY;
  local[5] = high;
  return local;
}
