/** The formulations that are there without being asked for. */
import './mujoco/provide.ts';
import './sap/provide.ts';
