/**
 * Equalities as rows of `mujoco`: springs without bounds. The impedance d of a connect or weld comes from the norm of its
 * whole residual. Inverse weights: points take the translational ones of both bodies, rotations the rotational ones.
 * MuJoCo's a_ref of connect and weld, −B (J v) − K d r − J̇ v, bends the way at the start of a step: a step that turns by θ gains θ² of its
 * energy. In steps that move positions by u = v + h a + s (inertial-motion.ts) a motion along the constraint has
 * J v = ½ h J̇ v − J s at the start and the opposite at the end, so B acts on what differs from that:
 *   a_ref = −B (J (v + s) − ½ w h J̇ v) − K d r − w J̇ v
 * w is 1, and falls to 0 from turns of half a radian in a step on: they are no parabolas any more.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeEquality } from '../../joint/equality.ts';
import { createResidual } from '../../joint/residual.ts';
import { EQUALITY, type Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import { isGenesis } from './genesis.ts';
import type { MujocoBuilder } from './mujoco-builder.ts';

/** Turns in a step between which J̇ v fades, rad. */
const WIDE = 0.5;
const SHARP = 1;

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
    const bend = hasRate ? weighRate(builder, work, e) : 0;
    for (let k = 0; k < residual.dimension; k++) {
      const { stiffness, damping, value } = impedance;
      const lead = builder.isOnTheWay ? damping * builder.measureShift(work, k) : 0;
      const reference = -stiffness * value * residual.value[k] - (bend === 0 ? 0 : bend * residual.rate[k]) - lead;
      const regularization = impedance.regularize(inverseWeight(model, e, k));
      builder.setRow(first + k, reference, regularization, -Infinity, Infinity, impedance.damping);
    }
  }
}

/** Factor on J̇ v of equality e. */
function weighRate(builder: MujocoBuilder, work: Workspace, e: number): number {
  const { kind, object1, object2 } = builder.model.equality;
  if (kind[e] !== EQUALITY.connect && kind[e] !== EQUALITY.weld) return 0;
  if (!builder.isOnTheWay) return 1;
  const turn = builder.h * Math.max(measureSpin(work, object1[e]), measureSpin(work, object2[e]));
  const share = Math.min(1, Math.max(0, (SHARP - turn) / (SHARP - WIDE)));
  if (share < 1) builder.isSharp = true;
  return share * bendDamped(builder.h, true, builder.impedance.damping);
}

/** The same factor where bodies turn little. */
export function bendDamped(h: number, isOnTheWay: boolean, damping: number): number {
  return isOnTheWay ? 1 - 0.5 * h * damping : 1;
}

function measureSpin({ bodyTwist }: Workspace, b: number): number {
  return Math.sqrt(bodyTwist[6 * b] ** 2 + bodyTwist[6 * b + 1] ** 2 + bodyTwist[6 * b + 2] ** 2);
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
