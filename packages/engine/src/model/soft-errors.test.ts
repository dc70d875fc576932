/** Soft bodies that cannot be: each is refused when the scene is compiled, with a code, its place and words that say what to do. */
import { expect, test } from 'vitest';
import '../compliance.ts';
import '../formulation/ipc/provide.ts';
import '../formulation/sap/provide.ts';
import type { Scene } from '../scene/scene.ts';
import type { SoftBody } from '../scene/soft-body.ts';
import { compileModel } from './compile.ts';

const elasticity = { youngsModulus: 1e5, poissonRatio: 0.3 };
const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const square = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
const solid = (tetrahedra: number[]): unknown => ({ kind: 'tetrahedra', vertices: corners, tetrahedra });
const sheet = (triangles: unknown, vertices: unknown = square): unknown => ({
  kind: 'triangles',
  vertices,
  triangles,
  thickness: 0.01,
});
const line = (points: unknown, radius = 0.01): unknown => ({ kind: 'polyline', points, radius });
const grid = { kind: 'grid', size: [1, 1], cells: [2, 2], thickness: 0.01 };

const BAD: readonly [what: string, body: object, code: string, path: string, says: RegExp][] = [
  ['inverted tetrahedron', { mesh: solid([0, 2, 1, 3]) }, 'invalid-mesh', 'mesh.tetrahedra[0]', /swap two/],
  ['missing vertex of a solid', { mesh: solid([0, 1, 2, 9]) }, 'invalid-mesh', 'mesh.tetrahedra[3]', /no vertex 9/],
  [
    'three triangles on an edge',
    { mesh: sheet([0, 1, 2, 0, 1, 3, 0, 1, 4], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0]) },
    'invalid-mesh',
    'mesh.triangles',
    /edge between vertices 0 and 1 belongs to 3 triangles: 0, 1, 2/,
  ],
  [
    'triangle listed twice',
    { mesh: sheet([0, 1, 2, 2, 1, 0], [0, 0, 0, 1, 0, 0, 0, 1, 0]) },
    'invalid-mesh',
    'mesh.triangles',
    /triangles 0 and 1 have the same three vertices/,
  ],
  [
    'triangle without area',
    { mesh: sheet([0, 1, 2, 0, 2, 3, 0, 1, 1]) },
    'invalid-mesh',
    'mesh',
    /triangle 2 has no area/,
  ],
  [
    'missing vertex of a shell',
    { mesh: sheet([0, 1, 2, 0, 2, 7]) },
    'invalid-mesh',
    'mesh.triangles[5]',
    /no vertex 7/,
  ],
  ['vertex of no triangle', { mesh: sheet([0, 1, 2]) }, 'invalid-mesh', 'mesh', /vertex 3 belongs to no triangle/],
  ['grid of ten billion cells', { mesh: { ...grid, cells: [1e5, 1e5] } }, 'too-large', 'mesh', /more than 500000/],
  ['thickness of zero', { mesh: { ...grid, thickness: 0 } }, 'invalid-value', 'mesh.thickness', /cloth has about/],
  [
    'rod edge without length',
    { mesh: line([0, 0, 0, 1, 0, 0, 1, 0, 0]) },
    'invalid-mesh',
    'mesh.points[6]',
    /no length/,
  ],
  ['radius of zero', { mesh: line([0, 0, 0, 1, 0, 0], 0) }, 'invalid-value', 'mesh.radius', /a cable has about/],
  [
    'points as triples',
    {
      mesh: line([
        [0, 0, 0],
        [1, 0, 0],
      ]),
    },
    'invalid-value',
    'mesh.points',
    /one flat list .*inner brackets/,
  ],
  [
    'triangles as triples',
    {
      mesh: sheet([
        [0, 1, 2],
        [0, 2, 3],
      ]),
    },
    'invalid-value',
    'mesh.triangles',
    /one flat list/,
  ],
  ['a number too many', { mesh: line([0, 0, 0, 1, 0, 0, 1]) }, 'invalid-mesh', 'mesh.points', /multiple of 3/],
  [
    'ν = 0.5',
    { mesh: grid, elasticity: { ...elasticity, poissonRatio: 0.5 } },
    'invalid-value',
    'elasticity.poissonRatio',
    /0\.499/,
  ],
  [
    'pinned vertex that is not there',
    { mesh: grid, pinned: [9] },
    'unknown-reference',
    'pinned',
    /no vertex 9 .*0 to 8/,
  ],
  [
    'cloth that passes through itself',
    {
      mesh: sheet([0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -0.5, 0.3, 0.2, 0.5, 0.2, 0.3, 0.5]),
      selfContact: true,
    },
    'invalid-mesh',
    'mesh',
    /triangles 0 and 1 cross at \(0\.25 0\.2 0\)/,
  ],
  [
    'solid that passes through itself',
    {
      mesh: {
        kind: 'tetrahedra',
        vertices: [...corners, ...corners.map((value) => value + 0.1)],
        tetrahedra: [0, 1, 2, 3, 4, 5, 6, 7],
      },
      selfContact: true,
    },
    'invalid-mesh',
    'mesh',
    /triangles \d and \d cross at \(/,
  ],
  [
    'vertex that is pinned and driven',
    { mesh: grid, pinned: [1], driven: [{ vertices: [1], times: [0, 1], displacements: [0, 0, 0, 1, 0, 0] }] },
    'invalid-value',
    'driven[0].vertices',
    /vertex 1 is pinned already/,
  ],
  [
    'vertex on two paths',
    {
      mesh: grid,
      driven: [
        { vertices: [1], times: [0, 1], displacements: [0, 0, 0, 1, 0, 0] },
        { vertices: [0, 1], times: [0, 1], displacements: [0, 0, 0, 0, 1, 0] },
      ],
    },
    'invalid-value',
    'driven[1].vertices',
    /vertex 1 .* another path/,
  ],
];

test.each(BAD)('%s', (_, body, code, path, says) => {
  for (const formulation of ['sap', 'ipc'] as const) {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation },
      softBodies: [{ name: 'cloth', elasticity, ...body } as SoftBody],
    };
    expect(() => compileModel(scene)).toThrow(
      expect.objectContaining({ code, path: `softBodies[0].${path}`, message: expect.stringMatching(says) }),
    );
  }
});
