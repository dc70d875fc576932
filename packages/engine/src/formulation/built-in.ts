/** The formulation that is always loaded. */
import './mujoco/provide.ts';
