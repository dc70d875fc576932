/** The half-space below z = 0 of its frame: endless except upwards along its normal, where that is an axis of the world. */
import type { PlaneShape } from '../../scene/shape.ts';
import { UNBOUNDED } from '../bounds/unbounded.ts';
import { CORE } from '../convex/core-kind.ts';
import { createMassProperties } from '../mass-properties.ts';
import { castPlane } from '../ray/cast-primitive.ts';
import { createPlaneField } from '../signed-distance/primitive-field.ts';
import type { BuiltInShape } from './built-in-shape.ts';

export const plane: BuiltInShape<PlaneShape> = {
  kind: 'plane',
  core: CORE.none,
  isGround: true,
  isEndless: true,
  isPlain: false,
  isFlat: true,
  data: undefined,
  picture: 'plane',
  sizes: ({ halfSize = [0, 0] }) => halfSize,
  mass: () => createMassProperties(),
  writeBounds(out, o, { position, rotation }, inflate) {
    for (let i = 0; i < 3; i++) {
      const normal = rotation[3 * i + 2];
      out[o + i] = normal === -1 ? position[i] - inflate : -UNBOUNDED;
      out[o + 3 + i] = normal === 1 ? position[i] + inflate : UNBOUNDED;
    }
  },
  castRay(hit, ray, shape) {
    castPlane(hit, ray, shape.size);
  },
  field: () => createPlaneField(),
};
