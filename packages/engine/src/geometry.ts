/**
 * Geometry alone, without a scene: distances and their derivatives, closest points of convex shapes, times of impact, signed
 * distances, rays, hulls, trees of boxes, masses and tetrahedral meshes. Lengths in metres, points packed as x y z.
 */
// trees of boxes
export type { BoundingTree } from './geometry/bounding-tree/bounding-tree.ts';
export { collectBoxOverlaps } from './geometry/bounding-tree/box-overlap.ts';
export { IndexList, IndexPairs } from './geometry/bounding-tree/index-list.ts';
export { collectSelfOverlaps } from './geometry/bounding-tree/self-overlap.ts';
export { buildBoundingTree, refitTree } from './geometry/bounding-tree/tree-builder.ts';
export { collectTreeOverlaps } from './geometry/bounding-tree/tree-overlap.ts';
// convex shapes
export { buildPolyhedron } from './geometry/convex/build-polyhedron.ts';
export { type ClosestPoints, closestPoints } from './geometry/convex/convex-distance.ts';
export type { ConvexPolyhedron } from './geometry/convex/polyhedron.ts';
export { computeConvexHull } from './geometry/convex-hull.ts';
// squared distances of points, edges and triangles, with gradient and Hessian
export {
  classifyEdgeEdge,
  EDGE_EDGE,
  measureEdgeEdge,
  writeEdgeEdgeGradient,
  writeEdgeEdgeHessian,
} from './geometry/distance/edge-edge.ts';
export { locateOnSegment, measurePointLine, measurePointSegment } from './geometry/distance/point-edge.ts';
export { measurePointPoint } from './geometry/distance/point-point.ts';
export {
  classifyPointTriangle,
  measurePointTriangle,
  POINT_TRIANGLE,
  writePointTriangleGradient,
  writePointTriangleHessian,
} from './geometry/distance/point-triangle.ts';
// mass, centre of mass and inertia
export {
  type MassProperties,
  moveMassProperties,
  scaleMass,
  sumMassProperties,
} from './geometry/mass-properties.ts';
export { type MeshMassKind, triangleArea, triangleMass } from './geometry/mesh-mass.ts';
// times of impact
export {
  ADVANCE_DEFAULTS,
  type AdvanceOptions,
  type Approach,
  advance,
  createTimeOfImpact,
  type TimeOfImpact,
} from './geometry/motion/conservative-advancement.ts';
export { MovingStencil } from './geometry/motion/moving-stencil.ts';
export { createPosePaths, PATH, type PosePaths, type PoseStep, writePosePath } from './geometry/motion/pose-path.ts';
export {
  advanceEdgeEdge,
  advancePointEdge,
  advancePointPoint,
  advancePointTriangle,
} from './geometry/motion/primitive-approach.ts';
export { type PlacedShape, placeShape } from './geometry/placed-shape.ts';
export { boxMass, capsuleMass, cylinderMass, ellipsoidMass, sphereMass, torusMass } from './geometry/primitive-mass.ts';
// rays
export { castRayShape, RayHit } from './geometry/ray/cast-ray.ts';
export { listTubeTriangles, TUBE_SIDES, writeTube } from './geometry/rods/rod-tube.ts';
export { SHAPE } from './geometry/shape-kind.ts';
// signed distances
export { createEllipsoidField } from './geometry/signed-distance/ellipsoid-field.ts';
export type { SignedDistanceField } from './geometry/signed-distance/field.ts';
export { buildGridField, type Grid } from './geometry/signed-distance/grid-field.ts';
export { buildExactMeshField, buildMeshField } from './geometry/signed-distance/mesh-field.ts';
export {
  createBoxField,
  createCapsuleField,
  createCylinderField,
  createPlaneField,
  createSphereField,
  createTorusField,
} from './geometry/signed-distance/primitive-field.ts';
// tetrahedral meshes
export { meshBall } from './geometry/tetrahedra/ball-mesher.ts';
export { meshBox } from './geometry/tetrahedra/box-mesher.ts';
export { type MeshQuality, measureQuality } from './geometry/tetrahedra/mesh-quality.ts';
export { extractSurface, type MeshSurface } from './geometry/tetrahedra/mesh-surface.ts';
export { describeRepair, meshRepairedSurface, type SurfaceRepair } from './geometry/tetrahedra/repaired-surface.ts';
export { meshClosedSurface } from './geometry/tetrahedra/solid-mesher.ts';
export { computeVolume, type TetrahedralMesh } from './geometry/tetrahedra/tetrahedral-mesh.ts';
export { describeDegenerateTriangles, findDegenerateTriangles } from './geometry/triangle-mesh/degenerate-triangles.ts';
