/** Contact points as MuJoCo makes them; they come with '@nexdyn/engine/mujoco-points'. */
import type { PairTest } from '../geometry/pair-test.ts';
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import { findPairTest } from './narrow-phase.ts';

export const MUJOCO_POINTS: LazyModule<(kindA: number, kindB: number) => PairTest | undefined> = new LazyModule(
  'mujoco-points',
  'contact points of MuJoCo',
);

/** The test for two kinds, the lower first, with MuJoCo's points where it has its own. */
export function findMujocoPairTest(kindA: number, kindB: number): PairTest | undefined {
  const usual = findPairTest(kindA, kindB);
  return usual && (MUJOCO_POINTS.require()(kindA, kindB) ?? usual);
}

/** Whether points of a kind, by its number, jump while it moves smoothly: those of ellipsoids, which end where a search does. */
export function hasJumpingPoints(kind: number): boolean {
  return SHAPE_TABLE[kind].jumpsInMujoco === true;
}

/** The same with exact points where those of MuJoCo jump. */
export function findSmoothPairTest(kindA: number, kindB: number): PairTest | undefined {
  const isExact = hasJumpingPoints(kindA) || hasJumpingPoints(kindB);
  return isExact ? findPairTest(kindA, kindB) : findMujocoPairTest(kindA, kindB);
}
