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
import { SOLIDS } from './solids.ts';

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
  if (shape.isEndless) return [];
  const { balls, box } = SOLIDS[shape.kind];
  if (balls) return balls(shape.size).map(({ center: [x, y, z], radius }) => place([x, y, z], radius));
  const [low, high] = box(shape, drawing);
  return CORNERS.map((corner) => place(corner.map((sign, n) => (sign > 0 ? high[n]! : low[n]!)) as Triple));
}

/** A point of a shape, in the frame of its body. */
function inBody({ position, orientation }: DrawnShape, point: Triple): Triple {
  return transformPoint([...position, ...orientation], 0, point);
}
