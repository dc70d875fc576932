/** Importing this file makes shapes from meshes and height fields available. */
import { provideSurfacePairs } from './collision/narrow-phase.ts';
import { buildPolyhedron } from './geometry/convex/build-polyhedron.ts';
import { buildCachedPolyhedron } from './geometry/convex/cached-polyhedron.ts';
import { findHeightFieldPair } from './geometry/height-field/height-field-pairs.ts';
import { castHeightField } from './geometry/ray/cast-height-field.ts';
import { castTriangleMesh } from './geometry/ray/cast-triangle-mesh.ts';
import { provideSurfaceRays } from './geometry/ray/surface-rays.ts';
import { buildTriangleMesh } from './geometry/triangle-mesh/build-triangle-mesh.ts';
import { findMeshPair } from './geometry/triangle-mesh/mesh-pairs.ts';
import { wireMass } from './geometry/wire-mass.ts';
import { MESH_BUILDERS } from './model/mesh-builders.ts';
import { findFaces, meshMass } from './model/mesh-content.ts';

MESH_BUILDERS.provide({ findFaces, meshMass, wireMass, buildPolyhedron, buildCachedPolyhedron, buildTriangleMesh });
provideSurfaceRays({ castHeightField, castTriangleMesh });
provideSurfacePairs((kindA, kindB) => findMeshPair(kindA, kindB) ?? findHeightFieldPair(kindA, kindB));
