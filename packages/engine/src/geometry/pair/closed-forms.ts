/** Pairs that have a closed form, by the kinds of their shapes. */
import type { PairTest } from '../pair-test.ts';
import { SHAPE } from '../shape-kind.ts';
import { testBoxBox } from './box-box.ts';
import { testCapsuleBox } from './capsule-box.ts';
import { testCapsuleCapsule } from './capsule-capsule.ts';
import { testPlaneBox } from './plane-box.ts';
import { testPlaneCapsule } from './plane-capsule.ts';
import { testPlaneConvex } from './plane-convex.ts';
import { testPlaneCylinder } from './plane-cylinder.ts';
import { testPlaneEllipsoid } from './plane-ellipsoid.ts';
import { testPlaneSphere } from './plane-sphere.ts';
import { testSphereBox } from './sphere-box.ts';
import { testSphereCapsule } from './sphere-capsule.ts';
import { testSphereCylinder } from './sphere-cylinder.ts';
import { testSphereEllipsoid } from './sphere-ellipsoid.ts';
import { testSphereSphere } from './sphere-sphere.ts';

const KINDS = 16;

const CLOSED_FORMS: readonly (readonly [number, number, PairTest])[] = [
  [SHAPE.plane, SHAPE.sphere, testPlaneSphere],
  [SHAPE.plane, SHAPE.capsule, testPlaneCapsule],
  [SHAPE.plane, SHAPE.ellipsoid, testPlaneEllipsoid],
  [SHAPE.plane, SHAPE.cylinder, testPlaneCylinder],
  [SHAPE.plane, SHAPE.box, testPlaneBox],
  [SHAPE.plane, SHAPE.convexMesh, testPlaneConvex],
  [SHAPE.sphere, SHAPE.sphere, testSphereSphere],
  [SHAPE.sphere, SHAPE.capsule, testSphereCapsule],
  [SHAPE.sphere, SHAPE.ellipsoid, testSphereEllipsoid],
  [SHAPE.sphere, SHAPE.cylinder, testSphereCylinder],
  [SHAPE.sphere, SHAPE.box, testSphereBox],
  [SHAPE.capsule, SHAPE.capsule, testCapsuleCapsule],
  [SHAPE.capsule, SHAPE.box, testCapsuleBox],
  [SHAPE.box, SHAPE.box, testBoxBox],
];

const TABLE: ReadonlyMap<number, PairTest> = /* @__PURE__ */ new Map(
  CLOSED_FORMS.map(([a, b, test]) => [KINDS * a + b, test]),
);

/** The closed form for two kinds with kindA ≤ kindB, if there is one. */
export function findClosedForm(kindA: number, kindB: number): PairTest | undefined {
  return TABLE.get(KINDS * kindA + kindB);
}
