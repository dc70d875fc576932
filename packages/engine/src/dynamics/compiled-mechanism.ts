/** The dynamics in compiled code; it comes with '@nexdyn/engine/sparse', as the functions themselves do. */
import { LazyModule } from '../parts/lazy-module.ts';
import type { MechanismRecord } from './mechanism-record.ts';

export const COMPILED_MECHANISM: LazyModule<typeof MechanismRecord> = new LazyModule('sparse', 'compiled mechanisms');
