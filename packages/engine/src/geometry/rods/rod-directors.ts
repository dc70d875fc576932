/** Tangents of a polyline, and directors across its edges that go from one to the next by the rotation without twist. */

/** Directors of a polyline that go from edge to edge without twist, three numbers per edge. */
export function carryDirectors(vertices: Float64Array, edges: Int32Array): Float64Array {
  const count = edges.length / 2;
  const out = new Float64Array(3 * count);
  const t = new Float64Array(6);
  for (let e = 0; e < count; e++) {
    measureEdge(t, 3, vertices, edges, e);
    const from = e === 0 ? startDirector(t) : Array.from(out.subarray(3 * e - 3, 3 * e));
    const share =
      e === 0 ? 0 : (t[3] * from[0] + t[4] * from[1] + t[5] * from[2]) / (1 + t[0] * t[3] + t[1] * t[4] + t[2] * t[5]);
    for (let c = 0; c < 3; c++) out[3 * e + c] = from[c] - share * (t[c] + t[3 + c]);
    for (let c = 0; c < 3; c++) t[c] = t[3 + c];
  }
  return out;
}

// across the first edge, as near to z as possible
function startDirector(t: Float64Array): number[] {
  const axis = Math.abs(t[5]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const along = axis[0] * t[3] + axis[1] * t[4] + axis[2] * t[5];
  const across = axis.map((value, c) => value - along * t[3 + c]);
  const size = Math.hypot(...across);
  return across.map((value) => value / size);
}

/** Writes the tangent of edge e; gives its length. */
export function measureEdge(out: Float64Array, o: number, x: Float64Array, edges: Int32Array, e: number): number {
  const a = 3 * edges[2 * e];
  const b = 3 * edges[2 * e + 1];
  const size = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
  for (let c = 0; c < 3; c++) out[o + c] = (x[b + c] - x[a + c]) / size;
  return size;
}
