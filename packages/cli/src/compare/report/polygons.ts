/** Surfaces of shapes as flat polygons in the world, for drawings. Curved ones are cut into pieces. */
import { describePicture, type Model, type ShapePicture, type Simulation } from '@nexdyn/engine';

export type Point = [number, number, number];

export interface Polygon {
  points: Point[];
  /** Red, green, blue, from 0 to 1. */
  color: Point;
  /** Open surfaces are seen from both sides. */
  isOpen?: boolean;
}

/** Sides of round shapes. */
const SIDES = 36;
/** Samples of a terrain along a side. */
const MOST_SAMPLES = 120;
/** Layers that are drawn, as in the studio. */
const FIRST_HIDDEN_LAYER = 3;
/** For shapes without a colour, body by body; distinguishable with red-green colour blindness. */
const BODY_COLORS: readonly Point[] = [
  [0.36, 0.61, 0.84],
  [0.89, 0.64, 0.29],
  [0.31, 0.7, 0.65],
  [0.78, 0.5, 0.69],
  [0.85, 0.76, 0.36],
  [0.54, 0.58, 0.79],
  [0.85, 0.47, 0.36],
];
const GREY: Point = [0.6, 0.65, 0.69];

/** All polygons of a state, planes aside. */
export function listPolygons(simulation: Simulation): Polygon[] {
  const { model } = simulation;
  const { shape } = model;
  const polygons: Polygon[] = [];
  for (let s = 0; s < model.size.shape; s++) {
    if (describePicture(model, s)?.isEndless || shape.layer[s]! >= FIRST_HIDDEN_LAYER) continue;
    const color = findColor(model, s);
    if (!color) continue;
    const place = createPlacer(simulation, s);
    for (const { points, isOpen } of listFaces(model, s))
      polygons.push({ points: points.map(place), color, ...(isOpen && { isOpen }) });
  }
  return [...polygons, ...listSoftPolygons(simulation)];
}

/** Height of the first horizontal plane of the world; undefined where there is none. */
export function findFloor(simulation: Simulation): number | undefined {
  const { model } = simulation;
  for (let s = 0; s < model.size.shape; s++) {
    if (!describePicture(model, s)?.isEndless) continue;
    const place = createPlacer(simulation, s);
    const [origin, above] = [place([0, 0, 0]), place([0, 0, 1])];
    if (above[2] - origin[2] > 0.999) return origin[2];
  }
  return undefined;
}

function listSoftPolygons({ model, state }: Simulation): Polygon[] {
  const { triangle, triangleStart, name } = model.soft;
  const position = state.softPosition;
  const vertex = (v: number): Point => [position[3 * v]!, position[3 * v + 1]!, position[3 * v + 2]!];
  return name.flatMap((_, b) => {
    const color = BODY_COLORS[(b + 2) % BODY_COLORS.length]!;
    const polygons: Polygon[] = [];
    for (let t = triangleStart[b]!; t < triangleStart[b + 1]!; t++) {
      const points = [0, 1, 2].map((k) => vertex(triangle[3 * t + k]!));
      polygons.push({ points, color });
    }
    return polygons;
  });
}

/** Undefined where the shape cannot be seen. */
function findColor({ shape }: Model, s: number): Point | undefined {
  const [red, green, blue, opacity] = shape.color.subarray(4 * s, 4 * s + 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  if (opacity < 0.1) return undefined;
  const isUncolored = red === 0.5 && green === 0.5 && blue === 0.5;
  if (!isUncolored) return [red, green, blue];
  const body = shape.body[s]!;
  return body === 0 ? GREY : BODY_COLORS[(body - 1) % BODY_COLORS.length]!;
}

/** From the frame of a shape to the world. */
function createPlacer({ model, bodyPosition, bodyOrientation }: Simulation, s: number): (point: Point) => Point {
  const { shape } = model;
  const b = shape.body[s]!;
  return (point) => {
    const inBody = moveBy(point, shape.orientation, 4 * s, shape.position, 3 * s);
    return moveBy(inBody, bodyOrientation, 4 * b, bodyPosition, 3 * b);
  };
}

function moveBy([x, y, z]: Point, q: Float64Array, at: number, position: Float64Array, from: number): Point {
  const [w, a, b, c] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
  // p + 2 w (v × p) + 2 v × (v × p)
  const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  return [
    x + w * tx + b * tz - c * ty + position[from]!,
    y + w * ty + c * tx - a * tz + position[from + 1]!,
    z + w * tz + a * ty - b * tx + position[from + 2]!,
  ];
}

interface Face {
  points: Point[];
  isOpen?: boolean;
}

/** Faces of each solid that a picture may be. */
const FACES: { readonly [K in ShapePicture['kind']]: (picture: ShapePicture, model: Model) => Face[] } = {
  plane: () => [],
  box: ({ size: [a, b, c] }) => boxFaces([a, b, c]),
  sphere: ({ size: [a] }) => turnProfile(arcProfile(a, 0, -0.5, 0.5)),
  ellipsoid: ({ size: [a, b, c] }) =>
    turnProfile(arcProfile(1, 0, -0.5, 0.5)).map(({ points }) => ({
      points: points.map(([x, y, z]) => [a * x, b * y, c * z] as Point),
    })),
  capsule: ({ size: [a, b] }) => turnProfile([...arcProfile(a, -b, -0.5, 0), ...arcProfile(a, b, 0, 0.5)]),
  cylinder: ({ size: [a, b] }) =>
    turnProfile([
      [0, -b],
      [a, -b],
      [a, b],
      [0, b],
    ]),
  torus: ({ size: [a, b] }) => turnProfile(arcProfile(b, 0, -1, 1, a)),
  mesh: ({ asset }, model) => meshFaces(model, asset),
  heightField: ({ asset }, model) => terrainFaces(model, asset),
  triangles: ({ surface }) => triangleFaces(surface!.vertices, surface!.triangles),
};

function listFaces(model: Model, s: number): Face[] {
  const picture = describePicture(model, s);
  return picture ? FACES[picture.kind](picture, model) : [];
}

function triangleFaces(vertices: ArrayLike<number>, triangles: ArrayLike<number>): Face[] {
  const vertex = (v: number): Point => [vertices[3 * v]!, vertices[3 * v + 1]!, vertices[3 * v + 2]!];
  return Array.from({ length: triangles.length / 3 }, (_, t) => ({
    points: [0, 1, 2].map((k) => vertex(triangles[3 * t + k]!)),
  }));
}

function boxFaces([a, b, c]: Point): Face[] {
  const faces: Face[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const corners = [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ];
      const points = corners.map(([u, v]) => {
        const signs: Point = [0, 0, 0];
        signs[axis] = side;
        signs[(axis + 1) % 3] = u! * side;
        signs[(axis + 2) % 3] = v!;
        return [a * signs[0], b * signs[1], c * signs[2]] as Point;
      });
      faces.push({ points });
    }
  }
  return faces;
}

// radius and height along an arc about a point at a distance from the axis, angles in half turns
function arcProfile(radius: number, height: number, from: number, to: number, away = 0): [number, number][] {
  const count = Math.max(2, Math.round((SIDES / 2) * (to - from)));
  return Array.from({ length: count + 1 }, (_, k) => {
    const angle = Math.PI * (from + ((to - from) * k) / count);
    return [Math.max(0, away + radius * Math.cos(angle)), height + radius * Math.sin(angle)];
  });
}

// a profile turned about the z axis, from below to above
function turnProfile(profile: readonly [number, number][]): Face[] {
  const faces: Face[] = [];
  const ring = (radius: number, z: number, k: number): Point => {
    const angle = (2 * Math.PI * k) / SIDES;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  };
  for (let i = 0; i + 1 < profile.length; i++) {
    const [[r0, z0], [r1, z1]] = [profile[i]!, profile[i + 1]!];
    for (let k = 0; k < SIDES; k++) {
      const points = [ring(r0, z0, k), ring(r0, z0, k + 1), ring(r1, z1, k + 1), ring(r1, z1, k)];
      if (r0 < 1e-9) points.splice(0, 1);
      else if (r1 < 1e-9) points.splice(3, 1);
      faces.push({ points });
    }
  }
  return faces;
}

function meshFaces({ mesh }: Model, m: number): Face[] {
  const start = mesh.vertexStart[m]!;
  const vertex = (v: number): Point => {
    const at = 3 * (start + v);
    return [mesh.vertices[at]!, mesh.vertices[at + 1]!, mesh.vertices[at + 2]!];
  };
  const faces: Face[] = [];
  for (let f = mesh.faceStart[m]!; f < mesh.faceStart[m]! + mesh.faceCount[m]!; f++)
    faces.push({ points: [0, 1, 2].map((k) => vertex(mesh.faces[3 * f + k]!)), isOpen: true });
  return faces;
}

function terrainFaces({ heightField }: Model, f: number): Face[] {
  const [rows, columns] = [heightField.rows[f]!, heightField.columns[f]!];
  const [halfX, halfY] = [heightField.halfSize[2 * f]!, heightField.halfSize[2 * f + 1]!];
  const stride = Math.max(1, Math.ceil(Math.max(rows, columns) / MOST_SAMPLES));
  const picks = (count: number): number[] => {
    const list = Array.from({ length: Math.ceil((count - 1) / stride) }, (_, k) => k * stride);
    return [...list, count - 1];
  };
  const sample = (row: number, column: number): Point => [
    halfX * ((2 * column) / (columns - 1) - 1),
    halfY * ((2 * row) / (rows - 1) - 1),
    heightField.heights[heightField.dataStart[f]! + row * columns + column]!,
  ];
  const [down, across] = [picks(rows), picks(columns)];
  const faces: Face[] = [];
  for (let i = 0; i + 1 < down.length; i++) {
    for (let j = 0; j + 1 < across.length; j++) {
      const [r0, r1, c0, c1] = [down[i]!, down[i + 1]!, across[j]!, across[j + 1]!];
      faces.push({ points: [sample(r0, c0), sample(r0, c1), sample(r1, c1), sample(r1, c0)], isOpen: true });
    }
  }
  return faces;
}
