import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/box-sets.ts';
import { OUTCOME, SolveTrace } from '../solve-trace.ts';
import { CONE_DEFAULTS } from './cone-run.ts';
import { ConeTable } from './cone-set.ts';
import { ContactSweeps } from './contact-sweeps.ts';
import { LargestEigenvalue } from './largest-eigenvalue.ts';
import { StoredProgram } from './stored-program.ts';

const memory = { f64: (n: number) => new Float64Array(n), i32: (n: number) => new Int32Array(n) };

function solve(program: StoredProgram, iterations = 5000) {
  const impulse = new Float64Array(program.size);
  const velocity = new Float64Array(program.size);
  const trace = new SolveTrace();
  const curvature = new LargestEigenvalue(memory).estimate(program, 1e-4);
  const options = { ...CONE_DEFAULTS, iterations, tolerance: 1e-12, curvature };
  const isDone = new ContactSweeps(memory).solve(program, impulse, velocity, options, trace);
  return { impulse, velocity, trace, isDone };
}

describe("Coulomb's law by sweeps", () => {
  test('one sliding contact in closed form', () => {
    const cones = new ConeTable(memory);
    cones.addFriction(0.1);
    const program = StoredProgram.fromDense([1, 0, 0, 0, 1, 0, 0, 0, 1], [-1, 1, 3], cones, memory);
    const { impulse, velocity, isDone } = solve(program);
    expect(isDone).toBe(true);
    expect(impulse[0]).toBeCloseTo(1, 10);
    expect(Math.hypot(impulse[1], impulse[2])).toBeCloseTo(0.1, 10);
    expect(impulse[1] / impulse[2]).toBeCloseTo(1 / 3, 10);
    expect(Math.abs(velocity[0])).toBeLessThan(1e-11);
  });

  // a point of mass 1 on a floor of friction 1 that a wall of friction 1 pushes at 1 m/s: u_n ≥ μ|u_t| at both has no solution
  test('a wall pushes along a floor, where the cone program has no solution', () => {
    const cones = new ConeTable(memory);
    cones.addFriction(1);
    cones.addFriction(1);
    // floor: n = z, t = x, y; wall: n = x, t = y, z
    const rows = [
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const matrix = rows.flatMap((a) => rows.map((b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]));
    const program = StoredProgram.fromDense(matrix, [-0.1, 0, 0, -1, 0, -0.1], cones, memory);
    const { impulse, velocity, isDone } = solve(program);
    expect(isDone).toBe(true);
    // it goes with the wall and does not rise: the floor rubs with all it carries, N = 0.1 + F_wall, F_wall = 0 since it sticks there
    expect(velocity[0]).toBeCloseTo(0, 10);
    expect(velocity[3]).toBeCloseTo(0, 10);
    expect(velocity[1]).toBeCloseTo(1, 10);
    expect(impulse[1]).toBeCloseTo(-impulse[0], 10);
    expect(impulse[0] + impulse[5]).toBeCloseTo(0.1, 10);
  });

  test('coupled contacts: every condition holds', () => {
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
    const { impulse, velocity, isDone } = solve(StoredProgram.fromDense(matrix, linear, cones, memory));
    expect(isDone).toBe(true);
    for (let b = 0; b < cones.count; b++) {
      const [un, u1, u2] = velocity.subarray(3 * b);
      const [n0, t1, t2] = impulse.subarray(3 * b);
      const slip = Math.hypot(u1, u2);
      // Signorini; friction on the cone and against the slip
      expect(un).toBeGreaterThan(-1e-9);
      expect(Math.abs(un * n0)).toBeLessThan(1e-9);
      expect(Math.hypot(t1, t2)).toBeLessThan(cones.friction[b] * n0 + 1e-12);
      expect(Math.abs(t1 * u1 + t2 * u2 + cones.friction[b] * n0 * slip)).toBeLessThan(1e-9);
    }
  });

  test('at the limit the best point is left and reported', () => {
    const cones = new ConeTable(memory);
    cones.addFriction(0.5);
    cones.addFriction(0.5);
    const matrix = new Float64Array(36);
    for (let i = 0; i < 6; i++) matrix[7 * i] = 1;
    matrix[3] = matrix[18] = -0.99;
    const { isDone, trace } = solve(StoredProgram.fromDense(matrix, [-1, 0.2, 0, -1, 0, 0], cones, memory), 3);
    expect([isDone, trace.outcome[0], trace.count]).toEqual([false, OUTCOME.iterationLimit, 3]);
    expect(trace.finalResidual[0]).toBe(Math.min(...trace.residual.subarray(0, 3)));
  });
});
