/**
 * The scale by which the vertices of a mesh are single-precision numbers.
 *
 * MJCF holds the numbers of `vertex` in single precision and multiplies them by `scale` in double precision. A mesh in
 * millimetres, v = 0.001 f, is therefore read back bit for bit only by the same factor: the one sought is s = n 10⁻ᵉ with
 * fround(v/s) s = v for every number of an axis.
 */

/** Vertices as numbers of single precision, and their factors along x, y and z; undefined where there are no such factors. */
export function findMeshScale(
  vertices: readonly number[],
): { vertices: readonly number[]; scale?: [number, number, number] } | undefined {
  const scale = [0, 1, 2].map((axis) => findAxisScale(vertices, axis));
  if (scale.includes(undefined)) return undefined;
  if (scale.every((factor) => factor === 1)) return { vertices };
  return {
    vertices: vertices.map((value, i) => Math.fround(value / scale[i % 3]!)),
    scale: scale as [number, number, number],
  };
}

/** Significant digits of factors: up to 9999 times a power of ten. */
const MOST_DIGITS = 9999;
const LEAST_EXPONENT = 0;
const MOST_EXPONENT = 7;

function findAxisScale(vertices: readonly number[], axis: number): number | undefined {
  if (isSingle(vertices, axis, 1)) return 1;
  // plain units first: mm, cm, ...
  for (let e = MOST_EXPONENT; e > 0; e--) if (isSingle(vertices, axis, 1 / 10 ** e)) return 1 / 10 ** e;
  for (let n = 2; n <= MOST_DIGITS; n++) {
    if (n % 10 === 0) continue;
    for (let e = LEAST_EXPONENT; e <= MOST_EXPONENT; e++) if (isSingle(vertices, axis, n / 10 ** e)) return n / 10 ** e;
  }
  return undefined;
}

/** Most factors fail at the first number that is not zero. */
function isSingle(vertices: readonly number[], axis: number, scale: number): boolean {
  for (let i = axis; i < vertices.length; i += 3) {
    const value = vertices[i]!;
    if (value !== 0 && Math.fround(value / scale) * scale !== value) return false;
  }
  return true;
}
