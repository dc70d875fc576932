/**
 * Attachments of soft bodies: which vertices are fixed to rigid bodies for good, which are tied to rigid bodies or to parts of soft
 * bodies, and which edges of rods are clamped. A vertex keeps the place that it has at the start, relative to what holds it.
 */
import { NexdynError } from '../error.ts';
import { carryDirectors } from '../geometry/rods/rod-directors.ts';
import { type Poses, untransformPoint } from '../linear-algebra/pose.ts';
import type { SoftAttachment, SoftBody } from '../scene/soft-body.ts';
import { findSupport } from './attachment-support.ts';
import type { ModelAttachment, ModelSoftBodies } from './model-soft-bodies.ts';
import type { SceneIndex } from './scene-index.ts';
import type { SoftShape } from './soft-shapes.ts';

export type Attachments = Pick<ModelSoftBodies, 'attachments' | 'attachment' | 'tie' | 'clamp'>;

/** `starts` are the first vertices and edges of the bodies; `initial` the poses of rigid bodies at the start. */
export function compileAttachments(
  index: SceneIndex,
  sources: readonly SoftBody[],
  shapes: readonly SoftShape[],
  starts: Pick<ModelSoftBodies, 'vertexStart' | 'edgeStart'>,
  initial: Poses,
  lastDof: Int32Array,
): Attachments {
  const lists = createLists();
  let breakable = 0;
  sources.forEach((source, n) => {
    (source.attachments ?? []).forEach((attachment, k) => {
      const vertices = takeVertices(attachment, shapes[n], n, k);
      const number = lists.attachments.length;
      const target = sources.findIndex(({ name }) => name !== undefined && name === attachment.body);
      const mayBreak = attachment.breakForce !== undefined;
      lists.attachments.push({
        name: attachment.name ?? '',
        softBody: n,
        vertices,
        body: attachment.body,
        breakForce: attachment.breakForce ?? Infinity,
        breakIndex: mayBreak ? breakable++ : -1,
      });
      if (target >= 0) {
        for (const v of vertices) tieToSoft(lists, number, shapes, starts, n, v, target);
        return;
      }
      const body = index.number.body(attachment.body);
      for (const v of vertices) fixToBody(lists, number, shapes[n], starts.vertexStart[n], v, body, initial, mayBreak);
      // an edge between two held points is held as well
      if (attachment.clamp !== false && (mayBreak || lastDof[body] >= 0))
        clampEdges(lists, number, shapes[n], starts, n, new Set(vertices), body, initial);
    });
  });
  return freezeLists(lists);
}

/** Lists that grow while attachments are read. */
interface Lists {
  attachments: ModelAttachment[];
  fixed: { vertex: number[]; body: number[]; point: number[]; of: number[] };
  tie: {
    of: number[];
    vertex: number[];
    body: number[];
    point: number[];
    support: number[];
    weight: number[];
    edge: number[];
  };
  clamp: { of: number[]; edge: number[]; angle: number[]; body: number[]; direction: number[]; radius: number[] };
}

function createLists(): Lists {
  return {
    attachments: [],
    fixed: { vertex: [], body: [], point: [], of: [] },
    tie: { of: [], vertex: [], body: [], point: [], support: [], weight: [], edge: [] },
    clamp: { of: [], edge: [], angle: [], body: [], direction: [], radius: [] },
  };
}

// those of the scene, each once, and of rods that are clamped the other ends of their edges
function takeVertices({ vertices, clamp }: SoftAttachment, shape: SoftShape, n: number, k: number): number[] {
  const taken = new Set<number>();
  for (const v of vertices) {
    if (!(Number.isInteger(v) && v >= 0 && v < shape.pointCount))
      throw missingVertex(n, v, shape.pointCount, `attachments[${k}].vertices`);
    taken.add(v);
  }
  if (clamp === true) {
    for (let e = 0; e < shape.edges.length; e += 2) {
      const [a, b] = [shape.edges[e], shape.edges[e + 1]];
      if (vertices.includes(a)) taken.add(b);
      else if (vertices.includes(b)) taken.add(a);
    }
  }
  return [...taken];
}

function fixToBody(
  { fixed, tie }: Lists,
  number: number,
  { vertices }: SoftShape,
  first: number,
  v: number,
  body: number,
  initial: Poses,
  mayBreak: boolean,
): void {
  untransformPoint(local, 0, initial, body, vertices, 3 * v);
  const list = mayBreak ? tie : fixed;
  list.of.push(number);
  list.vertex.push(first + v);
  list.body.push(body);
  list.point.push(...local);
  if (!mayBreak) return;
  tie.support.push(-1, -1, -1, -1);
  tie.weight.push(0, 0, 0, 0);
  tie.edge.push(-1);
}

function tieToSoft(
  { tie }: Lists,
  number: number,
  shapes: readonly SoftShape[],
  { vertexStart, edgeStart }: Pick<ModelSoftBodies, 'vertexStart' | 'edgeStart'>,
  n: number,
  v: number,
  target: number,
): void {
  const support = findSupport(shapes[target], shapes[n].vertices, 3 * v);
  tie.of.push(number);
  tie.vertex.push(vertexStart[n] + v);
  tie.body.push(-1);
  tie.point.push(...support.offset);
  tie.support.push(...support.vertices.map((s) => (s < 0 ? -1 : s + vertexStart[target])));
  tie.weight.push(...support.weights);
  tie.edge.push(support.edge < 0 ? -1 : support.edge + edgeStart[target]);
}

// edges of a rod between two vertices of the attachment
function clampEdges(
  { clamp }: Lists,
  number: number,
  { edges, vertices, pointCount, thickness }: SoftShape,
  { vertexStart, edgeStart }: Pick<ModelSoftBodies, 'vertexStart' | 'edgeStart'>,
  n: number,
  attached: ReadonlySet<number>,
  body: number,
  initial: Poses,
): void {
  if (edges.length === 0) return;
  const directors = carryDirectors(vertices, edges);
  for (let e = 0; e < edges.length / 2; e++) {
    if (!(attached.has(edges[2 * e]) && attached.has(edges[2 * e + 1]))) continue;
    // a direction of the body: the difference of two points
    for (let c = 0; c < 3; c++) {
      world[c] = initial.position[3 * body + c];
      world[3 + c] = world[c] + directors[3 * e + c];
    }
    untransformPoint(local, 0, initial, body, world, 3);
    clamp.of.push(number);
    clamp.edge.push(edgeStart[n] + e);
    clamp.angle.push(vertexStart[n] + pointCount + e);
    clamp.body.push(body);
    clamp.direction.push(...local);
    clamp.radius.push(0.5 * thickness);
  }
}

function freezeLists({ attachments, fixed, tie, clamp }: Lists): Attachments {
  return {
    attachments,
    attachment: {
      vertex: Int32Array.from(fixed.vertex),
      body: Int32Array.from(fixed.body),
      point: Float64Array.from(fixed.point),
      of: Int32Array.from(fixed.of),
    },
    tie: {
      of: Int32Array.from(tie.of),
      vertex: Int32Array.from(tie.vertex),
      body: Int32Array.from(tie.body),
      point: Float64Array.from(tie.point),
      support: Int32Array.from(tie.support),
      weight: Float64Array.from(tie.weight),
      edge: Int32Array.from(tie.edge),
    },
    clamp: {
      of: Int32Array.from(clamp.of),
      edge: Int32Array.from(clamp.edge),
      angle: Int32Array.from(clamp.angle),
      body: Int32Array.from(clamp.body),
      direction: Float64Array.from(clamp.direction),
      radius: Float64Array.from(clamp.radius),
    },
  };
}

export function missingVertex(n: number, v: number, count: number, place: string): NexdynError {
  return new NexdynError('unknown-reference', `there is no vertex ${v} in a mesh of ${count} vertices`, {
    path: `softBodies[${n}].${place}`,
    hint: `vertices are numbered from 0 to ${count - 1}`,
  });
}

const local = /* @__PURE__ */ new Float64Array(3);
const world = /* @__PURE__ */ new Float64Array(6);
