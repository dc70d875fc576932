/**
 * Solvers of `mujoco` against each other and against MuJoCo's own: the minimum is unique, so that every solver run to its end
 * must find the same forces. Marks are those of rounding in M and J of the two programs (1e-12), of MuJoCo's tests of its own
 * solvers (conjugate gradients and Gauss-Seidel 1e-12), and of the accuracy of its problem in the ball (noslip, 1e-7).
 */
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import { relativeError } from './comparison.ts';
import { copy } from './mujoco-oracle.ts';
import { createOracle, evaluateAt, NO_WARM_START, settle, simulate } from './solver-comparison.ts';
import { heap, person, stacks } from './solver-models.ts';

const MODELS = { heap, person };
const CONES = ['pyramidal', 'elliptic'] as const;
const CASES = (['heap', 'person'] as const).flatMap((name) => CONES.map((cone) => ({ name, cone })));
const EXACT = { tolerance: 0, iterations: 500 };

describe('solvers are equivalent, from a cold start', () => {
  test.each(CASES)('$name, $cone', async ({ name, cone }) => {
    const xml = MODELS[name](`cone="${cone}" tolerance="0" iterations="500"`);
    const oracle = await createOracle(xml);
    settle(oracle, 300);
    oracle.model.opt.disableflags = NO_WARM_START;
    oracle.mujoco.mj_forward(oracle.model, oracle.data);
    const expected = copy(oracle.data.qfrc_constraint);
    const force = (solver: 'newton' | 'cg' | 'pgs', jacobian: 'dense' | 'sparse'): Float64Array =>
      evaluateAt(simulate(xml, { ...EXACT, solver, jacobian }, ['warmStart']), oracle).derived.constraintForce.slice();
    const newton = force('newton', 'dense');
    expect(oracle.data.ncon).toBeGreaterThan(3);
    expect(relativeError(newton, expected), 'newton, oracle').toBeLessThan(1e-12);
    expect(relativeError(force('newton', 'sparse'), newton), 'newton, sparse').toBeLessThan(1e-13);
    expect(relativeError(force('cg', 'dense'), newton), 'cg').toBeLessThan(1e-12);
    expect(relativeError(force('pgs', 'dense'), newton), 'pgs').toBeLessThan(1e-12);
  });
});

describe('solvers meet their own tolerance in few iterations', () => {
  // ½ s gᵀ H⁻¹ g < 1e-8 and the like leave errors of the acceleration of about √(2e-8 / s / m): 1e-3 of these forces
  test.each(CASES)('$name, $cone: the defaults of MuJoCo, from its state', async ({ name, cone }) => {
    const xml = MODELS[name](`cone="${cone}"`);
    const oracle = await createOracle(xml);
    settle(oracle, 300);
    const exact = evaluateAt(simulate(xml, EXACT), oracle).derived.constraintForce.slice();
    for (const solver of ['newton', 'cg', 'pgs'] as const) {
      const simulation = evaluateAt(simulate(xml, { solver }), oracle);
      expect(simulation.report.status, solver).toBe('converged');
      expect(relativeError(simulation.derived.constraintForce, exact), solver).toBeLessThan(1e-3);
    }
  });
});

describe('islands', () => {
  test.each(CONES)('apart or together: the same accelerations (%s)', async (cone) => {
    const xml = stacks(`cone="${cone}"`);
    const oracle = await createOracle(xml);
    settle(oracle, 100);
    const solve = (solver: 'newton' | 'cg' | 'pgs', together: boolean): Float64Array => {
      const simulation = simulate(xml, { ...EXACT, solver }, together ? ['warmStart', 'island'] : ['warmStart']);
      evaluateAt(simulation, oracle);
      expect(simulation.report.trace.solveCount).toBe(together ? 1 : 3);
      return simulation.derived.solution.slice();
    };
    const expected = solve('newton', false);
    expect(relativeError(solve('newton', true), expected)).toBeLessThan(1e-13);
    expect(relativeError(solve('cg', true), solve('cg', false))).toBeLessThan(1e-8);
    expect(relativeError(solve('pgs', true), solve('pgs', false))).toBeLessThan(1e-8);
    oracle.mujoco.mj_forward(oracle.model, oracle.data);
    // accelerations near rest are differences of forces a thousand times larger
    expect(relativeError(expected, copy(oracle.data.qacc))).toBeLessThan(1e-6);
  });
});

describe('the inverse gives back the forces', () => {
  const MARK = { newton: 1e-10, cg: 1e-9, pgs: 1e-6 } as const;
  const solvers = Object.keys(MARK) as (keyof typeof MARK)[];
  const cases = CASES.flatMap((which) => solvers.map((solver) => ({ ...which, solver })));
  test.each(takeCases(cases, 2))(
    "MuJoCo's inverse of our acceleration needs no force: $name, $cone, $solver",
    async (which) => {
      const xml = MODELS[which.name](`cone="${which.cone}"`);
      const oracle = await createOracle(xml);
      settle(oracle, 300);
      const { data, model, mujoco } = oracle;
      const simulation = evaluateAt(simulate(xml, { ...EXACT, solver: which.solver }), oracle);
      mujoco.mj_forward(model, data);
      data.qacc.set(simulation.derived.solution);
      mujoco.mj_inverse(model, data);
      const scale = Math.max(...copy(data.qfrc_constraint).map(Math.abs));
      const missing = Math.max(...copy(data.qfrc_inverse).map(Math.abs));
      expect(scale).toBeGreaterThan(1);
      expect(missing / scale).toBeLessThan(MARK[which.solver]);
    },
  );
});

describe('noslip', () => {
  const cases = CASES.flatMap((which) => [3, 200].map((sweeps) => ({ ...which, sweeps })));
  test.each(takeCases(cases, 2))(
    '$name, $cone, $sweeps sweeps: the accelerations of MuJoCo',
    async ({ name, cone, sweeps }) => {
      const xml = MODELS[name](
        `cone="${cone}" tolerance="1e-15" iterations="500" noslip_iterations="${sweeps}" noslip_tolerance="0"`,
      );
      const oracle = await createOracle(xml);
      const { data, model, mujoco } = oracle;
      settle(oracle, 300);
      mujoco.mj_forward(model, data);
      const expected = copy(data.qacc);
      const simulation = evaluateAt(simulate(xml), oracle);
      // the same order of rows makes the same sweeps; MuJoCo solves the problem in the ball to about 1e-10 of its square
      const mark = cone === 'pyramidal' ? 1e-11 : 1e-7;
      expect(relativeError(simulation.derived.solution, expected)).toBeLessThan(mark);
      expect(relativeError(simulation.derived.constraintForce, copy(data.qfrc_constraint))).toBeLessThan(mark);
      // and it matters: without it the accelerations differ by far more
      model.opt.noslip_iterations = 0;
      mujoco.mj_forward(model, data);
      expect(relativeError(copy(data.qacc), expected)).toBeGreaterThan(1e-3);
    },
  );
});

describe('iterations', () => {
  const BOX = `<worldbody><geom type="plane" size="5 5 1" friction=".5"/><body pos="0 0 .5"><freejoint/>
    <geom type="box" size=".5 .5 .5" friction=".5"/></body></worldbody>`;
  test.each(CONES)('a box at rest: newton iterates in the same steps as in MuJoCo (%s)', async (cone) => {
    const xml = `<mujoco><option cone="${cone}"/>${BOX}</mujoco>`;
    const { mujoco, model, data } = await createOracle(xml);
    const simulation = simulate(xml);
    let total = 0;
    for (let n = 0; n < 1500; n++) {
      mujoco.mj_step(model, data);
      simulation.step();
      // the first steps find their minimum in differing numbers of iterations
      if (n < 300) continue;
      expect(simulation.report.iterations, `step ${n}`).toBe(data.solver_niter[0]);
      total += simulation.report.iterations;
    }
    expect(total).toBeGreaterThan(50);
    expect(total).toBeLessThan(200);
  });
});

describe('rows of contacts with spinning and rolling friction', () => {
  test('have the columns of MuJoCo, translations and rotations', async () => {
    // elliptic rows are the rows of NexDyn: normal, tangents, spin, roll, roll
    const xml = heap('cone="elliptic"').replaceAll('condim="3"', 'condim="6"').replaceAll('condim="1"', 'condim="4"');
    const oracle = await createOracle(xml.replace('<option ', '<option jacobian="dense" '));
    const { mujoco, model, data } = oracle;
    settle(oracle, 150);
    mujoco.mj_forward(model, data);
    const simulation = evaluateAt(simulate(xml, {}, ['island']), oracle);
    const problem = simulation.formulation.problem;
    if (problem === undefined) throw new Error('no rows');
    const { rows } = problem;
    expect(rows.rowCount).toBe(data.nefc);
    // columns are numbered over the bodies that touch something
    const touching = new Set<number>();
    const { shape1, shape2, count } = simulation.solvedContacts;
    for (let c = 0; c < count; c++) touching.add(shape1[c]).add(shape2[c]);
    // one shape and six dofs per body, both numbered in their order; shape 0 is the plane
    const dofs = Array.from({ length: model.nv }, (_, i) => i);
    const globalDof = dofs.filter((i) => touching.has(1 + Math.floor(i / 6)));
    const dense = new Float64Array(data.nefc * model.nv);
    for (let b = 0; b < rows.blockCount; b++) {
      const n = rows.columnCount[b];
      for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
        const from = rows.valueStart[b] + (r - rows.rowStart[b]) * n;
        for (let i = 0; i < n; i++) {
          dense[r * model.nv + globalDof[rows.column[rows.columnStart[b] + i]]] = rows.value[from + i];
        }
      }
    }
    expect(relativeError(dense, copy(data.efc_J))).toBeLessThan(1e-12);
    expect(relativeError(problem.regularization.subarray(0, data.nefc), copy(data.efc_R))).toBeLessThan(1e-12);
    expect(relativeError(problem.reference.subarray(0, data.nefc), copy(data.efc_aref))).toBeLessThan(1e-10);
  });
});
