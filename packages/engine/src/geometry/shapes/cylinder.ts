/**
 * Cylinder of radius r and half length h along z. Half extents of its box: e = h |Rᵢ₂| + r √(Rᵢ₀² + Rᵢ₁²), where the disc
 * contributes r times the sine of the angle between axis i and z.
 */
import type { CylinderShape } from '../../scene/shape.ts';
import { writeRange } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import { cylinderMass } from '../primitive-mass.ts';
import { castCylinder } from '../ray/cast-primitive.ts';
import { createCylinderField } from '../signed-distance/primitive-field.ts';
import type { BuiltInShape } from './built-in-shape.ts';
import { meshPrism } from './primitive-triangles.ts';
import { rollRim } from './surface-roll.ts';

export const cylinder: BuiltInShape<CylinderShape> = {
  kind: 'cylinder',
  core: CORE.cylinder,
  isGround: false,
  isEndless: false,
  isPlain: true,
  roll: rollRim,
  data: undefined,
  picture: 'cylinder',
  sizes: ({ radius, halfLength }) => [radius, halfLength],
  reach: ({ 0: r, 1: h }) => Math.sqrt(r * r + h * h),
  mass: ({ radius, halfLength }, isShell) => cylinderMass(radius, halfLength, isShell),
  writeBounds(out, o, { size, position, rotation }, inflate) {
    for (let i = 0; i < 3; i++) {
      const x = rotation[3 * i];
      const y = rotation[3 * i + 1];
      const half = size[1] * Math.abs(rotation[3 * i + 2]) + size[0] * Math.sqrt(x * x + y * y);
      writeRange(out, o + i, position[i], half + inflate);
    }
  },
  castRay(hit, ray, shape) {
    castCylinder(hit, ray, shape.size);
  },
  field: (size) => createCylinderField(size[0], size[1]),
  triangles: (size) => meshPrism(size[0], size[1]),
  area: ({ 0: r, 1: h }) => 2 * Math.PI * r * (r + 2 * h),
  samples: ({ 0: r, 1: h }, from, choose) => from.cylinder(r, h, choose(6.3 * r * (r + 2 * h), Math.max(r, h))),
  cells: {
    edge: (size) => size[0] / 4,
    halfWidth: (size) => Math.min(size[0], size[1]),
    fill: (size, edge, margin, from) => from.cylinder(size[0], size[1], edge, margin),
  },
};
