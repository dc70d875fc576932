/** The soft bodies of a scene: their shapes in the initial pose, their surfaces, and the constraints of their vertices. */

import { NexdynError } from '../error.ts';
import { carryDirectors } from '../geometry/rods/rod-directors.ts';
import type { Poses } from '../linear-algebra/pose.ts';
import type { Material } from '../scene/material.ts';
import type { SoftBody } from '../scene/soft-body.ts';
import { compileAttachments, missingVertex } from './attachments.ts';
import { DEFAULT_COLOR, DEFAULT_DENSITY, DEFAULT_FRICTION } from './constraint-defaults.ts';
import { frozenCopy } from './frozen-copy.ts';
import { includeMiddles } from './middle-vertices.ts';
import { type ModelSoftBodies, SOFT_CONTACT } from './model.ts';
import type { SceneIndex } from './scene-index.ts';
import { createSoftArrays } from './soft-arrays.ts';
import { compileRegions } from './soft-regions.ts';
import { buildSoftShape, type SoftShape } from './soft-shapes.ts';

/** `initial` are the initial poses of the rigid bodies; `lastDof` is negative where none moves a body. */
export function compileSoftBodies(index: SceneIndex, initial: Poses, lastDof: Int32Array): ModelSoftBodies {
  const { scene } = index;
  const shapes = (scene.softBodies ?? []).map((body, n) => buildSoftShape(body, scene.meshes ?? [], n));
  const sources = (scene.softBodies ?? []).map((body, n) => holdMiddles(body, shapes[n]));
  const vertexStart = sumUp(shapes.map(({ vertices }) => vertices.length / 3));
  const tetrahedronStart = sumUp(shapes.map(({ tetrahedra }) => tetrahedra.length / 4));
  const triangleStart = sumUp(shapes.map(({ triangles }) => triangles.length / 3));
  const edgeStart = sumUp(shapes.map(({ edges }) => edges.length / 2));
  const count = sources.length;
  const soft: ModelSoftBodies = {
    ...createSoftArrays(count, vertexStart[count], tetrahedronStart[count], triangleStart[count], edgeStart[count]),
    name: sources.map(({ name }) => name ?? ''),
    vertexStart,
    tetrahedronStart,
    triangleStart,
    edgeStart,
    element: sources.map(({ element }) => element ?? 'tet4'),
    nodes: shapes.map(({ nodes }) => nodes),
    middleEnds: shapes.map(({ ends }) => ends),
    repair: shapes.map(({ repair }) => repair),
    regions: sources.map((body, n) => compileRegions(body, shapes[n], n)),
    elasticity: sources.map(({ elasticity }) => frozenCopy(elasticity)),
    holds: sources.map(({ pinned = [], driven = [], springs = [] }) => frozenCopy({ pinned, driven, springs })),
    ...compileAttachments(index, sources, shapes, { vertexStart, edgeStart }, initial, lastDof),
  };
  // vertices attached to a body without joints are held
  const { attachment } = soft;
  attachment.vertex.forEach((v, k) => {
    if (lastDof[attachment.body[k]] < 0) soft.isHeld[v] = 1;
  });
  const materials = scene.materials ?? [];
  sources.forEach((body, n) => {
    writeBody(soft, n, body, shapes[n]);
    writeSurface(
      soft,
      n,
      body,
      materials.find(({ name }) => name === body.material),
    );
  });
  holdAngles(soft);
  return soft;
}

// an edge between two held points does not turn
function holdAngles(soft: ModelSoftBodies): void {
  for (let n = 0; n < soft.name.length; n++) {
    const angles = soft.vertexStart[n] + soft.pointCount[n];
    for (let e = soft.edgeStart[n]; e < soft.edgeStart[n + 1]; e++) {
      const isHeld = soft.isHeld[soft.edge[2 * e]] === 1 && soft.isHeld[soft.edge[2 * e + 1]] === 1;
      if (isHeld) soft.isHeld[angles + e - soft.edgeStart[n]] = 1;
    }
  }
}

// what holds both ends of an edge also holds the vertex in its middle
function holdMiddles(body: SoftBody, { vertices, ends }: SoftShape): SoftBody {
  if (ends.length === 0) return body;
  const first = vertices.length / 3 - ends.length / 2;
  const widen = <Group extends { vertices: number[] }>(groups: Group[] | undefined): Group[] =>
    (groups ?? []).map((group) => ({ ...group, vertices: includeMiddles(group.vertices, ends, first) }));
  return {
    ...body,
    pinned: includeMiddles(body.pinned ?? [], ends, first),
    driven: widen(body.driven),
    attachments: widen(body.attachments),
  };
}

function writeBody(soft: ModelSoftBodies, n: number, body: SoftBody, shape: SoftShape): void {
  const first = soft.vertexStart[n];
  const shift = (numbers: Int32Array, by: number): Int32Array => numbers.map((number) => number + by);
  soft.dimension[n] = shape.dimension;
  soft.thickness[n] = shape.thickness;
  soft.warp.set(shape.warp, 3 * n);
  soft.pointCount[n] = shape.pointCount;
  soft.edge.set(shift(shape.edges, first), 2 * soft.edgeStart[n]);
  soft.director.set(carryDirectors(shape.vertices, shape.edges), 3 * soft.edgeStart[n]);
  const { density = DEFAULT_DENSITY, vertexMass } = body.elasticity;
  soft.mass[n] = vertexMass === undefined ? density * shape.volume : vertexMass * shape.pointCount;
  soft.rest.set(shape.vertices, 3 * first);
  soft.tetrahedron.set(shift(shape.tetrahedra, first), 4 * soft.tetrahedronStart[n]);
  soft.triangle.set(shift(shape.triangles, first), 3 * soft.triangleStart[n]);
  soft.triangleTetrahedron.set(
    shape.behind.map((t) => (t < 0 ? -1 : t + soft.tetrahedronStart[n])),
    soft.triangleStart[n],
  );
  for (let v = first; v < first + shape.pointCount; v++) if (body.velocity) soft.velocity.set(body.velocity, 3 * v);
  for (const v of body.pinned ?? []) soft.isHeld[checkVertex(soft, n, v, 'pinned')] = 1;
  (body.driven ?? []).forEach(({ vertices }, k) => {
    const place = `driven[${k}].vertices`;
    for (const v of new Set(vertices)) {
      const at = checkVertex(soft, n, v, place);
      if (soft.isHeld[at] === 1) throw heldTwice(n, v, place);
      soft.isHeld[at] = 1;
    }
  });
  (body.springs ?? []).forEach(({ vertices }, k) => {
    for (const v of vertices) checkVertex(soft, n, v, `springs[${k}].vertices`);
  });
  for (let v = first; v < soft.vertexStart[n + 1]; v++) {
    if (soft.isHeld[v] === 1) soft.velocity.fill(0, 3 * v, 3 * v + 3);
  }
}

function writeSurface(soft: ModelSoftBodies, n: number, body: SoftBody, material: Material | undefined): void {
  const contact = body.contact ?? (hasInterior(soft, n) ? 'hydroelastic' : 'point');
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

// a vertex has one place to be
function heldTwice(n: number, v: number, place: string): NexdynError {
  return new NexdynError('invalid-value', `the vertex ${v} is pinned already, or driven along another path`, {
    path: `softBodies[${n}].${place}`,
    hint: "name each vertex once in 'pinned' and the paths of 'driven'",
  });
}

/** Whether a solid has a vertex inside: without one there is no pressure. */
function hasInterior({ dimension, triangle, triangleStart, vertexStart }: ModelSoftBodies, n: number): boolean {
  if (dimension[n] !== 3) return false;
  const outside = new Set(triangle.subarray(3 * triangleStart[n], 3 * triangleStart[n + 1]));
  return outside.size < vertexStart[n + 1] - vertexStart[n];
}

/** The number of a vertex among those of all bodies. */
function checkVertex({ vertexStart, pointCount }: ModelSoftBodies, n: number, v: number, place: string): number {
  const count = pointCount[n];
  if (Number.isInteger(v) && v >= 0 && v < count) return vertexStart[n] + v;
  throw missingVertex(n, v, count, place);
}

function sumUp(counts: readonly number[]): Int32Array {
  const start = new Int32Array(counts.length + 1);
  counts.forEach((count, n) => {
    start[n + 1] = start[n] + count;
  });
  return start;
}
