/**
 * Constraint rows of MuJoCo 3.14.0 stored at single steps: Jacobian, reference acceleration, regularisation, distance, force
 * and state of every row, and the forces and accelerations they lead to. (Distances of equalities and limits:
 * constraint-rows.test.ts.)
 *
 * J, a_ref, R and distance hang on the configuration alone: 1e-9 of the largest number of the array. Forces are the minimum of
 * a convex problem, here solved to round-off from any start. MuJoCo's Newton on pyramids ends on the exact minimum, and the
 * `tight` runs at tolerance 1e-15; elliptic runs at 1e-8 and CG stop earlier, when the scaled decrease of the cost, not the
 * error of the force, is below the tolerance: the error of the acceleration is then about its square root.
 */
import { Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { relativeError } from './comparison.ts';
import { readConstraints } from './constraint-table.ts';
import { compileRun, type Detail, type Run, referenceRuns } from './reference-run.ts';
import { hasReference } from './shared-data.ts';

/** What MuJoCo's own stopping leaves open in forces and accelerations, over their scale. */
function forceMark({ options }: Run): number {
  const isExact = options.tolerance < 1e-14 || (options.solver === 'Newton' && options.cone === 'pyramidal');
  return isExact ? 1e-9 : Math.sqrt(options.tolerance);
}

/** Over the largest acceleration with or without constraints: what rests has none with them. */
function accelerationError(solution: Float64Array, { qacc, qacc_smooth }: Detail): number {
  return Math.max(...qacc.map((a, i) => Math.abs(solution[i] - a))) / Math.max(...qacc_smooth.map(Math.abs));
}

/** States of rows; those of contacts by their forces, since MuJoCo does not keep them up to date when it solves by islands. */
function readStates({ efc, contacts }: Detail): number[] {
  const states = [...(efc?.state ?? [])];
  for (const { efc_address: first, dim, friction } of contacts ?? []) {
    // detected only
    if (first < 0) continue;
    if (efc!.type[first] === 'contact_pyramidal') {
      for (let r = first; r < first + 2 * (dim - 1); r++) states[r] = efc!.force[r] === 0 ? 0 : 1;
      continue;
    }
    const push = efc!.force[first];
    const sides = friction.slice(0, dim - 1).map((mu, k) => efc!.force[first + 1 + k] / mu);
    const isSliding = Math.hypot(...sides) > (1 - 1e-9) * push;
    states.fill(push === 0 ? 0 : isSliding ? 4 : 1, first, first + dim);
  }
  return states;
}

/** M a, row by row. */
function multiply(matrix: readonly number[], a: readonly number[]): number[] {
  return a.map((_, i) => a.reduce((sum, value, j) => sum + matrix[i * a.length + j] * value, 0));
}

describe.skipIf(!hasReference)('constraint rows of stored steps (../shared/reference)', () => {
  test.each(referenceRuns)('$name, $id', ({ name, run }) => {
    const mark = forceMark(run);
    // the minimum itself, whatever the run's solver stopped at
    const exact = { ...run, options: { ...run.options, solver: 'Newton', tolerance: 1e-15 } };
    const simulation = new Simulation(compileRun(name, exact));
    for (const detail of run.details) {
      const place = `step ${detail.step}`;
      simulation.state.position.set(detail.qpos);
      simulation.state.velocity.set(detail.qvel);
      simulation.forward();
      const ours = readConstraints(simulation);
      const theirs = detail.efc ?? { pos: [], type: [], J: [], aref: [], R: [], force: [], state: [] };
      expect(ours.aref.length, `rows, ${place}`).toBe(theirs.pos.length);
      for (const quantity of ['J', 'aref', 'R'] as const) {
        // J of stack5 is not stored; qfrc_constraint = Jᵀ f is
        if (quantity in theirs)
          expect(relativeError(ours[quantity], theirs[quantity]!), `${quantity}, ${place}`).toBeLessThan(1e-9);
      }
      const isContact = theirs.type.map((type) => type.startsWith('contact'));
      theirs.pos.forEach((pos, r) => {
        if (isContact[r]) expect(Math.abs(ours.distance[r] - pos), `distance of row ${r}, ${place}`).toBeLessThan(1e-9);
      });
      expect(ours.state, `states, ${place}`).toEqual(readStates(detail));
      expect(relativeError(ours.force, theirs.force), `force, ${place}`).toBeLessThan(mark);
      const { solution, constraintForce, smoothForce } = simulation.derived;
      expect(relativeError(constraintForce, detail.qfrc_constraint), `qfrc_constraint, ${place}`).toBeLessThan(mark);
      // without rows there is only the acceleration of the step, which integrators that are implicit in dampers change
      if (ours.aref.length === 0)
        expect(relativeError(smoothForce, multiply(detail.M, detail.qacc)), `M qacc, ${place}`).toBeLessThan(mark);
      else expect(accelerationError(solution, detail), `qacc, ${place}`).toBeLessThan(mark);
    }
  });
});
