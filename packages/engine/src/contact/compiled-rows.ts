/** Rows of contacts in compiled code; they come with '@nexdyn/engine/sparse', as the functions themselves do. */
import type { RowsRecord } from '../linear-algebra/rows-record.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import type { ContactRecord } from './contact-record.ts';

export interface CompiledRows {
  readonly ContactRecord: typeof ContactRecord;
  readonly RowsRecord: typeof RowsRecord;
}

export const COMPILED_ROWS: LazyModule<CompiledRows> = new LazyModule('sparse', 'compiled rows');
