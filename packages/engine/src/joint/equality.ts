/**
 * One block per equality, by its kind. MuJoCo's reference acceleration subtracts the rate J̇ v of connect and weld, but not
 * that of joint and tendon equalities.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import { EQUALITY, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { writeConnect } from './connect.ts';
import { writeDistance } from './distance.ts';
import type { JointWorkspace } from './joint-workspace.ts';
import { writePolynomial } from './polynomial.ts';
import type { Residual } from './residual.ts';
import { writeWeld } from './weld.ts';

/** Adds the block of equality e whether it is switched on or not; -1 where its rows would be zero. */
export function writeEquality(
  rows: BlockRows,
  model: Model,
  state: State,
  work: Workspace,
  joints: JointWorkspace,
  e: number,
  out: Residual,
): number {
  switch (model.equality.kind[e]) {
    case EQUALITY.connect:
      return writeConnect(rows, model, work, e, out);
    case EQUALITY.weld:
      return writeWeld(rows, model, work, e, out);
    case EQUALITY.distance:
      return writeDistance(rows, model, work, e, out);
    default:
      return writePolynomial(rows, model, state, work, joints, e, out);
  }
}
