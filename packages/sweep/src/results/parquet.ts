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
const GROUP = 1000;

/** Loads the writer and begins a table. */
export async function createParquet(columns: readonly TableColumn[]): Promise<ParquetTable> {
  return new ParquetTable((await import(WRITER)) as ParquetModule, columns);
}

/** A table as the pieces of a Parquet file. Each piece lasts until the next. */
export class ParquetTable {
  readonly #columns: readonly TableColumn[];
  readonly #writer: ByteWriter;
  readonly #file: InstanceType<ParquetModule['ParquetWriter']>;
  /** Cells of the group by column. Arrays of numbers leave little that has to be collected; NaN where there is none. */
  readonly #cells: (Float64Array | (string | null)[])[];
  #count = 0;
  #isTaken = false;

  constructor({ ByteWriter, ParquetWriter, schemaFromColumnData }: ParquetModule, columns: readonly TableColumn[]) {
    this.#columns = columns;
    this.#writer = new ByteWriter();
    this.#cells = columns.map(({ kind }) => (kind === 'text' ? [] : new Float64Array(GROUP)));
    const schema = schemaFromColumnData({ columnData: this.#listData() });
    this.#file = new ParquetWriter({ writer: this.#writer, schema });
  }

  /** Takes a row; the piece of its group where the group is full. */
  add(run: SweepRun, result: RunResult): Uint8Array | undefined {
    for (const [n, column] of this.#columns.entries()) {
      const cell = column.read(run, result);
      this.#cells[n]![this.#count] = column.kind === 'text' ? cell : (cell ?? Number.NaN);
    }
    return ++this.#count === GROUP ? this.#take(() => this.#writeGroup()) : undefined;
  }

  /** The end of the file. */
  finish(): Uint8Array {
    return this.#take(() => {
      if (this.#count > 0) this.#writeGroup();
      this.#file.finish();
    });
  }

  #writeGroup(): void {
    this.#file.write({ columnData: this.#listData(), rowGroupSize: this.#count });
    this.#count = 0;
  }

  #listData(): ColumnData[] {
    return this.#columns.map(({ name, kind }, n) => {
      const cells: ArrayLike<Cell> = this.#cells[n]!;
      const data = Array.from({ length: this.#count }, (_, row) => readCell(kind, cells[row]!));
      return { name, data, type: TYPES[kind], nullable: true };
    });
  }

  #take(write: () => void): Uint8Array {
    // the mark with which the file begins is there from the start
    if (this.#isTaken) this.#writer.index = 0;
    this.#isTaken = true;
    write();
    return this.#writer.getBytes();
  }
}

function readCell(kind: TableColumn['kind'], cell: Cell): Cell | bigint {
  if (cell === null || Number.isNaN(cell)) return null;
  return kind === 'integer' ? BigInt(cell) : cell;
}
