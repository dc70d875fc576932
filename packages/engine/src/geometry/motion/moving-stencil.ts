/**
 * Up to four points on two moving bodies, and the earliest time at which the distance of their hulls can fall below a bound.
 *
 * For any unit vector n, from B to A, the hulls are at least as far apart as their points are along n:
 *
 *   δ = min over i in A, j in B of n·(xᵢ − xⱼ)
 *
 * which is the distance where n joins the nearest points. So δ is a proven bound that does not depend on how the nearest
 * features were found. Over a span s, with the velocities v and the bounds κ of |n·ẍ| and σ of |n·(ẋ − d)|,
 *
 *   n·(xᵢ − xⱼ)(t + s) ≥ n·(xᵢ − xⱼ) + s n·(vᵢ − vⱼ) − ½ s² (κᵢ + κⱼ)
 *   n·(xᵢ − xⱼ)(t + s) ≥ n·(xᵢ − xⱼ) + s (n·(d_A − d_B) − σᵢ − σⱼ)
 *
 * and the span of the pair is the larger one of the two, that of the stencil the least one of its pairs. Motion along the surface
 * does not shorten the span; the plain bound δ/L is never better. With a fixed axis ω, uᵢ = |ω × rᵢ| stays the same, and
 * σᵢ = |n⊥| uᵢ, κᵢ = |n⊥| |ω| uᵢ with n⊥ the part of n normal to ω; otherwise σᵢ = |ω| rᵢ, κᵢ = |ω|² rᵢ.
 * The bound along n is that of Tang, Kim and Manocha 2009, C2A; the second order and the slack of each pair are added.
 */
import { rotateByQuaternion } from '../../linear-algebra/quaternion.ts';
import {
  boundTipSpeed,
  hasFixedAxis,
  measureTurn,
  PATH,
  type PosePaths,
  writeAngularVelocity,
  writePoseAt,
} from './pose-path.ts';

/** Rounding of a difference of coordinates along n, in units of the largest coordinate: a few dozen roundings of 2⁻⁵³. */
export const ROUNDING: number = 64 * 2 ** -53;

/** Points 0 to split − 1 belong to the first side, the rest to the second. Filled again for each query. */
export class MovingStencil {
  /** Paths of all bodies. */
  paths: PosePaths = new Float64Array(0);
  /** Bodies of the two sides, by the numbers of their paths. */
  a = 0;
  /** Body of the second side. */
  b = 0;
  /** Or its own path for each point, where a side does not move as one. */
  own: Int32Array | undefined = undefined;
  /** How many points the first side has. */
  split = 1;
  /** How many points there are, up to four. */
  count = 2;
  /** The points in the frames of their bodies, m. */
  readonly local: Float64Array = new Float64Array(12);
  /** The points in the world at the time placed last, m. */
  readonly world: Float64Array = new Float64Array(12);
  /** Unit vector from B to A. */
  readonly normal: Float64Array = new Float64Array(3);
  /** What coordinates in `world` may be wrong by, m. */
  rounding = 0;

  #time = 0;
  /** Poses of both sides, or of each point. */
  readonly #poses = new Float64Array(28);
  /** Per point: n·v, σ, κ, n·d. */
  readonly #rates = new Float64Array(16);

  /** Puts the points where they are at t. */
  place(t: number): void {
    const poses = this.#poses;
    const { local, world } = this;
    this.#time = t;
    if (this.own === undefined) {
      writePoseAt(poses, 0, this.paths, this.a, t);
      writePoseAt(poses, 7, this.paths, this.b, t);
    } else {
      for (let i = 0; i < this.count; i++) writePoseAt(poses, 7 * i, this.paths, this.own[i], t);
    }
    let largest = 0;
    for (let i = 0; i < this.count; i++) {
      const o = this.own !== undefined ? 7 * i : i < this.split ? 0 : 7;
      rotateByQuaternion(world, 3 * i, poses, o + 3, local, 3 * i);
      for (let k = 0; k < 3; k++) {
        world[3 * i + k] += poses[o + k];
        // rounding of the rotated point and of the sum
        largest = Math.max(largest, Math.abs(world[3 * i + k]), Math.abs(poses[o + k]));
      }
    }
    this.rounding = ROUNDING * largest;
  }

  /** δ along the normal, m. */
  measureAlong(): number {
    const w = this.world;
    const x = this.normal[0];
    const y = this.normal[1];
    const z = this.normal[2];
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < this.count; i++) {
      const height = x * w[3 * i] + y * w[3 * i + 1] + z * w[3 * i + 2];
      if (i < this.split) low = Math.min(low, height);
      else high = Math.max(high, height);
    }
    return low - high - this.rounding;
  }

  /** A span from the time placed last in which δ along the normal stays at least `floor`. */
  span(floor: number): number {
    const { world, split, count } = this;
    const nx = this.normal[0];
    const ny = this.normal[1];
    const nz = this.normal[2];
    if (this.own === undefined) {
      this.#writeRates(this.a, 0, split, 0);
      this.#writeRates(this.b, split, count, 7);
    } else {
      for (let i = 0; i < count; i++) this.#writeRates(this.own[i], i, i + 1, 7 * i);
    }
    const rates = this.#rates;
    let least = Infinity;
    for (let i = 0; i < split; i++) {
      for (let j = split; j < count; j++) {
        const height =
          nx * (world[3 * i] - world[3 * j]) +
          ny * (world[3 * i + 1] - world[3 * j + 1]) +
          nz * (world[3 * i + 2] - world[3 * j + 2]) -
          this.rounding -
          floor;
        if (!(height > 0)) return 0;
        const worst = rates[4 * i + 3] - rates[4 * j + 3] - rates[4 * i + 1] - rates[4 * j + 1];
        const linear = worst >= 0 ? Infinity : height / -worst;
        // spanOfFall, in place: numbers given to a function that is not inlined would be put on the heap
        const rate = rates[4 * i] - rates[4 * j];
        const curvature = rates[4 * i + 2] + rates[4 * j + 2];
        const root = Math.sqrt(rate * rate + 2 * curvature * height);
        let curved = 0;
        if (rate <= 0) curved = root === 0 ? Infinity : (2 * height) / (root - rate);
        else if (rate > 0) curved = curvature > 0 ? (rate + root) / curvature : Infinity;
        least = Math.min(least, Math.max(linear, curved));
      }
    }
    return least;
  }

  /** n·v, σ and κ of the points from `first` to `last` − 1 of a body whose pose is at `o`. */
  #writeRates(body: number, first: number, last: number, o: number): void {
    const { paths, world, normal } = this;
    const d = PATH.stride * body + PATH.displacement;
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    const drift = nx * paths[d] + ny * paths[d + 1] + nz * paths[d + 2];
    const turn = measureTurn(paths, body);
    const rates = this.#rates;
    if (turn === 0) {
      for (let i = first; i < last; i++) {
        rates[4 * i] = drift;
        rates[4 * i + 3] = drift;
        rates[4 * i + 1] = 0;
        rates[4 * i + 2] = 0;
      }
      return;
    }
    writeAngularVelocity(angular, 0, paths, body, this.#time);
    // n × ω: its length is |n⊥| |ω|, and n·(ω × r) = (n × ω)·r
    const cx = ny * angular[2] - nz * angular[1];
    const cy = nz * angular[0] - nx * angular[2];
    const cz = nx * angular[1] - ny * angular[0];
    const across = hasFixedAxis(paths, body) ? Math.sqrt(cx * cx + cy * cy + cz * cz) / turn : 1;
    for (let i = first; i < last; i++) {
      const x = world[3 * i] - this.#poses[o];
      const y = world[3 * i + 1] - this.#poses[o + 1];
      const z = world[3 * i + 2] - this.#poses[o + 2];
      rates[4 * i + 3] = drift;
      rates[4 * i] = drift + cx * x + cy * y + cz * z;
      const most = across * boundTipSpeed(paths, body, x, y, z);
      rates[4 * i + 1] = most;
      rates[4 * i + 2] = most * turn;
    }
  }
}

const angular = /* @__PURE__ */ new Float64Array(3);

/** The s > 0 at which h + w s − ½ κ s² is zero, h > 0, κ ≥ 0; Infinity where it never is; NaN from NaN. */
export function spanOfFall(h: number, w: number, k: number): number {
  const root = Math.sqrt(w * w + 2 * k * h);
  if (w > 0) return k > 0 ? (w + root) / k : Infinity;
  return root === 0 ? Infinity : (2 * h) / (root - w);
}
