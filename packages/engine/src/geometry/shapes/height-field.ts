/**
 * Terrain. Its box is the one of its own frame put into the world. It weighs as the box of its half extents and of half height
 * max(h)/4 + base/2 about its origin, as in MuJoCo.
 */
import type { HeightFieldShape } from '../../scene/shape.ts';
import { writeLocalBox } from '../bounds/box-writers.ts';
import { heightExtent } from '../bounds/height-extent.ts';
import { CORE } from '../convex/core-kind.ts';
import type { HeightField } from '../height-field.ts';
import { boxMass } from '../primitive-mass.ts';
import { requireSurfaceRays } from '../ray/surface-rays.ts';
import type { BuiltInShape } from './built-in-shape.ts';

const local = /* @__PURE__ */ new Float64Array(6);

export const heightField: BuiltInShape<HeightFieldShape> = {
  kind: 'heightField',
  core: CORE.none,
  isGround: true,
  isEndless: false,
  isPlain: false,
  isFlat: true,
  data: 'heightField',
  picture: 'heightField',
  sizes: () => [],
  asset: (shape) => ['heightFields', shape.heightField],
  mass(shape, isShell, assets) {
    const field = assets.heightField(shape.heightField);
    let top = 0;
    for (const height of field.heights) top = Math.max(top, height);
    return boxMass(field.halfSize[0], field.halfSize[1], top / 4 + field.baseDepth / 2, isShell);
  },
  writeBounds(out, o, shape, inflate) {
    writeLocalBox(out, o, frameBox(shape.heightField as HeightField), shape, inflate);
  },
  castRay(hit, ray, shape) {
    requireSurfaceRays().castHeightField(hit, ray, shape.heightField as HeightField);
  },
};

function frameBox(field: HeightField): Float64Array {
  const { low, high } = heightExtent(field);
  local[0] = -field.halfSizeX;
  local[1] = -field.halfSizeY;
  local[2] = Math.min(low, -field.baseDepth);
  local[3] = field.halfSizeX;
  local[4] = field.halfSizeY;
  local[5] = high;
  return local;
}
