import { CORE } from '../convex/core-kind.ts';
import type { PairTest } from '../pair-test.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { testMeshMesh } from './mesh-mesh.ts';
import { testPartMesh } from './part-mesh.ts';
import { testPlaneMesh } from './plane-mesh.ts';
import { testSphereMesh } from './sphere-mesh.ts';

/** The test of a kind against a triangle mesh; undefined for kinds that have none. */
export function findMeshPair(kindA: number, kindB: number): PairTest | undefined {
  if (SHAPE_TABLE[kindB].data !== 'mesh') return undefined;
  const { core, isEndless, data } = SHAPE_TABLE[kindA];
  if (isEndless) return testPlaneMesh;
  if (core === CORE.point) return testSphereMesh;
  if (core !== CORE.none) return testPartMesh;
  return data === 'mesh' ? testMeshMesh : undefined;
}
