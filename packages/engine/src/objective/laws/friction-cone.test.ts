/** The cone law is a projection: its force is the point of the friction cone nearest to −R⁻¹ y in the norm of R. */
import { describe, expect, test } from 'vitest';
import { Arena } from '../../kernels/arena.ts';
import { CONSTRAINT_LAW, ConvexProblem, SOURCE, ZONE } from '../convex-problem.ts';
import { evaluateCone } from './friction-cone.ts';

const MU = 0.5;

function createCone(normal: number, tangent: number, mu: number): ConvexProblem {
  const problem = new ConvexProblem(new Arena());
  problem.rows.add(3, 1);
  const first = problem.describe(CONSTRAINT_LAW.cone, SOURCE.contact, 0);
  problem.setRow(first, 0, normal, 0, 0);
  problem.friction[first] = mu * Math.sqrt(tangent / normal);
  for (let k = 1; k < 3; k++) {
    problem.setRow(first + k, 0, tangent, 0, 0);
    problem.friction[first + k] = mu;
  }
  return problem;
}

/**
 * argmin ½ |γ − y|²_R over the cone by brute force: tangents of the solution are along y_t (the problem is symmetric about
 * the axis), which leaves γ_n and |γ_t| in a wedge; a grid, refined around its best point thirty times.
 */
function project(y: readonly number[], normal: number, tangent: number, mu: number): [number, number] {
  const along = Math.hypot(y[1], y[2]);
  const cost = (n: number, t: number): number => normal * (n - y[0]) ** 2 + tangent * (t - along) ** 2;
  let best: [number, number] = [0, 0];
  let width = 2 * (Math.abs(y[0]) + along + mu * along);
  for (let pass = 0; pass < 30; pass++, width *= 0.5) {
    const [cn, ct] = best;
    for (let i = -20; i <= 20; i++) {
      const n = Math.max(0, cn + (i * width) / 20);
      for (let j = -20; j <= 20; j++) {
        const t = Math.min(mu * n, Math.max(0, ct + (j * width) / 20));
        if (cost(n, t) < cost(best[0], best[1])) best = [n, t];
      }
    }
  }
  return best;
}

describe.each([
  ['equal', 0.4, 0.4],
  ['soft friction', 0.4, 4],
  ['hard friction', 0.4, 4e-3],
])('R %s', (_, normal, tangent) => {
  const problem = createCone(normal, tangent, MU);

  function evaluate(y: readonly number[]): number[] {
    const r = [normal, tangent, tangent];
    for (let k = 0; k < 3; k++) problem.data.residual[k] = -r[k] * y[k];
    evaluateCone(problem, 0);
    return [...problem.data.force.subarray(0, 3)];
  }

  test('the force is the argmin in the norm of R, in all three zones and on their borders', () => {
    const seen = new Set<number>();
    // border of sticking y_r = μ y_n, border of opening y_n = −μ (R_t/R_n) y_r
    const slopes = [-30, -1.0001, -1, -0.9999, -0.3, 0, 0.3, 0.9999, 1, 1.0001, 30];
    const angles = [0, 0.4, 2.1, 3.9];
    for (const slope of slopes) {
      for (const angle of angles) {
        const along = 0.7;
        const up = slope >= 0 ? (slope * along) / MU : slope * MU * (tangent / normal) * along;
        const y = [up, along * Math.cos(angle), along * Math.sin(angle)];
        const force = evaluate(y);
        seen.add(problem.data.zone[0]);
        const [n, t] = project(y, normal, tangent, MU);
        expect(Math.abs(force[0] - n)).toBeLessThan(1e-8);
        expect(Math.abs(force[1] - t * Math.cos(angle))).toBeLessThan(1e-8);
        expect(Math.abs(force[2] - t * Math.sin(angle))).toBeLessThan(1e-8);
        const energy = 0.5 * (normal * force[0] ** 2 + tangent * (force[1] ** 2 + force[2] ** 2));
        expect(Math.abs(problem.data.cost[0] - energy)).toBeLessThan(1e-14 * (1 + energy));
      }
    }
    expect([...seen].sort()).toEqual([ZONE.open, ZONE.quadratic, ZONE.slide]);
  });
});
