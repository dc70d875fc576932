/**
 * Time of impact of a point of body a and a signed-distance field of body b.
 *
 *   δ = (φ(x) − c)/Λ,   s = (δ − floor)/L,   L = |d_A − d_B| + u + |ω_B| min(r_B, |y| + (1 − t)(|d_A − d_B| + u))
 *
 * φ the field, m; Λ its Lipschitz bound; c the value that φ must stay above, m: the surface φ = c is at least δ away whatever kind
 * of field it is. Unless told otherwise c is the error bound e, and δ bounds the distance of the true surface, where φ ≤ e. u is the speed of the point about the origin of a, r_B the distance of the farthest corner of the box of
 * the field from the origin of b, y the point seen from there, m.
 * Guarantee for a surface given by samples with covering radius ρ: with separation 0 no sample enters; with
 * separation ≥ ρ the surfaces stay apart.
 */
import { transformPoint, untransformPoint } from '../../linear-algebra/pose.ts';
import { UNBOUNDED } from '../bounds/unbounded.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import { type AdvanceOptions, type Approach, advance, type TimeOfImpact } from './conservative-advancement.ts';
import { ROUNDING } from './moving-stencil.ts';
import { boundTipSpeed, measureDrift, measureTurn, type PosePaths, writePoseAt } from './pose-path.ts';

/** A field in the frame of a shape, and where the shape is on its body. */
export interface PlacedField {
  readonly field: SignedDistanceField;
  /** Position (3), m, and orientation (4) of the shape in the frame of the body. */
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  /** r_B of the header, m; see measureFieldReach. */
  readonly reach: number;
  /** c of the header, m. Default: the error bound of the field. */
  readonly level?: number;
}

/** A point of body a and a field of body b. Filled again for each query. */
export class MovingSample implements Approach {
  paths: PosePaths = new Float64Array(0);
  a = 0;
  b = 0;
  /** The point in the frame of a, m. */
  readonly local: Float64Array = new Float64Array(3);
  target: PlacedField | undefined;

  #time = 0;
  #distance = 0;
  readonly #poseA = { position: new Float64Array(3), orientation: new Float64Array(4) };
  readonly #poseB = { position: new Float64Array(3), orientation: new Float64Array(4) };
  readonly #world = new Float64Array(3);
  readonly #point = new Float64Array(3);

  measure(t: number): number {
    const target = this.target!;
    this.#time = t;
    writePose(this.#poseA, this.paths, this.a, t);
    writePose(this.#poseB, this.paths, this.b, t);
    const world = this.#world;
    const point = this.#point;
    transformPoint(world, 0, this.#poseA, 0, this.local, 0);
    untransformPoint(point, 0, this.#poseB, 0, world, 0);
    let largest = 0;
    for (let k = 0; k < 3; k++) {
      largest = Math.max(largest, Math.abs(world[k]), Math.abs(point[k]), Math.abs(this.#poseB.position[k]));
    }
    untransformPoint(point, 0, target, 0, point, 0);
    const { field } = target;
    const rounding = ROUNDING * largest;
    const level = target.level ?? field.errorBound;
    this.#distance = (field.distance(point[0], point[1], point[2]) - level) / field.lipschitz - rounding;
    return this.#distance;
  }

  span(floor: number): number {
    const { paths, a, b } = this;
    const world = this.#world;
    const originA = this.#poseA.position;
    const originB = this.#poseB.position;
    const x = world[0] - originB[0];
    const y = world[1] - originB[1];
    const z = world[2] - originB[2];
    const most =
      measureDrift(paths, a, b) +
      boundTipSpeed(paths, a, world[0] - originA[0], world[1] - originA[1], world[2] - originA[2]);
    const away = Math.sqrt(x * x + y * y + z * z);
    const far = Math.min(this.target!.reach, away + most * Math.max(0, 1 - this.#time));
    const turn = measureTurn(paths, b);
    const bound = most + (turn > 0 ? turn * far : 0);
    const fall = this.#distance - floor;
    if (!(fall > 0)) return 0;
    // not 0 but no number either: no span at all
    return bound === 0 ? Infinity : fall / bound;
  }
}

const pose = /* @__PURE__ */ new Float64Array(7);

function writePose(
  out: { position: Float64Array; orientation: Float64Array },
  paths: PosePaths,
  i: number,
  t: number,
): void {
  writePoseAt(pose, 0, paths, i, t);
  for (let k = 0; k < 3; k++) out.position[k] = pose[k];
  for (let k = 0; k < 4; k++) out.orientation[k] = pose[3 + k];
}

/** True where the point of a comes as near to the surface of b as `separation`, or is inside. Times lie in [0, 1]. */
export function advancePointField(
  out: TimeOfImpact,
  sample: MovingSample,
  separation: number,
  options: Readonly<AdvanceOptions>,
): boolean {
  return advance(out, sample, separation, options);
}

/** Distance of the farthest corner of the box of a field from the origin of the body it is placed on, m; Infinity without end. */
export function measureFieldReach(
  field: SignedDistanceField,
  position: Float64Array,
  orientation: Float64Array,
): number {
  const corner = new Float64Array(3);
  let most = 0;
  for (let k = 0; k < 6; k++) if (Math.abs(field.bounds[k]) >= UNBOUNDED) return Infinity;
  for (let c = 0; c < 8; c++) {
    for (let k = 0; k < 3; k++) corner[k] = field.bounds[(c >> k) & 1 ? k + 3 : k];
    transformPoint(corner, 0, { position, orientation }, 0, corner, 0);
    most = Math.max(most, Math.sqrt(corner[0] * corner[0] + corner[1] * corner[1] + corner[2] * corner[2]));
  }
  return most;
}
