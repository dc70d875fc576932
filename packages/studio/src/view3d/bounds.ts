/**
 * The ball in which a scene moves, for the camera, the shadows and the floor.
 *
 * A shape counts as the ball about its origin that holds it. A tree that turns about a point counts as the ball
 * about that point through its farthest one: a pendulum that starts to one side will swing to the other. The whole is the
 * ball about the middle of the box of all of them.
 */

import type { DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';
import type { SoftFrame } from '../session/soft-frame.ts';
import { SOLIDS } from './solids.ts';

export interface Bounds {
  center: [number, number, number];
  radius: number;
  /** Height of the lowest point. */
  bottom: number;
}

interface BodyBall {
  center: [number, number, number];
  radius: number;
  body: number;
  /** What it holds, where that is a shape. */
  shape?: DrawnShape;
}

/** All that belongs to the picture of a scene. */
export interface Action {
  /** What moves where it is now, and where it will have fallen to. */
  moving: BodyBall[];
  /** What trees could sweep. */
  swept: BodyBall[];
  /** Fixed shapes near what moves. */
  props: BodyBall[];
  /** Height below which a ball needs no room. */
  lowest: (ball: BodyBall) => number;
}

/** Bounds when there is nothing to look at, m. */
const EMPTY: Bounds = { center: [0, 0, 0.5], radius: 1, bottom: 0 };
/** Fixed shapes within this many radii of what moves are in the picture. */
const SURROUNDINGS = 5;
/** And those within this many radii of it. */
const BESIDE = 2;
/** What falls farther than this many radii of what moves is not waited for. */
const FALL = 30;
/** How much farther than now a flying tree of several bodies may stretch. */
const STRETCH = 1.25;

/** Bounds of a scene in a pose. */
export function measureBounds(drawing: SceneDrawing, poses: Float32Array, soft?: SoftFrame): Bounds {
  const { moving, swept, props, lowest } = findAction(drawing, poses, soft);
  return enclose([...moving, ...swept, ...props], lowest);
}

/** What moves, what it could sweep, and what stands near it; everything where nothing moves. */
export function findAction(drawing: SceneDrawing, poses: Float32Array, soft?: SoftFrame): Action {
  const balls = [...listShapeBalls(drawing, poses)];
  const moving = [...balls.filter(({ body }) => drawing.isMoving[body]), ...listSoftBalls(drawing, soft)];
  const fixed = balls.filter(({ body }) => !drawing.isMoving[body]);
  const swept = listSweptBalls(drawing, poses, moving);
  // what stands or swings needs no room below the ground; what flies may fall through it
  const floor = horizontalFloor(drawing, poses) ?? -Infinity;
  const lowest = ({ body, center }: BodyBall): number =>
    center[2] > floor && !drawing.flying.includes(drawing.carrier[body]!) ? floor : -Infinity;
  if (moving.length === 0) return { moving, swept, props: fixed, lowest };
  const action = enclose([...moving, ...swept], lowest);
  // props belong to the picture, and what stands beside a prop; landscapes do not
  const props = fixed.filter((ball) => drawing.showsAll || isNear(ball, action, SURROUNDINGS));
  const whole = enclose([...moving, ...swept, ...props], lowest);
  const landed = listLandings(drawing, poses, moving, props).filter(({ center }) => {
    return distanceOf(center, action.center) < FALL * action.radius;
  });
  return {
    moving: [...moving, ...landed],
    swept,
    props: fixed.filter((ball) => props.includes(ball) || isNear(ball, whole, BESIDE)),
    lowest,
  };
}

function isNear({ center, radius }: BodyBall, action: Bounds, radii: number): boolean {
  return distanceOf(center, action.center) + radius < radii * action.radius;
}

/** The ball about the middle of the box around balls, each cut at its lowest height. */
function enclose(balls: readonly BodyBall[], lowest: (ball: BodyBall) => number): Bounds {
  if (balls.length === 0) return EMPTY;
  const min: Bounds['center'] = [Infinity, Infinity, Infinity];
  const max: Bounds['center'] = [-Infinity, -Infinity, -Infinity];
  for (const ball of balls) {
    for (let i = 0; i < 3; i++) {
      const low = ball.center[i]! - ball.radius;
      min[i] = Math.min(min[i]!, i === 2 ? Math.max(low, lowest(ball)) : low);
      max[i] = Math.max(max[i]!, ball.center[i]! + ball.radius);
    }
  }
  const center: Bounds['center'] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  const farthest = Math.max(...balls.map((ball) => distanceOf(center, ball.center) + ball.radius));
  return { center, radius: Math.max(Math.min(distanceOf(min, max) / 2, farthest), 1e-3), bottom: min[2] };
}

/** A ball for each shape of finite size and place. */
function* listShapeBalls(drawing: SceneDrawing, poses: Float32Array): Generator<BodyBall> {
  for (const shape of drawing.shapes) {
    const radius = boundingRadius(shape, drawing);
    const center = transformPoint(poses, shape.body, shape.position);
    if (radius !== undefined && center.every(Number.isFinite)) yield { center, radius, body: shape.body, shape };
  }
}

/** A ball for each soft body, about the middle of its box. */
function listSoftBalls({ softBodies }: SceneDrawing, soft: SoftFrame | undefined): BodyBall[] {
  if (!soft) return [];
  return softBodies.map(({ firstVertex, vertexCount }) => {
    const min: Bounds['center'] = [Infinity, Infinity, Infinity];
    const max: Bounds['center'] = [-Infinity, -Infinity, -Infinity];
    for (let i = 3 * firstVertex; i < 3 * (firstVertex + vertexCount); i++) {
      min[i % 3] = Math.min(min[i % 3]!, soft.positions[i]!);
      max[i % 3] = Math.max(max[i % 3]!, soft.positions[i]!);
    }
    const center: Bounds['center'] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
    return { center, radius: distanceOf(min, max) / 2, body: 0 };
  });
}

/** A ball for each tree, about the point it turns about. */
function listSweptBalls(drawing: SceneDrawing, poses: Float32Array, balls: readonly BodyBall[]): BodyBall[] {
  const swept = new Map<number, BodyBall>();
  for (const { center, radius, body } of balls) {
    const carrier = drawing.carrier[body]!;
    if (carrier < 0) continue;
    const pivot = transformPoint(poses, carrier, pivotOf(drawing, carrier));
    const stretch = body !== carrier && drawing.flying.includes(carrier) ? STRETCH : 1;
    const reach = stretch * (distanceOf(center, pivot) + radius);
    if (reach > (swept.get(carrier)?.radius ?? 0)) swept.set(carrier, { center: pivot, radius: reach, body: carrier });
  }
  return [...swept.values()];
}

/** Where trees that fly, and soft bodies, will lie when they have fallen straight down; those that something else catches first are left out. */
function listLandings(
  drawing: SceneDrawing,
  poses: Float32Array,
  moving: readonly BodyBall[],
  props: readonly BodyBall[],
): BodyBall[] {
  if (!drawing.isFalling) return [];
  const trees = new Map<number, BodyBall[]>();
  for (const ball of moving) {
    const tree = ball.shape ? drawing.carrier[ball.body]! : -1 - trees.size;
    if (ball.shape && !drawing.flying.includes(tree)) continue;
    trees.set(tree, [...(trees.get(tree) ?? []), ball]);
  }
  return [...trees.values()].flatMap((tree) => {
    const drop = Math.min(
      ...tree.map((ball) => ball.center[2] - measureThickness(ball) - groundUnder(drawing, poses, ball.center)),
    );
    const others = [...moving, ...props].filter((ball) => !tree.includes(ball));
    if (!(drop > 0) || !Number.isFinite(drop) || others.some((other) => tree.some((ball) => isOver(ball, other))))
      return [];
    return tree.map(({ center: [x, y, z], radius }) => ({ center: [x, y, z - drop], radius, body: 0 }));
  });
}

/** Height of the middle of a shape that lies on its flattest side. */
function measureThickness({ shape, radius }: BodyBall): number {
  const sizes = shape?.size.filter((size) => size > 0) ?? [];
  return sizes.length > 0 ? Math.min(radius, ...sizes) : radius / 2;
}

function isOver(ball: BodyBall, other: BodyBall): boolean {
  const apart = Math.hypot(ball.center[0] - other.center[0], ball.center[1] - other.center[1]);
  return other.center[2] < ball.center[2] && apart < ball.radius + other.radius;
}

/** Height of the highest level ground under a point: a plane, or the top of a box of the world. */
function groundUnder(drawing: SceneDrawing, poses: Float32Array, [x, y, z]: readonly [number, number, number]): number {
  let ground = horizontalFloor(drawing, poses) ?? -Infinity;
  for (const { kind, body, position, orientation, size } of drawing.shapes) {
    const isLevel = Math.hypot(orientation[1], orientation[2]) < 0.02;
    if (!SOLIDS[kind].hasLevelTop || body !== 0 || !isLevel) continue;
    const isUnder = Math.hypot(x - position[0], y - position[1]) < Math.min(size[0], size[1]);
    const top = position[2] + size[2];
    if (isUnder && top < z) ground = Math.max(ground, top);
  }
  return ground;
}

/** A round length (1, 2 or 5 times a power of ten) near a given one. */
export function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const mantissa = length / power;
  return power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
}

/** Height of the highest unbounded horizontal plane of the world, if there is one. */
export function horizontalFloor(drawing: SceneDrawing, poses: Float32Array): number | undefined {
  let floor: number | undefined;
  for (const shape of drawing.shapes) {
    if (!shape.isEndless) continue;
    const [, x, y] = shape.orientation;
    // z axis of the plane, in the frame of its body, which does not move
    if (1 - 2 * (x * x + y * y) < 0.999) continue;
    const [, , height] = transformPoint(poses, shape.body, shape.position);
    floor = floor === undefined ? height : Math.max(floor, height);
  }
  return floor;
}

/** Radius of the ball around a shape's origin that holds it; undefined for what is unbounded. */
function boundingRadius(shape: DrawnShape, drawing: SceneDrawing): number | undefined {
  return shape.isEndless ? undefined : SOLIDS[shape.kind].radius(shape, drawing);
}

function pivotOf(drawing: SceneDrawing, body: number): [number, number, number] {
  return [drawing.pivot[3 * body]!, drawing.pivot[3 * body + 1]!, drawing.pivot[3 * body + 2]!];
}

function distanceOf(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

/** A point of a body, in the world: r + p + 2 w (u × p) + 2 u × (u × p) with the quaternion (w, u). */
export function transformPoint(
  poses: ArrayLike<number>,
  body: number,
  point: readonly number[],
): [number, number, number] {
  const o = 7 * body;
  const [w, x, y, z] = [poses[o + 3]!, poses[o + 4]!, poses[o + 5]!, poses[o + 6]!];
  const [px, py, pz] = [point[0]!, point[1]!, point[2]!];
  const tx = 2 * (y * pz - z * py);
  const ty = 2 * (z * px - x * pz);
  const tz = 2 * (x * py - y * px);
  return [
    poses[o]! + px + w * tx + (y * tz - z * ty),
    poses[o + 1]! + py + w * ty + (z * tx - x * tz),
    poses[o + 2]! + pz + w * tz + (x * ty - y * tx),
  ];
}
