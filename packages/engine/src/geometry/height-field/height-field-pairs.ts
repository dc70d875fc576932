import { CORE } from '../convex/core-kind.ts';
import type { PairTest } from '../pair-test.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { testHeightFieldMesh } from './height-field-mesh.ts';
import { testHeightFieldPart } from './height-field-part.ts';
import { testHeightFieldSphere } from './height-field-sphere.ts';

/** The test of a height field against a kind; undefined for kinds that have none. */
export function findHeightFieldPair(kindA: number, kindB: number): PairTest | undefined {
  if (SHAPE_TABLE[kindA].data !== 'heightField') return undefined;
  const { core, data } = SHAPE_TABLE[kindB];
  if (core === CORE.point) return testHeightFieldSphere;
  if (core !== CORE.none) return testHeightFieldPart;
  return data === 'mesh' ? testHeightFieldMesh : undefined;
}
