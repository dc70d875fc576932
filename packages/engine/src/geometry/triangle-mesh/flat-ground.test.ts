import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { gridMesh } from '../../testing/surfaces.ts';
import { ContactPoints } from '../contact-points.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { findMeshPair } from './mesh-pairs.ts';

const { vertices, faces } = gridMesh(2, 8);
const mesh = buildTriangleMesh(vertices, faces, 'ground');

/** Rotation about a unit axis. */
function turn(axis: number[], angle: number): number[] {
  const [x, y, z] = axis;
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const d = 1 - c;
  return [
    c + x * x * d,
    x * y * d - z * s,
    x * z * d + y * s,
    y * x * d + z * s,
    c + y * y * d,
    y * z * d - x * s,
    z * x * d - y * s,
    z * y * d + x * s,
    c + z * z * d,
  ];
}

function multiply(a: number[], b: number[]): number[] {
  return Array.from({ length: 9 }, (_, i) => {
    const r = 3 * Math.floor(i / 3);
    const c = i % 3;
    return a[r] * b[c] + a[r + 1] * b[3 + c] + a[r + 2] * b[6 + c];
  });
}

const out = new ContactPoints();

function collide(a: PlacedShape, b: PlacedShape, reach: number): ContactPoints {
  out.clear();
  findMeshPair(a.kind, b.kind)!(out, a, b, reach);
  return out;
}

describe('a triangulated flat ground', () => {
  // paths along edges, diagonals, across vertices, and at odd angles
  const paths: [number, number, number, number][] = [
    [-1.6, 0, 1.6, 0],
    [-1.5, -1.5, 1.5, 1.5],
    [-1.5, 1.5, 1.5, -1.5],
    [-1.6, 0.123, 1.5, 0.777],
    [0.5, -1.5, 0.5, 1.5],
    [-1.5, 0.25, 1.5, 0.25],
  ];
  const shapes: [string, number, number[], number[]][] = [
    ['sphere', SHAPE.sphere, [0.1], [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['capsule lying', SHAPE.capsule, [0.1, 0.2], turn([1, 0, 0], Math.PI / 2)],
    ['capsule tilted', SHAPE.capsule, [0.1, 0.2], turn([1, 0, 0], 1.2)],
    ['box', SHAPE.box, [0.2, 0.3, 0.1], turn([0, 0, 1], 0.3)],
    ['box along the grid', SHAPE.box, [0.25, 0.25, 0.1], turn([0, 0, 1], 0)],
    ['box on an edge', SHAPE.box, [0.2, 0.3, 0.1], turn([1, 0, 0], 0.5)],
    ['box on a corner', SHAPE.box, [0.2, 0.3, 0.1], multiply(turn([0, 1, 0], 0.6), turn([1, 0, 0], 0.5))],
    ['box nearly flat', SHAPE.box, [0.2, 0.3, 0.1], turn([1, 0, 0], 0.01)],
    ['cylinder', SHAPE.cylinder, [0.2, 0.1], turn([0, 0, 1], 0.3)],
    ['cylinder lying', SHAPE.cylinder, [0.1, 0.3], turn([0, 1, 0], Math.PI / 2)],
    ['ellipsoid', SHAPE.ellipsoid, [0.1, 0.2, 0.3], turn([1, 0, 0], 0.5)],
  ];
  // the ground as it lies, and turned and moved
  const frames: [string, number[], number[]][] = [
    ['level', [0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['turned', [3, -2, 5], multiply(turn([0.6, 0, 0.8], 1.1), turn([0, 1, 0], 0.7))],
  ];
  for (const [frameName, origin, frame] of frames) {
    const ground = placeShape(SHAPE.triangleMesh, [], origin, frame, { mesh });
    for (const [name, kind, size, rotation] of shapes) {
      test(`${name} on ${frameName} ground: normals of the ground, gaps of a plane, on every path`, () => {
        const shape = placeShape(kind, size, [0, 0, 0], multiply(frame, rotation));
        const lowest = supportDepth(kind, size, rotation);
        const stops = takeSamples(60, 0.25);
        for (const height of [-0.02, -1e-4, 0, 1e-4, 0.005]) {
          for (const [x0, y0, x1, y1] of paths) {
            for (let i = 0; i <= stops; i++) {
              const local = [x0 + ((x1 - x0) * i) / stops, y0 + ((y1 - y0) * i) / stops, lowest + height];
              for (let k = 0; k < 3; k++) {
                shape.position[k] =
                  origin[k] + frame[3 * k] * local[0] + frame[3 * k + 1] * local[1] + frame[3 * k + 2] * local[2];
              }
              const found = collide(shape, ground, 0.01);
              expect(found.count).toBeGreaterThan(0);
              expect(found.count).toBeLessThanOrEqual(8);
              let least = Infinity;
              let sideways = 0;
              for (let c = 0; c < found.count; c++) {
                // the normal goes from the shape into the ground: −z of the ground
                for (let k = 0; k < 3; k++) {
                  sideways = Math.max(sideways, Math.abs(found.normal[3 * c + k] + frame[3 * k + 2]));
                }
                least = Math.min(least, found.gap[c]);
              }
              expect(sideways).toBeLessThan(1e-9);
              expect(Math.abs(least - height)).toBeLessThan(1e-9);
            }
          }
        }
      });
    }
  }
});

/** Height of the centre above the lowest point. */
function supportDepth(kind: number, size: number[], r: number[]): number {
  const [x, y, z] = [r[6], r[7], r[8]];
  if (kind === SHAPE.sphere) return size[0];
  if (kind === SHAPE.capsule) return size[0] + size[1] * Math.abs(z);
  if (kind === SHAPE.box) return size[0] * Math.abs(x) + size[1] * Math.abs(y) + size[2] * Math.abs(z);
  if (kind === SHAPE.cylinder) return size[0] * Math.hypot(x, y) + size[1] * Math.abs(z);
  return Math.hypot(size[0] * x, size[1] * y, size[2] * z);
}
