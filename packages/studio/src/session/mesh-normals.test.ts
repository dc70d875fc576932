import { expect, test } from 'vitest';
import { triangulateWithNormals } from './mesh-normals.ts';

/** A ball of latitude rings, every vertex repeated per face as in an STL file. */
function sphereSoup(rings: number, segments: number): { vertices: number[]; faces: number[] } {
  const point = (i: number, j: number): number[] => {
    const polar = (Math.PI * i) / rings;
    const turn = (2 * Math.PI * (j % segments)) / segments;
    return [Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar)];
  };
  const vertices: number[] = [];
  for (let i = 0; i < rings; i++)
    for (let j = 0; j < segments; j++) {
      if (i > 0) vertices.push(...point(i, j), ...point(i + 1, j), ...point(i, j + 1));
      if (i < rings - 1) vertices.push(...point(i, j + 1), ...point(i + 1, j), ...point(i + 1, j + 1));
    }
  return { vertices, faces: Array.from({ length: vertices.length / 3 }, (_, i) => i) };
}

test('a cube keeps its edges: every corner normal is the normal of its face', () => {
  const vertices = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1];
  const faces = [
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7,
  ];
  const { positions, normals } = triangulateWithNormals(vertices, faces);
  expect(positions.length).toBe(12 * 9);
  for (let corner = 0; corner < 36; corner++) {
    const [x, y, z] = normals.subarray(3 * corner, 3 * corner + 3);
    expect(Math.max(Math.abs(x!), Math.abs(y!), Math.abs(z!))).toBeCloseTo(1, 6);
    // outward: the normal points from the centre through the corner
    const out = [0, 1, 2].reduce((sum, i) => sum + (positions[3 * corner + i]! - 0.5) * normals[3 * corner + i]!, 0);
    expect(out).toBeCloseTo(0.5, 6);
  }
});

test('a ball is smooth: corner normals follow the radius though no vertex is shared', () => {
  const { vertices, faces } = sphereSoup(24, 48);
  const { positions, normals } = triangulateWithNormals(vertices, faces);
  let worst = 1;
  for (let corner = 0; corner < positions.length / 3; corner++) {
    // the caps of fans at the poles are not symmetric about their vertices
    if (Math.abs(positions[3 * corner + 2]!) > 0.9) continue;
    const dot = [0, 1, 2].reduce((sum, i) => sum + positions[3 * corner + i]! * normals[3 * corner + i]!, 0);
    worst = Math.min(worst, dot);
  }
  // flat faces would be off by 5.3 degrees at their corners: half of the diagonal of 7.5 by 7.5
  expect(worst).toBeGreaterThan(Math.cos((2.65 * Math.PI) / 180));
});

test('faces without area leave finite normals', () => {
  const { normals } = triangulateWithNormals([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2]);
  expect([...normals].every(Number.isFinite)).toBe(true);
});
