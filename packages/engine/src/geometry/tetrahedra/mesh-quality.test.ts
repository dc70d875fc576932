import { describe, expect, test } from 'vitest';
import { encloseTetrahedra } from './enclosing-spheres.ts';
import { computeDihedralAngles, computeRadiusRatio, measureQuality } from './mesh-quality.ts';

const REGULAR = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
const RIGHT = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const angles = (vertices: number[]): number[] => {
  const out = new Float64Array(6);
  computeDihedralAngles(out, Float64Array.from(vertices), [0, 1, 2, 3], 0);
  return [...out];
};

describe('quality', () => {
  test('regular tetrahedron: acos ⅓ everywhere, radius ratio 1, at any size', () => {
    for (const scale of [1e-6, 1, 1e6]) {
      const v = REGULAR.map((x) => scale * x);
      for (const angle of angles(v)) expect(angle).toBeCloseTo(Math.acos(1 / 3), 12);
      expect(computeRadiusRatio(Float64Array.from(v), [0, 1, 2, 3], 0)).toBeCloseTo(1, 12);
    }
  });

  test('corner of a cube: right angles at the corner, acos 1/√3 around the far face; r and R in closed form', () => {
    const far = Math.acos(1 / Math.sqrt(3));
    [Math.PI / 2, Math.PI / 2, Math.PI / 2, far, far, far].forEach((angle, e) => {
      expect(angles(RIGHT)[e]).toBeCloseTo(angle, 12);
    });
    // R = √3 / 2, r = 1 / (3 + √3)
    const ratio = 3 / (3 + Math.sqrt(3)) / (Math.sqrt(3) / 2);
    expect(computeRadiusRatio(Float64Array.from(RIGHT), [0, 1, 2, 3], 0)).toBeCloseTo(ratio, 12);
  });

  test('a flat tetrahedron has angles 0 and π and radius ratio 0', () => {
    const flat = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
    expect(Math.min(...angles(flat))).toBe(0);
    expect(Math.max(...angles(flat))).toBeCloseTo(Math.PI, 12);
    expect(computeRadiusRatio(Float64Array.from(flat), [0, 1, 2, 3], 0)).toBe(0);
  });

  test('the worst of a mesh is found', () => {
    const squat = RIGHT.with(11, 0.1);
    const mesh = {
      vertices: Float64Array.from([...REGULAR, ...squat, ...RIGHT]),
      tetrahedra: Int32Array.from({ length: 12 }, (_, i) => i),
    };
    const quality = measureQuality(mesh);
    expect(quality.worst).toBe(1);
    expect(quality.smallestAngle).toBeCloseTo(Math.min(...angles(squat)), 14);
    expect(quality.largestAngle).toBeCloseTo(Math.max(...angles(squat), Math.PI / 2), 14);
  });
});

describe('smallest enclosing spheres', () => {
  const enclose = (vertices: number[]): number[] => [
    ...encloseTetrahedra({ vertices: Float64Array.from(vertices), tetrahedra: Int32Array.of(0, 1, 2, 3) }),
  ];

  test('through four, three and two corners', () => {
    expect(enclose(REGULAR)[3]).toBeCloseTo(Math.sqrt(3), 12);
    // the far face of the cube corner is a great circle's triangle: radius √(2/3), centre ⅓ ⅓ ⅓
    [1 / 3, 1 / 3, 1 / 3, Math.sqrt(2 / 3)].forEach((x, k) => {
      expect(enclose(RIGHT)[k]).toBeCloseTo(x, 12);
    });
    [1, 0, 0, 1].forEach((x, k) => {
      expect(enclose([0, 0, 0, 2, 0, 0, 1, 0.1, 0, 1, 0, 0.1])[k]).toBeCloseTo(x, 12);
    });
  });

  test('random tetrahedra: all corners inside, and no nearby centre does better', () => {
    let seed = 7;
    const random = (): number => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    for (let n = 0; n < 200; n++) {
      const v = Array.from({ length: 12 }, random);
      const [x, y, z, r] = enclose(v);
      const reach = (cx: number, cy: number, cz: number): number =>
        Math.max(...[0, 3, 6, 9].map((o) => Math.hypot(v[o] - cx, v[o + 1] - cy, v[o + 2] - cz)));
      expect(reach(x, y, z)).toBeLessThanOrEqual(r * (1 + 1e-12));
      // the farthest distance is convex in the centre: a local minimum is the global one
      for (let k = 0; k < 60; k++) {
        const step = [random() - 0.5, random() - 0.5, random() - 0.5].map((d) => 1e-3 * d);
        expect(reach(x + step[0], y + step[1], z + step[2])).toBeGreaterThan(r * (1 - 1e-12));
      }
    }
  });
});
