/**
 * Where cameras and lights are and where they look, as in MuJoCo.
 *   fixed           x = x_b + R_b p                    R = R_b R_c
 *   track           x = x_b + o,  or  c_b + o          R = R₀
 *   target          x = x_b + R_b p                    z = (x − t)/|x − t|,  x = (0 0 1) × z,  y = z × x
 * c_b is the centre of mass of a body and all below it; o and R₀ are the offset and the rotation in the initial pose; t is the origin
 * or the centre of the target. A camera looks along −z; the direction of a light is −z.
 */
import { matrixFromQuaternion, multiplyQuaternions, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import { type ModelViews, VIEW_MODE } from '../model/model-look.ts';

/** A place and a rotation in the world. */
export interface ViewPose {
  /** m. */
  readonly position: Float64Array;
  /** Row by row; columns are the axes of the camera. */
  readonly rotation: Float64Array;
}

/** Poses of all bodies: three numbers, and quaternions w x y z. */
export interface PosedBodies {
  readonly bodyPosition: Float64Array;
  readonly bodyOrientation: Float64Array;
}

const LEAST_MASS = 1e-15;
const LEAST_LENGTH = 1e-15;

const turn = /* @__PURE__ */ new Float64Array(4);
const point = /* @__PURE__ */ new Float64Array(3);

/** Places camera or light v. */
export function placeView(out: ViewPose, views: ModelViews, v: number, bodies: PosedBodies): ViewPose {
  const { bodyPosition, bodyOrientation } = bodies;
  const mode = views.mode[v];
  const b = views.body[v];
  if (mode === VIEW_MODE.track || mode === VIEW_MODE.trackCenter) {
    findFollowed(point, views, v, bodies, b);
    for (let k = 0; k < 3; k++) out.position[k] = point[k] + views.offset[3 * v + k];
    matrixFromQuaternion(out.rotation, 0, views.initialOrientation, 4 * v);
    return out;
  }
  rotateByQuaternion(out.position, 0, bodyOrientation, 4 * b, views.position, 3 * v);
  for (let k = 0; k < 3; k++) out.position[k] += bodyPosition[3 * b + k];
  if (mode !== VIEW_MODE.fixed && views.target[v] >= 0) {
    findFollowed(point, views, v, bodies, views.target[v]);
    for (let k = 0; k < 3; k++) point[k] = out.position[k] - point[k];
    face(out.rotation, point);
    return out;
  }
  multiplyQuaternions(turn, 0, bodyOrientation, 4 * b, views.orientation, 4 * v);
  matrixFromQuaternion(out.rotation, 0, turn, 0);
  return out;
}

// the centre of mass of the followed bodies, or the origin of one
function findFollowed(
  out: Float64Array,
  { followed, followedMass, followedCenter }: ModelViews,
  v: number,
  { bodyPosition, bodyOrientation }: PosedBodies,
  body: number,
): void {
  for (let k = 0; k < 3; k++) out[k] = bodyPosition[3 * body + k];
  const bodies = followed[v];
  if (bodies.length === 0) return;
  const center = turn.subarray(0, 3);
  let [x, y, z, mass] = [0, 0, 0, 0];
  for (let i = 0; i < bodies.length; i++) {
    const b = bodies[i];
    const m = followedMass[v][i];
    rotateByQuaternion(center, 0, bodyOrientation, 4 * b, followedCenter[v], 3 * i);
    // where nothing has mass, the centre is that of the first
    const weight = i === 0 && m === 0 ? LEAST_MASS * LEAST_MASS : m;
    x += weight * (center[0] + bodyPosition[3 * b]);
    y += weight * (center[1] + bodyPosition[3 * b + 1]);
    z += weight * (center[2] + bodyPosition[3 * b + 2]);
    mass += weight;
  }
  out[0] = x / mass;
  out[1] = y / mass;
  out[2] = z / mass;
}

// z along a vector, x level
function face(rotation: Float64Array, back: Float64Array): void {
  const length = Math.hypot(back[0], back[1], back[2]);
  const [zx, zy, zz] = length < LEAST_LENGTH ? [1, 0, 0] : [back[0] / length, back[1] / length, back[2] / length];
  const level = Math.hypot(zx, zy);
  // straight up or down there is no level direction: MuJoCo takes x
  const [xx, xy] = level < LEAST_LENGTH ? [1, 0] : [-zy / level, zx / level];
  const yx = -zz * xy;
  const yy = zz * xx;
  const yz = zx * xy - zy * xx;
  const size = Math.hypot(yx, yy, yz);
  rotation.set([xx, yx / size, zx, xy, yy / size, zy, 0, yz / size, zz]);
}
