/** The row of a tendon, L̇ = J v, and J̇ v of it, in either coordinates. */
import { TENDONS } from '../dynamics/tendon-access.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import { type Model, STATION } from '../model/model.ts';
import type { JointWorkspace } from './joint-workspace.ts';

/** Adds the row, which stays in the scratch; returns its block, or −1 where nothing moves it. */
export function writeTendonRow(
  rows: BlockRows,
  model: Model,
  work: Workspace,
  { row }: JointWorkspace,
  t: number,
): number {
  row.clear();
  row.addTendon(work.tendonJacobian, model.size.velocity, work.plan.tendon, t, 1);
  return row.write(rows, 1);
}

/** J̇ v: of a sum of joints that are constraints, the sum of theirs. */
export function measureTendonRate(model: Model, work: Workspace, { coordinates }: JointWorkspace, t: number): number {
  const { tendon, size } = model;
  const first = tendon.stationStart[t];
  if (tendon.stationKind[first] !== STATION.joint) return TENDONS.require().measureTendonDrift(model, work, t);
  let rate = 0;
  for (let s = first; s < first + tendon.stationCount[t]; s++) {
    const c = tendon.stationObject[s] - size.joint;
    if (c >= 0) rate += tendon.stationParameter[s] * coordinates.rate[3 * c];
  }
  return rate;
}
