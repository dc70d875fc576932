/** The problem of a step of `ccp`: its matrix, its minimum by four methods, where it starts from, and what is degenerate. */
import { type CcpOptions, compileModel, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import type { ConeProgram, ConvexProblem } from '@nexdyn/engine/solvers';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import { heap } from './heap.ts';

const H = 5e-3;

function options(ccp: CcpOptions, rest: SceneOptions = {}): SceneOptions {
  return { formulation: 'ccp', timestep: H, ...rest, ccp };
}

/** A hundred boxes on the way to a heap. */
function fallenHeap(): Simulation {
  const simulation = new Simulation(compileModel(heap(100, 5, options({ solver: 'apgd', tolerance: 1e-4 }))));
  // not a start: what overlaps is pushed apart at once
  simulation.state.time[0] = 1;
  simulation.step(80);
  return simulation;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** J of a problem whose trees are all in one island, in the order of the dofs. */
function denseRows({ rows }: ConvexProblem, n: number): Float64Array[] {
  const dense: Float64Array[] = [];
  for (let b = 0; b < rows.blockCount; b++) {
    for (let r = 0; r < rows.rowStart[b + 1] - rows.rowStart[b]; r++) {
      const row = new Float64Array(n);
      for (let i = 0; i < rows.columnCount[b]; i++) {
        row[rows.column[rows.columnStart[b] + i]] = rows.value[rows.valueStart[b] + r * rows.columnCount[b] + i];
      }
      dense.push(row);
    }
  }
  return dense;
}

/** A⁻¹ times a vector, by Gauss elimination. */
function solveDense(matrix: number[][], vector: ArrayLike<number>): number[] {
  const work = matrix.map((row, i) => [...row, vector[i]]);
  const n = work.length;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const factor = work[j][i] / work[i][i];
      if (factor !== 0) for (let k = i; k <= n; k++) work[j][k] -= factor * work[i][k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) work[i][n] -= work[i][k] * work[k][n];
    work[i][n] /= work[i][i];
  }
  return work.map((row) => row[n]);
}

describe('the matrix of products', () => {
  /** Two arms of three links in contact with each other and the ground, or free boxes. */
  const arms: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane' }],
    bodies: [0, 1].map((side) => ({
      position: [0.05 * side, 0, 0.5 + 0.08 * side],
      joints: [{ kind: 'hinge', axis: [0, 0, 1], armature: 0.1 }],
      shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.1, position: [0.2, 0, 0] }],
      bodies: [
        {
          position: [0.3, 0, 0],
          joints: [{ kind: 'hinge', axis: [0, 1, 0], damping: 2 }],
          shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.03] }],
          bodies: [
            {
              position: [0.2, 0, -0.42 - 0.08 * side],
              joints: [{ kind: 'slide', axis: [0, 0, 1], limit: { range: [-1, 1] } }],
              shapes: [{ kind: 'sphere', radius: 0.09 }],
            },
          ],
        },
      ],
    })),
  };

  const boxes: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane' }],
    bodies: [0, 1, 2].map((i) => ({
      position: [0.02 * i, 0.03 * i, 0.1 + 0.2 * i],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], position: [0.01, 0.02, 0] }],
    })),
  };

  test.each<[string, Scene, 'joint' | 'body']>([
    ['free boxes', boxes, 'body'],
    ['two arms in joint coordinates', arms, 'joint'],
    ['two arms in body coordinates', arms, 'body'],
  ])('is J A⁻¹ Jᵀ + E: %s', (_, scene, coordinates) => {
    const all = { ...scene, options: options({ tolerance: 1e-8, envelope: 0.3 }, { disable: ['island'] }) };
    const simulation = new Simulation(compileModel(all, { coordinates }));
    for (let i = 0; i < simulation.model.size.velocity; i++) simulation.state.velocity[i] = 2 * Math.sin(i);
    simulation.forward();
    const n = simulation.model.size.velocity;
    const problem = simulation.formulation.problem as ConvexProblem;
    const { rowStart, column } = simulation.model.massMatrix;
    const metric = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
        metric[i][column[k]] = metric[column[k]][i] = problem.metric[k];
    }
    const rows = denseRows(problem, n);
    expect(rows.length).toBeGreaterThan(10);
    const program = simulation.formulation.captureProgram!() as ConeProgram;
    const impulse = Float64Array.from({ length: program.size }, (_, i) => Math.cos(3 * i));
    const product = new Float64Array(program.size);
    program.multiply(product, impulse);
    const push = rows.reduce(
      (sum, row, r) => sum.map((value, i) => value + impulse[r] * row[i]),
      new Array<number>(n).fill(0),
    );
    const motion = solveDense(metric, push);
    rows.forEach((row, r) => {
      const expected = dot(row, motion) + problem.regularization[r] * impulse[r];
      expect(Math.abs(product[r] - expected)).toBeLessThan(1e-12 * Math.hypot(...product));
      const linear = dot(row, problem.target) - problem.reference[r];
      expect(Math.abs(program.linear[r] - linear)).toBeLessThan(
        1e-12 * Math.hypot(...program.linear.subarray(0, program.size)),
      );
    });
  });
});

describe('a step of a hundred boxes', () => {
  const fallen = fallenHeap();
  // without impulses
  const bare = fallen.snapshot().slice(0, fallen.state.all.length);
  const step = (ccp: CcpOptions, rest: SceneOptions = {}): Simulation => {
    const simulation = new Simulation(
      compileModel(heap(100, 5, options({ tolerance: 1e-8, iterations: 50_000, ...ccp }, rest))),
    );
    simulation.restore(bare);
    expect(simulation.step().status).toBe('converged');
    return simulation;
  };
  const reference = step({});
  const difference = (other: Simulation): number =>
    other.state.velocity.reduce((most, v, i) => Math.max(most, Math.abs(v - reference.state.velocity[i])), 0);

  // speeds are of the order of 1 m/s; a residual of 1e-8 leaves 1e-8 times the condition of stacks, some hundreds; 50,000
  // iterations of pgs and spg do not bring islands that hardly move to 1e-8 of what moves them
  const others: CcpOptions[] = [
    { solver: 'apgd' },
    { solver: 'pgs', tolerance: 3e-7 },
    { solver: 'spg', tolerance: 1e-7 },
    { solver: 'admm', tolerance: 2e-8 },
    { scaling: false },
  ];
  test.each(takeCases(others, 2))('has the same velocities under %o', (ccp) => {
    expect(reference.solvedContacts.count).toBeGreaterThan(300);
    expect(difference(step(ccp))).toBeLessThan(2000 * (ccp.tolerance ?? 1e-8));
  });

  test('does not hang on islands or on where it starts', () => {
    expect(difference(step({}, { disable: ['island'] }))).toBeLessThan(2e-5);
    const other = new Simulation(reference.model);
    other.restore(fallen.snapshot());
    other.step();
    expect(difference(other)).toBeLessThan(2e-5);
  });

  test('stops at once when it starts at the solution', () => {
    const again = step({});
    const solution = again.snapshot().slice(bare.length);
    again.restore(Float64Array.of(...bare, ...solution));
    const { status, iterations } = again.step();
    expect(status).toBe('converged');
    expect(iterations).toBeLessThanOrEqual(2);
  });

  test("obeys Coulomb's law where it is asked for, and says how well", () => {
    const simulation = step({ coulomb: true, tolerance: 1e-6, coulombIterations: 200 });
    const { trace, residual } = simulation.report;
    expect(residual).toBeLessThan(1e-6);
    expect(trace.solveCount).toBeGreaterThan(0);
    const { rows, regularization, data } = simulation.formulation.problem as ConvexProblem;
    const { force, residual: velocity } = data;
    let carried = 0;
    for (let b = 0; b < rows.blockCount; b++) {
      const r = rows.rowStart[b];
      // u_n ≥ 0 ⊥ γ_n ≥ 0, and |γ_t| ≤ μ γ_n; sliding contacts do not lift off
      expect(velocity[r]).toBeGreaterThan(-1e-4);
      expect(Math.abs(velocity[r] * force[r])).toBeLessThan(1e-4);
      // contacts that only another impact closes have no friction
      if (rows.rowStart[b + 1] - r > 1)
        expect(Math.hypot(force[r + 1], force[r + 2])).toBeLessThan(0.6 * force[r] + 1e-9);
      expect(regularization[r]).toBe(0);
      carried += force[r] > 0 ? 1 : 0;
    }
    expect(carried).toBeGreaterThan(100);
  });
});

describe('what decides the future', () => {
  test('is all in a snapshot: the same bytes from there', () => {
    const scene = heap(8, 2, options({ tolerance: 1e-4 }));
    const one = new Simulation(compileModel(scene));
    one.step(120);
    const snapshot = one.snapshot();
    expect(snapshot.length).toBeGreaterThan(one.state.all.length);
    const before = one.hash();
    one.step(20);
    const after = one.hash();
    const other = new Simulation(compileModel(scene));
    other.restore(snapshot);
    expect(other.hash()).toBe(before);
    other.step(20);
    expect(other.hash()).toBe(after);
    one.restore(snapshot);
    one.step(20);
    expect(one.hash()).toBe(after);
    // without impulses the next solve would start, and stop, elsewhere
    const cut = snapshot.slice(0, one.state.all.length);
    one.restore(cut);
    expect(one.hash()).not.toBe(before);
    expect(() => one.restore(snapshot.slice(0, -1))).toThrow(/numbers/);
    one.reset();
    expect(one.snapshot().length).toBe(one.state.all.length);
  });

  test('snapshots with impulses belong to ccp', () => {
    const scene = heap(4, 2, options({}));
    const one = new Simulation(compileModel(scene));
    one.step(100);
    const other = new Simulation(compileModel(scene, { formulation: 'sap', coordinates: 'body' }));
    expect(() => other.restore(one.snapshot())).toThrow(/incompatible|numbers/);
  });

  test('a step that is not taken keeps the impulses', () => {
    const simulation = new Simulation(compileModel(heap(4, 2, options({}))));
    simulation.step(100);
    const { count } = simulation.state.impulses;
    expect(count).toBeGreaterThan(0);
    const good = simulation.snapshot();
    simulation.state.velocity[0] = Number.NaN;
    expect(simulation.step().status).toBe('diverged');
    simulation.state.velocity[0] = good[1 + simulation.model.size.position];
    expect([...simulation.snapshot()]).toEqual([...good]);
  });
});

test.each([
  ['spg', 1e6],
  ['admm', 1e6],
  ['apgd', 1e3],
] as const)('a box on one that is much lighter: %s, ratio of mass %d', (solver, ratio) => {
  const stack: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: options({ solver }),
    shapes: [{ kind: 'plane' }],
    bodies: [1, ratio].map((mass, i) => ({
      position: [0, 0, 0.1 + 0.2 * i],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass, friction: 0.9 }],
    })),
  };
  const simulation = new Simulation(compileModel(stack));
  for (let n = 0; n < 200; n++) expect(simulation.step().status).toBe('converged');
  expect(simulation.state.position[2]).toBeCloseTo(0.1, 4);
  expect(simulation.state.position[9]).toBeCloseTo(0.3, 4);
});

describe('degenerate problems', () => {
  const box = { kind: 'box' as const, halfSize: [0.1, 0.1, 0.1] as [number, number, number] };
  const boxScene = (friction: number, copies: number, ccp: CcpOptions): Scene => ({
    format: 'nexdyn-scene',
    version: 1,
    options: options(ccp),
    shapes: [{ kind: 'plane', friction }],
    bodies: [
      { position: [0, 0, 0.1], joints: [{ kind: 'free' }], shapes: new Array(copies).fill({ ...box, friction }) },
    ],
  });

  test.each(['apgd', 'spg', 'pgs', 'admm'] as const)(
    'no friction, the same contact ten times, no contact: %s',
    (solver) => {
      for (const [friction, copies] of [
        [0, 1],
        [0.5, 10],
        [0.5, 1],
      ]) {
        const simulation = new Simulation(compileModel(boxScene(friction, copies, { solver })));
        for (let n = 0; n < 50; n++) expect(simulation.step().status).toBe('converged');
        expect(simulation.state.position[2]).toBeCloseTo(0.1, 6);
        const weight = simulation.contactForces().reduce((sum, { normalForce }) => sum + normalForce, 0);
        expect(weight / (simulation.model.body.mass[1] * 9.81)).toBeCloseTo(1, 4);
        // and thrown away from the ground
        simulation.state.velocity[2] = 5;
        simulation.step(10);
        expect(simulation.report.iterations).toBe(0);
        expect(simulation.state.velocity[2]).toBeCloseTo(5 - 9.81 * 10 * H, 9);
      }
    },
  );
});
