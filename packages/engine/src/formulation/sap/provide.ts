/** Importing this file makes `sap` available. */
import { provideFormulation } from '../formulation-table.ts';
import { createSap } from './sap.ts';
import { SAP } from './sap-traits.ts';

provideFormulation(SAP, createSap);
