import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../../../../scripts/long-run.ts';
import { L_HUB, L_OUTLINE, prismMesh, torusMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { smallTurn, toMatrix } from '../../testing/pair-poses.ts';
import { collide, leastGap } from '../../testing/surface-pairs.ts';
import { boxMesh, gridMesh } from '../../testing/surfaces.ts';
import type { ContactPoints } from '../contact-points.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { findMeshPair } from './mesh-pairs.ts';

function placeMesh(mesh: { vertices: number[]; faces: number[] }): PlacedShape {
  return placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, {
    mesh: buildTriangleMesh(mesh.vertices, mesh.faces, 'mesh'),
  });
}

function touch(shape: PlacedShape, mesh: PlacedShape, reach = 0): ContactPoints {
  return collide(findMeshPair(shape.kind, mesh.kind), shape, mesh, reach);
}

/** Normals from the mesh to the shape. */
function normalsOut(found: ContactPoints): number[][] {
  return Array.from({ length: found.count }, (_, i) => [0, 1, 2].map((k) => 0 - found.normal[3 * i + k]));
}

const L = placeMesh(prismMesh(L_OUTLINE, 0.5, L_HUB));
const TABLE = placeMesh(boxMesh(1, 1, 0.5, 40));

describe('an inside corner (L-shaped mesh)', () => {
  // the notch of the L is at (0.5, 0.5), open towards +x and +y
  test('a sphere touches both walls, each along its own normal', () => {
    const found = touch(placeShape(SHAPE.sphere, [0.2], [0.69, 0.68, 0.1]), L);
    const normals = normalsOut(found).sort((a, b) => a[0] - b[0]);
    expect(normals).toEqual([
      [0, 1, 0],
      [1, 0, 0],
    ]);
    const gaps = Array.from(found.gap.slice(0, 2)).sort((a, b) => a - b);
    expect(gaps[0]).toBeCloseTo(0.18 - 0.2, 12);
    expect(gaps[1]).toBeCloseTo(0.19 - 0.2, 12);
  });

  test('a box pressed into it touches both walls with flat contacts only', () => {
    const found = touch(placeShape(SHAPE.box, [0.2, 0.2, 0.1], [0.698, 0.699, 0.1]), L);
    const gaps = new Map<string, number>();
    normalsOut(found).forEach((n, i) => {
      gaps.set(n.join(), Math.min(gaps.get(n.join()) ?? 0, found.gap[i]));
    });
    expect(gaps.size).toBe(2);
    expect(gaps.get('1,0,0')).toBeCloseTo(-0.002, 12);
    expect(gaps.get('0,1,0')).toBeCloseTo(-0.001, 12);
    // four corners on each wall, up to the depth of the other
    expect(found.count).toBe(8);
  });

  test('a lying capsule along the notch touches both walls at both ends', () => {
    const found = touch(placeShape(SHAPE.capsule, [0.1, 0.1], [0.599, 0.598, 0]), L);
    expect(found.count).toBe(4);
    expect(new Set(normalsOut(found).map((n) => n.join()))).toEqual(new Set(['1,0,0', '0,1,0']));
  });
});

describe('an outer edge', () => {
  test('a sphere rolls around it: the normal turns evenly and the gap stays', () => {
    // edge x = 1, z = 0.5 of the table, from above to beside
    let before = [0, 0, 1];
    for (let i = 0; i <= 200; i++) {
      const angle = ((i / 200) * Math.PI) / 2;
      const radius = 0.1;
      const reach = radius - 0.003;
      const center = [1 + reach * Math.sin(angle), 0.123, 0.5 + reach * Math.cos(angle)];
      const found = touch(placeShape(SHAPE.sphere, [radius], center), TABLE);
      expect(found.count).toBe(1);
      expect(found.gap[0]).toBeCloseTo(-0.003, 12);
      const [n] = normalsOut(found);
      expect(n[0]).toBeCloseTo(Math.sin(angle), 9);
      expect(n[2]).toBeCloseTo(Math.cos(angle), 9);
      expect(Math.hypot(n[0] - before[0], n[2] - before[2])).toBeLessThan(0.0079);
      before = n;
    }
  });

  test('around a corner too', () => {
    const found = touch(placeShape(SHAPE.sphere, [0.1], [1.05, 1.05, 0.55]), TABLE);
    expect(found.count).toBe(1);
    expect(found.gap[0]).toBeCloseTo(Math.sqrt(3) * 0.05 - 0.1, 12);
    for (const x of normalsOut(found)[0]) expect(x).toBeCloseTo(1 / Math.sqrt(3), 12);
  });
});

describe('a box on a table with finely divided sides', () => {
  const random = createRandom(9);

  test('over the edge: the table pushes up and nothing pushes sideways', () => {
    // depths of many small triangles of the side lie inside the box
    for (const depth of [1e-4, 0.01, 0.06]) {
      for (const x of [0.85, 1, 1.15]) {
        const found = touch(placeShape(SHAPE.box, [0.3, 0.3, 0.3], [x, 0.1, 0.8 - depth]), TABLE);
        expect(found.count).toBeGreaterThanOrEqual(4);
        expect(found.count).toBeLessThanOrEqual(8);
        expect(leastGap(found)).toBeCloseTo(-depth, 9);
        for (const n of normalsOut(found)) expect(n).toEqual([0, 0, 1]);
        // the contact reaches from the far corners of the box to the edge of the table
        const xs = Array.from({ length: found.count }, (_, i) => found.position[3 * i]);
        expect(Math.min(...xs)).toBeCloseTo(x - 0.3, 9);
        expect(Math.max(...xs)).toBeCloseTo(Math.min(1, x + 0.3), 9);
      }
    }
  });

  test('larger than the table: it rests on the corners of the table', () => {
    const found = touch(placeShape(SHAPE.box, [3, 3, 0.3], [0.2, 0.1, 0.799]), TABLE);
    expect(found.count).toBe(8);
    const corners = new Set<string>();
    for (let i = 0; i < found.count; i++) {
      expect(found.gap[i]).toBeCloseTo(-0.001, 12);
      const [x, y] = [found.position[3 * i], found.position[3 * i + 1]];
      if (Math.abs(Math.abs(x) - 1) < 1e-9 && Math.abs(Math.abs(y) - 1) < 1e-9) corners.add(`${x > 0},${y > 0}`);
    }
    expect(corners.size).toBe(4);
  });

  test('exactly as large as the table: four corners, no sideways push from the flush sides', () => {
    const found = touch(placeShape(SHAPE.box, [1, 1, 0.2], [0, 0, 0.699]), TABLE);
    expect(found.count).toBeGreaterThanOrEqual(4);
    for (const n of normalsOut(found)) expect(n).toEqual([0, 0, 1]);
    for (const sx of [-1, 1]) {
      for (const sy of [-1, 1]) {
        const isThere = Array.from({ length: found.count }, (_, i) => i).some(
          (i) => Math.hypot(found.position[3 * i] - sx, found.position[3 * i + 1] - sy) < 1e-9,
        );
        expect(isThere).toBe(true);
      }
    }
  });

  test('against the side of the table: pushed sideways only', () => {
    const found = touch(placeShape(SHAPE.box, [0.3, 0.3, 0.3], [1.298, 0.1, 0.4]), TABLE);
    expect(leastGap(found)).toBeCloseTo(-0.002, 9);
    for (const n of normalsOut(found)) expect(n).toEqual([1, 0, 0]);
  });

  test('with a corner down, at any turn: the gap of the lowest corner', () => {
    for (let i = 0; i < takeSamples(200, 0.3); i++) {
      const rotation = toMatrix(smallTurn(random, 0.6));
      const [a, b, c] = [6, 7, 8].map((k) => Math.abs(rotation[k]));
      const lowest = 0.1 * a + 0.2 * b + 0.15 * c;
      const z = 0.5 + lowest - 0.01 * random();
      const box = placeShape(SHAPE.box, [0.1, 0.2, 0.15], [random() - 0.5, random() - 0.5, z], rotation);
      const found = touch(box, TABLE);
      expect(leastGap(found)).toBeCloseTo(z - lowest - 0.5, 9);
      for (const n of normalsOut(found)) expect(n).toEqual([0, 0, 1]);
    }
  });
});

describe('a box on a ridge', () => {
  const ridge = placeMesh(gridMesh(1, 10, (x) => -0.5 * Math.abs(x)));
  test('lies on the line of the ridge, pushed along its own face', () => {
    const found = touch(placeShape(SHAPE.box, [0.4, 0.3, 0.1], [0.05, 0.05, 0.099]), ridge);
    expect(found.count).toBeGreaterThanOrEqual(2);
    const ys: number[] = [];
    for (let i = 0; i < found.count; i++) {
      expect(found.gap[i]).toBeCloseTo(-0.001, 12);
      expect(found.position[3 * i]).toBeCloseTo(0, 12);
      ys.push(found.position[3 * i + 1]);
      expect(found.normal[3 * i + 2]).toBeCloseTo(-1, 12);
    }
    expect(Math.min(...ys)).toBeCloseTo(-0.25, 9);
    expect(Math.max(...ys)).toBeCloseTo(0.35, 9);
  });
});

describe('a torus', () => {
  const ring = placeMesh(torusMesh(1, 0.3, 64, 32));
  test('lets a sphere through its hole and holds a larger one', () => {
    for (let i = 0; i <= 40; i++) {
      const z = -1 + i / 20;
      expect(touch(placeShape(SHAPE.sphere, [0.65], [0, 0, z]), ring).count).toBe(0);
    }
    // the hole is 0.7 wide: a sphere of 0.8 rests on the ring all around
    const height = Math.sqrt((0.8 + 0.3) ** 2 - 1);
    const found = touch(placeShape(SHAPE.sphere, [0.8], [0, 0, height - 0.01]), ring);
    expect(found.count).toBeGreaterThanOrEqual(6);
    const sum = [0, 0, 0];
    for (const n of normalsOut(found))
      n.forEach((x, k) => {
        sum[k] += x;
      });
    expect(sum[2]).toBeGreaterThan(0);
    expect(Math.hypot(sum[0], sum[1])).toBeLessThan(0.3 * sum[2]);
  });
});

describe('an open mesh', () => {
  const ground = placeMesh(gridMesh(1, 4));
  test('pushes back what touches it and lets go of what has passed', () => {
    const at = (z: number) => touch(placeShape(SHAPE.sphere, [0.1], [0.1, 0.2, z]), ground);
    expect(at(0.05).gap[0]).toBeCloseTo(-0.05, 12);
    expect(at(-0.05).gap[0]).toBeCloseTo(-0.15, 12);
    expect(normalsOut(at(-0.05))[0]).toEqual([0, 0, 1]);
    expect(at(-0.2).count).toBe(0);
  });

  test('has an edge at its border', () => {
    const found = touch(placeShape(SHAPE.sphere, [0.1], [1.03, 0.1, 0.04]), ground);
    expect(found.count).toBe(1);
    expect(found.gap[0]).toBeCloseTo(0.05 - 0.1, 12);
    const [n] = normalsOut(found);
    expect(n[0]).toBeCloseTo(0.6, 12);
    expect(n[2]).toBeCloseTo(0.8, 12);
  });
});

describe('degenerate placements', () => {
  const kinds: [number, number[]][] = [
    [SHAPE.sphere, [0]],
    [SHAPE.sphere, [0.1]],
    [SHAPE.capsule, [0.1, 0]],
    [SHAPE.capsule, [0, 0]],
    [SHAPE.capsule, [0.1, 0.2]],
    [SHAPE.box, [0, 0, 0]],
    [SHAPE.box, [0.1, 0, 0.1]],
    [SHAPE.box, [0.1, 0.2, 0.3]],
    [SHAPE.cylinder, [0.1, 0]],
    [SHAPE.cylinder, [0.1, 0.1]],
    [SHAPE.ellipsoid, [0.1, 0.1, 0.1]],
  ];
  test.each(takeCases(kinds, 2))(
    'kind %i of size %j: numbers stay numbers on vertices, edges, faces and centres',
    (kind, size) => {
      for (const mesh of [TABLE, L, placeMesh(boxMesh(1, 1, 0.5, 1))]) {
        for (const position of [
          [0, 0, 0],
          [1, 1, 0.5],
          [1, 0, 0.5],
          [0, 0, 0.5],
          [0.5, 0.5, 0],
          [0.5, 0.5, 0.25],
          [5, 5, 5],
        ]) {
          for (const reach of [0, 0.1, Infinity]) {
            const found = touch(placeShape(kind, size, position), mesh, reach);
            if (reach === Infinity) expect(found.count).toBeGreaterThan(0);
            for (let i = 0; i < found.count; i++) {
              expect(Number.isFinite(found.gap[i])).toBe(true);
              expect(Math.hypot(...found.normal.slice(3 * i, 3 * i + 3))).toBeCloseTo(1, 9);
              for (let k = 0; k < 3; k++) expect(Number.isFinite(found.position[3 * i + k])).toBe(true);
            }
          }
        }
      }
    },
  );
});
