import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/box-sets.ts';
import { OUTCOME, SolveTrace } from '../solve-trace.ts';
import { measureComplementarity } from './complementarity.ts';
import { CONE_DEFAULTS } from './cone-run.ts';
import { ConeTable } from './cone-set.ts';
import { type ConeMethodName, ConeSolver } from './cone-solver.ts';
import { CoulombLoop } from './coulomb-loop.ts';
import { StoredProgram } from './stored-program.ts';

const memory = { f64: (n: number) => new Float64Array(n), i32: (n: number) => new Int32Array(n) };
const INNER = { ...CONE_DEFAULTS, iterations: 20_000, tolerance: 1e-13 };

function solve(name: ConeMethodName, program: StoredProgram, start?: Float64Array, loops = 200) {
  const loop = new CoulombLoop(new ConeSolver(name, memory), memory);
  const impulse = start?.slice() ?? new Float64Array(program.size);
  const velocity = new Float64Array(program.size);
  const trace = new SolveTrace();
  const loopTrace = new SolveTrace();
  const options = { loops, tolerance: 1e-12 };
  const report = { ...loop.solve(program, impulse, velocity, options, INNER, trace, loopTrace) };
  return { ...report, impulse, velocity, trace, loopTrace };
}

const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];

describe("Coulomb's and Signorini's problem", () => {
  test.each(['apgd', 'spg', 'pgs', 'admm'] as const)('one sliding contact in closed form (%s)', (name) => {
    const cones = new ConeTable(memory);
    cones.addFriction(0.1);
    const program = StoredProgram.fromDense(identity, [-1, 1, 3], cones, memory);
    const { impulse, velocity, outcome } = solve(name, program);
    expect(outcome).toBe(OUTCOME.converged);
    // the normal impulse stops the approach and no more; friction is μ times that against the slip
    expect(impulse[0]).toBeCloseTo(1, 10);
    expect(Math.hypot(impulse[1], impulse[2])).toBeCloseTo(0.1, 10);
    expect(impulse[1] / impulse[2]).toBeCloseTo(1 / 3, 10);
    expect(Math.abs(velocity[0])).toBeLessThan(1e-11);
    // p is as it was
    expect([...program.linear]).toEqual([-1, 1, 3]);
  });

  test('roll and spin do not lift either', () => {
    const cones = new ConeTable(memory);
    cones.addRolling(0.3, 0.2, 0.1);
    const matrix = new Float64Array(36);
    for (let i = 0; i < 6; i++) matrix[7 * i] = 1;
    const { impulse, velocity } = solve('apgd', StoredProgram.fromDense(matrix, [-1, 3, 4, 2, 0, -5], cones, memory));
    expect(Math.abs(velocity[0])).toBeLessThan(1e-11);
    expect([...impulse].map((value) => Number(value.toFixed(9)) + 0)).toEqual([1, -0.18, -0.24, -0.2, 0, 0.1]);
  });

  // a body between two walls that both push by 1 m/s: impulses grow without end
  test('a program without a solution ends the loop where it is known to have none', () => {
    const cones = new ConeTable(memory);
    cones.addFriction(0.5);
    cones.addFriction(0.5);
    const matrix = new Float64Array(36);
    for (let i = 0; i < 6; i++) matrix[7 * i] = 1;
    matrix[3] = matrix[18] = -1;
    const linear = [-1, 0.2, 0, -1, 0, 0];
    const program = StoredProgram.fromDense(matrix, linear, cones, memory);
    const loop = new CoulombLoop(new ConeSolver('apgd', memory), memory);
    const impulse = new Float64Array(6);
    const velocity = new Float64Array(6);
    const inner = { ...INNER, iterations: 100 };
    let asked = 0;
    const options = {
      loops: 50,
      tolerance: 1e-12,
      isHopeless: () => {
        asked++;
        expect([...program.linear]).toEqual(linear);
        return impulse[0] > 10;
      },
    };
    const report = loop.solve(program, impulse, velocity, options, inner, new SolveTrace(), new SolveTrace());
    expect([report.loops, report.iterations, report.outcome]).toEqual([asked, 100 * asked, OUTCOME.iterationLimit]);
    expect(asked).toBeLessThan(10);
    expect(impulse[0]).toBeGreaterThan(10);
    expect([...program.linear]).toEqual(linear);
  });

  test('what sticks or separates takes one loop, and is the cone program', () => {
    const cones = new ConeTable(memory);
    cones.addFriction(0.5);
    cones.addFriction(0.5);
    const matrix = new Float64Array(36);
    for (let i = 0; i < 6; i++) matrix[7 * i] = 1;
    const { loops, impulse } = solve('apgd', StoredProgram.fromDense(matrix, [-1, 0.2, 0, 1, 0, 0], cones, memory));
    expect(loops).toBe(1);
    expect([...impulse].map((value) => value + 0)).toEqual([1, -0.2, 0, 0, 0, 0]);
  });

  test('coupled contacts: every condition holds, and a start at the solution ends at once', () => {
    const random = createRandom(11);
    const cones = new ConeTable(memory);
    for (let k = 0; k < 12; k++) cones.addFriction(0.2 + 0.6 * random());
    const n = cones.size;
    const rank = 20;
    const G = Array.from({ length: n * rank }, () => 2 * random() - 1);
    const w = Array.from({ length: rank }, () => 2 * random() - 1);
    const matrix = new Float64Array(n * n);
    const linear = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < rank; k++) linear[i] += G[i * rank + k] * w[k];
      for (let j = 0; j < n; j++) for (let k = 0; k < rank; k++) matrix[i * n + j] += G[i * rank + k] * G[j * rank + k];
    }
    const program = StoredProgram.fromDense(matrix, linear, cones, memory);
    const found = solve('apgd', program);
    expect(found.outcome).toBe(OUTCOME.converged);
    for (let b = 0; b < cones.count; b++) {
      const [un, u1, u2] = found.velocity.subarray(3 * b);
      const [n0, t1, t2] = found.impulse.subarray(3 * b);
      const slip = Math.hypot(u1, u2);
      // Signorini; friction on the cone and against the slip
      expect(un).toBeGreaterThan(-1e-10);
      expect(Math.abs(un * n0)).toBeLessThan(1e-10);
      expect(Math.abs(t1 * u1 + t2 * u2 + cones.friction[b] * n0 * slip)).toBeLessThan(1e-10);
    }
    const shifted = found.velocity.slice();
    for (let b = 0; b < cones.count; b++) {
      shifted[3 * b] += cones.friction[b] * Math.hypot(shifted[3 * b + 1], shifted[3 * b + 2]);
    }
    const { coneViolation, dualViolation, complementarity } = measureComplementarity(found.impulse, shifted, cones);
    expect(coneViolation).toBeLessThan(1e-14);
    expect(dualViolation).toBeLessThan(1e-10);
    expect(complementarity).toBeLessThan(1e-10);
    const warm = solve('apgd', program, found.impulse);
    expect(warm.loops).toBe(1);
    expect(warm.iterations).toBeLessThanOrEqual(2);
  });

  test('at the limit of loops the best point is left and reported', () => {
    const cones = new ConeTable(memory);
    cones.addFriction(0.9);
    const program = StoredProgram.fromDense([1, 0.5, 0, 0.5, 1, 0, 0, 0, 1], [-1, 4, 3], cones, memory);
    const { outcome, loops, residual, loopTrace } = solve('apgd', program, undefined, 3);
    expect([outcome, loops, loopTrace.count]).toEqual([OUTCOME.iterationLimit, 3, 3]);
    expect(residual).toBe(Math.min(...loopTrace.residual.subarray(0, 3)));
  });
});
