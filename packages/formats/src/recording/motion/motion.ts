import {
  describePicture,
  type Model,
  NexdynError,
  type Quaternion,
  type ShapePicture,
  type Vec3,
} from '@nexdyn/engine';
import { checkRecording, type RaggedColumns, type Recording, type RecordingColumn } from '../recording.ts';
import { triangulateHeightField } from './height-field.ts';
import { describeSoftSurfaces, type SoftSurface } from './soft-surface.ts';
import type { MotionPart, Solid } from './solid.ts';

/** What there is to see and how it moves: what files for viewers are written from. */
export interface Motion {
  /** Name of the recording. */
  name: string;
  /** Time of each frame, s. */
  time: Float64Array;
  /** All bodies; the first is the world. */
  bodies: MotionBody[];
  /** Per frame and body: origin of its frame in the world, m. */
  position: Float64Array;
  /** Per frame and body: quaternion w x y z. */
  orientation: Float64Array;
  /** What bodies look like. */
  parts: MotionPart[];
  /** Surfaces that deform, their vertices in the world in every frame. */
  softSurfaces: SoftSurface[];
  /** Everything else that was recorded. */
  quantities: RecordingColumn[];
  /** Things of which frames have now more, now fewer. */
  ragged?: RaggedColumns[];
  /** Names of shapes that have no surface to draw. */
  undrawn: string[];
}

/** A body of a motion. */
export interface MotionBody {
  /** Unique; the first is the world. */
  name: string;
  /** Whether its pose is not the same in all frames. */
  isMoving: boolean;
}

/** Layers from here on start hidden in viewers: they repeat in simple form what other shapes show. */
const FIRST_HIDDEN_LAYER = 3;
/** Half extents of the part of an unbounded plane that is drawn, as a multiple of how far bodies go, and at least this, m. */
const PLANE_REACH = 1.5;
const LEAST_PLANE = 2;

/** Puts a recording with `bodyPosition` and `bodyOrientation` together with the shapes of its model. */
export function createMotion(model: Model, recording: Recording): Motion {
  checkRecording(recording);
  const frames = recording.time.length;
  const bodies = model.size.body;
  const position = findColumn(recording, 'bodyPosition', 3 * bodies);
  const orientation = findColumn(recording, 'bodyOrientation', 4 * bodies);
  if (frames === 0) {
    throw new NexdynError('invalid-argument', 'the recording has no frames', { hint: 'record at least the start' });
  }
  const motion: Motion = {
    name: recording.name || model.name || 'scene',
    time: recording.time,
    bodies: nameBodies(model).map((name, body) => ({
      name,
      isMoving: isChanging(position, 3, body, bodies, frames) || isChanging(orientation, 4, body, bodies, frames),
    })),
    position,
    orientation,
    parts: [],
    softSurfaces: describeSoftSurfaces(model, recording),
    quantities: recording.columns.filter(({ name }) => !POSES.includes(name)),
    ragged: recording.ragged ?? [],
    undrawn: [],
  };
  describeParts(model, motion);
  return motion;
}

const POSES: readonly string[] = ['bodyPosition', 'bodyOrientation', 'softPosition', 'softVelocity'];

function findColumn(recording: Recording, name: string, width: number): Float64Array {
  const column = recording.columns.find((candidate) => candidate.name === name);
  if (column?.width === width) return column.data;
  const reason = column ? `'${name}' has ${column.width} numbers per frame, not ${width}` : `there is no '${name}'`;
  throw new NexdynError('invalid-argument', reason, { path: 'columns', hint: 'record the poses of all bodies' });
}

/** Names, made unique where they are missing or repeated. */
function nameBodies(model: Model): string[] {
  const taken = new Set<string>();
  return model.body.name.map((written, body) => {
    const wanted = written || (body === 0 ? 'world' : `body ${body}`);
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted} (${n})`;
    taken.add(name);
    return name;
  });
}

function isChanging(data: Float64Array, width: number, body: number, bodies: number, frames: number): boolean {
  const first = width * body;
  for (let frame = 1; frame < frames; frame++) {
    const at = width * (frame * bodies + body);
    for (let k = 0; k < width; k++) if (data[at + k] !== data[first + k]) return true;
  }
  return false;
}

function describeParts(model: Model, motion: Motion): void {
  const { shape, size } = model;
  const isHidden = (s: number): boolean => shape.layer[s]! >= FIRST_HIDDEN_LAYER;
  const shapes = Array.from({ length: size.shape }, (_, s) => s);
  // a body all of whose shapes are hidden would vanish: it shows them
  const shown = shapes.filter(
    (s) => !isHidden(s) || shapes.every((other) => shape.body[other] !== shape.body[s] || isHidden(other)),
  );
  const solids = new Map<string, Solid>();
  const reach = Math.max(LEAST_PLANE, PLANE_REACH * findReach(motion.position));
  for (const s of shown) {
    const solid = describeSolid(model, s, reach, solids);
    if (!solid) {
      motion.undrawn.push(shape.name[s] || `shape ${s}`);
      continue;
    }
    motion.parts.push({
      name: shape.name[s] || `shape ${s}`,
      shape: s,
      body: shape.body[s]!,
      position: [...shape.position.subarray(3 * s, 3 * s + 3)] as Vec3,
      orientation: [...shape.orientation.subarray(4 * s, 4 * s + 4)] as Quaternion,
      color: [...shape.color.subarray(4 * s, 4 * s + 4)] as [number, number, number, number],
      solid,
    });
  }
}

/** Largest coordinate of a body, m. */
function findReach(position: Float64Array): number {
  let reach = 0;
  for (const value of position) if (Math.abs(value) > reach) reach = Math.abs(value);
  return Math.min(reach, 1000);
}

/** What is drawn for each picture: a key that equal solids share, and the solid. */
const SOLIDS: {
  readonly [K in ShapePicture['kind']]: (
    picture: ShapePicture,
    model: Model,
    reach: number,
  ) => [key: string, make: () => Solid];
} = {
  plane: ({ size: [a, b] }, _, reach) => [
    `plane ${a} ${b}`,
    () => ({ kind: 'rectangle', halfSize: [a || reach, b || reach] }),
  ],
  sphere: ({ size: [a] }) => [`ball ${a} ${a} ${a}`, () => ({ kind: 'ellipsoid', radii: [a, a, a] })],
  ellipsoid: ({ size: [a, b, c] }) => [`ball ${a} ${b} ${c}`, () => ({ kind: 'ellipsoid', radii: [a, b, c] })],
  box: ({ size: [a, b, c] }) => [`box ${a} ${b} ${c}`, () => ({ kind: 'box', halfSize: [a, b, c] })],
  capsule: ({ size: [a, b] }) => [`capsule ${a} ${b}`, () => ({ kind: 'capsule', radius: a, halfLength: b })],
  cylinder: ({ size: [a, b] }) => [`cylinder ${a} ${b}`, () => ({ kind: 'cylinder', radius: a, halfLength: b })],
  torus: ({ size: [a, b] }) => [`torus ${a} ${b}`, () => ({ kind: 'torus', majorRadius: a, minorRadius: b })],
  heightField: ({ asset }, model) => [`field ${asset}`, () => triangulateHeightField(model.heightField, asset)],
  mesh: ({ asset }, model) => [`mesh ${asset}`, () => describeMesh(model, asset)],
  triangles: ({ surface }) => ['', () => ({ kind: 'mesh', vertices: surface!.vertices, faces: surface!.triangles })],
};

function describeSolid(model: Model, s: number, reach: number, solids: Map<string, Solid>): Solid | undefined {
  const picture = describePicture(model, s);
  if (!picture) return undefined;
  const [key, make] = SOLIDS[picture.kind](picture, model, reach);
  const solid = solids.get(key) ?? make();
  if (key !== '') solids.set(key, solid);
  return solid;
}

function describeMesh(model: Model, mesh: number): Solid {
  const { vertexStart, vertexCount, faceStart, faceCount, vertices, faces } = model.mesh;
  const firstVertex = 3 * vertexStart[mesh]!;
  const firstFace = 3 * faceStart[mesh]!;
  return {
    kind: 'mesh',
    vertices: vertices.subarray(firstVertex, firstVertex + 3 * vertexCount[mesh]!),
    faces: faces.subarray(firstFace, firstFace + 3 * faceCount[mesh]!),
  };
}
