import type { SweepRun } from '../plan/expand-plan.ts';
import type { RunResult } from '../run/run-result.ts';
import type { Cell, TableColumn } from './table.ts';

/** The part of hyparquet-writer that is used. */
interface ParquetWriter {
  parquetWriteBuffer(options: {
    columnData: { name: string; data: unknown[]; type: 'DOUBLE' | 'INT64' | 'STRING'; nullable: boolean }[];
  }): ArrayBuffer;
}

const TYPES = { integer: 'INT64', number: 'DOUBLE', text: 'STRING' } as const;
/** Loaded when a table is written: a sweep starts without it. */
const WRITER = 'hyparquet-writer';

/** The table as a Parquet file. */
export async function writeParquet(
  columns: readonly TableColumn[],
  rows: Iterable<readonly [SweepRun, RunResult]>,
): Promise<Uint8Array> {
  const { parquetWriteBuffer } = (await import(WRITER)) as ParquetWriter;
  const data = columns.map((): Cell[] => []);
  for (const [run, result] of rows) {
    for (const [n, column] of columns.entries()) data[n]!.push(column.read(run, result));
  }
  const columnData = columns.map(({ name, kind }, n) => {
    const cells = data[n]!;
    const values = kind === 'integer' ? cells.map((cell) => (cell === null ? null : BigInt(cell))) : cells;
    return { name, data: values, type: TYPES[kind], nullable: true };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
