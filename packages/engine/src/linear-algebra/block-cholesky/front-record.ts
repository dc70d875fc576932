/** What the compiled functions see of a factor over fronts: sizes and addresses in the order of packages/kernels/assembly/fronts.ts. */
import type { SymbolicFactor } from './symbolic-factor.ts';

/** Words of a record. */
export const FRONT_WORDS = 25;

/** Writes the pattern; returns where the addresses of matrix, panels, inverse diagonal, rests and right side follow. */
export function writeFrontRecord(record: Int32Array, symbolic: SymbolicFactor): number {
  record[0] = symbolic.frontCount;
  record[1] = symbolic.width.byteOffset;
  record[2] = symbolic.boundary.byteOffset;
  record[3] = symbolic.panelStart.byteOffset;
  record[4] = symbolic.restStart.byteOffset;
  record[5] = symbolic.scalarStart.byteOffset;
  record[6] = symbolic.lastChild.byteOffset;
  record[7] = symbolic.previousChild.byteOffset;
  record[8] = symbolic.assemblyStart.byteOffset;
  record[9] = symbolic.assembly.byteOffset;
  record[10] = symbolic.rowRunStart.byteOffset;
  record[11] = symbolic.rowRun.byteOffset;
  record[12] = symbolic.parentRunStart.byteOffset;
  record[13] = symbolic.parentRun.byteOffset;
  record[14] = symbolic.parentRunRest.byteOffset;
  return 15;
}
