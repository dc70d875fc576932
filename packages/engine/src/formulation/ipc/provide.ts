/** Importing this file makes `ipc` available. */
import { provideFormulation } from '../formulation-table.ts';
import { createIpc } from './ipc.ts';
import { IPC } from './ipc-traits.ts';

provideFormulation(IPC, createIpc);
