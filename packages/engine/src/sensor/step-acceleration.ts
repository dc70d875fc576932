/**
 * The acceleration of a step, for sensors.
 *   MuJoCo's integrators   M⁻¹ (f + f_constraint), before they treat damping implicitly: what MuJoCo calls qacc
 *   all others             (v⁺ − v)/h, with the Coriolis forces of trees that are carried along apart from it (coriolis-transport.ts)
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { Formulation } from '../formulation/formulation.ts';
import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import type { Model } from '../model/model.ts';

export class StepAcceleration {
  readonly value: Float64Array;
  readonly #factor: Float64Array;
  readonly #inverseDiagonal: Float64Array;
  readonly #isExplicit: boolean;

  constructor({ size, options }: Model) {
    this.value = new Float64Array(size.velocity);
    this.#factor = new Float64Array(size.massMatrix);
    this.#inverseDiagonal = new Float64Array(size.velocity);
    this.#isExplicit = ['euler', 'implicitfast', 'implicit', 'rk4', 'rkmk4'].includes(options.integrator);
  }

  read(work: Workspace, { problem }: Formulation): void {
    const { value } = this;
    const { solution, smoothForce, acceleration, coriolis } = work;
    if (this.#isExplicit && problem?.rows.blockCount === 0) {
      value.set(smoothForce);
      this.#solve(work, value);
      return;
    }
    if (this.#isExplicit) {
      value.set(solution);
      return;
    }
    value.set(acceleration);
    if (!coriolis.isMoving) return;
    const { row } = work;
    row.set(coriolis.force);
    this.#solve(work, row);
    for (let i = 0; i < value.length; i++) value[i] -= row[i];
    row.fill(0);
  }

  #solve({ massMatrix, plan }: Workspace, x: Float64Array): void {
    this.#factor.set(massMatrix);
    // not the compiled twins: these arrays lie outside the memory that they work on
    factorTree(this.#factor, this.#inverseDiagonal, plan.rowStart, plan.column);
    solveTree(x, this.#factor, this.#inverseDiagonal, plan.rowStart, plan.column);
  }
}
