/** Collision data of meshes and fields, built and checked once, so that nothing can fail in a step. */
import { NexdynError } from '../error.ts';
import type { HullOptions } from '../geometry/convex/build-polyhedron.ts';
import type { ContentCache } from '../geometry/convex/cached-polyhedron.ts';
import type { ConvexPolyhedron } from '../geometry/convex/polyhedron.ts';
import type { HeightField } from '../geometry/height-field.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import type { BuiltInShape } from '../geometry/shapes/built-in-shape.ts';
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import type { SignedDistanceField } from '../geometry/signed-distance/field.ts';
import type { TracedSurface } from '../geometry/signed-distance/trace-surface.ts';
import type { TriangleMesh } from '../geometry/triangle-mesh/triangle-mesh.ts';
import { findFormulation, nameFormulationsWith } from '../scene/formulation-table.ts';
import type { ContactPointRule, FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { FIELD_BUILDERS } from './field-builders.ts';
import { MESH_BUILDERS } from './mesh-builders.ts';
import type { ModelHeightFields, ModelMeshes, ModelShapes } from './model.ts';
import { listFieldSurfaces, listRegisteredShapes } from './registered-shapes.ts';
import type { SceneIndex } from './scene-index.ts';
import { findSolidField, isSolidField, traceSolidField } from './solid-field.ts';

/** MuJoCo's hulls join faces only where rounding hides their angle, as a share of the extent. */
const MUJOCO_FLATNESS = 1e-12;

/** Per mesh and per field: its geometry, where a shape that can touch uses it; meshes of edges and points have none. */
export interface CollisionGeometry {
  readonly hull: readonly (ConvexPolyhedron | undefined)[];
  readonly mesh: readonly (TriangleMesh | undefined)[];
  readonly heightField: readonly HeightField[];
  /** Those of the scene, then those of registered shapes. */
  readonly field: readonly (SignedDistanceField | undefined)[];
  /** Per field: triangles of its surface for pictures, where they are given or traced. */
  readonly fieldSurface: readonly ((() => TracedSurface) | undefined)[];
}

export function buildCollisionGeometry(
  index: SceneIndex,
  shape: ModelShapes,
  mesh: ModelMeshes,
  heightField: ModelHeightFields,
  { formulation, contactPoints }: { formulation: FormulationId; contactPoints: ContactPointRule },
  cache?: ContentCache,
): CollisionGeometry {
  const { scene } = index;
  const isMeasured = listMeasured(index);
  const canTouch = listTouching(scene, shape).map((touches, s) => touches || isMeasured[s]);
  const used = new Set(
    Array.from(shape.kind, (k, s) => (canTouch[s] ? `${SHAPE_TABLE[k].data} ${shape.asset[s]}` : '')),
  );
  const isUsed = (data: BuiltInShape['data'], asset: number): boolean => used.has(`${data} ${asset}`);
  // contacts with them come with the builders: refused here, before a step
  if (heightField.name.length > 0) MESH_BUILDERS.require();
  const place = (m: number): { path: string } => ({ path: `meshes[${m}]` });
  const subject = (m: number): string => `mesh '${mesh.name[m]}'`;
  return {
    hull: mesh.name.map((_, m) =>
      isUsed('hull', m)
        ? {
            ...buildHull(verticesOf(mesh, m), subject(m), place(m), cache, {
              most: mesh.hullVertices[m],
              ...(contactPoints !== 'spread' && { flatness: MUJOCO_FLATNESS }),
            }),
            ...(contactPoints !== 'spread' && findMassCenter(scene, mesh, m)),
          }
        : undefined,
    ),
    mesh: mesh.name.map((_, m) =>
      isUsed('mesh', m) && !isWire(scene, m, formulation)
        ? MESH_BUILDERS.require().buildTriangleMesh(verticesOf(mesh, m), facesOf(mesh, m), subject(m), place(m))
        : undefined,
    ),
    heightField: heightField.name.map((_, h) => heightFieldOf(heightField, h)),
    field: [
      ...(scene.signedDistanceFields ?? []).map((_, f) =>
        isUsed('field', f) ? buildField(scene, mesh, f) : undefined,
      ),
      ...listRegisteredShapes(index).map(({ field }) => field),
    ],
    fieldSurface: [
      ...(scene.signedDistanceFields ?? []).map((source, f) =>
        isSolidField(source) ? () => traceSolidField(source, `signedDistanceFields[${f}]`) : undefined,
      ),
      ...listFieldSurfaces(index),
    ],
  };
}

function buildHull(
  vertices: Float64Array,
  subject: string,
  place: { path: string },
  cache: ContentCache | undefined,
  options: HullOptions,
): ConvexPolyhedron {
  const { buildPolyhedron, buildCachedPolyhedron } = MESH_BUILDERS.require();
  if (cache) return buildCachedPolyhedron(vertices, subject, place, cache, options);
  return buildPolyhedron(vertices, undefined, subject, place, options);
}

/** Where MuJoCo has the origin of a mesh; that of a mesh without mass stays at the origin of its file. */
function findMassCenter(scene: Scene, mesh: ModelMeshes, m: number): { massCenter?: Float64Array } {
  try {
    return { massCenter: MESH_BUILDERS.require().meshMass(mesh, m, scene.meshes?.[m]?.inertia ?? 'exact').center };
  } catch {
    return {};
  }
}

// edges and points without faces have no depth: only distances can keep them apart
function isWire(scene: Scene, m: number, formulation: FormulationId): boolean {
  const { name, edges } = scene.meshes![m];
  if (!edges) return false;
  if (findFormulation(formulation).resolves.wires) return true;
  throw new NexdynError(
    'unsupported-formulation',
    `${formulation} has no contact of edges and points: mesh '${name}'`,
    {
      path: `meshes[${m}].edges`,
      hint: `choose formulation: ${nameFormulationsWith('wires')}, a convexMesh, capsules and spheres, or contact: 'none' on the shape`,
    },
  );
}

/** What a shape of a kind with a number of an asset is made of, beside its size. */
export function selectShapeData(
  geometry: CollisionGeometry,
  kind: number,
  asset: number,
): Pick<PlacedShape, 'hull' | 'mesh' | 'heightField' | 'field'> {
  const { data } = SHAPE_TABLE[kind];
  return {
    hull: data === 'hull' ? geometry.hull[asset] : undefined,
    mesh: data === 'mesh' ? geometry.mesh[asset] : undefined,
    heightField: data === 'heightField' ? geometry.heightField[asset] : undefined,
    field: data === 'field' ? geometry.field[asset] : undefined,
  };
}

/** Whether each shape is in a group, asks for one, or is named by an explicit pair. */
export function listTouching(scene: Scene, { groups, mask, name }: ModelShapes): boolean[] {
  const paired = new Set((scene.contactPairs ?? []).flatMap(({ shape1, shape2 }) => [shape1, shape2]));
  return name.map((own, s) => groups[s] !== 0 || mask[s] !== 0 || (own !== '' && paired.has(own)));
}

/** Whether a sensor of distances looks at each shape, by itself or with its body. */
function listMeasured({ scene, shapes, shapeBody, bodies }: SceneIndex): boolean[] {
  const named = new Set<string>();
  // shapes of all bodies below one
  let areAll = false;
  for (const sensor of scene.sensors ?? []) {
    if (sensor.kind === 'distance' || sensor.kind === 'distanceNormal' || sensor.kind === 'distanceSegment') {
      for (const { kind, name } of [sensor.first, sensor.second]) named.add(`${kind} ${name}`);
    } else if (sensor.kind === 'protrusion') {
      const { kind, name } = sensor.object;
      named.add(`${kind === 'body' || kind === 'bodyCenter' ? 'body' : 'shape'} ${name}`);
      areAll ||= kind === 'body';
    }
  }
  return shapes.map(
    ({ name }, s) => areAll || named.has(`shape ${name ?? ''}`) || named.has(`body ${bodies[shapeBody[s]].name ?? ''}`),
  );
}

function buildField(scene: Scene, mesh: ModelMeshes, f: number): SignedDistanceField {
  const { createTorusField, buildGridField, buildMeshField } = FIELD_BUILDERS.require();
  const source = scene.signedDistanceFields![f];
  const place = { path: `signedDistanceFields[${f}]` };
  const subject = `signed-distance field '${source.name}'`;
  switch (source.kind) {
    case 'bowl':
    case 'bolt':
    case 'nut':
    case 'gear':
      return findSolidField(source, place.path);
    case 'torus':
      return createTorusField(source.majorRadius, source.minorRadius, subject, place);
    case 'grid':
      return buildGridField(source, subject, place);
    case 'mesh': {
      const m = mesh.name.indexOf(source.mesh);
      return buildMeshField(verticesOf(mesh, m), facesOf(mesh, m), source.spacing, subject, place);
    }
  }
}

function heightFieldOf(fields: ModelHeightFields, h: number): HeightField {
  const rows = fields.rows[h];
  const columns = fields.columns[h];
  const start = fields.dataStart[h];
  return {
    rows,
    columns,
    halfSizeX: fields.halfSize[2 * h],
    halfSizeY: fields.halfSize[2 * h + 1],
    baseDepth: fields.baseDepth[h],
    heights: fields.heights.subarray(start, start + rows * columns),
  };
}

function verticesOf(mesh: ModelMeshes, m: number): Float64Array {
  return mesh.vertices.subarray(3 * mesh.vertexStart[m], 3 * (mesh.vertexStart[m] + mesh.vertexCount[m]));
}

function facesOf(mesh: ModelMeshes, m: number): Int32Array {
  return mesh.faces.subarray(3 * mesh.faceStart[m], 3 * (mesh.faceStart[m] + mesh.faceCount[m]));
}
