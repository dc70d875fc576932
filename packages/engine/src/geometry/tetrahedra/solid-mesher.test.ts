import { describe, expect, test } from 'vitest';
import { longTest, takeCases } from '../../../../../scripts/long-run.ts';
import { NexdynError } from '../../error.ts';
import {
  gearOutline,
  isInsideMesh,
  L_HUB,
  L_OUTLINE,
  type Mesh,
  prismMesh,
  sphereMesh,
  torusMesh,
} from '../../testing/closed-meshes.ts';
import { SHAPE } from '../shape-kind.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import { buildExactMeshField } from '../signed-distance/mesh-field.ts';
import { createBoxField, createSphereField, createTorusField } from '../signed-distance/primitive-field.ts';
import { meshBall } from './ball-mesher.ts';
import { meshBox } from './box-mesher.ts';
import { meshField } from './field-mesher.ts';
import { LARGEST_ANGLE, SMALLEST_ANGLE } from './lattice-stencil.ts';
import { checkTetrahedralMesh } from './mesh-check.ts';
import { measureQuality } from './mesh-quality.ts';
import { computeEulerCharacteristic, extractSurface } from './mesh-surface.ts';
import { buildSoftMesh } from './soft-mesh.ts';
import { meshClosedSurface, meshPrimitive } from './solid-mesher.ts';
import { computeVolume } from './tetrahedral-mesh.ts';

/** Turned by an odd angle about an odd axis, so that no face lies along the lattice. */
function tilt({ vertices, faces }: Mesh): Mesh {
  const [c, s, d, e] = [Math.cos(0.7), Math.sin(0.7), Math.cos(0.4), Math.sin(0.4)];
  const turned: number[] = [];
  for (let o = 0; o < vertices.length; o += 3) {
    const [x, y, z] = vertices.slice(o, o + 3);
    const y1 = s * x + c * y;
    turned.push(c * x - s * y, d * y1 - e * z, e * y1 + d * z);
  }
  return { vertices: turned, faces };
}

/** Area of an outline by the shoelace formula. */
function measureOutline(outline: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < outline.length; i += 2) {
    const j = (i + 2) % outline.length;
    sum += outline[i] * outline[j + 1] - outline[j] * outline[i + 1];
  }
  return sum / 2;
}

const GEAR = gearOutline(7, 0.6, 1);
const ofMesh = (mesh: Mesh): SignedDistanceField => buildExactMeshField(mesh.vertices, mesh.faces);
const SOLIDS: { name: string; field: SignedDistanceField; volume: number; euler: number; coarse: number }[] = [
  { name: 'sphere', field: createSphereField(1), volume: (4 * Math.PI) / 3, euler: 2, coarse: 0.4 },
  { name: 'torus', field: createTorusField(1, 0.35), volume: 2 * Math.PI ** 2 * 0.35 ** 2, euler: 0, coarse: 0.3 },
  { name: 'L', field: ofMesh(tilt(prismMesh(L_OUTLINE, 0.5, L_HUB))), volume: 0.75, euler: 2, coarse: 0.2 },
  {
    name: 'gear',
    field: ofMesh(tilt(prismMesh(GEAR, 0.5, [0, 0]))),
    volume: 0.5 * measureOutline(GEAR),
    euler: 2,
    coarse: 0.2,
  },
  {
    name: 'cylinder',
    field: SHAPE_TABLE[SHAPE.cylinder].field!([0.5, 0.5]),
    volume: Math.PI / 4,
    euler: 2,
    coarse: 0.3,
  },
  {
    name: 'capsule',
    field: SHAPE_TABLE[SHAPE.capsule].field!([0.3, 0.5]),
    volume: Math.PI * 0.09 * 1.4,
    euler: 2,
    coarse: 0.25,
  },
  {
    name: 'ellipsoid',
    field: SHAPE_TABLE[SHAPE.ellipsoid].field!([1, 0.6, 0.4]),
    volume: 0.32 * Math.PI,
    euler: 2,
    coarse: 0.3,
  },
];

describe('meshes through the distance field', () => {
  // one with edges and one without, where there are few
  test.each(takeCases(SOLIDS, 3, 2))(
    '$name: valid, of the stated quality, near the surface, and of the right volume at second order',
    (solid) => {
      const { field, volume, euler, coarse } = solid;
      const errors = [1, 2, 4].map((part) => {
        const h = coarse / part;
        const mesh = meshField(field, h, { parts: 1 });
        const { vertices } = checkTetrahedralMesh(mesh.vertices, mesh.tetrahedra);
        const quality = measureQuality(mesh);
        expect(quality.smallestAngle).toBeGreaterThan(SMALLEST_ANGLE);
        expect(quality.largestAngle).toBeLessThan(LARGEST_ANGLE);
        const surface = extractSurface(mesh);
        expect(computeEulerCharacteristic(surface.triangles)).toBe(euler);
        // vertices on the surface; the middles of triangles near it; nothing deep left out
        let [off, gap] = [0, 0];
        for (const v of surface.vertices) {
          off = Math.max(off, Math.abs(field.distance(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2])));
        }
        expect(off).toBeLessThan(1e-9 * h);
        for (let t = 0; t < surface.triangles.length; t += 3) {
          const [x, y, z] = [0, 1, 2].map((k) => {
            const [a, b, c] = surface.triangles.subarray(t, t + 3);
            return (vertices[3 * a + k] + vertices[3 * b + k] + vertices[3 * c + k]) / 3;
          });
          gap = Math.max(gap, Math.abs(field.distance(x, y, z)));
        }
        expect(gap).toBeLessThan(0.97 * h);
        return Math.abs(computeVolume(mesh) - volume) / volume;
      });
      // order 2 in the mean over two halvings, 0.5 for where the surface happens to lie on the lattice
      expect(Math.log2(errors[0] / errors[2]) / 2).toBeGreaterThan(1.5);
      expect(errors[2]).toBeLessThan(0.03);
    },
  );

  test('every point deeper than 1.6 spacings is in the mesh', () => {
    const { field, coarse } = SOLIDS[3];
    const h = coarse / 2;
    const mesh = meshField(field, h);
    const surface: Mesh = { vertices: [...mesh.vertices], faces: [...extractSurface(mesh).triangles] };
    const b = field.bounds;
    let seed = 3;
    let deep = 0;
    for (let n = 0; n < 2000; n++) {
      const [x, y, z] = [0, 1, 2].map((k) => {
        seed = (seed * 16807) % 2147483647;
        return b[k] + (seed / 2147483647) * (b[3 + k] - b[k]);
      });
      if (field.distance(x, y, z) > -1.6 * h) continue;
      expect(isInsideMesh(surface, x, y, z)).toBe(true);
      deep++;
    }
    expect(deep).toBeGreaterThan(50);
  });

  test('a cube along the axes is filled exactly, at any resolution; a finer one has more tetrahedra', () => {
    const counts = [0.5, 0.23, 0.1].map((h) => {
      const mesh = meshField(createBoxField(0.5, 0.5, 0.5), h);
      expect(computeVolume(mesh)).toBeCloseTo(1, 12);
      let off = 0;
      for (const v of extractSurface(mesh).vertices)
        off = Math.max(off, Math.abs(Math.max(...mesh.vertices.subarray(3 * v, 3 * v + 3).map(Math.abs)) - 0.5));
      expect(off).toBeLessThan(5e-13);
      return mesh.tetrahedra.length / 4;
    });
    expect(counts[1]).toBeGreaterThan(counts[0]);
    expect(counts[2]).toBeGreaterThan(counts[1]);
  });

  test('the same solid gives the same bytes', () => {
    const [a, b] = [0, 1].map(() => meshField(createTorusField(1, 0.35), 0.25));
    expect(a.vertices).toEqual(b.vertices);
    expect(a.tetrahedra).toEqual(b.tetrahedra);
  });

  longTest('work grows with the number of tetrahedra: distances asked for per tetrahedron fall', () => {
    const perTetrahedron = [0.4, 0.2, 0.1].map((h) => {
      const sphere = createSphereField(1);
      let asked = 0;
      const counting: SignedDistanceField = {
        ...sphere,
        bounds: sphere.bounds,
        distance: (x, y, z) => {
          asked++;
          return sphere.distance(x, y, z);
        },
        gradient: (out, x, y, z) => sphere.gradient(out, x, y, z),
      };
      const count = meshField(counting, h).tetrahedra.length / 4;
      return asked / count;
    });
    expect(perTetrahedron[1]).toBeLessThanOrEqual(perTetrahedron[0]);
    expect(perTetrahedron[2]).toBeLessThanOrEqual(perTetrahedron[1]);
  });
});

describe('boxes and balls', () => {
  test('box: five tetrahedra per cell, exact volume, vertices on the faces', () => {
    const mesh = meshBox([0.5, 1, 1.5], [3, 4, 5]);
    checkTetrahedralMesh(mesh.vertices, mesh.tetrahedra);
    expect(mesh.tetrahedra).toHaveLength(4 * 5 * 60);
    expect(computeVolume(mesh)).toBeCloseTo(6, 12);
    for (const v of extractSurface(mesh).vertices) {
      const [x, y, z] = mesh.vertices.subarray(3 * v, 3 * v + 3);
      expect(Math.max(Math.abs(x) - 0.5, Math.abs(y) - 1, Math.abs(z) - 1.5)).toBeCloseTo(0, 14);
    }
    const cubes = measureQuality(meshBox([1, 1, 1], [3, 3, 3]));
    expect(cubes.smallestAngle).toBeCloseTo(Math.acos(1 / Math.sqrt(3)), 12);
    expect(cubes.largestAngle).toBeCloseTo(Math.PI / 2, 12);
  });

  test('ball: vertices on the sphere, good angles, volume at second order', () => {
    const errors = [1, 2, 4, 8].map((n) => {
      const mesh = meshBall(0.1, 0.1052 / n);
      checkTetrahedralMesh(mesh.vertices, mesh.tetrahedra);
      expect(mesh.tetrahedra).toHaveLength(4 * 20 * n ** 3);
      const surface = extractSurface(mesh);
      expect(computeEulerCharacteristic(surface.triangles)).toBe(2);
      let off = 0;
      for (const v of surface.vertices)
        off = Math.max(off, Math.abs(Math.hypot(...mesh.vertices.subarray(3 * v, 3 * v + 3)) - 0.1));
      expect(off).toBeLessThan(5e-16);
      const quality = measureQuality(mesh);
      expect(quality.smallestAngle).toBeGreaterThan((35 * Math.PI) / 180);
      expect(quality.largestAngle).toBeLessThan((125 * Math.PI) / 180);
      return 1 - computeVolume(mesh) / ((4 / 3) * Math.PI * 1e-3);
    });
    expect(Math.log2(errors[2] / errors[3])).toBeGreaterThan(1.8);
    expect(Math.log2(errors[2] / errors[3])).toBeLessThan(2.2);
  });

  test('primitives by kind', () => {
    expect(computeVolume(meshPrimitive(SHAPE.box, [0.5, 0.5, 1], 0.3))).toBeCloseTo(2, 12);
    expect(meshPrimitive(SHAPE.sphere, [1], 0.5).tetrahedra).toHaveLength(4 * 20 * 27);
    expect(computeVolume(meshPrimitive(SHAPE.cylinder, [1, 1], 0.2))).toBeCloseTo(2 * Math.PI, 0);
  });
});

describe('scenes and bad input', () => {
  const ball = sphereMesh(1, 12, 7);
  const asset = { name: 'ball', ...ball };

  test('every kind of mesh of a scene', () => {
    const given = {
      kind: 'tetrahedra',
      vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
      tetrahedra: [0, 1, 2, 3],
    } as const;
    expect(
      computeVolume(buildSoftMesh({ ...given, vertices: [...given.vertices], tetrahedra: [...given.tetrahedra] })),
    ).toBeCloseTo(1 / 6, 14);
    expect(computeVolume(buildSoftMesh({ kind: 'box', halfSize: [1, 1, 1], cells: [2, 2, 2] }))).toBeCloseTo(8, 12);
    expect(buildSoftMesh({ kind: 'sphere', radius: 1, resolution: 1.1 }).tetrahedra).toHaveLength(80);
    const filled = buildSoftMesh({ kind: 'surface', mesh: 'ball', resolution: 0.2 }, [asset]);
    expect(extractSurface(filled).vertices.length).toBeGreaterThan(100);
  });

  test('a solid with a cavity, and two solids in one mesh', () => {
    const inside = sphereMesh(0.5, 12, 7);
    const count = ball.vertices.length / 3;
    const turned = inside.faces.map((_, i) => inside.faces[i - (i % 3) + [0, 2, 1][i % 3]]);
    const hollow = meshClosedSurface(
      [...ball.vertices, ...inside.vertices],
      [...ball.faces, ...turned.map((v) => v + count)],
      0.2,
    );
    expect(computeEulerCharacteristic(extractSurface(hollow).triangles)).toBe(4);
    const far = ball.vertices.map((x, i) => (i % 3 === 0 ? x + 5 : x));
    const two = meshClosedSurface(
      [...ball.vertices, ...far],
      [...ball.faces, ...ball.faces.map((v) => v + count)],
      0.4,
    );
    expect(computeEulerCharacteristic(extractSurface(two).triangles)).toBe(4);
  });

  const thin = torusMesh(1, 0.05, 30, 12);
  const bad: [what: string, action: () => unknown, code: string, says: RegExp][] = [
    [
      'an open surface',
      () => meshClosedSurface(ball.vertices, ball.faces.slice(3), 0.2),
      'invalid-mesh',
      /not watertight.*3 edges/,
    ],
    [
      'a surface inside out',
      () => meshClosedSurface(ball.vertices, ball.faces.toReversed(), 0.2),
      'invalid-mesh',
      /inside out/,
    ],
    ['a resolution of zero', () => meshClosedSurface(ball.vertices, ball.faces, 0), 'invalid-value', /resolution of 0/],
    ['a resolution that is no number', () => meshField(createSphereField(1), Number.NaN), 'invalid-value', /NaN/],
    ['a tiny resolution', () => meshField(createSphereField(1), 1e-5), 'too-large', /too many/],
    [
      'a ring thinner than the lattice',
      () => meshClosedSurface(thin.vertices, thin.faces, 0.2),
      'invalid-mesh',
      /too thin for a resolution of 0.2/,
    ],
    ['a plane', () => meshPrimitive(SHAPE.plane, [], 0.1), 'invalid-argument', /no solid primitive/],
    ['a box without cells', () => meshBox([1, 1, 1], [1, 0, 1]), 'invalid-value', /1 by 0 by 1/],
    ['a flat box', () => meshBox([1, 0, 1], [1, 1, 1]), 'invalid-value', /half edges 1, 0, 1/],
    ['a ball without radius', () => meshBall(0, 1), 'invalid-value', /radius of 0/],
    ['a ball of too many shells', () => meshBall(1, 1e-3), 'too-large', /shells/],
    [
      'a mesh that is not there',
      () => buildSoftMesh({ kind: 'surface', mesh: 'x', resolution: 1 }),
      'unknown-reference',
      /'x'/,
    ],
    [
      'a mesh without faces',
      () => buildSoftMesh({ kind: 'surface', mesh: 'p', resolution: 1 }, [{ name: 'p', vertices: ball.vertices }]),
      'invalid-mesh',
      /no faces/,
    ],
  ];
  test.each(bad)('%s is an error', (_, action, code, says) => {
    let caught: unknown;
    try {
      action();
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(NexdynError);
    expect((caught as NexdynError).code).toBe(code);
    expect((caught as NexdynError).reason).toMatch(says);
  });
});
