/** The test of a pair of kinds: a closed form where there is one, the method of the special shapes, else the general convex method. */

import { testConvexPair } from '../geometry/convex/convex-pair.ts';
import { CORE } from '../geometry/convex/core-kind.ts';
import { findClosedForm } from '../geometry/pair/closed-forms.ts';
import { testPlaneCore } from '../geometry/pair/plane-core.ts';
import type { PairTest } from '../geometry/pair-test.ts';
import type { BuiltInShape } from '../geometry/shapes/built-in-shape.ts';
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import { testFieldPair } from './field-contact.ts';

const KINDS = SHAPE_TABLE.length;

/** The test for two kinds, the lower first; undefined where it has none. */
type FindPair = (kindA: number, kindB: number) => PairTest | undefined;

let findSurfacePair: FindPair = () => undefined;

/** At kindA · KINDS + kindB with kindA ≤ kindB; undefined where two kinds cannot touch. */
const table: (PairTest | undefined)[] = /* @__PURE__ */ fillTable(new Array(KINDS * KINDS).fill(undefined));

/** Adds the tests of triangle meshes and height fields, which come with '@nexdyn/engine/meshes'; models that have such shapes need it. */
export function provideSurfacePairs(find: FindPair): void {
  findSurfacePair = find;
  fillTable(table);
}

function fillTable(tests: (PairTest | undefined)[]): (PairTest | undefined)[] {
  for (let a = 0; a < KINDS; a++) {
    for (let b = a; b < KINDS; b++) tests[a * KINDS + b] = chooseTest(a, b);
  }
  return tests;
}

function chooseTest(a: number, b: number): PairTest | undefined {
  const one = SHAPE_TABLE[a];
  const two = SHAPE_TABLE[b];
  // planes and terrain are fixed to the world and do not meet each other
  if (one.isGround && two.isGround) return undefined;
  return (
    findClosedForm(a, b) ??
    (two.data === 'field' ? testFieldPair : undefined) ??
    findSurfacePair(a, b) ??
    findConvexPair(one, two)
  );
}

function findConvexPair(one: BuiltInShape, two: BuiltInShape): PairTest | undefined {
  if (two.core === CORE.none) return undefined;
  if (one.core !== CORE.none) return testConvexPair;
  return one.isEndless ? testPlaneCore : undefined;
}

/** The test for two kinds, the lower first. */
export function findPairTest(kindA: number, kindB: number): PairTest | undefined {
  return table[kindA * KINDS + kindB];
}
