import load, { type MainModule, type MjData, type MjModel } from '@mujoco/mujoco';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { buildPolyhedron } from '../convex/build-polyhedron.ts';
import type { HeightField } from '../height-field.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from '../triangle-mesh/build-triangle-mesh.ts';
import type { TriangleMesh } from '../triangle-mesh/triangle-mesh.ts';
import { castRayShape, RayHit } from './cast-ray.ts';

let mujoco: MainModule;

beforeAll(async () => {
  mujoco = await load();
});

function makeMesh(vertices: ArrayLike<number>, triangles: ArrayLike<number>): TriangleMesh {
  return buildTriangleMesh(vertices, triangles, 'the mesh');
}

/** A ring of 40 by 16 quads. */
function makeRing(): { vertices: number[]; triangles: number[] } {
  const [around, across] = [40, 16];
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const [a, b] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / across];
      const r = 1 + 0.35 * Math.cos(b);
      vertices.push(r * Math.cos(a), r * Math.sin(a), 0.35 * Math.sin(b));
      const [i1, j1] = [(i + 1) % around, (j + 1) % across];
      const [p, q, s, t] = [i * across + j, i1 * across + j, i1 * across + j1, i * across + j1];
      triangles.push(p, q, s, p, s, t);
    }
  }
  return { vertices, triangles };
}

interface Posed {
  model: MjModel;
  data: MjData;
  place(kind: number, shapeData: Parameters<typeof placeShape>[4]): PlacedShape;
}

/** A geom of MuJoCo somewhere, and the same place for ours. */
function pose(asset: string, geom: string): Posed {
  const model = mujoco.MjModel.from_xml_string(
    `<mujoco><asset>${asset}</asset><worldbody><geom ${geom} pos=".3 -.2 .5" quat=".8 .3 -.4 .2"/></worldbody></mujoco>`,
  );
  if (!model) throw new Error('the oracle refused the model');
  const data = new mujoco.MjData(model);
  mujoco.mj_kinematics(model, data);
  return {
    model,
    data,
    place: (kind, shapeData) => placeShape(kind, [], data.geom_xpos.slice(), data.geom_xmat.slice(), shapeData),
  };
}

type Cast = (origin: number[], direction: number[], normal: object) => number;

const RAYS = takeSamples(10_000, 0.05);

/** Casts rays from a box about the shape, by both; rays for which `skip` holds are left out. */
function compareRays(shape: PlacedShape, theirs: Cast, reach: number, skip?: (origin: number[]) => boolean): void {
  const random = createRandom(7);
  const normal = new mujoco.DoubleBuffer(3);
  const hit = new RayHit();
  let hits = 0;
  let worstDistance = 0;
  let worstNormal = 0;
  for (let k = 0; k < RAYS; k++) {
    const spread = k % 3 === 0 ? 0.5 : 2;
    const origin = Array.from(shape.position, (p) => p + spread * reach * (random() - 0.5) * 2);
    const target = Array.from(shape.position, (p) => p + 0.8 * reach * (random() - 0.5) * 2);
    const direction = target.map((t, i) => t - origin[i]!);
    if (skip?.(origin)) continue;
    const expected = theirs(origin, direction, normal);
    if (castRayShape(hit, shape, origin, direction, Infinity) !== expected >= 0) expect.fail(`ray ${k}`);
    if (expected < 0) continue;
    hits++;
    const length = Math.hypot(...direction);
    const n = Array.from(normal.GetView() as Float64Array);
    const steepness = Math.abs(n.reduce((sum, x, i) => sum + (x * direction[i]!) / length, 0));
    worstDistance = Math.max(worstDistance, Math.abs(hit.distance - expected) * length * steepness);
    worstNormal = Math.max(worstNormal, Math.hypot(...n.map((x, i) => x - hit.normal[i]!)));
  }
  normal.delete();
  expect(hits).toBeGreaterThan(0.3 * RAYS);
  // flat pieces of size one: rounding of the numbers that go in
  expect(worstDistance).toBeLessThan(1e-12);
  expect(worstNormal).toBeLessThan(1e-12);
}

/** Vertices and faces as MuJoCo has them, in its frame of the mesh. */
function copyMesh(model: MjModel): { vertices: Float64Array; triangles: Int32Array } {
  return {
    vertices: Float64Array.from(model.mesh_vert as Float32Array),
    triangles: Int32Array.from(model.mesh_face as Int32Array),
  };
}

describe(`${RAYS} random rays against mj_ray`, () => {
  test('triangle mesh', () => {
    const ring = makeRing();
    const asset = `<mesh name="m" vertex="${ring.vertices.join(' ')}" face="${ring.triangles.join(' ')}"/>`;
    const { model, data, place } = pose(asset, 'type="mesh" mesh="m"');
    const { vertices, triangles } = copyMesh(model);
    const shape = place(SHAPE.triangleMesh, { mesh: makeMesh(vertices, triangles) });
    compareRays(
      shape,
      (origin, direction, normal) => mujoco.mj_rayMesh(model, data, 0, origin, direction, normal),
      1.4,
    );
  });

  test('convex mesh', () => {
    const random = createRandom(3);
    const asset = `<mesh name="m" vertex="${Array.from({ length: 90 }, () => random() - 0.5).join(' ')}"/>`;
    const { model, data, place } = pose(asset, 'type="mesh" mesh="m"');
    const { vertices } = copyMesh(model);
    const shape = place(SHAPE.convexMesh, { hull: buildPolyhedron(vertices, undefined, 'the hull') });
    compareRays(
      shape,
      (origin, direction, normal) => mujoco.mj_rayMesh(model, data, 0, origin, direction, normal),
      0.6,
    );
  });

  test('height field, rays from outside', () => {
    const random = createRandom(4);
    const [rows, columns] = [9, 9];
    const elevation = Array.from({ length: rows * columns }, () => random()).join(' ');
    const asset = `<hfield name="h" nrow="${rows}" ncol="${columns}" size="1 1.2 .4 .3" elevation="${elevation}"/>`;
    const { model, data, place } = pose(asset, 'type="hfield" hfield="h"');
    const heightField: HeightField = {
      rows,
      columns,
      halfSizeX: 1,
      halfSizeY: 1.2,
      baseDepth: 0.3,
      heights: Float64Array.from(model.hfield_data as Float32Array, (h) => 0.4 * h),
    };
    const shape = place(SHAPE.heightField, { heightField });
    // MuJoCo takes ground and base for two solids: from inside the one it stops at the other
    const isInside = (origin: number[]): boolean => {
      const [x, y, z] = [0, 1, 2].map((k) =>
        origin.reduce((sum, o, i) => sum + shape.rotation[3 * i + k]! * (o - shape.position[i]!), 0),
      ) as [number, number, number];
      return Math.abs(x) <= 1 && Math.abs(y) <= 1.2 && z >= -0.3 && z <= 0.4;
    };
    compareRays(
      shape,
      (origin, direction, normal) => mujoco.mj_rayHfield(model, data, 0, origin, direction, normal),
      1.2,
      isInside,
    );
  });
});

/** The solid of a height field as triangles: ground, walls and bottom. */
function triangulate(field: HeightField): TriangleMesh {
  const { rows, columns, halfSizeX, halfSizeY, baseDepth, heights } = field;
  const at = (c: number, r: number, z: number): number[] => [
    -halfSizeX + (2 * halfSizeX * c) / (columns - 1),
    -halfSizeY + (2 * halfSizeY * r) / (rows - 1),
    z,
  ];
  const vertices: number[] = [];
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) vertices.push(...at(c, r, heights[r * columns + c]!));
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) vertices.push(...at(c, r, -baseDepth));
  const n = rows * columns;
  const triangles: number[] = [];
  const wall = (a: number, b: number): unknown => triangles.push(a, b, n + a, b, n + b, n + a);
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const k = r * columns + c;
      triangles.push(k, k + 1, k + columns + 1, k, k + columns + 1, k + columns);
      triangles.push(n + k, n + k + columns + 1, n + k + 1, n + k, n + k + columns, n + k + columns + 1);
      if (r === 0) wall(k + 1, k);
      if (r === rows - 2) wall(k + columns, k + columns + 1);
      if (c === 0) wall(k, k + columns);
      if (c === columns - 2) wall(k + columns + 1, k + 1);
    }
  }
  return makeMesh(Float64Array.from(vertices), Int32Array.from(triangles));
}

describe('a height field equals its triangles', () => {
  const random = createRandom(5);
  // numbers of two bits and few places keep grid lines, diagonals and corners exact
  const cases: [string, HeightField][] = [
    ['rough', makeField(9, 17, () => random() - 0.25)],
    ['steps', makeField(5, 9, () => Math.round(random()))],
    ['flat', makeField(3, 3, () => 0)],
    ['two by two', makeField(2, 2, () => random())],
  ];
  function makeField(rows: number, columns: number, height: () => number): HeightField {
    const heights = Float64Array.from({ length: rows * columns }, height);
    return { rows, columns, halfSizeX: 2, halfSizeY: 1, baseDepth: 0.5, heights };
  }

  for (const [name, heightField] of cases) {
    test(name, () => {
      const solid = placeShape(SHAPE.heightField, [], undefined, undefined, { heightField });
      const twin = placeShape(SHAPE.triangleMesh, [], undefined, undefined, { mesh: triangulate(heightField) });
      const [ours, theirs] = [new RayHit(), new RayHit()];
      let hits = 0;
      let sameNormal = 0;
      for (let k = 0; k < takeSamples(6000, 0.3); k++) {
        const free = k % 2 === 0;
        // anywhere, or on corners and lines of the grid and along its axes and diagonals
        const snap = (x: number): number => (free ? x : Math.round(4 * x) / 4);
        const origin = [snap(6 * (random() - 0.5)), snap(4 * (random() - 0.5)), 3 * (random() - 0.4)];
        const direction = [snap(4 * (random() - 0.5)), snap(4 * (random() - 0.5)), snap(3 * (random() - 0.6))];
        // origins on a border face are neither in nor out
        if (Math.abs(origin[0]!) === 2 || Math.abs(origin[1]!) === 1) continue;
        const found = castRayShape(ours, solid, origin, direction, Infinity);
        expect(found, `${origin} along ${direction}`).toBe(castRayShape(theirs, twin, origin, direction, Infinity));
        if (!found) continue;
        hits++;
        const speed = Math.hypot(...direction);
        const steepness = Math.abs(theirs.normal.reduce((sum, n, i) => sum + (n * direction[i]!) / speed, 0));
        expect(
          Math.abs(ours.distance - theirs.distance) * speed * steepness,
          `${origin} along ${direction}: ${ours.distance} ${theirs.distance}`,
        ).toBeLessThan(1e-13 * 10);
        if (Math.hypot(...theirs.normal.map((n, i) => n - ours.normal[i]!)) < 1e-9) sameNormal++;
        else expect(free, `${origin} along ${direction}`).toBe(false);
      }
      expect(hits).toBeGreaterThan(takeSamples(1000, 0.3));
      expect(sameNormal).toBeGreaterThan(0.8 * hits);
    });
  }
});

describe('meshes are tight', () => {
  test('rays at every vertex and edge of a ring from inside and outside hit', () => {
    const ring = makeRing();
    const mesh = makeMesh(Float64Array.from(ring.vertices), Int32Array.from(ring.triangles));
    const shape = placeShape(SHAPE.triangleMesh, [], undefined, undefined, { mesh });
    const hit = new RayHit();
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        const a = 3 * mesh.triangles[t + k]!;
        const b = 3 * mesh.triangles[t + ((k + 1) % 3)]!;
        for (const share of [0, 0.5, 0.3]) {
          const point = [0, 1, 2].map((i) => mesh.vertices[a + i]! * (1 - share) + mesh.vertices[b + i]! * share);
          // from the circle inside the ring through the edge: one way out
          const radius = Math.hypot(point[0]!, point[1]!);
          const inside = [point[0]! / radius, point[1]! / radius, 0];
          const outward = point.map((p, i) => p - inside[i]!);
          expect(castRayShape(hit, shape, inside, outward, Infinity)).toBe(true);
          expect(Math.abs(hit.distance - 1)).toBeLessThan(1e-12);
        }
      }
    }
  });

  test('the tree finds what all triangles looked at one by one do', () => {
    const ring = makeRing();
    const mesh = makeMesh(Float64Array.from(ring.vertices), Int32Array.from(ring.triangles));
    const shape = placeShape(SHAPE.triangleMesh, [], undefined, undefined, { mesh });
    const singles = Array.from({ length: mesh.triangles.length / 3 }, (_, t) =>
      placeShape(SHAPE.triangleMesh, [], undefined, undefined, {
        mesh: makeMesh(mesh.vertices, mesh.triangles.slice(3 * t, 3 * t + 3)),
      }),
    );
    const random = createRandom(9);
    const [hit, single] = [new RayHit(), new RayHit()];
    for (let k = 0; k < takeSamples(300, 0.1); k++) {
      const origin = [0, 1, 2].map(() => 3 * (random() - 0.5));
      const direction = origin.map((o) => 0.8 * (random() - 0.5) - o);
      let nearest = Infinity;
      let feature = -1;
      singles.forEach((triangle, t) => {
        if (!castRayShape(single, triangle, origin, direction, Infinity) || single.distance >= nearest) return;
        nearest = single.distance;
        feature = t;
      });
      castRayShape(hit, shape, origin, direction, Infinity);
      expect([hit.distance, hit.feature]).toEqual([nearest, feature]);
    }
  });
});
