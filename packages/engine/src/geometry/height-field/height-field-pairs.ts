import type { PairTest } from '../pair-test.ts';
import { SHAPE } from '../shape-kind.ts';
import { testHeightFieldMesh } from './height-field-mesh.ts';
import { testHeightFieldPart } from './height-field-part.ts';
import { testHeightFieldSphere } from './height-field-sphere.ts';

/** The test of a height field against a kind; undefined for kinds that have none. */
export function findHeightFieldPair(kindA: number, kindB: number): PairTest | undefined {
  if (kindA !== SHAPE.heightField) return undefined;
  switch (kindB) {
    case SHAPE.sphere:
      return testHeightFieldSphere;
    case SHAPE.capsule:
    case SHAPE.ellipsoid:
    case SHAPE.cylinder:
    case SHAPE.box:
    case SHAPE.convexMesh:
      return testHeightFieldPart;
    case SHAPE.triangleMesh:
      return testHeightFieldMesh;
    default:
      return undefined;
  }
}
