/** Dry friction of joints and tendons as rows of `mujoco`: springs whose force is bounded by the loss; no position, so K = 0. */
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeDofFriction, writeJointFriction, writeTendonFriction } from '../../joint/friction-loss.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { MujocoBuilder } from './mujoco-builder.ts';

export class FrictionBlocks {
  readonly #builder: MujocoBuilder;
  readonly #dofs: { add(block: number, loss: number, source: number): void };
  readonly #joints: { add(block: number, loss: number, source: number): void };
  readonly #tendons: { add(block: number, loss: number, source: number): void };

  constructor(builder: MujocoBuilder) {
    const { dof, tendon, constraintJoint, inverseWeight } = builder.model;
    this.#builder = builder;
    this.#dofs = {
      add: (_, loss, i) =>
        this.#addRow(SOURCE.dofFriction, i, loss, dof.solref, 2 * i, dof.solimp, 5 * i, inverseWeight.dof[i]),
    };
    this.#joints = {
      add: (_, loss, c) =>
        this.#addRow(
          SOURCE.dofFriction,
          c,
          loss,
          constraintJoint.solrefFriction,
          2 * c,
          constraintJoint.solimpFriction,
          5 * c,
          constraintJoint.inverseWeight[c],
        ),
    };
    this.#tendons = {
      add: (_, loss, t) =>
        this.#addRow(
          SOURCE.tendonFriction,
          t,
          loss,
          tendon.solrefFriction,
          2 * t,
          tendon.solimpFriction,
          5 * t,
          inverseWeight.tendon[t],
        ),
    };
  }

  add(work: Workspace): void {
    const { model, problem, joints } = this.#builder;
    writeDofFriction(problem.rows, model, work, this.#dofs);
    writeJointFriction(problem.rows, model, joints, this.#joints);
    writeTendonFriction(problem.rows, model, work, joints, this.#tendons);
  }

  #addRow(
    source: number,
    index: number,
    loss: number,
    solref: ArrayLike<number>,
    s: number,
    solimp: ArrayLike<number>,
    i: number,
    weight: number,
  ): void {
    const { problem, impedance, safePeriod } = this.#builder;
    const row = problem.describe(CONSTRAINT_LAW.spring, source, index);
    impedance.set(solref, s, solimp, i, 0, safePeriod);
    this.#builder.setRow(row, 0, impedance.regularize(weight), -loss, loss, impedance.damping);
  }
}
