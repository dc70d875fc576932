/** Limits of joints and tendons as rows of `mujoco`: springs that only push. */
import type { Workspace } from '../../dynamics/workspace.ts';
import { type LimitReceiver, writeJointLimits, writeTendonLimits } from '../../joint/limit.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import type { MujocoBuilder } from './mujoco-builder.ts';

/** Length of differences of a distance, m or rad. */
const DIFFERENCE = 1e-8;

/** Derivatives by the distance r of a limit of joint or tendon n: of a_ref except for its damping, and of ln 1/R. */
export function readLimitRates(
  { model, impedance, safePeriod }: MujocoBuilder,
  isTendon: boolean,
  n: number,
  r: number,
): [number, number] {
  const solref = isTendon ? model.tendon.solrefLimit : model.joint.solref;
  const solimp = isTendon ? model.tendon.solimpLimit : model.joint.solimp;
  const measure = (distance: number): [number, number] => {
    impedance.set(solref, 2 * n, solimp, 5 * n, Math.abs(distance), safePeriod);
    return [-impedance.stiffness * impedance.value * distance, impedance.regularize(1)];
  };
  const after = measure(r + DIFFERENCE);
  const before = measure(r - DIFFERENCE);
  return [(0.5 * (after[0] - before[0])) / DIFFERENCE, (-0.5 * Math.log(after[1] / before[1])) / DIFFERENCE];
}

export class LimitBlocks {
  readonly #builder: MujocoBuilder;
  readonly #joints: LimitReceiver;
  readonly #tendons: LimitReceiver;

  constructor(builder: MujocoBuilder) {
    const { joint, tendon, constraintJoint, inverseWeight, size } = builder.model;
    this.#builder = builder;
    this.#joints = {
      add: (_, distance, margin, j) => {
        if (j >= size.joint) {
          const c = j - size.joint;
          const { solrefLimit, solimpLimit } = constraintJoint;
          const weight = constraintJoint.inverseWeight[c];
          this.#addRow(SOURCE.jointLimit, j, distance - margin, solrefLimit, 2 * c, solimpLimit, 5 * c, weight);
        } else {
          const weight = inverseWeight.dof[joint.dofStart[j]];
          this.#addRow(SOURCE.jointLimit, j, distance - margin, joint.solref, 2 * j, joint.solimp, 5 * j, weight);
        }
      },
    };
    this.#tendons = {
      add: (_, distance, margin, t) =>
        this.#addRow(
          SOURCE.tendonLimit,
          t,
          distance - margin,
          tendon.solrefLimit,
          2 * t,
          tendon.solimpLimit,
          5 * t,
          inverseWeight.tendon[t],
        ),
    };
  }

  add(state: State, work: Workspace): void {
    const { model, problem, joints } = this.#builder;
    writeJointLimits(problem.rows, model, state, joints, undefined, this.#joints);
    writeTendonLimits(problem.rows, model, work, joints, undefined, this.#tendons);
  }

  #addRow(
    source: number,
    index: number,
    r: number,
    solref: ArrayLike<number>,
    s: number,
    solimp: ArrayLike<number>,
    i: number,
    weight: number,
  ): void {
    const { problem, impedance, safePeriod } = this.#builder;
    const row = problem.describe(CONSTRAINT_LAW.spring, source, index);
    impedance.set(solref, s, solimp, i, Math.abs(r), safePeriod);
    const reference = -impedance.stiffness * impedance.value * r;
    this.#builder.setRow(row, reference, impedance.regularize(weight), 0, Infinity, impedance.damping);
  }
}
