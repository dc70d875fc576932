/** The field that a description asks for: samples on a grid, a closed mesh, or a torus. */
import type { ErrorPlace } from '../../error.ts';
import type { SignedDistanceField } from './field.ts';
import { buildGridField, type Grid } from './grid-field.ts';
import { buildMeshField } from './mesh-field.ts';
import { createTorusField } from './primitive-field.ts';

export type FieldSource =
  | ({ readonly kind: 'grid' } & Grid)
  | {
      readonly kind: 'mesh';
      /** x y z of each vertex, m. */
      readonly vertices: ArrayLike<number>;
      /** Three vertex numbers per triangle, counter-clockwise from outside. */
      readonly faces: ArrayLike<number>;
      /** Distance of neighbouring samples, m. */
      readonly spacing: number;
    }
  | { readonly kind: 'torus'; readonly majorRadius: number; readonly minorRadius: number };

/** @param subject whose field it is, for the error message */
export function buildField(source: FieldSource, subject: string, place: ErrorPlace = {}): SignedDistanceField {
  switch (source.kind) {
    case 'grid':
      return buildGridField(source, subject, place);
    case 'mesh':
      return buildMeshField(source.vertices, source.faces, source.spacing, subject, place);
    case 'torus':
      return createTorusField(source.majorRadius, source.minorRadius, subject, place);
  }
}
