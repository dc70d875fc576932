/** Box with half edges s. Half extents of the box around it: e = Σ |Rᵢₖ| sₖ. */
import type { BoxShape } from '../../scene/shape.ts';
import { writeRange } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import { measureBox } from '../mujoco/taxel-distance.ts';
import { boxMass } from '../primitive-mass.ts';
import { castBox } from '../ray/cast-primitive.ts';
import { createBoxField } from '../signed-distance/primitive-field.ts';
import type { BuiltInShape } from './built-in-shape.ts';
import { meshBox } from './primitive-triangles.ts';
import { stayInPlace } from './surface-roll.ts';

export const box: BuiltInShape<BoxShape> = {
  kind: 'box',
  core: CORE.box,
  isGround: false,
  isEndless: false,
  isPlain: true,
  isFlat: true,
  roll: stayInPlace,
  data: undefined,
  picture: 'box',
  sizes: ({ halfSize }) => halfSize,
  reach: ({ 0: a, 1: b, 2: c }) => Math.sqrt(a * a + b * b + c * c),
  mass: ({ halfSize }, isShell) => boxMass(halfSize[0], halfSize[1], halfSize[2], isShell),
  writeBounds(out, o, { size, position, rotation }, inflate) {
    for (let i = 0; i < 3; i++) {
      const x = Math.abs(rotation[3 * i]) * size[0];
      const y = Math.abs(rotation[3 * i + 1]) * size[1];
      const z = Math.abs(rotation[3 * i + 2]) * size[2];
      writeRange(out, o + i, position[i], x + y + z + inflate);
    }
  },
  castRay(hit, ray, shape) {
    castBox(hit, ray, shape.size);
  },
  field: (size) => createBoxField(size[0], size[1], size[2]),
  taxelDistance: measureBox,
  triangles: (size) => meshBox(size[0], size[1], size[2]),
  hasFlatFaces: true,
  area: ({ 0: a, 1: b, 2: c }) => 8 * (a * b + b * c + c * a),
  samples: ({ 0: a, 1: b, 2: c }, from, choose) =>
    from.box(a, b, c, choose(8 * (a * b + b * c + c * a), Math.max(a, b, c))),
  cells: {
    // eight triangles on a square face
    edge: (size) => 1.42 * Math.max(size[0], size[1], size[2]),
    halfWidth: (size) => Math.min(size[0], size[1], size[2]),
    fill: (size, _edge, margin, from) => from.box(size[0], size[1], size[2], margin),
  },
  solid: (size, edge, from) =>
    from.box(
      size,
      [0, 1, 2].map((k) => Math.max(1, Math.ceil((2 * size[k]) / edge - 1e-9))),
    ),
};
