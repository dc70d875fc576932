/**
 * Hulls that were built before, kept by the vertices they are of. An entry is the lengths of the arrays of a polyhedron (32-bit integers, and
 * one more to come to a multiple of eight bytes), then its doubles, then its integers. What does not fit its lengths is not used: the hull is
 * then built.
 */
import type { ErrorPlace } from '../../error.ts';
import { buildPolyhedron, type HullOptions } from './build-polyhedron.ts';
import type { ConvexPolyhedron } from './polyhedron.ts';

/** Results by the content that they were computed from. */
export interface ContentCache {
  /** What was written for this content; undefined where there is nothing, or it is damaged. */
  read(kind: string, content: Uint8Array): Uint8Array | undefined;
  /** Keeps a result for this content; what cannot be kept is computed again next time. */
  write(kind: string, content: Uint8Array, result: Uint8Array): void;
}

/** Changes whenever hulls have other numbers, or entries another layout. */
const KIND = 'hull 1';
const DOUBLES = ['vertices', 'faceNormal', 'center'] as const;
const INTEGERS = ['neighborStart', 'neighbor', 'faceStart', 'faceVertex'] as const;
const HEADER = 32;

/** As buildPolyhedron without faces, by way of a cache; errors are found anew each time. */
export function buildCachedPolyhedron(
  vertices: Float64Array,
  subject: string,
  place: ErrorPlace,
  cache: ContentCache,
  options: HullOptions = {},
): ConvexPolyhedron {
  const { most = 0, flatness } = options;
  const kind = `${KIND}${most > 0 ? ` of ${most}` : ''}${flatness === undefined ? '' : ` flat to ${flatness}`}`;
  const content = new Uint8Array(vertices.slice().buffer);
  const entry = cache.read(kind, content);
  const known = entry && decodePolyhedron(entry);
  if (known) return known;
  const hull = buildPolyhedron(vertices, undefined, subject, place, options);
  cache.write(kind, content, encodePolyhedron(hull));
  return hull;
}

export function encodePolyhedron(hull: ConvexPolyhedron): Uint8Array {
  const lengths = [...DOUBLES, ...INTEGERS].map((name) => hull[name].length);
  const bytes = new Uint8Array(findEnd(lengths));
  new Int32Array(bytes.buffer, 0, lengths.length).set(lengths);
  let at = HEADER;
  for (const name of DOUBLES) {
    new Float64Array(bytes.buffer, at, hull[name].length).set(hull[name]);
    at += 8 * hull[name].length;
  }
  for (const name of INTEGERS) {
    new Int32Array(bytes.buffer, at, hull[name].length).set(hull[name]);
    at += 4 * hull[name].length;
  }
  return bytes;
}

/** Undefined where the bytes are not those of a polyhedron. */
export function decodePolyhedron(entry: Uint8Array): ConvexPolyhedron | undefined {
  if (entry.length < HEADER) return undefined;
  // a copy: the entry may be a part of something larger
  const { buffer } = new Uint8Array(entry);
  const lengths = [...new Int32Array(buffer, 0, DOUBLES.length + INTEGERS.length)];
  if (lengths.some((length) => length < 0) || buffer.byteLength !== findEnd(lengths)) return undefined;
  let at = HEADER;
  const doubles = (n: number): Float64Array => {
    at += 8 * lengths[n];
    return new Float64Array(buffer.slice(at - 8 * lengths[n], at));
  };
  const integers = (n: number): Int32Array => {
    at += 4 * lengths[n];
    return new Int32Array(buffer.slice(at - 4 * lengths[n], at));
  };
  const hull = {
    vertices: doubles(0),
    faceNormal: doubles(1),
    center: doubles(2),
    neighborStart: integers(3),
    neighbor: integers(4),
    faceStart: integers(5),
    faceVertex: integers(6),
  };
  return isWhole(hull) ? hull : undefined;
}

function findEnd(lengths: readonly number[]): number {
  return lengths.reduce((sum, length, n) => sum + (n < DOUBLES.length ? 8 : 4) * length, HEADER);
}

// numbers lead to places that are there
function isWhole({
  vertices,
  faceNormal,
  center,
  neighborStart,
  neighbor,
  faceStart,
  faceVertex,
}: ConvexPolyhedron): boolean {
  const count = vertices.length / 3;
  return (
    count >= 4 &&
    center.length === 3 &&
    faceNormal.length === 3 * (faceStart.length - 1) &&
    neighborStart.length === count + 1 &&
    isAscending(neighborStart, neighbor.length) &&
    isAscending(faceStart, faceVertex.length) &&
    neighbor.every((v) => v >= 0 && v < count) &&
    faceVertex.every((v) => v >= 0 && v < count) &&
    vertices.every(Number.isFinite)
  );
}

function isAscending(starts: Int32Array, end: number): boolean {
  return starts[0] === 0 && starts.at(-1) === end && starts.every((start, n) => n === 0 || start >= starts[n - 1]);
}
