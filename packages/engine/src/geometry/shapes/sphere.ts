/** Ball of radius r. Half extents of its box: e = r. */
import type { SphereShape } from '../../scene/shape.ts';
import { writeRange } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import { sphereMass } from '../primitive-mass.ts';
import { castSphere } from '../ray/cast-primitive.ts';
import { createSphereField } from '../signed-distance/primitive-field.ts';
import type { BuiltInShape } from './built-in-shape.ts';
import { rollBall } from './surface-roll.ts';

export const sphere: BuiltInShape<SphereShape> = {
  kind: 'sphere',
  core: CORE.point,
  isGround: false,
  isEndless: false,
  isPlain: true,
  roll: rollBall,
  data: undefined,
  picture: 'sphere',
  sizes: ({ radius }) => [radius],
  reach: ({ 0: r }) => r,
  mass: ({ radius }, isShell) => sphereMass(radius, isShell),
  writeBounds(out, o, { size, position }, inflate) {
    for (let i = 0; i < 3; i++) writeRange(out, o + i, position[i], size[0] + inflate);
  },
  castRay(hit, ray, shape) {
    castSphere(hit, ray, shape.size);
  },
  halfAxis: () => 0,
  field: (size) => createSphereField(size[0]),
  area: (size) => 4 * Math.PI * size[0] * size[0],
  samples: ({ 0: r }, from, choose) => from.ellipsoid(r, r, r, choose(4 * Math.PI * r * r, r)),
  cells: {
    edge: (size) => size[0] / 6,
    halfWidth: (size) => size[0],
    fill: ({ 0: r }, edge, margin, from) => from.ellipsoid(r, r, r, edge, margin),
  },
  solid: (size, edge, from) => from.ball(size[0], edge),
};
