/**
 * The patch of two boxes that meet with a face: the most opposed face of the other box, clipped by the four
 * sides of the reference face (Sutherland, Hodgman, Reentrant polygon clipping, 1974). Coordinates x, y run along the
 * reference face, z is the height above it, m. Every corner of the patch is a contact with gap z.
 *
 * A corner is where two edges of the patch meet; edges of the incident face have the labels 0 to 3, cuts along the sides of
 * the reference face 4 to 7, and the two labels together name the corner.
 */
import type { BoxAxes } from './box-axes.ts';

/** A quadrilateral cut by four half planes has at most eight corners. */
const CAPACITY = 8;
/** Square of the distance, relative to the reference face, below which corners are one. */
const SAME_CORNER = 1e-14;

export class BoxPatch {
  /** Number of corners. */
  count = 0;
  readonly x: Float64Array = new Float64Array(2 * CAPACITY);
  readonly y: Float64Array = new Float64Array(2 * CAPACITY);
  readonly z: Float64Array = new Float64Array(2 * CAPACITY);
  /** Label of the edge that leaves a corner. */
  readonly label: Int32Array = new Int32Array(2 * CAPACITY);
  /** Where the corners begin in the arrays above. */
  start = 0;

  /** The reference face: axis of its box, the two axes along it, and the side of the box it is on. */
  axis = 0;
  axisX = 0;
  axisY = 0;
  side = 1;
  /** The incident face: 2 · axis + (1 if on the negative side). */
  incident = 0;

  /** Lowest corner, m. */
  lowest = 0;
  /** Square of the half diagonal of the reference face, m². */
  scale2 = 0;

  readonly #beyond = new Float64Array(CAPACITY);

  /** Clips the incident face by the reference face `axes.face`. */
  clip(axes: BoxAxes, sizeA: Float64Array, sizeB: Float64Array): void {
    const ofA = axes.face < 3;
    this.axis = ofA ? axes.face : axes.face - 3;
    this.axisX = this.axis === 2 ? 0 : this.axis + 1;
    this.axisY = 3 - this.axis - this.axisX;
    const size = ofA ? sizeA : sizeB;
    this.#placeIncident(axes, ofA, size, ofA ? sizeB : sizeA);
    const limitX = size[this.axisX];
    const limitY = size[this.axisY];
    this.scale2 = limitX * limitX + limitY * limitY;
    this.#cut(this.x, 1, size, this.axisX, 4);
    this.#cut(this.x, -1, size, this.axisX, 5);
    this.#cut(this.y, 1, size, this.axisY, 6);
    this.#cut(this.y, -1, size, this.axisY, 7);
    this.lowest = Number.POSITIVE_INFINITY;
    for (let k = this.start; k < this.start + this.count; k++) this.lowest = Math.min(this.lowest, this.z[k]);
  }

  /** Whether an earlier corner is so near that corner k counts as the same. */
  repeats(k: number): boolean {
    const least = SAME_CORNER * this.scale2;
    for (let q = this.start; q < k; q++) {
      const dx = this.x[q] - this.x[k];
      const dy = this.y[q] - this.y[k];
      if (dx * dx + dy * dy <= least) return true;
    }
    return false;
  }

  /** Name of corner k, stable while the same features meet: 16 · 6 · 64 values. */
  feature(axes: BoxAxes, k: number): number {
    const before = k === this.start ? this.start + this.count - 1 : k - 1;
    const face = 2 * axes.face + (this.side > 0 ? 0 : 1);
    return (face * 6 + this.incident) * 64 + this.label[before] * 8 + this.label[k];
  }

  /** The incident face in coordinates of the reference face. */
  #placeIncident(axes: BoxAxes, ofA: boolean, size: Float64Array, incidentSize: Float64Array): void {
    const r = axes.rotation;
    const center = ofA ? axes.centerB : axes.centerA;
    const axis = this.axis;
    // component k of incident axis c along reference axis i is r[i * down + c * right]
    const down = ofA ? 3 : 1;
    const right = ofA ? 1 : 3;
    this.side = center[axis] >= 0 ? 1 : -1;
    const row = axis * down;
    let face = 0;
    for (let c = 1; c < 3; c++) {
      if (Math.abs(r[row + c * right]) > Math.abs(r[row + face * right])) face = c;
    }
    const facing = this.side * r[row + face * right] > 0 ? -1 : 1;
    this.incident = 2 * face + (facing > 0 ? 0 : 1);

    // its middle and half edges
    const u = face === 2 ? 0 : face + 1;
    const v = 3 - face - u;
    const depth = facing * incidentSize[face];
    const rowX = this.axisX * down;
    const rowY = this.axisY * down;
    const mx = center[this.axisX] + depth * r[rowX + face * right];
    const my = center[this.axisY] + depth * r[rowY + face * right];
    const mz = this.side * (center[axis] + depth * r[row + face * right]) - size[axis];
    const ux = incidentSize[u] * r[rowX + u * right];
    const uy = incidentSize[u] * r[rowY + u * right];
    const uz = this.side * incidentSize[u] * r[row + u * right];
    const vx = incidentSize[v] * r[rowX + v * right];
    const vy = incidentSize[v] * r[rowY + v * right];
    const vz = this.side * incidentSize[v] * r[row + v * right];

    // its corners around
    this.start = 0;
    this.count = 4;
    for (let k = 0; k < 4; k++) {
      const su = k === 0 || k === 3 ? 1 : -1;
      const sv = k < 2 ? 1 : -1;
      this.x[k] = mx + su * ux + sv * vx;
      this.y[k] = my + su * uy + sv * vy;
      this.z[k] = mz + su * uz + sv * vz;
      this.label[k] = k;
    }
  }

  /** Keeps the part with sign · coordinate ≤ size[axis]; the new edge gets the label `cut`. */
  #cut(coordinate: Float64Array, sign: number, size: Float64Array, axis: number, cut: number): void {
    const limit = size[axis];
    const from = this.start;
    const beyond = this.#beyond;
    let any = false;
    for (let k = 0; k < this.count; k++) {
      beyond[k] = sign * coordinate[from + k] - limit;
      if (beyond[k] > 0) any = true;
    }
    if (!any) return;
    const to = CAPACITY - from;
    let n = to;
    for (let k = 0; k < this.count; k++) {
      const next = k + 1 === this.count ? 0 : k + 1;
      const p = from + k;
      const q = from + next;
      if (beyond[k] <= 0) {
        this.x[n] = this.x[p];
        this.y[n] = this.y[p];
        this.z[n] = this.z[p];
        // a corner on the cut whose edge leaves continues along the cut
        this.label[n++] = beyond[k] === 0 && beyond[next] > 0 ? cut : this.label[p];
      }
      if ((beyond[k] < 0 && beyond[next] > 0) || (beyond[k] > 0 && beyond[next] < 0)) {
        const t = beyond[k] / (beyond[k] - beyond[next]);
        this.x[n] = this.x[p] + t * (this.x[q] - this.x[p]);
        this.y[n] = this.y[p] + t * (this.y[q] - this.y[p]);
        this.z[n] = this.z[p] + t * (this.z[q] - this.z[p]);
        this.label[n++] = beyond[k] < 0 ? cut : this.label[p];
      }
    }
    this.start = to;
    this.count = n - to;
  }
}
