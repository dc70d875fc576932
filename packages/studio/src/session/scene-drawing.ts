/** What the view needs to know of a model, ready to be sent to the page: shapes, meshes with normals, terrain, sites. */
import {
  describePicture,
  JOINT,
  type Model,
  type ModelLook,
  measureGyration,
  type ShapePicture,
  SITE_SHAPE,
} from '@nexdyn/engine';
import { triangulateWithNormals } from './mesh-normals.ts';
import { type DrawnSoftBody, describeSoftBodies } from './soft-frame.ts';

export type DrawnKind = Exclude<ShapePicture['kind'], 'triangles'>;

export interface DrawnShape {
  /** Number of the shape in the scene. */
  index: number;
  kind: DrawnKind;
  /** Whether it is the ground, which has no end. */
  isEndless: boolean;
  name: string;
  body: number;
  /** Place in `meshes` or `heightFields`, or -1. */
  asset: number;
  /** Number of the mesh in the model, or -1. */
  mesh: number;
  /** Pose in the body frame. */
  position: [number, number, number];
  orientation: [number, number, number, number];
  /** As in `ModelShapes.size`; torus: ring radius, tube radius. */
  size: [number, number, number];
  /** Red, green, blue, opacity. */
  color: [number, number, number, number];
  layer: number;
}

/** Triangles without shared vertices. */
export interface DrawnMesh {
  positions: Float32Array;
  normals: Float32Array;
}

export interface DrawnHeightField {
  rows: number;
  columns: number;
  halfSize: [number, number];
  baseDepth: number;
  heights: Float32Array;
}

export interface DrawnSite {
  name: string;
  body: number;
  position: [number, number, number];
  orientation: [number, number, number, number];
  shape: 'sphere' | 'capsule' | 'cylinder' | 'ellipsoid' | 'box';
  size: [number, number, number];
  layer: number;
  color: [number, number, number, number];
}

export interface SceneDrawing {
  bodyNames: string[];
  /** Per body, whether a joint moves it. */
  isMoving: boolean[];
  /** Per body, the first moving body above it or itself, where that turns in place or flies; -1 where it slides or rests. */
  carrier: Int32Array;
  /** Per body, the point about which its own joints turn, in its frame. */
  pivot: Float32Array;
  /** Per body, centre of mass in its frame and radius of gyration, m: by these runs are compared. */
  gyration: Float32Array;
  /** Bodies that fly freely. */
  flying: number[];
  /** Everything that moves belongs to a body that flies. */
  isAllFlying: boolean;
  /** Gravity points downwards. */
  isFalling: boolean;
  /** All fixed shapes belong to the picture, not only those near what moves: a lesson shows where things will go. */
  showsAll?: boolean;
  shapes: DrawnShape[];
  meshes: DrawnMesh[];
  heightFields: DrawnHeightField[];
  sites: DrawnSite[];
  softBodies: DrawnSoftBody[];
  /** What the file says about its picture; absent where it says nothing. */
  look?: ModelLook;
  /** Shapes that exist and are not drawn, by name. */
  notDrawn: string[];
}

export function describeDrawing(model: Model): SceneDrawing {
  const flying = listFlying(model);
  const drawing: SceneDrawing = {
    bodyNames: [...model.body.name],
    isMoving: Array.from(model.body.lastDof, (dof) => dof >= 0),
    carrier: findCarriers(model),
    pivot: findPivots(model),
    gyration: listGyrations(model),
    flying,
    isAllFlying: model.body.root.every((root, body) => model.body.lastDof[body]! < 0 || flying.includes(root)),
    isFalling: isDownwards(model.options.gravity),
    shapes: [],
    meshes: [],
    heightFields: [],
    sites: describeSites(model),
    softBodies: describeSoftBodies(model),
    notDrawn: [],
  };
  if (hasLook(model.look)) drawing.look = model.look;
  describeHeightFields(model, drawing);
  const meshPlace = new Map<number, number>();
  for (let shape = 0; shape < model.size.shape; shape++) describeShape(model, shape, drawing, meshPlace);
  return drawing;
}

/** Buffers that can be handed over instead of copied. */
export function listBuffers(drawing: SceneDrawing): ArrayBuffer[] {
  return [
    ...drawing.meshes.flatMap((mesh) => [mesh.positions.buffer, mesh.normals.buffer]),
    ...drawing.heightFields.map((field) => field.heights.buffer),
    ...drawing.softBodies.map(({ triangles }) => triangles.buffer),
  ] as ArrayBuffer[];
}

function hasLook({ cameras, lights, appearances, textures, skins, view }: ModelLook): boolean {
  const lists = [cameras, lights, appearances, textures, skins];
  return lists.some(({ length }) => length > 0) || Object.keys(view).length > 0;
}

function describeShape(model: Model, index: number, drawing: SceneDrawing, meshPlace: Map<number, number>): void {
  const { shape } = model;
  const name = shape.name[index] ?? '';
  const picture = describePicture(model, index);
  if (!picture) {
    drawing.notDrawn.push(name || `shape ${index}`);
    return;
  }
  const { kind, asset, surface } = picture;
  const place = (): number => {
    if (surface) return drawing.meshes.push(triangulateWithNormals(surface.vertices, surface.triangles)) - 1;
    return kind === 'mesh' ? placeMesh(model, asset, drawing, meshPlace) : asset;
  };
  drawing.shapes.push({
    index,
    kind: kind === 'triangles' ? 'mesh' : kind,
    isEndless: picture.isEndless,
    name,
    body: shape.body[index]!,
    asset: place(),
    mesh: kind === 'mesh' ? asset : -1,
    position: take3(shape.position, index),
    orientation: take4(shape.orientation, index),
    size: [...picture.size],
    color: take4(shape.color, index),
    layer: shape.layer[index]!,
  });
}

/** Place of a mesh among the drawn ones; each is prepared once. */
function placeMesh(model: Model, mesh: number, drawing: SceneDrawing, meshPlace: Map<number, number>): number {
  const known = meshPlace.get(mesh);
  if (known !== undefined) return known;
  const { vertexStart, vertexCount, faceStart, faceCount, vertices, faces } = model.mesh;
  const firstVertex = 3 * vertexStart[mesh]!;
  const firstFace = 3 * faceStart[mesh]!;
  const place = drawing.meshes.length;
  drawing.meshes.push(
    triangulateWithNormals(
      vertices.subarray(firstVertex, firstVertex + 3 * vertexCount[mesh]!),
      faces.subarray(firstFace, firstFace + 3 * faceCount[mesh]!),
    ),
  );
  meshPlace.set(mesh, place);
  return place;
}

function describeHeightFields(model: Model, drawing: SceneDrawing): void {
  const { rows, columns, halfSize, baseDepth, dataStart, heights } = model.heightField;
  for (let field = 0; field < rows.length; field++) {
    const start = dataStart[field]!;
    drawing.heightFields.push({
      rows: rows[field]!,
      columns: columns[field]!,
      halfSize: [halfSize[2 * field]!, halfSize[2 * field + 1]!],
      baseDepth: baseDepth[field]!,
      heights: Float32Array.from(heights.subarray(start, start + rows[field]! * columns[field]!)),
    });
  }
}

function describeSites({ site, size, look }: Model): DrawnSite[] {
  const shapes = Object.keys(SITE_SHAPE) as DrawnSite['shape'][];
  return Array.from({ length: size.site }, (_, index) => ({
    name: site.name[index] ?? '',
    body: site.body[index]!,
    position: take3(site.position, index),
    orientation: take4(site.orientation, index),
    shape: shapes[site.shape[index]!]!,
    size: take3(site.size, index),
    layer: look.siteLayer[index]!,
    color: [...site.color.subarray(4 * index, 4 * index + 4)] as DrawnSite['color'],
  }));
}

/** The first moving body above each body, where it turns in place or flies instead of sliding along. */
function findCarriers(model: Model): Int32Array {
  const { parent, lastDof, jointStart, jointCount } = model.body;
  const carrier = new Int32Array(model.size.body).fill(-1);
  for (let body = 1; body < model.size.body; body++) {
    if (lastDof[body]! < 0) continue;
    if (lastDof[parent[body]!]! >= 0) {
      carrier[body] = carrier[parent[body]!]!;
      continue;
    }
    const kinds = model.joint.kind.subarray(jointStart[body]!, jointStart[body]! + jointCount[body]!);
    if (kinds.every((kind) => kind !== JOINT.slide)) carrier[body] = body;
  }
  return carrier;
}

function listGyrations(model: Model): Float32Array {
  const gyration = new Float32Array(4 * model.size.body);
  for (let b = 0; b < model.size.body; b++)
    gyration.set([...take3(model.body.inertiaCenter, b), measureGyration(model, b)], 4 * b);
  return gyration;
}

/** Down more than sideways. */
function isDownwards(gravity: ArrayLike<number>): boolean {
  return -gravity[2]! > Math.hypot(gravity[0]!, gravity[1]!);
}

function listFlying(model: Model): number[] {
  const { kind, body } = model.joint;
  return Array.from(body).filter((_, joint) => kind[joint] === JOINT.free);
}

function findPivots(model: Model): Float32Array {
  const pivot = new Float32Array(3 * model.size.body);
  for (let body = 1; body < model.size.body; body++) {
    if (model.body.jointCount[body] === 0) continue;
    pivot.set(take3(model.joint.anchor, model.body.jointStart[body]!), 3 * body);
  }
  return pivot;
}

function take3(values: Float64Array, index: number): [number, number, number] {
  return [values[3 * index]!, values[3 * index + 1]!, values[3 * index + 2]!];
}

function take4(values: Float64Array, index: number): [number, number, number, number] {
  return [values[4 * index]!, values[4 * index + 1]!, values[4 * index + 2]!, values[4 * index + 3]!];
}
