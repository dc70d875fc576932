/** Parts of a detection in compiled code; they come with '@nexdyn/engine/sparse', as the functions themselves do. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { BoxPairRecord } from './box-pair-record.ts';
import type { BoxSweep } from './box-sweep.ts';

export interface CompiledDetection {
  readonly BoxPairRecord: typeof BoxPairRecord;
  readonly BoxSweep: typeof BoxSweep;
}

export const COMPILED_DETECTION: LazyModule<CompiledDetection> = new LazyModule('sparse', 'compiled pair tests');
