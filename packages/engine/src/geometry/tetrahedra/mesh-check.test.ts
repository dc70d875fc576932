import { describe, expect, test } from 'vitest';
import { NexdynError } from '../../error.ts';
import { meshBox } from './box-mesher.ts';
import { checkTetrahedralMesh, countParts } from './mesh-check.ts';

const UNIT = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];

function catchError(action: () => unknown): NexdynError {
  try {
    action();
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('no error was raised');
}

describe('check of tetrahedra', () => {
  test('a good mesh comes back as it is', () => {
    const mesh = checkTetrahedralMesh(UNIT, [0, 1, 2, 3]);
    expect([...mesh.vertices]).toEqual(UNIT);
    expect([...mesh.tetrahedra]).toEqual([0, 1, 2, 3]);
  });

  const bad: [what: string, vertices: number[], tetrahedra: number[], says: RegExp][] = [
    ['no tetrahedra', UNIT, [], /12 coordinates and 0 corners/],
    ['a cut-off list of coordinates', UNIT.slice(1), [0, 1, 2, 3], /11 coordinates/],
    ['a cut-off list of corners', UNIT, [0, 1, 2], /3 corners/],
    ['a coordinate that is no number', UNIT.with(7, Number.NaN), [0, 1, 2, 3], /vertex 2 .*finite/],
    ['an infinite coordinate', UNIT.with(9, Infinity), [0, 1, 2, 3], /vertex 3 .*finite/],
    ['a vertex number beyond the end', UNIT, [0, 1, 2, 4], /tetrahedron 0 .*no vertex 4/],
    ['a negative vertex number', UNIT, [0, 1, 2, -1], /tetrahedron 0 .*no vertex -1/],
    ['half a vertex number', UNIT, [0, 1, 2, 2.5], /tetrahedron 0 .*no vertex 2.5/],
    [
      'an inverted tetrahedron',
      [...UNIT, -1, 0, 0],
      [0, 1, 2, 3, 0, 4, 2, 3],
      /tetrahedron 1 .*\(vertices 0, 4, 2, 3\) is inverted: .*-0.167 m³/,
    ],
    ['a vertex twice', UNIT, [0, 1, 2, 2], /tetrahedron 0 .*is flat/],
    ['four corners in a plane', [...UNIT, 1, 1, 0], [0, 1, 2, 3, 0, 1, 4, 2], /tetrahedron 1 .*is flat/],
    ['a plane up to rounding', UNIT.with(11, 1e-13), [0, 1, 2, 3], /tetrahedron 0 .*is flat/],
    ['an unused vertex', [...UNIT, 5, 5, 5], [0, 1, 2, 3], /vertex 4 .*no tetrahedron$|vertex 4 .*no tetrahedron \(/],
    ['unused vertices', [...UNIT, 5, 5, 5, 6, 6, 6], [0, 1, 2, 3], /vertex 4 .*and 1 more/],
    ['a tetrahedron twice', UNIT, [0, 1, 2, 3, 0, 1, 2, 3], /tetrahedra 0 and 1 .*same side/],
    ['overlap at a face', [...UNIT, 0.1, 0.1, 2], [0, 1, 2, 3, 0, 1, 2, 4], /tetrahedra 0 and 1 .*same side/],
    [
      'three at a face',
      [...UNIT, 2, 2, 2, 3, 3, 3],
      [0, 1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 5],
      /tetrahedra 0 and 2 .*share a face/,
    ],
    [
      'parts that meet in an edge',
      [...UNIT, 0, -1, 0, -1, 0, 0],
      [0, 1, 2, 3, 0, 5, 4, 3],
      /more than two triangles .*edge 0-3|more than two triangles .*edge 3-0/,
    ],
  ];
  test.each(bad)('%s is an error', (_, vertices, tetrahedra, says) => {
    const error = catchError(() =>
      checkTetrahedralMesh(vertices, tetrahedra, 'the mesh', { path: 'softBodies[0].mesh' }),
    );
    expect(error.code).toBe('invalid-mesh');
    expect(error.reason).toMatch(says);
    expect(error.path).toBe('softBodies[0].mesh');
    expect(error.hint).toBeTruthy();
  });

  test('size does not matter: a micrometre mesh is no flat one', () => {
    expect(() =>
      checkTetrahedralMesh(
        UNIT.map((x) => 1e-6 * x),
        [0, 1, 2, 3],
      ),
    ).not.toThrow();
  });

  test('separate parts are allowed and counted', () => {
    const { vertices, tetrahedra } = meshBox([1, 1, 1], [2, 2, 2]);
    const count = vertices.length / 3;
    const both = [...vertices, ...vertices.map((x) => x + 10)];
    const mesh = checkTetrahedralMesh(both, [...tetrahedra, ...tetrahedra.map((v) => v + count)]);
    expect(countParts(mesh)).toBe(2);
    expect(countParts({ vertices, tetrahedra })).toBe(1);
  });
});
