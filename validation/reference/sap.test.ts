/** Problems of free bodies with certified optima: regularisation to round-off, velocities, impulses, modes and cost. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SapOptions } from '@nexdyn/engine';
import { Arena } from '@nexdyn/engine/solvers';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';
import { REFERENCE } from '../oracle/shared-data.ts';
import { type Matrix, VelocityProblem } from './velocity-problem.ts';

const takeTurn = createTurns();

interface ProblemFile {
  name: string;
  dt: number;
  beta: number;
  sigma: number;
  bodies: { A: number[][] }[];
  freeVelocity: number[];
  contacts: {
    bodyA: number;
    bodyB: number;
    armA: number[];
    armB: number[] | null;
    /** Rows t1, t2, n. */
    frame: number[][];
    stiffness: number;
    dissipationTime: number;
    gap: number;
    friction: number;
    delassusNorm: number;
    Rn: number;
    Rt: number;
    vhat: number;
  }[];
  /** Impulses in the order t1, t2, n. */
  solution: { velocity: number[]; impulse: number[]; modes: string[]; cost: number };
}

type Contact = ProblemFile['contacts'][number];

const FOLDER = join(REFERENCE, 'sap');
const names = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : [];

/** Rows normal, t1, t2 over all dofs: twist (linear, angular) at the centre of mass, A counts +, B counts −. */
function writeJacobian({ bodies }: ProblemFile, contact: Contact): Matrix {
  const [t1, t2, n] = contact.frame;
  return [n, t1, t2].map((axis) => {
    const row = new Array<number>(6 * bodies.length).fill(0);
    for (const [body, arm, sign] of [
      [contact.bodyA, contact.armA, 1],
      [contact.bodyB, contact.armB, -1],
    ] as const) {
      if (body < 0 || !arm || !axis) continue;
      const [x = 0, y = 0, z = 0] = arm;
      const [a = 0, b = 0, c = 0] = axis;
      const entries = [a, b, c, y * c - z * b, z * a - x * c, x * b - y * a];
      for (const [k, entry] of entries.entries()) row[6 * body + k] = sign * entry;
    }
    return row;
  });
}

function createProblem(file: ProblemFile, options: SapOptions, arena?: Arena): VelocityProblem {
  const problem = new VelocityProblem(
    file.bodies.map(({ A }) => A),
    file.dt,
    { nearRigid: file.beta, frictionRegularization: file.sigma, ...options },
    true,
    arena,
  );
  problem.begin(file.freeVelocity);
  for (const contact of file.contacts) {
    problem.addContact({
      jacobian: writeJacobian(file, contact),
      gap: contact.gap,
      stiffness: contact.stiffness,
      dissipation: contact.dissipationTime,
      friction: contact.friction,
    });
  }
  return problem;
}

function readProblem(name: string): ProblemFile {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as ProblemFile;
}

/** |a − b| / |b|. */
function relativeDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let difference = 0;
  let size = 0;
  for (let i = 0; i < b.length; i++) {
    difference += ((a[i] ?? NaN) - (b[i] ?? NaN)) ** 2;
    size += (b[i] ?? NaN) ** 2;
  }
  return Math.sqrt(difference / size);
}

const SOLVERS: readonly SapOptions[] = [
  { solver: 'newton', matrix: 'dense' },
  { solver: 'newton', matrix: 'sparse' },
  { solver: 'pcg' },
];

test.skipIf(names.length === 0)('the stored problems of ../shared/reference/sap are there', () => {
  expect(names.length).toBe(7);
});

describe.each(names)('%s', (name) => {
  const test = takeTurn();
  const file = readProblem(name);

  test('w, R and v̂ of every contact to round-off', () => {
    const { problem, weights } = createProblem(file, {});
    for (const [c, contact] of file.contacts.entries()) {
      const first = problem.rows.rowStart[c] ?? NaN;
      expect(Math.abs((weights[c] ?? NaN) / contact.delassusNorm - 1)).toBeLessThan(1e-12);
      expect(Math.abs((problem.regularization[first] ?? NaN) / contact.Rn - 1)).toBeLessThan(1e-12);
      expect(Math.abs((problem.reference[first] ?? NaN) - contact.vhat)).toBeLessThan(
        1e-14 * (1 + Math.abs(contact.vhat)),
      );
      if (contact.friction === 0) continue;
      expect(Math.abs((problem.regularization[first + 1] ?? NaN) / contact.Rt - 1)).toBeLessThan(1e-12);
      expect(problem.regularization[first + 2]).toBe(problem.regularization[first + 1]);
    }
  });

  test.each(SOLVERS)('solved by $solver $matrix', (options) => {
    const tight = { relativeTolerance: 1e-12, absoluteTolerance: 0 };
    const problem = createProblem(file, { ...options, ...tight });
    const { velocity, hasConverged, residual } = problem.solve(file.freeVelocity);
    expect(hasConverged).toBe(true);
    expect(residual).toBeLessThan(1e-12);
    expect(relativeDifference(velocity, file.solution.velocity)).toBeLessThan(1e-8);
    expect(problem.readModes()).toEqual(file.solution.modes);
    expect(Math.abs(problem.cost / file.solution.cost - 1)).toBeLessThan(1e-10);
    const impulse = file.contacts.flatMap(({ friction }, c) => {
      const first = problem.problem.rows.rowStart[c] ?? NaN;
      const { force } = problem.problem.data;
      return friction === 0 ? [0, 0, force[first]] : [force[first + 1], force[first + 2], force[first]];
    });
    expect(relativeDifference(impulse as number[], file.solution.impulse)).toBeLessThan(1e-8);
  });
});

// the error of the path is one of velocities: two digits for the condition of 120 contacts; near the boundary of the cones numbers have half their digits
describe.each(names)('%s by the interior point', (name) => {
  const test = takeTurn();
  const file = readProblem(name);
  const inside = createProblem(file, {}).solveInside(file.freeVelocity, 1e-7);

  test('reaches the optimum in some ten iterations, whatever the problem', () => {
    expect(inside.error).toBeLessThan(1e-7);
    expect(inside.iterations).toBeLessThanOrEqual(20);
    expect(relativeDifference(inside.velocity, file.solution.velocity)).toBeLessThan(1e-5);
  });

  test('gives the same bits without compiled functions', () => {
    const portable = createProblem(file, {}, new Arena({ portable: true }));
    const other = portable.solveInside(file.freeVelocity, 1e-7);
    expect(other.iterations).toBe(inside.iterations);
    expect(other.velocity).toEqual(inside.velocity);
  });
});

describe.skipIf(names.length === 0)('what the options of the solver do, summed over the problems', () => {
  /** Newton iterations and step lengths of all problems; every problem has to reach its optimum. */
  function solveAll(options: SapOptions): { iterations: number; steps: number[] } {
    let iterations = 0;
    const steps: number[] = [];
    for (const name of names) {
      const file = readProblem(name);
      const problem = createProblem(file, {
        ...options,
        iterations: 5000,
        relativeTolerance: 1e-10,
        absoluteTolerance: 0,
      });
      const solution = problem.solve(file.freeVelocity);
      expect(solution.hasConverged).toBe(true);
      expect(relativeDifference(solution.velocity, file.solution.velocity)).toBeLessThan(1e-5);
      iterations += problem.trace.count;
      steps.push(...problem.trace.step.subarray(0, problem.trace.count));
    }
    return { iterations, steps };
  }
  const exact = solveAll({ solver: 'newton' });

  test('conjugate gradients solved exactly take the iterations of a factor, rough ones more', () => {
    expect(solveAll({ solver: 'pcg', pcgTolerance: 1e-10 }).iterations).toBe(exact.iterations);
    expect(solveAll({ solver: 'pcg', pcgTolerance: 0.9 }).iterations).toBeGreaterThan(1.2 * exact.iterations);
  });

  test('fewer conjugate gradients in an iteration take more iterations', () => {
    const [few, some] = [6, 12].map((pcgIterations) => solveAll({ solver: 'pcg', pcgIterations }).iterations);
    expect(some).toBeGreaterThan(exact.iterations);
    expect(few).toBeGreaterThan(some as number);
  });

  test('the smoothing Newton method takes fewer iterations from a start that is far', () => {
    expect(solveAll({ solver: 'auto' }).iterations).toBeLessThan(exact.iterations);
  });

  test('a slack line search takes the full step where the slope falls enough, an exact one seldom', () => {
    const isFull = (alpha: number): boolean => alpha === 1;
    const slack = solveAll({ solver: 'newton', lineSearchTolerance: 0.5 });
    expect(slack.steps.filter(isFull).length).toBeGreaterThan(0.3 * slack.steps.length);
    expect(exact.steps.filter(isFull).length).toBeLessThan(0.1 * exact.steps.length);
  });

  test('a line search with few evaluations stops before its root, and a solve may not converge', () => {
    const file = readProblem(names[0] as string);
    const [rough, better, best] = [1, 2, 100].map((lineSearchIterations) => {
      const problem = createProblem(file, {
        solver: 'newton',
        lineSearchIterations,
        iterations: 2,
        relativeTolerance: 0,
      });
      expect(problem.solve(file.freeVelocity).hasConverged).toBe(false);
      return problem.trace.step[1] as number;
    }) as [number, number, number];
    expect(Math.abs(better - best)).toBeGreaterThan(0);
    expect(Math.abs(rough - best)).toBeGreaterThan(Math.abs(better - best));
  });
});
