/**
 * `sap` with its regularisation R → 0 approaches the cone complementarity problem on the same contacts,
 *   minimise ½ γᵀ N γ + pᵀ γ over the friction cones,  N = J A⁻¹ Jᵀ,  p = J v* − v̂,   v = v* + A⁻¹ Jᵀ γ
 * solved here by a small projected-gradient method of its own, on dense matrices. The distance is linear in R.
 */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import type { ConvexProblem } from '@nexdyn/engine/solvers';
import { describe, expect, test } from 'vitest';
import { tower } from './structures.ts';

/** Boxes that slide on each other and on the ground in different directions. */
function slidingStack(regularization: number): Scene {
  const scene = tower(3, 0.2, 1, {
    formulation: 'sap',
    timestep: 0.01,
    disable: ['island', 'warmStart'],
    sap: {
      nearRigid: Math.sqrt(regularization),
      frictionRegularization: regularization,
      stiffness: 1e16,
      dissipation: 0.01,
      relativeTolerance: 1e-10,
      absoluteTolerance: 1e-16,
    },
  });
  scene.keyframes = [
    { velocity: [1, 0.2, -0.1, 0, 0.3, 1, -0.5, 0.7, 0.1, 0.2, 0, -1, 0.1, -0.3, 0.2, 0.1, 0.2, 0.5] },
  ];
  return scene;
}

describe('sap approaches the rigid cone complementarity problem', () => {
  const reference = solveRigid(new Simulation(compileModel(slidingStack(1e-3))));

  test.each([1e-3, 1e-4, 1e-5])('regularisation %d', (regularization) => {
    const simulation = new Simulation(compileModel(slidingStack(regularization)));
    expect(simulation.step().status).toBe('converged');
    let worst = 0;
    simulation.state.velocity.forEach((v, i) => {
      worst = Math.max(worst, Math.abs(v - reference[i]));
    });
    // R is the regularisation times w ≈ 1/m; impulses are of the order of momentum: Δv ≤ a few times R γ
    expect(worst).toBeLessThan(10 * regularization);
    expect(worst).toBeGreaterThan(1e-3 * regularization);
  });
});

/** Velocity after the step of the rigid problem on the contacts of a sap step. */
function solveRigid(simulation: Simulation): Float64Array {
  const start = simulation.snapshot();
  simulation.step();
  const problem = simulation.formulation.problem as ConvexProblem;
  const n = simulation.model.size.velocity;
  const m = problem.rowCount;
  const jacobian = denseRows(problem, n);
  const inverse = invert(denseMetric(simulation, problem));
  const free = Float64Array.from(problem.target);
  const linear = Float64Array.from({ length: m }, (_, r) => dot(jacobian[r], free) - problem.reference[r]);
  const spread = jacobian.map((row) => inverse.map((line) => dot(line, row)));
  const delassus = jacobian.map((row) => spread.map((column) => dot(row, column)));
  const impulse = minimizeOnCones(delassus, linear, problem.friction.slice(0, m));
  simulation.restore(start);
  return free.map((v, i) => v + spread.reduce((sum, column, r) => sum + column[i] * impulse[r], 0));
}

function denseRows({ rows }: ConvexProblem, n: number): Float64Array[] {
  const dense: Float64Array[] = [];
  for (let b = 0; b < rows.blockCount; b++) {
    for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
      const row = new Float64Array(n);
      for (let i = 0; i < rows.columnCount[b]; i++) {
        const at = rows.valueStart[b] + (r - rows.rowStart[b]) * rows.columnCount[b] + i;
        row[rows.column[rows.columnStart[b] + i]] = rows.value[at];
      }
      dense.push(row);
    }
  }
  return dense;
}

function denseMetric({ model }: Simulation, problem: ConvexProblem): Float64Array[] {
  const n = model.size.velocity;
  const dense = Array.from({ length: n }, () => new Float64Array(n));
  const { rowStart, column } = model.massMatrix;
  for (let i = 0; i < n; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) dense[i][column[k]] = dense[column[k]][i] = problem.metric[k];
  }
  return dense;
}

/** Accelerated projected gradient with restart, all contacts of three rows: normal, two tangents. */
function minimizeOnCones(matrix: number[][], linear: Float64Array, friction: Float64Array): Float64Array {
  const m = linear.length;
  // the trace bounds the largest eigenvalue
  const step = 1 / matrix.reduce((sum, row, i) => sum + row[i], 0);
  let x = new Float64Array(m);
  let y = x.slice();
  let theta = 1;
  for (let k = 0; k < 200_000; k++) {
    const gradient = linear.map((p, i) => p + dot(matrix[i], y));
    const next = y.map((value, i) => value - step * gradient[i]);
    for (let c = 0; c < m; c += 3) projectCone(next, c, friction[c + 1]);
    const move = next.map((value, i) => value - x[i]);
    if (Math.max(...move.map(Math.abs)) < 1e-17 && k > 100) break;
    const isUphill = dot(gradient, move) > 0;
    const following = isUphill ? 1 : (-theta * theta + theta * Math.sqrt(theta * theta + 4)) / 2;
    const momentum = isUphill ? 0 : (theta * (1 - theta)) / (theta * theta + following);
    y = next.map((value, i) => value + momentum * move[i]);
    x = next;
    theta = following;
  }
  return x;
}

function projectCone(x: Float64Array, c: number, mu: number): void {
  const tangent = Math.hypot(x[c + 1], x[c + 2]);
  if (tangent <= mu * x[c]) return;
  const normal = mu * tangent <= -x[c] ? 0 : (x[c] + mu * tangent) / (1 + mu * mu);
  x[c] = normal;
  for (let k = 1; k < 3; k++) x[c + k] *= normal === 0 ? 0 : (mu * normal) / tangent;
}

/** Gauss-Jordan. */
function invert(matrix: Float64Array[]): Float64Array[] {
  const n = matrix.length;
  const work = matrix.map((row, i) =>
    Float64Array.from({ length: 2 * n }, (_, k) => (k < n ? row[k] : k - n === i ? 1 : 0)),
  );
  for (let i = 0; i < n; i++) {
    const pivot = work[i][i];
    for (let k = 0; k < 2 * n; k++) work[i][k] /= pivot;
    for (let j = 0; j < n; j++) {
      const factor = work[j][i];
      if (j !== i) for (let k = 0; k < 2 * n; k++) work[j][k] -= factor * work[i][k];
    }
  }
  return work.map((row) => row.slice(n));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
