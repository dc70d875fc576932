/** Scenes to be drawn, for tests. */
import type { DrawnShape, SceneDrawing } from '../session/scene-drawing.ts';

/** A sphere of the world without a size, except for what is changed. */
export function drawnShape(change: Partial<DrawnShape>): DrawnShape {
  return {
    index: 0,
    kind: 'sphere',
    isEndless: change.kind === 'plane',
    name: '',
    body: 0,
    asset: -1,
    mesh: -1,
    position: [0, 0, 0],
    orientation: [1, 0, 0, 0],
    size: [0, 0, 0],
    color: [0.5, 0.5, 0.5, 1],
    layer: 0,
    ...change,
  };
}

/** The world and bodies that move; per body the one it turns about, or -1. */
export function drawnScene(shapes: DrawnShape[], carrier: readonly number[] = [-1, -1]): SceneDrawing {
  return {
    bodyNames: carrier.map(String),
    isMoving: carrier.map((_, body) => body > 0),
    carrier: Int32Array.from(carrier),
    pivot: new Float32Array(3 * carrier.length),
    gyration: new Float32Array(4 * carrier.length),
    flying: [],
    isAllFlying: false,
    isFalling: false,
    shapes,
    meshes: [],
    heightFields: [],
    sites: [],
    softBodies: [],
    notDrawn: [],
  };
}
