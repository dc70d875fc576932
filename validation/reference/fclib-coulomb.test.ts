/**
 * Published contact problems under Coulomb's law and Signorini's condition. Solutions need not be unique: residuals are checked,
 * of ours and, with the same ruler, of the stored ones.
 */
import {
  CONE_DEFAULTS,
  type ConeMethodName,
  ConeSolver,
  CoulombLoop,
  type CoulombOptions,
  findCoulombShift,
  measureComplementarity,
  OUTCOME,
  SolveTrace,
} from '@nexdyn/engine/solvers';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';
import { hasProblems, loadProblems, type ReferenceProblem } from './fclib-problems.ts';

const takeTurn = createTurns();

const problems = loadProblems().filter(({ coulomb }) => coulomb !== undefined);

function solve(
  name: ConeMethodName,
  { program }: ReferenceProblem,
  options: CoulombOptions = { loops: 200, tolerance: 1e-10 },
  start?: number[],
) {
  const impulse = Float64Array.from(start ?? new Array<number>(program.size).fill(0));
  const velocity = new Float64Array(program.size);
  const loop = new CoulombLoop(new ConeSolver(name, program.memory), program.memory);
  const inner = { ...CONE_DEFAULTS, iterations: 20_000, tolerance: 0.1 * options.tolerance };
  const trace = new SolveTrace();
  const loopTrace = new SolveTrace();
  const report = { ...loop.solve(program, impulse, velocity, options, inner, trace, loopTrace) };
  return { ...report, impulse, velocity };
}

/** λmax |r − P(r − ũ/λmax)| / max(|q|, λmax |r|, |ũ|), ũ = u + μ|u_T| e_N, written out for three rows per contact. */
function measureResidual({ program, problem, norm }: ReferenceProblem, r: ArrayLike<number>, lambda: number): number {
  const impulse = Float64Array.from(r);
  const u = new Float64Array(program.size);
  program.multiply(u, impulse);
  let gap = 0;
  let velocity = 0;
  problem.blocks.forEach((block, c) => {
    if (block.kind !== 'contact') throw new Error('a contact is expected');
    const mu = block.friction;
    const [n, t1, t2] = impulse.subarray(3 * c);
    const u1 = u[3 * c + 1] + problem.linear[3 * c + 1];
    const u2 = u[3 * c + 2] + problem.linear[3 * c + 2];
    const un = u[3 * c] + problem.linear[3 * c] + mu * Math.hypot(u1, u2);
    velocity += un * un + u1 * u1 + u2 * u2;
    const [a, b1, b2] = [n - un / lambda, t1 - u1 / lambda, t2 - u2 / lambda];
    const b = Math.hypot(b1, b2);
    const normal = b <= mu * a ? a : mu * b <= -a ? 0 : (a + mu * b) / (1 + mu * mu);
    const share = b <= mu * a ? 1 : b > 0 ? (mu * normal) / b : 0;
    gap += (n - normal) ** 2 + (t1 - share * b1) ** 2 + (t2 - share * b2) ** 2;
  });
  return (lambda * Math.sqrt(gap)) / Math.max(norm, lambda * Math.hypot(...impulse), Math.sqrt(velocity));
}

test.skipIf(!hasProblems)('twelve problems (needs reference/fclib beside the repository)', () => {
  expect(problems).toHaveLength(12);
});

describe.each(problems)('$name', (problem) => {
  const test = takeTurn();
  const { program, coulomb, norm } = problem;

  test.each(['apgd', 'spg', 'admm'] as const)('is solved to 1e-10 (%s)', (name) => {
    const { outcome, residual, curvature, impulse, velocity } = solve(name, problem);
    expect(outcome).toBe(OUTCOME.converged);
    expect(residual).toBeLessThanOrEqual(1e-10);
    // by a ruler of its own; rounding of large impulses apart
    expect(Math.abs(measureResidual(problem, impulse, curvature) - residual)).toBeLessThan(1e-12);
    // nothing approaches, and what carries force does not separate
    const scale = Math.max(norm, curvature * Math.hypot(...impulse));
    const dual = velocity.slice();
    const shift = new Float64Array(program.cones.count);
    findCoulombShift(shift, velocity, program.cones);
    for (let b = 0; b < shift.length; b++) dual[3 * b] += shift[b];
    const { coneViolation, dualViolation } = measureComplementarity(impulse, dual, program.cones);
    expect(coneViolation).toBeLessThan(1e-14 * Math.hypot(...impulse));
    expect(dualViolation).toBeLessThan(1e-9 * scale);
    for (let b = 0; b < shift.length; b++) {
      expect(velocity[3 * b]).toBeGreaterThan(-1e-9 * scale);
      // |r_N u_N| against the residual times the larger of the two
      const product = Math.abs(impulse[3 * b] * velocity[3 * b]);
      expect(product).toBeLessThan(1e-8 * scale * Math.hypot(...impulse));
    }
  });

  test('the stored solution is one by the same ruler, and ends the loop at once', () => {
    const { loops, iterations, curvature, residual } = solve(
      'apgd',
      problem,
      { loops: 5, tolerance: 1e-8 },
      coulomb!.r,
    );
    expect(measureResidual(problem, coulomb!.r, curvature)).toBeLessThan(1e-9);
    expect(residual).toBeLessThanOrEqual(1e-8);
    expect(loops).toBe(1);
    expect(iterations).toBeLessThanOrEqual(2);
  });
});
