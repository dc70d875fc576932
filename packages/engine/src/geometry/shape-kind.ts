/** Kinds of shapes, in the order in which a pair is written down: the lower kind comes first. */
export const SHAPE = {
  plane: 0,
  heightField: 1,
  sphere: 2,
  capsule: 3,
  ellipsoid: 4,
  cylinder: 5,
  box: 6,
  convexMesh: 7,
  triangleMesh: 8,
  signedDistance: 9,
} as const;
