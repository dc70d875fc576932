/**
 * Balls and points that are in the picture when the whole scene is: corners of shapes, and where trees may swing to.
 *
 * A tree that turns about a point reaches every place of a ball about it, but is rarely upside down: above the point half of what
 * it can reach counts, or where it is now.
 */
import type { DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';
import type { SoftFrame } from '../session/soft-frame.ts';
import { findAction, transformPoint } from './bounds.ts';
import type { Ball } from './framing.ts';

type Triple = [number, number, number];

/** Part of the reach above its pivot that a tree is given. */
const RISE = 0.5;

/** Corners of a cube, middles of its edges and faces: 26 directions. */
const DIRECTIONS: readonly Triple[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].filter((z) => x || y || z).map((z): Triple => [x, y, z])),
);
const CORNERS = DIRECTIONS.filter(([x, y, z]) => x && y && z);

export function listOutline(drawing: SceneDrawing, poses: Float32Array, soft?: SoftFrame): Ball[] {
  const { moving, swept, props, lowest } = findAction(drawing, poses, soft);
  const outline = [...moving, ...props].flatMap((ball) =>
    ball.shape ? listEnds(ball.shape, drawing, poses) : [{ center: ball.center, radius: ball.radius }],
  );
  const tops = outline.map(({ center, radius }) => center[2] + radius);
  const top = Math.max(...tops);
  for (const ball of swept) {
    const { center, radius } = ball;
    const isFlying = drawing.flying.includes(ball.body);
    const [low, high] = [lowest(ball), isFlying ? Infinity : Math.max(top, center[2] + RISE * radius)];
    for (const direction of DIRECTIONS) {
      const length = radius / Math.hypot(...direction);
      const height = center[2] + length * direction[2];
      if (height > high || height < low) continue;
      outline.push({
        center: [center[0] + length * direction[0], center[1] + length * direction[1], height],
        radius: 0,
      });
    }
  }
  return outline;
}

/** Balls whose hull holds a shape. */
function listEnds(shape: DrawnShape, drawing: SceneDrawing, poses: Float32Array): Ball[] {
  const place = (point: Triple, radius = 0): Ball => ({
    center: transformPoint(poses, shape.body, inBody(shape, point)),
    radius,
  });
  const [a, b, c] = shape.size;
  switch (shape.kind) {
    case 'plane':
      return [];
    case 'sphere':
      return [place([0, 0, 0], a)];
    case 'ellipsoid':
      return [place([0, 0, 0], Math.max(a, b, c))];
    case 'capsule':
      return [place([0, 0, b], a), place([0, 0, -b], a)];
    default: {
      const [low, high] = boxOf(shape, drawing);
      return CORNERS.map((corner) => place(corner.map((sign, i) => (sign > 0 ? high[i]! : low[i]!)) as Triple));
    }
  }
}

/** The box about a shape, in its own frame. */
function boxOf({ kind, size: [a, b, c], asset }: DrawnShape, { meshes, heightFields }: SceneDrawing): [Triple, Triple] {
  if (kind === 'mesh') return boxOfPoints(meshes[asset]?.positions ?? new Float32Array(3));
  const field = heightFields[asset];
  if (kind === 'heightField' && field) {
    const [x, y] = field.halfSize;
    const top = field.heights.reduce((most, height) => Math.max(most, height), 0);
    return [
      [-x, -y, 0],
      [x, y, top],
    ];
  }
  const half: Triple = kind === 'box' ? [a, b, c] : kind === 'torus' ? [a + b, a + b, b] : [a, a, b];
  return [half.map((part) => -part) as Triple, half];
}

const known = new WeakMap<Float32Array, [Triple, Triple]>();

function boxOfPoints(points: Float32Array): [Triple, Triple] {
  const before = known.get(points);
  if (before) return before;
  const box: [Triple, Triple] = [
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

/** A point of a shape, in the frame of its body. */
function inBody({ position, orientation }: DrawnShape, point: Triple): Triple {
  return transformPoint([...position, ...orientation], 0, point);
}
