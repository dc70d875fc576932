/**
 * Every entry of a Jacobian against centred differences of whole steps, in shares of √(largest entry of its row · largest of its column); of
 * entries so small that rounding of the differences is more than the error looked for, in shares of the size at which it is as much.
 * Differences have an error of their own: of order ε⁴ where a law is strongly curved, as a barrier at a small distance, and any at all
 * where a change of mode lies between their points. Columns that differ are therefore looked at again with ε/32, which has more round-off: an
 * entry differs where it does at both lengths, and how far the differences of both are apart is said as `doubt`.
 */
import type { DerivativeCheck } from './derivative-report.ts';
import type { StepJacobian } from './linearize.ts';

/** Error that a check is to show. */
const CHECKED_ERROR = 1e-6;
/** Share of the length of differences that a second look takes. */
const CLOSER = 1 / 32;

/** The entry that differs most. */
export function checkJacobian({ map, rows, columns, values }: StepJacobian): DerivativeCheck {
  const inputs = map.listColumns();
  const rowNames = [...map.tangent.listNames()];
  while (rowNames.length < map.tangent.wholeSize) rowNames.push('state before the last step');
  rowNames.push(...map.outputs.names);
  const differences = inputs.map((input) => {
    const column = new Float64Array(rows);
    map.takeWholeDifference(input, column);
    return column;
  });
  const rowScale = new Float64Array(rows).fill(1e-9);
  for (const column of differences)
    column.forEach((d, r) => {
      rowScale[r] = Math.max(rowScale[r], Math.abs(d));
    });
  const worst: DerivativeCheck = { error: 0, row: '', column: '', value: 0, difference: 0, doubt: 0 };
  inputs.forEach((input, c) => {
    const column = differences[c];
    const columnScale = column.reduce((most, d) => Math.max(most, Math.abs(d)), 1e-9);
    const measure = (d: number, other: number, r: number, share: number): number =>
      Math.abs(d - other) /
      Math.max(Math.sqrt(rowScale[r] * columnScale), map.measureRoundOff(input) / (share * CHECKED_ERROR));
    const errorOf = (d: Float64Array, r: number, share: number): number =>
      measure(values[r * columns + c], d[r], r, share);
    const closer = new Float64Array(rows);
    const isDoubted = column.some((_, r) => !(errorOf(column, r, 1) <= CHECKED_ERROR));
    if (isDoubted) map.takeWholeDifference(input, closer, CLOSER);
    for (let r = 0; r < rows; r++) {
      const first = errorOf(column, r, 1);
      const second = isDoubted ? errorOf(closer, r, CLOSER) : first;
      if (isDoubted) worst.doubt = Math.max(worst.doubt, measure(closer[r], column[r], r, CLOSER));
      // the length that leaves less: the longer one may go across a change of mode, the closer one has more round-off
      const isCloser = second < first;
      const error = isCloser ? second : first;
      if (!(error > worst.error || Number.isNaN(error))) continue;
      const value = values[r * columns + c];
      const difference = isCloser ? closer[r] : column[r];
      Object.assign(worst, { error, row: rowNames[r], column: input.name, value, difference });
    }
  });
  return worst;
}
