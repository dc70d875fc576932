/** Ellipsoid with semi-axes a. Half extents of its box: e = √(Σ (Rᵢₖ aₖ)²), the support of the unit ball under R diag(a). */
import type { EllipsoidShape } from '../../scene/shape.ts';
import { writeRange } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import { measureEllipsoid } from '../mujoco/taxel-distance.ts';
import { ellipsoidMass } from '../primitive-mass.ts';
import { castEllipsoid } from '../ray/cast-primitive.ts';
import { createEllipsoidField } from '../signed-distance/ellipsoid-field.ts';
import type { BuiltInShape } from './built-in-shape.ts';
import { meshEllipsoid } from './primitive-triangles.ts';
import { rollEllipsoid } from './surface-roll.ts';

export const ellipsoid: BuiltInShape<EllipsoidShape> = {
  kind: 'ellipsoid',
  core: CORE.ellipsoid,
  isGround: false,
  isEndless: false,
  isPlain: false,
  roll: rollEllipsoid,
  jumpsInMujoco: true,
  data: undefined,
  picture: 'ellipsoid',
  sizes: ({ radii }) => radii,
  reach: ({ 0: a, 1: b, 2: c }) => Math.max(a, b, c),
  mass: ({ radii }, isShell) => ellipsoidMass(radii[0], radii[1], radii[2], isShell),
  writeBounds(out, o, { size, position, rotation }, inflate) {
    for (let i = 0; i < 3; i++) {
      const x = rotation[3 * i] * size[0];
      const y = rotation[3 * i + 1] * size[1];
      const z = rotation[3 * i + 2] * size[2];
      writeRange(out, o + i, position[i], Math.sqrt(x * x + y * y + z * z) + inflate);
    }
  },
  castRay(hit, ray, shape) {
    castEllipsoid(hit, ray, shape.size);
  },
  field: (size) => createEllipsoidField(size[0], size[1], size[2]),
  taxelDistance: measureEllipsoid,
  triangles: (size) => meshEllipsoid(size[0], size[1], size[2]),
  // the area has no closed form: that of the sphere of the mean of products of semi-axes
  area: ({ 0: a, 1: b, 2: c }) => (4 * Math.PI * (a * b + b * c + c * a)) / 3,
  samples: ({ 0: a, 1: b, 2: c }, from, choose) =>
    from.ellipsoid(a, b, c, choose((4 * 3.2 * (a * b + b * c + c * a)) / 3, Math.max(a, b, c))),
  cells: {
    edge: (size) => Math.max(size[0], size[1], size[2]) / 6,
    halfWidth: (size) => Math.min(size[0], size[1], size[2]),
    fill: ({ 0: a, 1: b, 2: c }, edge, margin, from) => from.ellipsoid(a, b, c, edge, margin),
  },
};
