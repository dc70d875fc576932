/** Contact points as MuJoCo makes them; they come with '@nexdyn/engine/mujoco-points'. */
import type { PairTest } from '../geometry/pair-test.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
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

/** The same with exact points of ellipsoids. */
export function findSmoothPairTest(kindA: number, kindB: number): PairTest | undefined {
  const hasEllipsoid = kindA === SHAPE.ellipsoid || kindB === SHAPE.ellipsoid;
  return hasEllipsoid ? findPairTest(kindA, kindB) : findMujocoPairTest(kindA, kindB);
}
