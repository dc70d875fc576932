/** Ball of radius r. Half extents of its box: e = r. */
import type { SphereShape } from '../../scene/shape.ts';
import { writeRange } from '../bounds/box-writers.ts';
import { sphereMass } from '../primitive-mass.ts';
import { castSphere } from '../ray/cast-primitive.ts';
import { createSphereField } from '../signed-distance/primitive-field.ts';
import type { BuiltInShape } from './built-in-shape.ts';

export const sphere: BuiltInShape<SphereShape> = {
  kind: 'sphere',
  isConvex: true,
  isGround: false,
  isEndless: false,
  isPlain: true,
  data: undefined,
  picture: 'sphere',
  sizes: ({ radius }) => [radius],
  mass: ({ radius }, isShell) => sphereMass(radius, isShell),
  writeBounds(out, o, { size, position }, inflate) {
    for (let i = 0; i < 3; i++) writeRange(out, o + i, position[i], size[0] + inflate);
  },
  castRay(hit, ray, shape) {
    castSphere(hit, ray, shape.size);
  },
  core: () => 0,
  field: (size) => createSphereField(size[0]),
};
