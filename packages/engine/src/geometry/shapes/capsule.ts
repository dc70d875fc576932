/** Cylinder of radius r and half length h along z with half-spheres at its ends. Half extents of its box: e = h |Rᵢ₂| + r. */
import type { CapsuleShape } from '../../scene/shape.ts';
import { writeRange } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import { capsuleMass } from '../primitive-mass.ts';
import { castCapsule } from '../ray/cast-primitive.ts';
import { createCapsuleField } from '../signed-distance/primitive-field.ts';
import type { BuiltInShape } from './built-in-shape.ts';
import { rollBall } from './surface-roll.ts';

export const capsule: BuiltInShape<CapsuleShape> = {
  kind: 'capsule',
  core: CORE.segment,
  isGround: false,
  isEndless: false,
  isPlain: true,
  roll: rollBall,
  data: undefined,
  picture: 'capsule',
  sizes: ({ radius, halfLength }) => [radius, halfLength],
  reach: ({ 0: r, 1: h }) => r + h,
  mass: ({ radius, halfLength }, isShell) => capsuleMass(radius, halfLength, isShell),
  writeBounds(out, o, { size, position, rotation }, inflate) {
    for (let i = 0; i < 3; i++) {
      writeRange(out, o + i, position[i], size[1] * Math.abs(rotation[3 * i + 2]) + size[0] + inflate);
    }
  },
  castRay(hit, ray, shape) {
    castCapsule(hit, ray, shape.size);
  },
  halfAxis: (size) => size[1],
  field: (size) => createCapsuleField(size[0], size[1]),
  area: (size) => 4 * Math.PI * size[0] * (size[0] + size[1]),
  samples({ 0: r, 1: h }, from, choose) {
    const area = 4 * Math.PI * r * (r + h);
    const radius = choose(area, r + h);
    return from.field(createCapsuleField(r, h), Math.ceil(area / (2 * radius * radius)));
  },
  cells: {
    edge: (size) => size[0] / 6,
    halfWidth: (size) => size[0],
    fill: (size, edge, margin, from) => from.capsule(size[0], size[1], edge, margin),
  },
};
