import { describe, expect, test } from 'vitest';
import { triangulateHeightField } from './height-field.ts';
import type { Solid } from './solid.ts';
import { type Surface, triangulate } from './surface.ts';

/** Signed volume Σ a · (b × c) / 6: positive where triangles are counter-clockwise from outside. */
function measureVolume({ positions, indices }: Surface): number {
  let volume = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[i + k]!, 3 * indices[i + k]! + 3));
    volume +=
      (a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!) +
        a![1]! * (b![2]! * c![0]! - b![0]! * c![2]!) +
        a![2]! * (b![0]! * c![1]! - b![1]! * c![0]!)) /
      6;
  }
  return volume;
}

/** Edges of triangles by places; in a closed surface each is met once in each direction. */
function listOpenEdges({ positions, indices }: Surface): string[] {
  const place = (vertex: number): string =>
    [...positions.subarray(3 * vertex, 3 * vertex + 3)].map((value) => (value + 0).toFixed(5)).join(' ');
  const count = new Map<string, number>();
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [place(indices[i + k]!), place(indices[i + ((k + 1) % 3)]!)];
      count.set(`${a} > ${b}`, (count.get(`${a} > ${b}`) ?? 0) + 1);
      count.set(`${b} > ${a}`, (count.get(`${b} > ${a}`) ?? 0) - 1);
    }
  }
  return [...count].filter(([, n]) => n !== 0).map(([edge]) => edge);
}

// chords of 32 pieces lose a share of 1 − sin(2π/32)/(2π/32) = 0.64 % of a circle; half circles of 16 pieces as much again
const ROUND = 0.02;

describe('surfaces of solids', () => {
  const cases: [string, Solid, number, number][] = [
    ['box', { kind: 'box', halfSize: [0.1, 0.2, 0.3] }, 8 * 0.1 * 0.2 * 0.3, 1e-6],
    ['sphere', { kind: 'ellipsoid', radii: [0.5, 0.5, 0.5] }, (4 / 3) * Math.PI * 0.5 ** 3, ROUND],
    ['ellipsoid', { kind: 'ellipsoid', radii: [0.5, 0.2, 0.1] }, (4 / 3) * Math.PI * 0.5 * 0.2 * 0.1, ROUND],
    ['cylinder', { kind: 'cylinder', radius: 0.2, halfLength: 0.7 }, Math.PI * 0.2 ** 2 * 1.4, ROUND],
    [
      'capsule',
      { kind: 'capsule', radius: 0.2, halfLength: 0.7 },
      Math.PI * 0.2 ** 2 * 1.4 + (4 / 3) * Math.PI * 0.2 ** 3,
      ROUND,
    ],
    // the tube is a circle of 16 pieces: 1 − sin(2π/16)/(2π/16) = 2.6 %
    ['torus', { kind: 'torus', majorRadius: 0.5, minorRadius: 0.1 }, 2 * Math.PI ** 2 * 0.5 * 0.1 ** 2, 0.04],
  ];

  test.each(cases)('%s: closed, outside out, of the right volume', (_, solid, volume, share) => {
    const surface = triangulate(solid);
    expect(listOpenEdges(surface)).toEqual([]);
    const measured = measureVolume(surface);
    expect(measured).toBeLessThan(volume * (1 + 1e-6));
    expect(measured).toBeGreaterThan(volume * (1 - share));
  });

  test.each(cases)('%s: normals are unit vectors on the side of their triangles', (_, solid) => {
    const { positions, normals, indices } = triangulate(solid);
    for (let i = 0; i < normals.length; i += 3) {
      expect(Math.hypot(...normals.subarray(i, i + 3))).toBeCloseTo(1, 5);
    }
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => [...positions.subarray(3 * indices[i + k]!, 3 * indices[i + k]! + 3)]);
      const u = b!.map((value, k) => value - a![k]!);
      const v = c!.map((value, k) => value - a![k]!);
      const face = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
      for (let k = 0; k < 3; k++) {
        const at = 3 * indices[i + k]!;
        expect(face.reduce((sum, part, j) => sum + part * normals[at + j]!, 0)).toBeGreaterThan(0);
      }
    }
  });

  test('a terrain: heights where they were sampled, walls down to the base', () => {
    const solid = triangulateHeightField(
      {
        name: ['hill'],
        rows: Int32Array.of(3),
        columns: Int32Array.of(2),
        halfSize: Float64Array.of(1, 2),
        baseDepth: Float64Array.of(0.5),
        dataStart: Int32Array.of(0),
        heights: Float64Array.of(1, 1, 2, 2, 1, 1),
      },
      0,
    );
    const surface = triangulate(solid);
    // a roof from 1 m to 2 m above a base at 0.5 m: 2 m by 4 m by 1 m; the open floor would take z area / 3 away
    expect(measureVolume(surface)).toBeCloseTo(8 + (0.5 * 8) / 3, 6);
    const rim = listOpenEdges(surface);
    expect(rim).toHaveLength(2 * 6);
    expect(rim.every((edge) => edge.split(' ')[2] === '0.50000')).toBe(true);
  });
});
