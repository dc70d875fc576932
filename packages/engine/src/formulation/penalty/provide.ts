/** Importing this file makes `penalty` available. */
import { provideFormulation } from '../formulation-table.ts';
import { createPenalty } from './penalty.ts';
import { PENALTY } from './penalty-traits.ts';

provideFormulation(PENALTY, createPenalty);
