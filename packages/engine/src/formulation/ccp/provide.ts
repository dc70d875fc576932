/** Importing this file makes `ccp` available. */
import { provideFormulation } from '../formulation-table.ts';
import { createCcp } from './ccp.ts';
import { CCP } from './ccp-traits.ts';

provideFormulation(CCP, createCcp);
