/** Importing this file makes `mujoco` available. */
import { provideFormulation } from '../formulation-table.ts';
import { createMujoco } from './mujoco.ts';
import { MUJOCO } from './mujoco-traits.ts';

provideFormulation(MUJOCO, createMujoco);
