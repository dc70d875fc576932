import { describe, expect, test } from 'vitest';
import { NexdynError } from '../error.ts';
import { Arena } from '../kernels/arena.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import type { LinearTetrahedra } from './linear-tetrahedra.ts';
import { createSoftMesh, type SoftMesh } from './soft-mesh.ts';

const RUBBER: Elasticity = { youngsModulus: 1e5, poissonRatio: 0.4, density: 900 };
const CORNER = [0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4];

function create(vertices: number[], tetrahedra: number[], elasticity: Elasticity = RUBBER): SoftMesh {
  const shape = { vertices: Float64Array.from(vertices), tetrahedra: Int32Array.from(tetrahedra) };
  return createSoftMesh(shape, elasticity, new Arena(), 'softBodies[0]');
}

describe('a soft mesh', () => {
  test('one corner of a box: volume 4 m³, a quarter of 3600 kg on each vertex, shape gradients along the axes', () => {
    const mesh = create(CORNER, [0, 1, 2, 3]);
    expect(mesh.volume[0]).toBe(4);
    expect([...mesh.mass]).toEqual([900, 900, 900, 900]);
    expect([...(mesh.families[0] as LinearTetrahedra).inverseRest]).toEqual([1 / 2, 0, 0, 0, 1 / 3, 0, 0, 0, 1 / 4]);
  });

  test('masses add to density times volume; three directions to three times that', () => {
    const mesh = create([...CORNER, 1.5, 2.5, 2], [0, 1, 2, 3, 1, 2, 3, 4]);
    const volume = mesh.volume[0] + mesh.volume[1];
    const total = mesh.mass.reduce((sum, m) => sum + m, 0);
    expect(Math.abs(total / (900 * volume) - 1)).toBeLessThan(1e-15);
  });

  test('the pattern joins the vertices of each tetrahedron once', () => {
    const mesh = create([...CORNER, 1.5, 2.5, 2], [0, 1, 2, 3, 1, 2, 3, 4]);
    expect(mesh.pattern.pairCount).toBe(9);
    const { place } = mesh.families[0] as LinearTetrahedra;
    expect(place[3]).toBe(place[6]);
  });

  test.each([
    ['inverted', CORNER, [0, 2, 1, 3], /Tetrahedron 0 is inverted: its volume is -4 m³/],
    ['flat', [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [0, 1, 2, 3], /Tetrahedron 0 has no volume/],
    ['a vertex out of range', CORNER, [0, 1, 2, 4], /names vertex 4 of 4/],
    ['a vertex twice', CORNER, [0, 1, 1, 3], /names vertex 1 twice/],
    ['a vertex without tetrahedron', [...CORNER, 9, 9, 9], [0, 1, 2, 3], /Vertex 4 belongs to no tetrahedron/],
    ['no tetrahedron', CORNER, [], /0 indices/],
    ['a broken list', CORNER, [0, 1, 2], /3 indices/],
    ['a coordinate that is no number', [Number.NaN, ...CORNER.slice(1)], [0, 1, 2, 3], /no volume \(NaN/],
  ])('%s is an error that names the place', (_, vertices, tetrahedra, text) => {
    const attempt = (): SoftMesh => create(vertices, tetrahedra);
    expect(attempt).toThrow(NexdynError);
    expect(attempt).toThrow(text);
    expect(attempt).toThrow('softBodies[0].mesh');
  });

  test.each([
    ['density', 0],
    ['density', -1],
    ['massDamping', -1],
    ['stiffnessDamping', Number.NaN],
  ] as const)('%s %f is an error', (name, value) => {
    const attempt = (): SoftMesh => create(CORNER, [0, 1, 2, 3], { ...RUBBER, [name]: value });
    expect(attempt).toThrow(`softBodies[0].elasticity.${name}`);
  });
});
