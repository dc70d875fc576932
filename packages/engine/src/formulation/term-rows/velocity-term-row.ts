/** A row of a term in a problem over velocities: r = −(velocity of held vertices), D = h² λ; at the midpoint r = −u·J v besides, D = ¼ h² λ. */
import type { TermHost } from './term-host.ts';

/** What the velocity formulations say of a row of a term. */
export function setVelocityTermRow(
  host: TermHost & { readonly startVelocity: Float64Array },
  row: number,
  stiffness: number,
  heldVelocity: number,
): void {
  const { problem, model, h, startVelocity } = host;
  const isMidpoint = model.options.integrator === 'midpoint';
  let reference = -heldVelocity;
  if (isMidpoint) {
    const { rows } = problem;
    const block = rows.blockCount - 1;
    const n = rows.columnCount[block];
    const at = rows.valueStart[block] + n * (row - rows.rowStart[block]);
    for (let i = 0; i < n; i++)
      reference -= rows.value[at + i] * startVelocity[rows.column[rows.columnStart[block] + i]];
  }
  problem.setRow(row, reference, 1 / ((isMidpoint ? 0.25 : 1) * h * h * stiffness), -Infinity, Infinity);
}
