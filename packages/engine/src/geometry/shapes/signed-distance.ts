/**
 * The zero set of a signed-distance field; shapes of registered kinds are this kind when they are compiled. Its box is the one of its
 * own frame put into the world. A field on a grid weighs by the cells inside it, one made from a mesh as the mesh,
 * bowls, bolts and nuts as the solids they are.
 */
import type { SignedDistanceShape } from '../../scene/shape.ts';
import { writeLocalBox } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import { gridMass } from '../grid-mass.ts';
import { torusMass } from '../primitive-mass.ts';
import { castDistanceField } from '../ray/cast-distance-field.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import type { BuiltInShape } from './built-in-shape.ts';

export const signedDistance: BuiltInShape<SignedDistanceShape> = {
  kind: 'signedDistance',
  core: CORE.none,
  isGround: false,
  isEndless: false,
  isPlain: false,
  data: 'field',
  picture: undefined,
  sizes: () => [],
  asset: ({ field }) => ['signedDistanceFields', field],
  mass(shape, isShell, assets) {
    const field = assets.signedDistanceField(shape.field);
    if (field.kind === 'torus') return torusMass(field.majorRadius, field.minorRadius, isShell);
    if (field.kind === 'mesh') return assets.mesh(field.mesh, isShell);
    if (field.kind !== 'grid') return assets.solidField(field, isShell);
    return gridMass(field.origin, field.spacing, field.counts, field.values);
  },
  writeBounds(out, o, shape, inflate) {
    writeLocalBox(out, o, (shape.field as SignedDistanceField).bounds, shape, inflate);
  },
  castRay(hit, ray, shape, limit) {
    castDistanceField(hit, ray, shape.field as SignedDistanceField, limit);
  },
};
