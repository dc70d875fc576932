/** The pairs whose contact points MuJoCo makes by its general routines, and capsules; other pairs have closed forms, the same in both. */
import { CORE } from '../convex/core-kind.ts';
import type { PairTest } from '../pair-test.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { testMujocoCapsuleBox } from './capsule-box.ts';
import { testMujocoCapsules } from './capsules.ts';
import { testMujocoPair } from './convex-contact.ts';
import { testMujocoHeightField } from './height-field.ts';
import { testMujocoPlaneMesh } from './plane-mesh.ts';

/** The test of two kinds, the lower first; undefined where MuJoCo has a closed form or no such shape. */
export function findMujocoPair(kindA: number, kindB: number): PairTest | undefined {
  const one = SHAPE_TABLE[kindA];
  const two = SHAPE_TABLE[kindB];
  if (!isConvex(two.core)) return undefined;
  if (one.isEndless) return two.core === CORE.polyhedron ? testMujocoPlaneMesh : undefined;
  if (one.data === 'heightField') return testMujocoHeightField;
  if (one.core === CORE.segment && two.core === CORE.segment) return testMujocoCapsules;
  if (one.core === CORE.segment && two.core === CORE.box) return testMujocoCapsuleBox;
  if (!isConvex(one.core) || hasClosedForm(one.core, two.core) || hasClosedForm(two.core, one.core)) return undefined;
  return testMujocoPair;
}

function isConvex(core: number): boolean {
  return core !== CORE.none && core !== CORE.smooth;
}

/** Balls with all but ellipsoids and meshes, boxes with boxes. */
function hasClosedForm(a: number, b: number): boolean {
  if (a === CORE.point) return b !== CORE.ellipsoid && b !== CORE.polyhedron;
  return a === CORE.box && b === CORE.box;
}
