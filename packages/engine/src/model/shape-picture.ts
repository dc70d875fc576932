/**
 * How viewers draw a shape: a few solids that they support, meshes, terrain, and triangles for
 * everything else. A new kind of shape needs no change here: it is drawn by its triangles.
 */
import type { PictureKind } from '../geometry/shapes/built-in-shape.ts';
import { SHAPE_TABLE, triangulateKind } from '../geometry/shapes/shape-table.ts';
import type { TracedSurface } from '../geometry/signed-distance/trace-surface.ts';
import type { Model } from './model.ts';

/** How a viewer draws a shape: a solid with its sizes, or triangles. */
export interface ShapePicture {
  readonly kind: PictureKind | 'torus' | 'triangles';
  /** Of solids: those of PlacedShape; of a torus the radii of ring and tube, m. */
  readonly size: readonly [number, number, number];
  /** Number of the mesh or height field; −1 for others. */
  readonly asset: number;
  /** Whether it is the ground: a plane without end. */
  readonly isEndless: boolean;
  /** Of `triangles`, in the frame of the shape. */
  readonly surface: TracedSurface | undefined;
}

/** The picture of shape s; undefined where there is none, as of distances on a grid. */
export function describePicture(model: Model, s: number): ShapePicture | undefined {
  const { shape, geometry, mesh, signedDistanceField } = model;
  const asset = shape.asset[s];
  const { picture, isEndless } = SHAPE_TABLE[shape.kind[s]];
  if (picture !== undefined) {
    const [a, b, c] = shape.size.subarray(3 * s, 3 * s + 3);
    return { kind: picture, size: [a, b, c], asset, isEndless, surface: undefined };
  }
  const surface =
    triangulateKind(shape.kind[s], shape.size.slice(3 * s, 3 * s + 3)) ?? geometry.fieldSurface[asset]?.();
  if (surface) return { kind: 'triangles', size: [0, 0, 0], asset: -1, isEndless, surface };
  const field = signedDistanceField[asset];
  if (field?.kind === 'torus')
    return { kind: 'torus', size: [field.majorRadius, field.minorRadius, 0], asset: -1, isEndless, surface: undefined };
  const number = field?.kind === 'mesh' ? mesh.name.indexOf(field.mesh) : -1;
  return number >= 0 ? { kind: 'mesh', size: [0, 0, 0], asset: number, isEndless, surface: undefined } : undefined;
}
