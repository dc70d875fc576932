/** The soft bodies of a scene: tetrahedra in their initial pose, their surfaces, and the constraints of their vertices. */

import { NexdynError } from '../error.ts';
import { extractSurface, type MeshSurface } from '../geometry/tetrahedra/mesh-surface.ts';
import { buildSoftMesh } from '../geometry/tetrahedra/soft-mesh.ts';
import { computeVolume, type TetrahedralMesh } from '../geometry/tetrahedra/tetrahedral-mesh.ts';
import { type Poses, transformPoint, untransformPoint } from '../linear-algebra/pose.ts';
import type { Material } from '../scene/material.ts';
import type { SoftBody } from '../scene/soft-body.ts';
import { DEFAULT_COLOR, DEFAULT_DENSITY, DEFAULT_FRICTION } from './constraint-defaults.ts';
import { writePose } from './frames.ts';
import { frozenCopy } from './frozen-copy.ts';
import { type ModelSoftBodies, SOFT_CONTACT } from './model.ts';
import { quoteName, type SceneIndex } from './scene-index.ts';
import { createSoftArrays } from './soft-arrays.ts';

/** `initial` are the initial poses of the rigid bodies; `lastDof` is negative where none moves a body. */
export function compileSoftBodies(index: SceneIndex, initial: Poses, lastDof: Int32Array): ModelSoftBodies {
  const { scene } = index;
  const sources = scene.softBodies ?? [];
  const meshes = sources.map((body, n) => placeMesh(body, scene.meshes ?? [], n));
  const surfaces = meshes.map((mesh) => extractSurface(mesh));
  const vertexStart = sumUp(meshes.map(({ vertices }) => vertices.length / 3));
  const tetrahedronStart = sumUp(meshes.map(({ tetrahedra }) => tetrahedra.length / 4));
  const triangleStart = sumUp(surfaces.map(({ triangles }) => triangles.length / 3));
  const count = sources.length;
  const soft: ModelSoftBodies = {
    ...createSoftArrays(count, vertexStart[count], tetrahedronStart[count], triangleStart[count]),
    name: sources.map(({ name }) => name ?? ''),
    vertexStart,
    tetrahedronStart,
    triangleStart,
    elasticity: sources.map(({ elasticity }) => frozenCopy(elasticity)),
    holds: sources.map(({ pinned = [], driven = [], springs = [] }) => frozenCopy({ pinned, driven, springs })),
    attachment: listAttachments(index, sources, meshes, vertexStart, initial),
  };
  // vertices attached to a body without joints are held
  const { attachment } = soft;
  attachment.vertex.forEach((v, k) => {
    if (lastDof[attachment.body[k]] < 0) soft.isHeld[v] = 1;
  });
  const materials = scene.materials ?? [];
  sources.forEach((body, n) => {
    writeBody(soft, n, body, meshes[n], surfaces[n]);
    writeSurface(
      soft,
      n,
      body,
      materials.find(({ name }) => name === body.material),
    );
  });
  return soft;
}

// rest shape where the body is
function placeMesh(body: SoftBody, assets: Parameters<typeof buildSoftMesh>[1], n: number): TetrahedralMesh {
  const path = `softBodies[${n}].mesh`;
  const mesh = buildSoftMesh(body.mesh, assets, `the soft body${quoteName(body.name)}`, { path });
  const pose = { position: new Float64Array(3), orientation: new Float64Array(4) };
  writePose(body, pose.position, pose.orientation, 0);
  const vertices = new Float64Array(mesh.vertices.length);
  for (let i = 0; i < vertices.length; i += 3) transformPoint(vertices, i, pose, 0, mesh.vertices, i);
  return { vertices, tetrahedra: mesh.tetrahedra };
}

function writeBody(
  soft: ModelSoftBodies,
  n: number,
  body: SoftBody,
  mesh: TetrahedralMesh,
  surface: MeshSurface,
): void {
  const first = soft.vertexStart[n];
  const shift = (numbers: Int32Array, by: number): Int32Array => numbers.map((number) => number + by);
  soft.mass[n] = (body.elasticity.density ?? DEFAULT_DENSITY) * computeVolume(mesh);
  soft.rest.set(mesh.vertices, 3 * first);
  soft.tetrahedron.set(shift(mesh.tetrahedra, first), 4 * soft.tetrahedronStart[n]);
  soft.triangle.set(shift(surface.triangles, first), 3 * soft.triangleStart[n]);
  soft.triangleTetrahedron.set(shift(surface.tetrahedra, soft.tetrahedronStart[n]), soft.triangleStart[n]);
  for (let v = first; v < soft.vertexStart[n + 1]; v++) if (body.velocity) soft.velocity.set(body.velocity, 3 * v);
  for (const v of body.pinned ?? []) soft.isHeld[checkVertex(soft, n, v, 'pinned')] = 1;
  (body.driven ?? []).forEach(({ vertices }, k) => {
    for (const v of vertices) soft.isHeld[checkVertex(soft, n, v, `driven[${k}].vertices`)] = 1;
  });
  (body.springs ?? []).forEach(({ vertices }, k) => {
    for (const v of vertices) checkVertex(soft, n, v, `springs[${k}].vertices`);
  });
  for (let v = first; v < soft.vertexStart[n + 1]; v++) {
    if (soft.isHeld[v] === 1) soft.velocity.fill(0, 3 * v, 3 * v + 3);
  }
}

function writeSurface(soft: ModelSoftBodies, n: number, body: SoftBody, material: Material | undefined): void {
  const contact = body.contact ?? 'hydroelastic';
  const touches = contact !== 'none';
  soft.contact[n] = SOFT_CONTACT[contact];
  soft.touchesItself[n] = body.selfContact ? 1 : 0;
  soft.groups[n] = touches ? (body.collisionGroups ?? 1) : 0;
  soft.mask[n] = touches ? (body.collisionMask ?? 1) : 0;
  soft.margin[n] = body.margin ?? 0;
  soft.priority[n] = body.priority ?? 0;
  soft.friction[3 * n] = material?.friction ?? DEFAULT_FRICTION[0];
  soft.friction[3 * n + 1] = material?.spinFriction ?? DEFAULT_FRICTION[1];
  soft.friction[3 * n + 2] = material?.rollFriction ?? DEFAULT_FRICTION[2];
  soft.stiffness[n] = material?.stiffness ?? 0;
  soft.dissipation[n] = material?.dissipation ?? -1;
  soft.restitution[n] = material?.restitution ?? 0;
  soft.color.set(body.color ?? material?.color ?? DEFAULT_COLOR, 4 * n);
}

function listAttachments(
  index: SceneIndex,
  sources: readonly SoftBody[],
  meshes: readonly TetrahedralMesh[],
  vertexStart: Int32Array,
  initial: Poses,
): ModelSoftBodies['attachment'] {
  const vertex: number[] = [];
  const body: number[] = [];
  const point: number[] = [];
  const local = new Float64Array(3);
  sources.forEach((source, n) => {
    (source.attachments ?? []).forEach((attachment, k) => {
      const b = index.number.body(attachment.body);
      for (const v of attachment.vertices) {
        if (!(Number.isInteger(v) && v >= 0 && 3 * v < meshes[n].vertices.length))
          throw missingVertex(n, v, meshes[n].vertices.length / 3, `attachments[${k}].vertices`);
        untransformPoint(local, 0, initial, b, meshes[n].vertices, 3 * v);
        vertex.push(vertexStart[n] + v);
        body.push(b);
        point.push(...local);
      }
    });
  });
  return { vertex: Int32Array.from(vertex), body: Int32Array.from(body), point: Float64Array.from(point) };
}

/** The number of a vertex among those of all bodies. */
function checkVertex({ vertexStart }: ModelSoftBodies, n: number, v: number, place: string): number {
  const count = vertexStart[n + 1] - vertexStart[n];
  if (Number.isInteger(v) && v >= 0 && v < count) return vertexStart[n] + v;
  throw missingVertex(n, v, count, place);
}

function missingVertex(n: number, v: number, count: number, place: string): NexdynError {
  return new NexdynError('unknown-reference', `there is no vertex ${v} in a mesh of ${count} vertices`, {
    path: `softBodies[${n}].${place}`,
    hint: `vertices are numbered from 0 to ${count - 1}`,
  });
}

function sumUp(counts: readonly number[]): Int32Array {
  const start = new Int32Array(counts.length + 1);
  counts.forEach((count, n) => {
    start[n + 1] = start[n] + count;
  });
  return start;
}
