/** Problems of one block, for tests of what laws do by themselves. */
import { Arena } from '../kernels/arena.ts';
import { CONSTRAINT_LAW, ConvexProblem, SOURCE } from '../objective/convex-problem.ts';

export interface SingleBlock {
  readonly name: string;
  readonly dimension: number;
  create(): ConvexProblem;
}

function block(name: string, dimension: number, fill: (problem: ConvexProblem) => void): SingleBlock {
  return {
    name,
    dimension,
    create() {
      const problem = new ConvexProblem(new Arena());
      problem.rows.add(dimension, 1);
      fill(problem);
      return problem;
    },
  };
}

export const SINGLE_BLOCKS: readonly SingleBlock[] = [
  block('one row that pushes', 1, (problem) => {
    problem.describe(CONSTRAINT_LAW.spring, SOURCE.jointLimit, 0);
    problem.setRow(0, 0, 0.7, 0, Infinity);
  }),
  block('three bounded rows', 3, (problem) => {
    problem.describe(CONSTRAINT_LAW.spring, SOURCE.equality, 0);
    problem.setRow(0, 0, 0.3, -Infinity, Infinity);
    problem.setRow(1, 0, 0.7, 0, Infinity);
    problem.setRow(2, 0, 0.5, -0.4, 0.9);
  }),
  ...[3, 4, 6].map((dimension) =>
    block(`pyramid of ${dimension} rows`, dimension, (problem) => {
      problem.describe(CONSTRAINT_LAW.pyramid, SOURCE.contact, 0);
      for (let k = 0; k < dimension; k++) {
        problem.setRow(k, 0, 0.6, 0, 0);
        problem.friction[k] = 0.4 + 0.1 * k;
      }
    }),
  ),
  ...[3, 4, 6].map((dimension) =>
    block(`cone of ${dimension} rows`, dimension, (problem) => {
      problem.describe(CONSTRAINT_LAW.cone, SOURCE.contact, 0);
      problem.setRow(0, 0, 0.6, 0, 0);
      problem.friction[0] = 0.5 * Math.sqrt(0.3);
      for (let k = 1; k < dimension; k++) {
        const mu = 0.5 - 0.05 * (k - 1);
        problem.friction[k] = mu;
        problem.setRow(k, 0, (0.6 * 0.3 * 0.25) / (mu * mu), 0, 0);
      }
    }),
  ),
];
