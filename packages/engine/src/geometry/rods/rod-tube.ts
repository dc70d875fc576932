/**
 * The surface of a rod for pictures and files: a ring of points around each of its points, across the mean of the tangents beside it, taken
 * from ring to ring without twist. Open rods have flat ends.
 */

/** Points of a ring. */
export const TUBE_SIDES = 8;

const COSINE = /* @__PURE__ */ Array.from({ length: TUBE_SIDES }, (_, k) => Math.cos((2 * Math.PI * k) / TUBE_SIDES));
const SINE = /* @__PURE__ */ Array.from({ length: TUBE_SIDES }, (_, k) => Math.sin((2 * Math.PI * k) / TUBE_SIDES));

/** Three vertices per triangle, counter-clockwise from outside; vertex k of the ring of point p is TUBE_SIDES p + k. */
export function listTubeTriangles(pointCount: number, isClosed: boolean): Int32Array {
  const triangles: number[] = [];
  const last = isClosed ? pointCount : pointCount - 1;
  for (let p = 0; p < last; p++) {
    const from = TUBE_SIDES * p;
    const to = TUBE_SIDES * ((p + 1) % pointCount);
    for (let k = 0; k < TUBE_SIDES; k++) {
      const next = (k + 1) % TUBE_SIDES;
      triangles.push(from + k, from + next, to + next, from + k, to + next, to + k);
    }
  }
  for (let k = 2; !isClosed && k < TUBE_SIDES; k++) {
    const end = TUBE_SIDES * last;
    triangles.push(0, k, k - 1, end, end + k - 1, end + k);
  }
  return Int32Array.from(triangles);
}

/** Writes the rings of the points at x[o], three numbers each, to out from place `at` on. */
export function writeTube(
  out: Float32Array | Float64Array,
  at: number,
  x: ArrayLike<number>,
  o: number,
  pointCount: number,
  isClosed: boolean,
  radius: number,
): void {
  let across: number[] | undefined;
  for (let p = 0; p < pointCount; p++) {
    const before = p > 0 ? p - 1 : isClosed ? pointCount - 1 : p;
    const after = p < pointCount - 1 ? p + 1 : isClosed ? 0 : p;
    const t = normalize([0, 1, 2].map((k) => x[o + 3 * after + k]! - x[o + 3 * before + k]!));
    across ??= Math.abs(t[2]!) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const along: number = dot(across, t);
    across = normalize(across.map((value, k) => value - along * t[k]!));
    const [a, b, c] = across as [number, number, number];
    const second = [t[1]! * c - t[2]! * b, t[2]! * a - t[0]! * c, t[0]! * b - t[1]! * a];
    for (let k = 0; k < TUBE_SIDES; k++) {
      for (let i = 0; i < 3; i++)
        out[at + 3 * (TUBE_SIDES * p + k) + i] =
          x[o + 3 * p + i]! + radius * (COSINE[k]! * across[i]! + SINE[k]! * second[i]!);
    }
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function normalize(a: readonly number[]): number[] {
  const size = Math.sqrt(dot(a, a));
  return size > 0 ? a.map((value) => value / size) : [1, 0, 0];
}
