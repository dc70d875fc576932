/**
 * From the derivatives of a rod's energy by tangents and angles (rod-bend.ts) to those by its points and turned distances, and into the
 * blocks of a matrix. Eleven numbers per inner point: the point before, itself, the point after, s of the edges before and after.
 */

/** Unknowns at an inner point. */
export const LOCAL = 11;
const TANGENTS = 8;
/** Derivatives by the two edges and their angles. */
const edgeSlope = /* @__PURE__ */ new Float64Array(TANGENTS);
const edgeCurvature = /* @__PURE__ */ new Float64Array(TANGENTS * TANGENTS);
const half = /* @__PURE__ */ new Float64Array(TANGENTS * TANGENTS);
/** How points move edges: rows are the points, columns the two edges. */
const SHARE = [-1, 0, 1, -1, 0, 1];
const PAIR_FIRST: readonly number[] = [0, 0, 1, 0, 0, 1, 1, 2, 2, 3];
const PAIR_SECOND: readonly number[] = [1, 2, 2, 3, 4, 3, 4, 3, 4, 4];
/** First of the eleven numbers of each of the five vertices, and how many it has. */
const START = [0, 3, 6, 9, 10];
const WIDTH = [3, 3, 3, 1, 1];

/** Writes the gradient and, where `hessian` is given, the Hessian at inner point i. */
export function mapToPoints(
  gradient: Float64Array,
  hessian: Float64Array | undefined,
  slope: Float64Array,
  curvature: Float64Array,
  t: Float64Array,
  length: Float64Array,
  joint: Int32Array,
  i: number,
  radius: number,
): void {
  const inverse1 = 1 / length[joint[2 * i]];
  const inverse2 = 1 / length[joint[2 * i + 1]];
  for (let j = 0; j < 2; j++) {
    const o = 3 * j;
    const size = j === 0 ? inverse1 : inverse2;
    const along = slope[o] * t[o] + slope[o + 1] * t[o + 1] + slope[o + 2] * t[o + 2];
    for (let c = o; c < o + 3; c++) edgeSlope[c] = size * (slope[c] - along * t[c]);
    edgeSlope[6 + j] = slope[6 + j] / radius;
  }
  gradient.fill(0);
  for (let v = 0; v < 3; v++) {
    for (let j = 0; j < 2; j++) {
      for (let c = 0; c < 3; c++) gradient[3 * v + c] += SHARE[2 * v + j] * edgeSlope[3 * j + c];
    }
  }
  gradient[9] = edgeSlope[6];
  gradient[10] = edgeSlope[7];
  if (!hessian) return;
  projectRows(curvature, t, inverse1, inverse2, radius);
  for (let j = 0; j < 2; j++) addTangentTerms(slope, t, 3 * j, j === 0 ? inverse1 : inverse2);
  spread(hessian);
}

// edgeCurvature ← D H Dᵀ with D = P/l of tangents and 1/r of angles
function projectRows(h: Float64Array, t: Float64Array, inverse1: number, inverse2: number, radius: number): void {
  const n = TANGENTS;
  for (let pass = 0; pass < 2; pass++) {
    const from = pass === 0 ? h : half;
    const to = pass === 0 ? half : edgeCurvature;
    // rows are projected, and written as columns: twice gives both sides
    for (let column = 0; column < n; column++) {
      for (let j = 0; j < 2; j++) {
        const o = 3 * j;
        const size = j === 0 ? inverse1 : inverse2;
        const along =
          t[o] * from[n * o + column] + t[o + 1] * from[n * (o + 1) + column] + t[o + 2] * from[n * (o + 2) + column];
        for (let c = o; c < o + 3; c++) to[n * column + c] = size * (from[n * c + column] - along * t[c]);
        to[n * column + 6 + j] = from[n * (6 + j) + column] / radius;
      }
    }
  }
}

// −((t·g) P + t gᵀP + P g tᵀ)/l² of the edge at o
function addTangentTerms(g: Float64Array, t: Float64Array, o: number, inverse: number): void {
  const n = TANGENTS;
  const along = g[o] * t[o] + g[o + 1] * t[o + 1] + g[o + 2] * t[o + 2];
  const size = inverse * inverse;
  for (let a = o; a < o + 3; a++) {
    for (let b = o; b < o + 3; b++) {
      const across = (a === b ? 1 : 0) - t[a] * t[b];
      const mixed = t[a] * (g[b] - along * t[b]) + (g[a] - along * t[a]) * t[b];
      edgeCurvature[n * a + b] -= size * (along * across + mixed);
    }
  }
}

// by edges to by points
function spread(out: Float64Array): void {
  const n = TANGENTS;
  out.fill(0);
  for (let v = 0; v < 3; v++) {
    for (let j = 0; j < 2; j++) {
      const share = SHARE[2 * v + j];
      if (share === 0) continue;
      for (let c = 0; c < 3; c++) {
        const row = LOCAL * (3 * v + c);
        const from = n * (3 * j + c);
        for (let w = 0; w < 3; w++) {
          for (let k = 0; k < 2; k++) {
            const both = share * SHARE[2 * w + k];
            if (both === 0) continue;
            for (let d = 0; d < 3; d++) out[row + 3 * w + d] += both * edgeCurvature[from + 3 * k + d];
          }
        }
        for (let k = 0; k < 2; k++) {
          const value = share * edgeCurvature[from + 6 + k];
          out[row + 9 + k] += value;
          out[LOCAL * (9 + k) + 3 * v + c] += value;
        }
      }
    }
  }
  for (let j = 0; j < 2; j++)
    for (let k = 0; k < 2; k++) out[LOCAL * (9 + j) + 9 + k] = edgeCurvature[n * (6 + j) + 6 + k];
}

/** Adds scale · the local matrix to the blocks of its five vertices; places of its ten pairs are at place[o]. */
export function addLocalBlocks(
  values: Float64Array,
  vertex: Int32Array,
  place: Int32Array,
  o: number,
  matrix: Float64Array,
  scale: number,
): void {
  for (let v = 0; v < 5; v++) {
    for (let i = 0; i < WIDTH[v]; i++)
      for (let j = 0; j < WIDTH[v]; j++)
        values[9 * vertex[v] + 3 * i + j] += scale * matrix[LOCAL * (START[v] + i) + START[v] + j];
  }
  for (let p = 0; p < 10; p++) {
    const a = PAIR_FIRST[p];
    const b = PAIR_SECOND[p];
    const isStraight = vertex[a] > vertex[b];
    for (let i = 0; i < WIDTH[a]; i++) {
      for (let j = 0; j < WIDTH[b]; j++) {
        const value = scale * matrix[LOCAL * (START[a] + i) + START[b] + j];
        values[place[o + p] + (isStraight ? 3 * i + j : 3 * j + i)] += value;
      }
    }
  }
}

/** out ← stiffness (t tᵀ + across (I − t tᵀ)). */
export function writeStretch(out: Float64Array, t: Float64Array, o: number, stiffness: number, across: number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const along = t[o + i] * t[o + j];
      out[3 * i + j] = stiffness * (along + across * ((i === j ? 1 : 0) - along));
    }
  }
}
