/**
 * Contact points of one shape on one surface, in the frame of the surface, gathered from many triangles and thinned out.
 *
 * Neighbouring triangles report the same point again, and fine meshes report hundreds. Points are grouped by normal: the
 * deepest point leads the first group, and the point farthest from all leaders, in normal and place, the next. Of each group
 * the deepest point is kept, and then always the one farthest from all kept ones (farthest-point sampling), until
 * MOST_PER_GROUP are kept or the rest lies on kept ones. Ties go to the point found first, so the result is deterministic.
 */
import { copyInto } from '../../linear-algebra/growth.ts';
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';

/** Features are numbered by triangle, and in it by what touches: regions of the triangle, corners of the part, crossings. */
export const FEATURES_PER_TRIANGLE = 64;
/** Most points of one group of normals. */
export const MOST_PER_GROUP = 8;
/** Most groups of one pair. */
const MOST_GROUPS = 8;
/** Cosine of the angle within which normals are one group. */
const SAME_NORMAL = 0.985;
/** Points nearer to each other than this share of the extent are one. */
const SAME_POINT = 1e-6;

export class SurfaceContacts {
  count = 0;
  /** Half way between the two surfaces, m. */
  point: Float64Array = new Float64Array(3 * 64);
  /** Away from the surface, towards the shape. */
  normal: Float64Array = new Float64Array(3 * 64);
  gap: Float64Array = new Float64Array(64);
  feature: Int32Array = new Int32Array(64);
  // squared distance to the nearest kept point of the current group; −1 for other groups
  #distance: Float64Array = new Float64Array(64);
  // squared distance to the nearest leader; −1 once in a group
  #apart: Float64Array = new Float64Array(64);

  clear(): void {
    this.count = 0;
  }

  /** Adds a point of the surface and what the shape has above it along the normal. */
  add(px: number, py: number, pz: number, nx: number, ny: number, nz: number, gap: number, feature: number): void {
    const i = this.count++;
    if (i === this.gap.length) this.#grow();
    const { point, normal } = this;
    point[3 * i] = px + 0.5 * gap * nx;
    point[3 * i + 1] = py + 0.5 * gap * ny;
    point[3 * i + 2] = pz + 0.5 * gap * nz;
    normal[3 * i] = nx;
    normal[3 * i + 1] = ny;
    normal[3 * i + 2] = nz;
    this.gap[i] = gap;
    this.feature[i] = feature;
  }

  /** Copies point j over point i. */
  move(i: number, j: number): void {
    if (i === j) return;
    const { point, normal, gap, feature } = this;
    for (let k = 0; k < 3; k++) {
      point[3 * i + k] = point[3 * j + k];
      normal[3 * i + k] = normal[3 * j + k];
    }
    gap[i] = gap[j];
    feature[i] = feature[j];
  }

  /**
   * Appends a well-spread choice of the points, in the world.
   *
   * @param frame where the surface is
   * @param side 1 when the surface is shape A, −1 when it is B
   * @param extent size of the shape, m
   */
  write(out: ContactPoints, frame: PlacedShape, side: number, extent: number): void {
    const apart = this.#apart;
    for (let i = 0; i < this.count; i++) apart[i] = Infinity;
    let leader = this.#findDeepest(apart, extent);
    for (let g = 0; g < MOST_GROUPS && leader >= 0; g++) {
      this.#gatherGroup(leader);
      this.#writeGroup(out, frame, side, extent);
      leader = this.#findNextLeader(leader, extent);
    }
  }

  // of the points whose mark is not negative
  #findDeepest(mark: Float64Array, extent: number): number {
    const { gap } = this;
    let first = -1;
    let lowest = Infinity;
    for (let i = 0; i < this.count; i++) {
      if (mark[i] < 0 || !(gap[i] < lowest)) continue;
      first = i;
      lowest = gap[i] - 1e-9 * extent;
    }
    return first;
  }

  // the point farthest from all leaders, in normal and in place
  #findNextLeader(leader: number, extent: number): number {
    const { count, point, normal } = this;
    const apart = this.#apart;
    const scale = extent > 0 ? 1 / (extent * extent) : 0;
    let farthest = -1;
    let next = -1;
    for (let i = 0; i < count; i++) {
      if (apart[i] < 0) continue;
      let turn = 0;
      let shift = 0;
      for (let k = 0; k < 3; k++) {
        const n = normal[3 * i + k] - normal[3 * leader + k];
        const p = point[3 * i + k] - point[3 * leader + k];
        turn += n * n;
        shift += p * p;
      }
      const squared = turn + scale * shift;
      if (squared < apart[i]) apart[i] = squared;
      if (apart[i] > farthest * (1 + 1e-9)) {
        farthest = apart[i];
        next = i;
      }
    }
    return next;
  }

  // marks the points of the leader's group
  #gatherGroup(leader: number): void {
    const { count, normal } = this;
    const apart = this.#apart;
    const distance = this.#distance;
    const nx = normal[3 * leader];
    const ny = normal[3 * leader + 1];
    const nz = normal[3 * leader + 2];
    for (let i = 0; i < count; i++) {
      const cosine = nx * normal[3 * i] + ny * normal[3 * i + 1] + nz * normal[3 * i + 2];
      const isMember = apart[i] >= 0 && (i === leader || cosine >= SAME_NORMAL);
      distance[i] = isMember ? Infinity : -1;
      if (isMember) apart[i] = -1;
    }
  }

  #writeGroup(out: ContactPoints, frame: PlacedShape, side: number, extent: number): void {
    const { count, point } = this;
    const distance = this.#distance;
    const least = SAME_POINT * SAME_POINT * extent * extent;
    let kept = this.#findDeepest(distance, extent);
    for (let k = 0; k < MOST_PER_GROUP && kept >= 0; k++) {
      this.#writePoint(out, frame, side, kept);
      const x = point[3 * kept];
      const y = point[3 * kept + 1];
      const z = point[3 * kept + 2];
      // the point farthest from all kept points is next; small differences do not count, so that ties stay in order
      let farthest = least;
      kept = -1;
      for (let i = 0; i < count; i++) {
        if (distance[i] < 0) continue;
        const dx = point[3 * i] - x;
        const dy = point[3 * i + 1] - y;
        const dz = point[3 * i + 2] - z;
        const squared = dx * dx + dy * dy + dz * dz;
        if (squared < distance[i]) distance[i] = squared;
        if (distance[i] > farthest * (1 + 1e-9)) {
          farthest = distance[i];
          kept = i;
        }
      }
    }
  }

  #writePoint(out: ContactPoints, frame: PlacedShape, side: number, i: number): void {
    const { point, normal } = this;
    const { position, rotation } = frame;
    const x = point[3 * i];
    const y = point[3 * i + 1];
    const z = point[3 * i + 2];
    const nx = side * normal[3 * i];
    const ny = side * normal[3 * i + 1];
    const nz = side * normal[3 * i + 2];
    out.add(
      position[0] + rotation[0] * x + rotation[1] * y + rotation[2] * z,
      position[1] + rotation[3] * x + rotation[4] * y + rotation[5] * z,
      position[2] + rotation[6] * x + rotation[7] * y + rotation[8] * z,
      rotation[0] * nx + rotation[1] * ny + rotation[2] * nz,
      rotation[3] * nx + rotation[4] * ny + rotation[5] * nz,
      rotation[6] * nx + rotation[7] * ny + rotation[8] * nz,
      this.gap[i],
      this.feature[i],
    );
  }

  #grow(): void {
    const length = 2 * this.gap.length;
    this.point = copyInto(this.point, new Float64Array(3 * length));
    this.normal = copyInto(this.normal, new Float64Array(3 * length));
    this.gap = copyInto(this.gap, new Float64Array(length));
    this.feature = copyInto(this.feature, new Int32Array(length));
    this.#distance = new Float64Array(length);
    this.#apart = new Float64Array(length);
  }
}
