import type { PairTest } from '../pair-test.ts';
import { SHAPE } from '../shape-kind.ts';
import { testMeshMesh } from './mesh-mesh.ts';
import { testPartMesh } from './part-mesh.ts';
import { testPlaneMesh } from './plane-mesh.ts';
import { testSphereMesh } from './sphere-mesh.ts';

/** The test of a kind against a triangle mesh; undefined for kinds that have none. */
export function findMeshPair(kindA: number, kindB: number): PairTest | undefined {
  if (kindB !== SHAPE.triangleMesh) return undefined;
  switch (kindA) {
    case SHAPE.plane:
      return testPlaneMesh;
    case SHAPE.sphere:
      return testSphereMesh;
    case SHAPE.capsule:
    case SHAPE.ellipsoid:
    case SHAPE.cylinder:
    case SHAPE.box:
    case SHAPE.convexMesh:
      return testPartMesh;
    case SHAPE.triangleMesh:
      return testMeshMesh;
    default:
      return undefined;
  }
}
