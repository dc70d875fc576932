/**
 * Sobol's sequence in Gray-code order (Antonov and Saleev 1979) with the direction numbers of S. Joe and F. Y. Kuo, Constructing Sobol
 * sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30 (2008), file new-joe-kuo-6.21201.
 *
 *   x_{n+1} = x_n xor v_c,  c the place of the lowest zero bit of n;  v_k = m_k 2^(32 − k)
 *   m_k = 2 a_1 m_{k−1} xor 4 a_2 m_{k−2} xor … xor 2^s m_{k−s} xor m_{k−s}  for k > s
 *
 * The first 2^k points have one in each of the 2^k equal intervals, in every dimension.
 */

const BITS = 32;

/** Degree s, coefficients a of the polynomial, and m_1 … m_s, from the second dimension on; in the first all m are 1. */
const DIRECTIONS: readonly (readonly [number, number, readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
  [7, 4, [1, 3, 7, 13, 13, 15, 69]],
];

/** Dimensions that there are direction numbers for. */
export const SOBOL_DIMENSIONS: number = DIRECTIONS.length + 1;

/** Points `skip` to `skip + count − 1` of the sequence, each with `dimensions` numbers from 0 to below 1. */
export function listSobolPoints(count: number, dimensions: number, skip = 0): number[][] {
  const directions = Array.from({ length: dimensions }, (_, d) => createDirections(d));
  const current = new Uint32Array(dimensions);
  const points: number[][] = [];
  for (let n = 0; n < skip + count; n++) {
    if (n >= skip) points.push(Array.from(current, (x) => x / 2 ** BITS));
    const c = countTrailingOnes(n);
    for (let d = 0; d < dimensions; d++) current[d] = current[d]! ^ directions[d]![c]!;
  }
  return points;
}

/** v_1 … v_32 of a dimension, counted from 0. */
function createDirections(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS);
  const row = DIRECTIONS[dimension - 1];
  if (!row) return v.map((_, k) => 2 ** (BITS - 1 - k));
  const [s, a, m] = row;
  for (let k = 0; k < BITS; k++) {
    if (k < s) {
      v[k] = m[k]! * 2 ** (BITS - 1 - k);
      continue;
    }
    let next = v[k - s]! ^ (v[k - s]! >>> s);
    for (let j = 1; j < s; j++) if ((a >> (s - 1 - j)) & 1) next ^= v[k - j]!;
    v[k] = next;
  }
  return v;
}

function countTrailingOnes(n: number): number {
  let count = 0;
  for (let rest = n; rest % 2 === 1; rest = (rest - 1) / 2) count++;
  return count;
}
