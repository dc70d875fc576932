/**
 * How an edge of a shell turns against the mean of its two triangles. At the middle of an edge the surface has a normal, which is at
 * angles ψ₁ and ψ₂ from those of the triangles, ψ₁ + ψ₂ = θ. On meshes whose triangles form parallelograms they are equal. For a
 * surface of constant curvature H, in axes along the edge (x) and across it (y), with apexes at (a₁, h₁) and (a₂, −h₂) and length l,
 *
 *   2ψ₁ = Hyy h₁ + 2 Hxy a₁ + Hxx (a₁² − l²/4)/h₁,   2ψ₂ = Hyy h₂ − 2 Hxy a₂ + Hxx (a₂² − l²/4)/h₂
 *
 * so that r = ψ₁ − ψ₂ = d : H and every angle is θ = c : H. Of H the angles around tell: r = Σ bₖ θₖ over the edges of both triangles, with the
 * smallest b for which Σ bₖ cₖ = d. Then curvatures that are constant are exact on any mesh. What one triangle gains the other loses,
 * so that constant moments stay in balance. Without r, plates of alternating diagonals are a third too stiff.
 * Sources: Morley, The triangular equilibrium element in the solution of plate bending problems (1968), whose rotations at the
 * edges are unknowns; Grinspun, Gingold, Reisman and Zorin, Computing discrete shape operators on general meshes (2006).
 */
import type { ShellTopology } from '../../geometry/shells/shell-topology.ts';
import { factorDense, solveDense } from '../../linear-algebra/dense-cholesky.ts';

/** r of hinge e: Σ weight · θ over entries start[e] .. start[e + 1]. */
export interface EdgeTurns {
  readonly start: Int32Array;
  readonly hinge: Int32Array;
  readonly weight: Float64Array;
}

/** |d| over the mean height of the triangles up to which r is left out: the energy changes by its square. */
const REGULAR = 0.05;
/** Part of the trace that is added where the angles around do not tell all of H, and the largest sum of |bₖ|. */
const SHIFT = 1e-6;
const LARGEST = 3;

/** `x` are the vertices at rest. */
export function findEdgeTurns(triangles: Int32Array, topology: ShellTopology, x: Float64Array): EdgeTurns {
  const { hinge: corners, hingeOf, side } = topology;
  const hinges = corners.length / 4;
  const start = new Int32Array(hinges + 1);
  const hinge: number[] = [];
  const weight: number[] = [];
  const owners = listOwners(hingeOf, hinges);
  for (let e = 0; e < hinges; e++) {
    const { length, above, below } = unfold(corners, e, x);
    const d = [0.5 * (liftOf(above, length) - liftOf(below, length)), 0.5 * (above[1] - below[1]), above[0] + below[0]];
    if (Math.hypot(...d) > 0.5 * REGULAR * (above[1] + below[1])) {
      const columns = [writeAngle([1, 0], [0, 1], length, above, below)];
      const entries = [e];
      const signs = [1];
      for (let which = 0; which < 2; which++) {
        const at = owners[2 * e + which];
        const t = 3 * Math.floor(at / 3);
        for (let k = t; k < t + 3; k++) {
          const other = hingeOf[k];
          if (k === at || other < 0) continue;
          // corners of the triangle in the axes of e
          const place = (v: number): Point => {
            if (v === triangles[at]) return which === 0 ? above : [below[0], -below[1]];
            return [v === corners[4 * e] ? -0.5 * length : 0.5 * length, 0];
          };
          columns.push(seeAngle(corners, other, owners[2 * other] === k, place, triangles[k], x));
          entries.push(other);
          // as the first triangle of e sees it
          signs.push(side[k] * side[at]);
        }
      }
      solveSmallest(columns, d).forEach((b, k) => {
        hinge.push(entries[k]);
        weight.push(signs[k] * b);
      });
    }
    start[e + 1] = hinge.length;
  }
  return { start, hinge: Int32Array.from(hinge), weight: Float64Array.from(weight) };
}

type Point = readonly [number, number];

/** Per hinge: the corners of its first and its second triangle that lie opposite to it, as numbers in the list of triangles. */
function listOwners(hingeOf: Int32Array, hinges: number): Int32Array {
  const owners = new Int32Array(2 * hinges).fill(-1);
  for (let i = 0; i < hingeOf.length; i++) {
    const e = hingeOf[i];
    if (e >= 0) owners[owners[2 * e] < 0 ? 2 * e : 2 * e + 1] = i;
  }
  return owners;
}

/** Both triangles of a hinge laid flat: length of the edge; along it and away from it, the apexes of either side. */
function unfold(corners: Int32Array, e: number, x: Float64Array): { length: number; above: Point; below: Point } {
  const p = 3 * corners[4 * e];
  const q = 3 * corners[4 * e + 1];
  const length = Math.hypot(x[q] - x[p], x[q + 1] - x[p + 1], x[q + 2] - x[p + 2]);
  const place = (apex: number): Point => {
    let along = 0;
    let square = 0;
    for (let c = 0; c < 3; c++) {
      const away = x[3 * apex + c] - 0.5 * (x[p + c] + x[q + c]);
      along += (away * (x[q + c] - x[p + c])) / length;
      square += away * away;
    }
    return [along, Math.sqrt(Math.max(square - along * along, Number.MIN_VALUE))];
  };
  return { length, above: place(corners[4 * e + 2]), below: place(corners[4 * e + 3]) };
}

function liftOf([a, h]: Point, length: number): number {
  return (a * a - 0.25 * length * length) / h;
}

/** c of a hinge whose first or second triangle has the corners that `place` gives in other axes; `apex` lies opposite to it. */
function seeAngle(
  corners: Int32Array,
  e: number,
  isFirst: boolean,
  place: (v: number) => Point,
  apex: number,
  x: Float64Array,
): number[] {
  const { length, above, below } = unfold(corners, e, x);
  const from = place(corners[4 * e]);
  const to = place(corners[4 * e + 1]);
  const top = place(apex);
  const along: Point = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  // across, to the side of the apex
  const isLeft = along[0] * (top[1] - from[1]) - along[1] * (top[0] - from[0]) > 0;
  const across: Point = isLeft ? [-along[1], along[0]] : [along[1], -along[0]];
  return isFirst ? writeAngle(along, across, length, above, below) : writeAngle(along, across, length, below, above);
}

/** c: the angle over Hxx, Hyy, Hxy. */
function writeAngle(u: Point, n: Point, length: number, own: Point, other: Point): number[] {
  const bend = 0.5 * (liftOf(own, length) + liftOf(other, length));
  const fold = 0.5 * (own[1] + other[1]);
  const twist = own[0] - other[0];
  return [
    bend * u[0] * u[0] + fold * n[0] * n[0] + twist * u[0] * n[0],
    bend * u[1] * u[1] + fold * n[1] * n[1] + twist * u[1] * n[1],
    2 * bend * u[0] * u[1] + 2 * fold * n[0] * n[1] + twist * (u[0] * n[1] + u[1] * n[0]),
  ];
}

/** The smallest b with Σ bₖ columnsₖ = d: b = Cᵀ (C Cᵀ)⁻¹ d. */
function solveSmallest(columns: readonly number[][], d: readonly number[]): number[] {
  const m = new Float64Array(9);
  for (const c of columns) for (let i = 0; i < 9; i++) m[i] += c[Math.floor(i / 3)] * c[i % 3];
  const shift = SHIFT * (m[0] + m[4] + m[8]);
  for (let i = 0; i < 9; i += 4) m[i] += shift;
  const y = Float64Array.from(d);
  const inverse = new Float64Array(3);
  factorDense(m, inverse, 3);
  solveDense(y, m, inverse, 3);
  const b = columns.map((c) => c[0] * y[0] + c[1] * y[1] + c[2] * y[2]);
  const sum = b.reduce((total, value) => total + Math.abs(value), 0);
  return sum > LARGEST ? b.map((value) => (value * LARGEST) / sum) : b;
}
