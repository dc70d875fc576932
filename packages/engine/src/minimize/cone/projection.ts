/** P_K: the nearest point of a product of cones and boxes is that of every block. */
import { projectBox, projectNonnegative } from './bound-projection.ts';
import { CONE, type ConeSet } from './cone-set.ts';
import { projectFriction } from './friction-projection.ts';
import { projectRolling } from './rolling-projection.ts';

/** out ← P_K(x); the two may be one array. */
export function projectCones(out: Float64Array, x: Float64Array, cones: ConeSet): void {
  for (let b = 0; b < cones.count; b++) projectBlock(out, x, cones, b);
}

/** The rows of one block alone. */
export function projectBlock(out: Float64Array, x: Float64Array, cones: ConeSet, b: number): void {
  const first = cones.rowStart[b];
  const end = cones.rowStart[b + 1];
  const kind = cones.kind[b];
  if (kind === CONE.friction) projectFriction(out, x, first, cones.friction[b]);
  else if (kind === CONE.nonnegative) projectNonnegative(out, x, first, end);
  else if (kind === CONE.box) projectBox(out, x, first, end, cones.lower, cones.upper);
  else if (kind === CONE.rolling) {
    projectRolling(out, x, first, end - first, cones.friction[b], cones.spinning[b], cones.rolling[b]);
  } else if (out !== x) for (let i = first; i < end; i++) out[i] = x[i];
}
