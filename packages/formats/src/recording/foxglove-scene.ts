/** Parts of a motion as Foxglove's messages: shapes that follow the frames of their bodies, soft surfaces in the world. */
import type { Motion } from './motion/motion.ts';
import type { SoftSurface } from './motion/soft-surface.ts';
import type { MotionPart, Solid } from './motion/solid.ts';
import { triangulate } from './motion/surface.ts';

interface Vector {
  x: number;
  y: number;
  z: number;
}
interface Pose {
  position: Vector;
  orientation: Vector & { w: number };
}
interface Color {
  r: number;
  g: number;
  b: number;
  a: number;
}
interface Sized {
  pose: Pose;
  size: Vector;
  color: Color;
}
interface Triangles {
  pose: Pose;
  points: Vector[];
  color: Color;
  colors: Color[];
  indices: number[];
}

export interface Timestamp {
  sec: number;
  nsec: number;
}

/** A thing to draw: foxglove.SceneEntity. */
export interface SceneEntity {
  timestamp: Timestamp;
  frame_id: string;
  id: string;
  lifetime: Timestamp;
  frame_locked: boolean;
  metadata: { key: string; value: string }[];
  arrows: never[];
  cubes: Sized[];
  spheres: Sized[];
  cylinders: (Sized & { bottom_scale: number; top_scale: number })[];
  lines: never[];
  triangles: Triangles[];
  texts: never[];
  models: never[];
}

const NO_ROTATION = { x: 0, y: 0, z: 0, w: 1 };

/** An entity for each body that has shapes. */
export function listEntities({ bodies, parts }: Motion, timestamp: Timestamp): SceneEntity[] {
  return bodies.flatMap(({ name }, body) => {
    const own = parts.filter((part) => part.body === body);
    if (own.length === 0) return [];
    const entity = createEntity(name, name, timestamp);
    for (const part of own) addPart(entity, part);
    return [entity];
  });
}

/** The surface of a soft body in one frame. */
export function createSoftEntity(
  surface: SoftSurface,
  world: string,
  frame: number,
  timestamp: Timestamp,
): SceneEntity {
  const width = 3 * surface.vertexCount;
  const positions = surface.positions.subarray(frame * width, (frame + 1) * width);
  const entity = createEntity(surface.name, world, timestamp);
  const pose = { position: { x: 0, y: 0, z: 0 }, orientation: NO_ROTATION };
  entity.triangles.push(createTriangles(pose, positions, surface.faces, createColor(surface.color)));
  return entity;
}

function createEntity(id: string, frame: string, timestamp: Timestamp): SceneEntity {
  return {
    timestamp,
    frame_id: frame,
    id,
    // until it is replaced
    lifetime: { sec: 0, nsec: 0 },
    frame_locked: true,
    metadata: [],
    arrows: [],
    cubes: [],
    spheres: [],
    cylinders: [],
    lines: [],
    triangles: [],
    texts: [],
    models: [],
  };
}

/** Solids that Foxglove draws itself; the others are drawn by their triangles. */
const PRIMITIVES: {
  readonly [K in Solid['kind']]?: (
    entity: SceneEntity,
    solid: Extract<Solid, { kind: K }>,
    part: MotionPart,
    look: { pose: Pose; color: Color },
  ) => void;
} = {
  box: (entity, { halfSize }, _, look) => {
    entity.cubes.push({ ...look, size: createVector(halfSize, 2) });
  },
  ellipsoid: (entity, { radii }, _, look) => {
    entity.spheres.push({ ...look, size: createVector(radii, 2) });
  },
  cylinder: (entity, { radius, halfLength }, _, { pose, color }) => {
    entity.cylinders.push(createCylinder(pose, radius, halfLength, color));
  },
  // the straight part and a ball at each end
  capsule: (entity, { radius, halfLength }, part, { pose, color }) => {
    entity.cylinders.push(createCylinder(pose, radius, halfLength, color));
    const size = createVector([radius, radius, radius], 2);
    for (const end of [-halfLength, halfLength]) {
      const position = movePoint(part, [0, 0, end]);
      entity.spheres.push({ pose: { position, orientation: pose.orientation }, size, color });
    }
  },
  mesh: (entity, { vertices, faces }, _, { pose, color }) => {
    entity.triangles.push(createTriangles(pose, vertices, faces, color));
  },
};

function addPart(entity: SceneEntity, part: MotionPart): void {
  const { solid } = part;
  const look = { pose: createPose(part.position, part.orientation), color: createColor(part.color) };
  const add = PRIMITIVES[solid.kind];
  if (add) {
    add(entity, solid as never, part, look);
    return;
  }
  const { positions, indices } = triangulate(solid);
  entity.triangles.push(createTriangles(look.pose, positions, indices, look.color));
}

function createCylinder(pose: Pose, radius: number, halfLength: number, color: Color) {
  return { pose, size: createVector([radius, radius, halfLength], 2), bottom_scale: 1, top_scale: 1, color };
}

function createTriangles(
  pose: Pose,
  positions: Float32Array | Float64Array,
  indices: Uint32Array | Int32Array,
  color: Color,
): Triangles {
  // single precision in few digits: most of the file is these
  const short = Array.from(positions, (value) => Number(value.toPrecision(7)));
  const points = Array.from({ length: positions.length / 3 }, (_, i) => createVector(short.slice(3 * i, 3 * i + 3)));
  return { pose, points, color, colors: [], indices: [...indices] };
}

/** A point of a part in the frame of its body: p + q r q*. */
function movePoint({ position, orientation }: MotionPart, [x, y, z]: readonly [number, number, number]): Vector {
  const [w, a, b, c] = orientation;
  // t = 2 v × r; r' = r + w t + v × t
  const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  return {
    x: position[0] + x + w * tx + b * tz - c * ty,
    y: position[1] + y + w * ty + c * tx - a * tz,
    z: position[2] + z + w * tz + a * ty - b * tx,
  };
}

export function createPose(position: ArrayLike<number>, orientation: ArrayLike<number>): Pose {
  return { position: createVector(position), orientation: createRotation(orientation) };
}

export function createVector(values: ArrayLike<number>, scale: number = 1): Vector {
  return { x: scale * values[0]!, y: scale * values[1]!, z: scale * values[2]! };
}

/** From w x y z. */
export function createRotation(values: ArrayLike<number>): Vector & { w: number } {
  return { x: values[1]!, y: values[2]!, z: values[3]!, w: values[0]! };
}

function createColor([r, g, b, a]: MotionPart['color']): Color {
  return { r, g, b, a };
}
