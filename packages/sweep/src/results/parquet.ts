import type { SweepRun } from '../plan/expand-plan.ts';
import type { RunResult } from '../run/run-result.ts';
import type { Cell, TableColumn } from './table.ts';

/** A column of some rows. */
interface ColumnData {
  name: string;
  data: unknown[];
  type: 'DOUBLE' | 'INT64' | 'STRING';
  nullable: boolean;
}

/** Bytes that were written; `index` is the place in the buffer, which begins anew when they are taken. */
interface ByteWriter {
  index: number;
  getBytes(): Uint8Array;
}

/** The part of hyparquet-writer that is used. */
interface ParquetModule {
  ByteWriter: new () => ByteWriter;
  ParquetWriter: new (options: {
    writer: ByteWriter;
    schema: unknown;
  }) => { write(options: { columnData: ColumnData[]; rowGroupSize: number }): void; finish(): void };
  schemaFromColumnData(options: { columnData: ColumnData[] }): unknown;
}

const TYPES = { integer: 'INT64', number: 'DOUBLE', text: 'STRING' } as const;
/** Loaded when a table is written: a sweep starts without it. */
const WRITER = 'hyparquet-writer';
/** Rows of a group: so many are in memory at once. */
const GROUP = 2000;

/** The table as the pieces of a Parquet file, a group of rows at a time. */
export async function openParquet(
  columns: readonly TableColumn[],
  rows: Iterable<readonly [SweepRun, RunResult]>,
): Promise<Iterable<Uint8Array>> {
  return listPieces((await import(WRITER)) as ParquetModule, columns, rows);
}

function* listPieces(
  { ByteWriter, ParquetWriter, schemaFromColumnData }: ParquetModule,
  columns: readonly TableColumn[],
  rows: Iterable<readonly [SweepRun, RunResult]>,
): Iterable<Uint8Array> {
  const writer = new ByteWriter();
  const empty = columns.map((column) => describe(column, []));
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: empty }) });
  for (const group of listGroups(columns, rows)) {
    file.write({ columnData: columns.map((column, n) => describe(column, group[n]!)), rowGroupSize: GROUP });
    yield writer.getBytes();
    writer.index = 0;
  }
  file.finish();
  yield writer.getBytes();
}

/** Cells by column, of some rows at a time. */
function* listGroups(
  columns: readonly TableColumn[],
  rows: Iterable<readonly [SweepRun, RunResult]>,
): Iterable<Cell[][]> {
  let group = columns.map((): Cell[] => []);
  for (const [run, result] of rows) {
    for (const [n, column] of columns.entries()) group[n]!.push(column.read(run, result));
    if (group[0]!.length < GROUP) continue;
    yield group;
    group = columns.map(() => []);
  }
  if (group[0]!.length > 0) yield group;
}

function describe({ name, kind }: TableColumn, cells: readonly Cell[]): ColumnData {
  const values = kind === 'integer' ? cells.map((cell) => (cell === null ? null : BigInt(cell))) : [...cells];
  return { name, data: values, type: TYPES[kind], nullable: true };
}
