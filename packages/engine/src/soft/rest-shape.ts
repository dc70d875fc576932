/**
 * Linear tetrahedra at rest. In a tetrahedron with vertices x₀..x₃ the deformation gradient is constant,
 * F = [x₁−x₀, x₂−x₀, x₃−x₀] B = Σ xₐ gₐᵀ, with B = [X₁−X₀, X₂−X₀, X₃−X₀]⁻¹ of the rest shape, 1/m. Row a of B is the gradient gₐ
 * of the shape function of vertex a = 1, 2, 3; g₀ = −(g₁ + g₂ + g₃).
 */
import { NexdynError } from '../error.ts';
import type { TetrahedralMesh } from '../geometry/tetrahedra/tetrahedral-mesh.ts';
import type { Memory } from '../linear-algebra/memory.ts';

export interface RestShape {
  /** Positions, m. */
  readonly rest: Float64Array;
  readonly tetrahedra: Int32Array;
  /** Per tetrahedron: B, row by row, 1/m; rest volume, m³. */
  readonly inverseRest: Float64Array;
  readonly volume: Float64Array;
}

/** Copies a mesh and checks it; `path` is where the soft body is in the scene. */
export function createRestShape(shape: TetrahedralMesh, memory: Memory, path: string): RestShape {
  const vertexCount = shape.vertices.length / 3;
  const tetrahedronCount = shape.tetrahedra.length / 4;
  if (!Number.isInteger(vertexCount) || !Number.isInteger(tetrahedronCount) || tetrahedronCount === 0) {
    throw new NexdynError(
      'invalid-mesh',
      `A tetrahedral mesh of ${shape.vertices.length} coordinates and ${shape.tetrahedra.length} indices`,
      {
        path: `${path}.mesh`,
        hint: 'Three coordinates per vertex, four indices per tetrahedron, at least one of these.',
      },
    );
  }
  const rest = memory.f64(3 * vertexCount);
  rest.set(shape.vertices);
  const tetrahedra = memory.i32(4 * tetrahedronCount);
  tetrahedra.set(shape.tetrahedra);
  checkIndices(tetrahedra, vertexCount, path);
  const inverseRest = memory.f64(9 * tetrahedronCount);
  const volume = memory.f64(tetrahedronCount);
  for (let t = 0; t < tetrahedronCount; t++) {
    volume[t] = invertRestShape(inverseRest, 9 * t, rest, tetrahedra, 4 * t);
    if (!(volume[t] > 0 && volume[t] < Infinity)) throw wrongTetrahedron(t, volume[t], path);
  }
  return { rest, tetrahedra, inverseRest, volume };
}

/** Writes B of a tetrahedron to out[o..o+9); gives its volume, which may be negative or zero. */
function invertRestShape(out: Float64Array, o: number, x: Float64Array, tetrahedra: Int32Array, t: number): number {
  const p = 3 * tetrahedra[t];
  const a = 3 * tetrahedra[t + 1];
  const b = 3 * tetrahedra[t + 2];
  const c = 3 * tetrahedra[t + 3];
  const ax = x[a] - x[p];
  const ay = x[a + 1] - x[p + 1];
  const az = x[a + 2] - x[p + 2];
  const bx = x[b] - x[p];
  const by = x[b + 1] - x[p + 1];
  const bz = x[b + 2] - x[p + 2];
  const cx = x[c] - x[p];
  const cy = x[c + 1] - x[p + 1];
  const cz = x[c + 2] - x[p + 2];
  // rows: b × c, c × a, a × b over a · (b × c)
  const gx = by * cz - bz * cy;
  const gy = bz * cx - bx * cz;
  const gz = bx * cy - by * cx;
  const determinant = ax * gx + ay * gy + az * gz;
  const scale = 1 / determinant;
  out[o] = gx * scale;
  out[o + 1] = gy * scale;
  out[o + 2] = gz * scale;
  out[o + 3] = (cy * az - cz * ay) * scale;
  out[o + 4] = (cz * ax - cx * az) * scale;
  out[o + 5] = (cx * ay - cy * ax) * scale;
  out[o + 6] = (ay * bz - az * by) * scale;
  out[o + 7] = (az * bx - ax * bz) * scale;
  out[o + 8] = (ax * by - ay * bx) * scale;
  return determinant / 6;
}

function checkIndices(tetrahedra: Int32Array, vertexCount: number, path: string): void {
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (let a = 0; a < 4; a++) {
      const i = tetrahedra[t + a];
      const isTwice = tetrahedra.subarray(t, t + a).includes(i);
      if (i >= 0 && i < vertexCount && !isTwice) continue;
      const reason = isTwice ? `names vertex ${i} twice` : `names vertex ${i} of ${vertexCount}`;
      throw new NexdynError('invalid-mesh', `Tetrahedron ${t / 4} ${reason}`, {
        path: `${path}.mesh.tetrahedra`,
        hint: 'Indices run from 0; a tetrahedron has four different vertices.',
      });
    }
  }
}

function wrongTetrahedron(t: number, volume: number, path: string): NexdynError {
  const reason = volume < 0 ? `is inverted: its volume is ${volume} m³` : `has no volume (${volume} m³)`;
  return new NexdynError('invalid-mesh', `Tetrahedron ${t} ${reason}`, {
    path: `${path}.mesh.tetrahedra`,
    hint: volume < 0 ? 'Exchange two of its vertices.' : 'Its four vertices lie in one plane: mesh the shape anew.',
  });
}
