/** Importing this file makes `ipc` available. */
import { provideFormulation } from '../formulation-table.ts';
import { createIpc } from './ipc.ts';

provideFormulation('ipc', createIpc);
