/** The formulations that are always loaded. */
import './mujoco/provide.ts';
import './penalty/provide.ts';
import './sap/provide.ts';
