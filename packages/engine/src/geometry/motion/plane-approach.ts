/**
 * Time of impact of a point of body a and a half-space of body b.
 *
 *   h(t) = n·y − c,   y = x − p_B,   ḣ = n·(ẋ − d_B) + (ω_B × n)·y,   |ḧ| ≤ ω_B² |y| + 2 ω_B |ẏ| + |ẍ|
 *
 * n unit normal in the world, c its height over the origin of b in the frame of b, m. |ẏ| ≤ Y = |d_A − d_B| + u with u the speed
 * of x about a's origin, |y(t + s)| ≤ |y| + Y (1 − t), |ẍ| ≤ |ω_A| u. So h falls below a floor no sooner than
 * h + s ḣ − ½ s² max|ḧ| does, nor sooner than h − s max|ḣ|.
 * The stencil holds the point (0, in a), a point of the plane (1, in b) and its unit normal (2, in b).
 */
import { rotateByQuaternion } from '../../linear-algebra/quaternion.ts';
import { type AdvanceOptions, type Approach, advance, type TimeOfImpact } from './conservative-advancement.ts';
import { type MovingStencil, ROUNDING, spanOfFall } from './moving-stencil.ts';
import { boundTipSpeed, measureDrift, measureTurn, PATH, writeAngularVelocity, writePoseAt } from './pose-path.ts';

/** True where the point of a comes as near to the plane of b as `separation`, or is below it. Times lie in [0, 1]. */
export function advancePointPlane(
  out: TimeOfImpact,
  stencil: MovingStencil,
  separation: number,
  options: Readonly<AdvanceOptions>,
): boolean {
  approach.stencil = stencil;
  return advance(out, approach, separation, options);
}

const poses = /* @__PURE__ */ new Float64Array(14);
const turned = /* @__PURE__ */ new Float64Array(6);
const angular = /* @__PURE__ */ new Float64Array(6);

interface PlaneApproach extends Approach {
  stencil: MovingStencil;
  time: number;
  /** h at `time`, with what rounding may take off, m. */
  height: number;
}

const approach: PlaneApproach = {
  stencil: undefined as unknown as MovingStencil,
  time: 0,
  height: 0,

  measure(t) {
    const { paths, a, b, local } = this.stencil;
    writePoseAt(poses, 0, paths, a, t);
    writePoseAt(poses, 7, paths, b, t);
    rotateByQuaternion(turned, 0, poses, 3, local, 0);
    rotateByQuaternion(turned, 3, poses, 10, local, 6);
    const offset = local[3] * local[6] + local[4] * local[7] + local[5] * local[8];
    let height = -offset;
    let largest = Math.abs(offset);
    for (let k = 0; k < 3; k++) {
      height += turned[3 + k] * (turned[k] + (poses[k] - poses[7 + k]));
      largest = Math.max(largest, Math.abs(turned[k]), Math.abs(poses[k]), Math.abs(poses[7 + k]));
    }
    this.time = t;
    this.height = height - ROUNDING * largest;
    return this.height;
  },

  span(floor) {
    const { paths, a, b } = this.stencil;
    const fall = this.height - floor;
    if (!(fall > 0)) return 0;
    writeAngularVelocity(angular, 0, paths, a, this.time);
    writeAngularVelocity(angular, 3, paths, b, this.time);
    const x = turned[0];
    const y = turned[1];
    const z = turned[2];
    const nx = turned[3];
    const ny = turned[4];
    const nz = turned[5];
    const p = PATH.stride * a + PATH.displacement;
    const q = PATH.stride * b + PATH.displacement;
    const dx = paths[p] - paths[q];
    const dy = paths[p + 1] - paths[q + 1];
    const dz = paths[p + 2] - paths[q + 2];

    // the velocity of the point about its origin, and the most it can be
    const ux = angular[1] * z - angular[2] * y;
    const uy = angular[2] * x - angular[0] * z;
    const uz = angular[0] * y - angular[1] * x;
    const turnA = measureTurn(paths, a);
    const speed = boundTipSpeed(paths, a, x, y, z);

    // the plane as seen by the point
    const turnB = measureTurn(paths, b);
    const yx = x + poses[0] - poses[7];
    const yy = y + poses[1] - poses[8];
    const yz = z + poses[2] - poses[9];
    const most = measureDrift(paths, a, b) + speed;
    const far = Math.sqrt(yx * yx + yy * yy + yz * yz) + most * Math.max(0, 1 - this.time);
    const tilt =
      (angular[4] * nz - angular[5] * ny) * yx +
      (angular[5] * nx - angular[3] * nz) * yy +
      (angular[3] * ny - angular[4] * nx) * yz;
    const drift = nx * dx + ny * dy + nz * dz;
    const rate = drift + nx * ux + ny * uy + nz * uz + tilt;
    const curvature = turnB * turnB * far + 2 * turnB * most + turnA * speed;
    const worst = turnB > 0 ? most + turnB * far : speed - drift;
    return Math.max(spanOfFall(fall, rate, curvature), worst > 0 ? fall / worst : Infinity);
  },
};
