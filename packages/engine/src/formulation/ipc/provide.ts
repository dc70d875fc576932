/** Importing this file makes `ipc` available. */
import { BARRIER_BYTES } from '../../kernels/barrier-bytes.ts';
import { provideBarrier } from '../../kernels/compiled.ts';
import { provideFormulation } from '../formulation-table.ts';
import { createIpc } from './ipc.ts';
import { IPC } from './ipc-traits.ts';

provideBarrier(BARRIER_BYTES);
provideFormulation(IPC, createIpc);
