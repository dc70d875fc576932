/** Soft bodies for scenes of the position-level formulation, and what is read off them. */
import type { Simulation, SoftBody, Vec3 } from '@nexdyn/engine';

/** A cube of 10 cm with three cells along each edge, 1 kg. */
export function softCube(position: Vec3, more: Partial<SoftBody> = {}): SoftBody {
  return {
    mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [3, 3, 3] },
    position,
    elasticity: { model: 'neoHookean', youngsModulus: 1e5, poissonRatio: 0.4 },
    ...more,
  };
}

/** A strip of rectangular section bent to a circle that is open by `gap` rad at each side of the x axis. */
export function horseshoe(segments: number, gap: number, more: Partial<SoftBody> = {}): SoftBody {
  const vertices: number[] = [];
  const tetrahedra: number[] = [];
  for (let i = 0; i <= segments; i++) {
    const angle = gap + (i / segments) * (2 * Math.PI - 2 * gap);
    const section = [0.1, -0.02, 0.13, -0.02, 0.13, 0.02, 0.1, 0.02];
    for (let k = 0; k < 8; k += 2)
      vertices.push(section[k]! * Math.cos(angle), section[k]! * Math.sin(angle), section[k + 1]!);
    if (i === segments) break;
    // six tetrahedra about the diagonal from corner 0 to corner 6 of each piece
    const around = [1, 2, 3, 7, 4, 5, 1];
    for (let k = 0; k < 6; k++) tetrahedra.push(4 * i, 4 * i + 6, 4 * i + around[k]!, 4 * i + around[k + 1]!);
  }
  return {
    mesh: { kind: 'tetrahedra', vertices, tetrahedra: orient(vertices, tetrahedra) },
    elasticity: { model: 'neoHookean', youngsModulus: 1e5, poissonRatio: 0.3 },
    ...more,
  };
}

// exchanges two corners where the volume is negative
function orient(x: readonly number[], tetrahedra: readonly number[]): number[] {
  const out = [...tetrahedra];
  for (let t = 0; t < out.length; t += 4) {
    const edge = (a: number, k: number): number => x[3 * out[t + a]! + k]! - x[3 * out[t]! + k]!;
    let volume = 0;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      volume += edge(1, k) * (edge(2, i) * edge(3, j) - edge(2, j) * edge(3, i));
    }
    if (volume < 0) [out[t + 2], out[t + 3]] = [out[t + 3]!, out[t + 2]!];
  }
  return out;
}

/** Lowest, mean and highest of one coordinate of a soft body, m. */
export function measureSoft(
  simulation: Simulation,
  body: number,
  axis: number,
): { low: number; mean: number; high: number } {
  const values = simulation.softPosition(body).filter((_, i) => i % 3 === axis);
  return {
    low: Math.min(...values),
    mean: values.reduce((sum, x) => sum + x, 0) / values.length,
    high: Math.max(...values),
  };
}

/** The largest change of the distance between any two vertices from what it is at rest, m. */
export function measureStrain(simulation: Simulation, body: number): number {
  const { rest, vertexStart } = simulation.model.soft;
  const first = 3 * vertexStart[body]!;
  const x = simulation.softPosition(body);
  let most = 0;
  for (let p = 0; p < x.length; p += 3) {
    for (let q = 0; q < p; q += 3) {
      const now = Math.hypot(x[p]! - x[q]!, x[p + 1]! - x[q + 1]!, x[p + 2]! - x[q + 2]!);
      const then = Math.hypot(
        rest[first + p]! - rest[first + q]!,
        rest[first + p + 1]! - rest[first + q + 1]!,
        rest[first + p + 2]! - rest[first + q + 2]!,
      );
      most = Math.max(most, Math.abs(now - then));
    }
  }
  return most;
}
