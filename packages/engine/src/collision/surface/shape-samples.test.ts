/** Samples cover their surface: random points of it are within ρ of the balls around them; their areas add up to that of it. */
import '../../fields.ts';
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Shape } from '../../scene/shape.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { sampleShape, sampleSurface } from './shape-samples.ts';

const corners = [0, 0, 0, 0.3, 0, 0, 0, 0.2, 0, 0, 0, 0.1];
const faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
const assets: Partial<Scene> = {
  meshes: [{ name: 'tet', vertices: corners, faces }],
  signedDistanceFields: [
    { kind: 'torus', name: 'ring', majorRadius: 0.2, minorRadius: 0.07 },
    { kind: 'mesh', name: 'tet', mesh: 'tet', spacing: 0.02 },
  ],
};
const model = (shape: Shape) =>
  compileModel({ format: 'nexdyn-scene', version: 1, ...assets, shapes: [shape] }, { formulation: 'ipc' });

/** A random point of a shape's surface. */
type Draw = (random: () => number) => number[];
const onSphere: Draw = (random) => {
  const z = 2 * random() - 1;
  const angle = 2 * Math.PI * random();
  const rho = Math.sqrt(1 - z * z);
  return [rho * Math.cos(angle), rho * Math.sin(angle), z];
};
const onTriangle: Draw = (random) => {
  const t = 3 * Math.floor(4 * random());
  let [a, b] = [random(), random()];
  if (a + b > 1) [a, b] = [1 - a, 1 - b];
  return [0, 1, 2].map(
    (k) =>
      (1 - a - b) * corners[3 * faces[t] + k] + a * corners[3 * faces[t + 1] + k] + b * corners[3 * faces[t + 2] + k],
  );
};
const tetArea = 0.03 + 0.015 + 0.01 + 0.5 * Math.hypot(0.2 * 0.1, 0.3 * 0.1, 0.3 * 0.2);

const cases: Record<string, { shape: Shape; draw: Draw; area: number }> = {
  sphere: {
    shape: { kind: 'sphere', radius: 0.3 },
    draw: (random) => onSphere(random).map((x) => 0.3 * x),
    area: Math.PI * 0.09,
  },
  capsule: {
    shape: { kind: 'capsule', radius: 0.1, halfLength: 0.3 },
    draw: (random) => {
      const angle = 2 * Math.PI * random();
      return [0.1 * Math.cos(angle), 0.1 * Math.sin(angle), 0.6 * (random() - 0.5)];
    },
    area: 2 * 0.1 * 0.6,
  },
  box: {
    shape: { kind: 'box', halfSize: [0.1, 0.2, 0.3] },
    draw: (random) => {
      const x = [0.1, 0.2, 0.3].map((half) => half * (2 * random() - 1));
      const k = Math.floor(3 * random());
      x[k] = [0.1, 0.2, 0.3][k] * (random() < 0.5 ? 1 : -1);
      return x;
    },
    area: 8 * (0.02 + 0.06 + 0.03),
  },
  mesh: { shape: { kind: 'triangleMesh', mesh: 'tet' }, draw: onTriangle, area: tetArea },
  'mesh field': { shape: { kind: 'signedDistance', field: 'tet' }, draw: onTriangle, area: tetArea },
  torus: {
    shape: { kind: 'signedDistance', field: 'ring' },
    draw: (random) => {
      const [u, v] = [2 * Math.PI * random(), 2 * Math.PI * random()];
      const away = 0.2 + 0.07 * Math.cos(v);
      return [away * Math.cos(u), away * Math.sin(u), 0.07 * Math.sin(v)];
    },
    area: 4 * Math.PI * Math.PI * 0.2 * 0.07,
  },
};

function measureFarthest({ points, radius }: { points: Float64Array; radius: number }, draw: Draw): number {
  const random = createRandom(3);
  let farthest = 0;
  for (let n = 0; n < takeSamples(2000, 0.2); n++) {
    const [x, y, z] = draw(random);
    let least = Infinity;
    for (let i = 0; i < points.length; i += 3)
      least = Math.min(least, Math.abs(Math.hypot(points[i] - x, points[i + 1] - y, points[i + 2] - z) - radius));
    farthest = Math.max(farthest, least);
  }
  return farthest;
}

describe('samples of a shape', () => {
  for (const [name, { shape, draw, area }] of Object.entries(cases)) {
    for (const target of [0, 0.03]) {
      test(`${name}, covering radius ${target || 'chosen'}`, () => {
        const samples = sampleShape(model(shape), 0, target)!;
        expect(measureFarthest(samples, draw)).toBeLessThanOrEqual(samples.coveringRadius + 1e-12);
        if (target > 0) expect(samples.coveringRadius).toBeLessThanOrEqual(target);
        const sum = samples.areas.reduce((total, share) => total + share, 0);
        expect(sum / area).toBeGreaterThan(0.99);
        expect(sum / area).toBeLessThan(1.01);
      });
    }
  }

  test('planes have none; too many are refused', () => {
    expect(sampleShape(model({ kind: 'plane' }), 0, 0)).toBeUndefined();
    expect(() => sampleShape(model(cases.box.shape), 0, 1e-5)).toThrow(/samples, more than/);
  });

  test('points are samples as they are; edges are cut', () => {
    const surface = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0), triangles: new Int32Array(0), radius: 0 };
    expect(sampleSurface({ ...surface, looseEdges: [] }, { target: 0.1, path: '' })).toMatchObject({
      coveringRadius: 0,
      radius: 0,
    });
    const { points, coveringRadius } = sampleSurface({ ...surface, looseEdges: [0, 1] }, { target: 0.1, path: '' });
    expect(points.length).toBe(18);
    expect(coveringRadius).toBeCloseTo(0.1, 12);
  });
});
