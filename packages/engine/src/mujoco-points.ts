/** Importing this file makes contact points as in MuJoCo available. */
import { MUJOCO_POINTS } from './collision/mujoco-points.ts';
import { findMujocoPair } from './geometry/mujoco/mujoco-pairs.ts';

MUJOCO_POINTS.provide(findMujocoPair);
