import { expect, test } from 'vitest';
import type { SweepRun } from '../plan/expand-plan.ts';
import type { RunResult } from '../run/run-result.ts';
import { createParquet } from './parquet.ts';
import type { TableColumn } from './table.ts';

const PARQUET_READER = 'hyparquet';

const COLUMNS: TableColumn[] = [
  { name: 'run', kind: 'integer', read: ({ index }) => index },
  { name: 'height', kind: 'number', read: ({ index }) => (index % 7 === 0 ? null : Math.sqrt(index)) },
  { name: 'status', kind: 'text', read: ({ index }) => (index % 5 === 0 ? null : `ended "${index}"`) },
];

function* listRows(count: number): Iterable<[SweepRun, RunResult]> {
  for (let index = 0; index < count; index++) yield [{ index } as SweepRun, {} as RunResult];
}

// none, one, a whole group, more than two groups
test.each([0, 1, 1000, 12_345])('a table of %i rows is read back as it was', async (count) => {
  const pieces: Uint8Array[] = [];
  const table = await createParquet(COLUMNS);
  // a piece is overwritten by the next
  for (const [run, result] of listRows(count)) pieces.push(table.add(run, result)?.slice() ?? new Uint8Array());
  pieces.push(table.finish().slice());
  const { parquetReadObjects } = (await import(PARQUET_READER)) as {
    parquetReadObjects(options: { file: ArrayBuffer }): Promise<Record<string, unknown>[]>;
  };
  const bytes = Buffer.concat(pieces);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const found = await parquetReadObjects({ file });
  expect(found).toHaveLength(count);
  for (let index = 0; index < count; index++) {
    const { run, height, status } = found[index]!;
    if (
      run !== BigInt(index) ||
      height !== (index % 7 === 0 ? null : Math.sqrt(index)) ||
      status !== (index % 5 === 0 ? null : `ended "${index}"`)
    )
      expect.fail(`row ${index} is ${run}, ${height}, ${status}`);
  }
});
