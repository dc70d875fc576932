/**
 * Equalities as rows of `mujoco`: springs without bounds. The impedance d of a connect or weld comes from the norm of its
 * whole residual. Inverse weights: points take the translational ones of both bodies, rotations the rotational ones.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeEquality } from '../../joint/equality.ts';
import { createResidual } from '../../joint/residual.ts';
import { EQUALITY, type Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import { isGenesis } from './genesis.ts';
import type { MujocoBuilder } from './mujoco-builder.ts';

const residual = /* @__PURE__ */ createResidual();

export function addEqualities(builder: MujocoBuilder, state: State, work: Workspace): void {
  const { model, problem, joints, impedance } = builder;
  const { kind, solref, solimp } = model.equality;
  const hasRate = !isGenesis(model);
  for (let e = 0; e < kind.length; e++) {
    if (state.equalityActive[e] === 0) continue;
    if (writeEquality(problem.rows, model, state, work, joints, e, residual) < 0) continue;
    const first = problem.describe(CONSTRAINT_LAW.spring, SOURCE.equality, e);
    let square = 0;
    for (let k = 0; k < residual.dimension; k++) square += residual.value[k] * residual.value[k];
    impedance.set(solref, 2 * e, solimp, 5 * e, Math.sqrt(square), builder.safePeriod);
    const takesRate = hasRate && (kind[e] === EQUALITY.connect || kind[e] === EQUALITY.weld);
    for (let k = 0; k < residual.dimension; k++) {
      const reference = -impedance.stiffness * impedance.value * residual.value[k] - (takesRate ? residual.rate[k] : 0);
      const regularization = impedance.regularize(inverseWeight(model, e, k));
      builder.setRow(first + k, reference, regularization, -Infinity, Infinity, impedance.damping);
    }
  }
}

function inverseWeight(model: Model, e: number, row: number): number {
  const { equality, inverseWeight: weight } = model;
  const one = equality.object1[e];
  const two = equality.object2[e];
  switch (equality.kind[e]) {
    case EQUALITY.joint:
      return jointWeight(model, one) + (two < 0 ? 0 : jointWeight(model, two));
    case EQUALITY.tendon:
      return weight.tendon[one] + (two < 0 ? 0 : weight.tendon[two]);
    default: {
      const of = row < 3 ? weight.bodyTranslation : weight.bodyRotation;
      return of[one] + of[two];
    }
  }
}

// of a joint, or of one that is a constraint
function jointWeight({ joint, constraintJoint, inverseWeight: weight, size }: Model, j: number): number {
  return j < size.joint ? weight.dof[joint.dofStart[j]] : constraintJoint.inverseWeight[j - size.joint];
}
