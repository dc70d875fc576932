/** What each solid of a picture is to the camera: how far it reaches, and the balls or the box that hold it. In its own frame, m. */
import type { DrawnKind, DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';
import type { Ball } from './framing.ts';

type Triple = [number, number, number];
type Box = [low: Triple, high: Triple];

interface Solid {
  /** Radius of the ball about its origin that holds it. */
  radius(shape: DrawnShape, drawing: SceneDrawing): number;
  /** Balls whose hull is the solid or holds it closely. Default: the corners of its box. */
  balls?(size: Triple): Ball[];
  box(shape: DrawnShape, drawing: SceneDrawing): Box;
  /** Whether its top is level where it stands upright. */
  readonly hasLevelTop?: boolean;
  /** Whether it is ground that fills the picture. */
  readonly isTerrain?: boolean;
}

const around = (x: number, y: number, z: number): Box => [
  [-x, -y, -z],
  [x, y, z],
];

export const SOLIDS: Readonly<Record<DrawnKind, Solid>> = {
  plane: { radius: () => 0, box: () => around(0, 0, 0) },
  sphere: {
    radius: ({ size: [a] }) => a,
    balls: ([a]) => [{ center: [0, 0, 0], radius: a }],
    box: ({ size: [a] }) => around(a, a, a),
  },
  ellipsoid: {
    radius: ({ size }) => Math.max(...size),
    balls: (size) => [{ center: [0, 0, 0], radius: Math.max(...size) }],
    box: ({ size: [a, b, c] }) => around(a, b, c),
  },
  capsule: {
    radius: ({ size: [a, b] }) => a + b,
    balls: ([a, b]) => [
      { center: [0, 0, b], radius: a },
      { center: [0, 0, -b], radius: a },
    ],
    box: ({ size: [a, b] }) => around(a, a, a + b),
  },
  cylinder: { radius: ({ size: [a, b] }) => Math.hypot(a, b), box: ({ size: [a, b] }) => around(a, a, b) },
  box: { radius: ({ size }) => Math.hypot(...size), box: ({ size: [a, b, c] }) => around(a, b, c), hasLevelTop: true },
  torus: { radius: ({ size: [a, b] }) => a + b, box: ({ size: [a, b] }) => around(a + b, a + b, b) },
  mesh: {
    radius: ({ asset }, { meshes }) => farthestVertex(meshes[asset]?.positions),
    box: ({ asset }, { meshes }) => boxOfPoints(meshes[asset]?.positions ?? new Float32Array(3)),
  },
  heightField: {
    radius: ({ asset }, { heightFields }) => Math.hypot(...(heightFields[asset]?.halfSize ?? [0])),
    box({ asset }, { heightFields }) {
      const { halfSize = [0, 0], heights = [] } = heightFields[asset] ?? {};
      const [x, y] = halfSize;
      let top = 0;
      for (const height of heights) top = Math.max(top, height);
      return [
        [-x, -y, 0],
        [x, y, top],
      ];
    },
    isTerrain: true,
  },
};

const known = new WeakMap<Float32Array, Box>();

function boxOfPoints(points: Float32Array): Box {
  const before = known.get(points);
  if (before) return before;
  const box: Box = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < points.length; i++) {
    box[0][i % 3] = Math.min(box[0][i % 3]!, points[i]!);
    box[1][i % 3] = Math.max(box[1][i % 3]!, points[i]!);
  }
  known.set(points, box);
  return box;
}

const farthestKnown = new WeakMap<Float32Array, number>();

function farthestVertex(positions: Float32Array | undefined): number {
  if (!positions) return 0;
  const known = farthestKnown.get(positions);
  if (known !== undefined) return known;
  let square = 0;
  for (let i = 0; i < positions.length; i += 3) {
    square = Math.max(square, positions[i]! ** 2 + positions[i + 1]! ** 2 + positions[i + 2]! ** 2);
  }
  const radius = Math.sqrt(square);
  farthestKnown.set(positions, radius);
  return radius;
}
