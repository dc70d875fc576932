import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/box-sets.ts';
import { sphereMesh, torusMesh } from '../../testing/closed-meshes.ts';
import { findIntersections, placeMesh } from '../../testing/exact-intersection.ts';
import { findNearestOnTriangle } from '../triangle-distance.ts';
import { CandidateFinder, type CandidateList, type Surface } from './candidate-finder.ts';
import { ADVANCE_DEFAULTS } from './conservative-advancement.ts';
import { buildContactMesh } from './contact-mesh.ts';
import { createPosePaths, PATH, writePoint, writePoseAt } from './pose-path.ts';
import { createStepLimit, limitStep } from './step-limit.ts';

const random = createRandom(21);
const draw = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random() - 1));

const ball = sphereMesh(0.4, 6, 3);
const ring = torusMesh(0.6, 0.15, 10, 5);
const BALL = buildContactMesh({ vertices: ball.vertices, triangles: ball.faces });
const RING = buildContactMesh({ vertices: ring.vertices, triangles: ring.faces });
const ROD = buildContactMesh({ vertices: [-0.5, 0, 0, 0.5, 0, 0], edges: [0, 1], radius: 0.1 });
const DOT = buildContactMesh({ vertices: [0, 0, 0], radius: 0.2 });
const PLATE = buildContactMesh({ vertices: [-1, -1, 0, 1, -1, 0, 0, 1.5, 0], triangles: [0, 1, 2] });
const WIRE = buildContactMesh({ vertices: [-0.5, -0.2, 0, 0.5, -0.2, 0, 0, 0.6, 0], edges: [0, 1, 1, 2, 2, 0] });

function place(paths: Float64Array, i: number, position: number[], displacement: number[], turn: number[]): void {
  paths.set(position, PATH.stride * i + PATH.position);
  paths.set(displacement, PATH.stride * i + PATH.displacement);
  paths.set(turn, PATH.stride * i + PATH.turn);
}

const keys = (list: CandidateList): Set<string> =>
  new Set(Array.from({ length: list.count }, (_, k) => list.values.subarray(4 * k, 4 * k + 4).join()));

test('edges once each, loose ones apart, and what a mesh cannot be', () => {
  // closed: V − E + F is 2 for the ball, 0 for the ring
  expect(BALL.vertices.length / 3 - BALL.edges.length / 2 + BALL.triangles.length / 3).toBe(2);
  expect(RING.vertices.length / 3 - RING.edges.length / 2 + RING.triangles.length / 3).toBe(0);
  expect([BALL.looseEdges.length, BALL.loosePoints.length]).toEqual([0, 0]);
  expect(BALL.reach).toBeCloseTo(0.4, 14);
  expect([...ROD.looseEdges, ...ROD.loosePoints]).toEqual([0]);
  expect([...DOT.loosePoints]).toEqual([0]);
  const mixed = buildContactMesh({ vertices: new Float64Array(18), triangles: [0, 1, 2], edges: [1, 0, 2, 3, 4, 4] });
  expect([...mixed.edges]).toEqual([0, 1, 1, 2, 0, 2, 2, 3]);
  expect([...mixed.looseEdges]).toEqual([3]);
  expect([...mixed.loosePoints]).toEqual([4, 5]);
  const build =
    (vertices: number[], triangles: number[], radius = 0) =>
    () =>
      buildContactMesh({ vertices, triangles, radius });
  expect(build([0, 0], [])).toThrow('2 coordinates');
  expect(build([0, 0, 0, Number.NaN, 0, 0], [])).toThrow('vertex 1 that is not finite');
  expect(build([0, 0, 0], [0, 0, 1])).toThrow('vertex 1 of 1');
  expect(build([0, 0, 0], [0, 0])).toThrow('2 numbers');
  expect(build([0, 0, 0], [], -1)).toThrow('radius of -1');
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('candidates', () => {
  test('all points that samples of the paths find near a triangle, and edges near edges, are among them', () => {
    for (let n = 0; n < 6; n++) {
      const surfaces: Surface[] = [
        { mesh: BALL, body: 0 },
        { mesh: RING, body: 1 },
      ];
      const finder = new CandidateFinder(surfaces);
      const paths = createPosePaths(2);
      place(paths, 0, draw(0.5), draw(0.6), draw(n % 2 === 0 ? 3 : 0.2));
      place(paths, 1, draw(0.8), draw(0.6), draw(n % 3 === 0 ? 3 : 0.2));
      const reach = 0.05;
      finder.find(paths, reach);
      const found = keys(finder.pointTriangle);
      const edges = keys(finder.edgeEdge);
      const world = surfaces.map(({ mesh }) => new Float64Array(mesh.vertices.length));
      const corners = new Float64Array(9);
      for (let s = 0; s <= 12; s++) {
        surfaces.forEach(({ mesh, body }, m) => {
          for (let v = 0; v < mesh.vertices.length; v += 3) {
            writePoint(world[m], v, paths, body, mesh.vertices, v, s / 12);
          }
        });
        for (const [a, b] of [
          [0, 1],
          [1, 0],
        ]) {
          const { triangles } = surfaces[b].mesh;
          for (let t = 0; t < triangles.length / 3; t++) {
            for (let c = 0; c < 3; c++)
              corners.set(world[b].subarray(3 * triangles[3 * t + c], 3 * triangles[3 * t + c] + 3), 3 * c);
            for (let v = 0; v < world[a].length / 3; v++) {
              const [x, y, z] = world[a].subarray(3 * v, 3 * v + 3);
              if (findNearestOnTriangle(corners, 0, x, y, z) > reach * reach) continue;
              if (!found.has([a, v, b, t].join())) expect.fail(`vertex ${v} of ${a} is near triangle ${t} of ${b}`);
            }
          }
        }
        // edges: places along both
        const places = [0, 0.25, 0.5, 0.75, 1];
        for (let e = 0; e < BALL.edges.length / 2; e++) {
          for (let f = 0; f < RING.edges.length / 2; f++) {
            const isNear = places.some((p) =>
              places.some((q) => {
                let square = 0;
                for (let k = 0; k < 3; k++) {
                  const x = (1 - p) * world[0][3 * BALL.edges[2 * e] + k] + p * world[0][3 * BALL.edges[2 * e + 1] + k];
                  const y = (1 - q) * world[1][3 * RING.edges[2 * f] + k] + q * world[1][3 * RING.edges[2 * f + 1] + k];
                  square += (x - y) ** 2;
                }
                return square <= reach * reach;
              }),
            );
            if (isNear && !edges.has([0, e, 1, f].join())) expect.fail(`edges ${e} and ${f} are near`);
          }
        }
      }
      // and not simply all of them
      expect(found.size).toBe(finder.pointTriangle.count);
      if (n === 1) expect(found.size).toBeLessThan(0.5 * (17 + 50) * 100);
    }
  });

  test('pairs of many surfaces: as by looking at all, without those left out, none of one body', () => {
    const surfaces: Surface[] = Array.from({ length: 40 }, (_, k) => ({
      mesh: k % 2 === 0 ? BALL : WIRE,
      body: k >> 1,
    }));
    const paths = createPosePaths(20);
    for (let b = 0; b < 20; b++) place(paths, b, draw(2), draw(0.5), draw(2));
    const mayMeet = (a: number, b: number): boolean => (a + b) % 5 !== 0;
    const finder = new CandidateFinder(surfaces, mayMeet);
    finder.find(paths, 0.1);
    const { boxes } = finder;
    const expected = new Set<string>();
    for (let a = 0; a < 40; a++) {
      for (let b = a + 1; b < 40; b++) {
        if (a >> 1 === b >> 1 || !mayMeet(a, b)) continue;
        if (
          [0, 1, 2].every((k) => boxes[6 * a + k] <= boxes[6 * b + 3 + k] && boxes[6 * b + k] <= boxes[6 * a + 3 + k])
        ) {
          expected.add(`${a} ${b}`);
        }
      }
    }
    const pairs = Array.from({ length: finder.pairs.count }, (_, k) =>
      finder.pairs.values.subarray(2 * k, 2 * k + 2).join(' '),
    );
    expect(new Set(pairs)).toEqual(expected);
    expect(pairs.length).toBe(expected.size);
    expect(pairs.length).toBeGreaterThan(10);
    expect(pairs.length).toBeLessThan(700);
  });
});

describe('the step that candidates allow', () => {
  const limit = createStepLimit();

  test('a rotor of half a turn and a point that start and end do not tell', () => {
    const rotor = buildContactMesh({ vertices: [-1, 0, 0, 1, 0, 0, 0, 0, 0.2], triangles: [0, 1, 2] });
    const point = buildContactMesh({ vertices: [0, 0.5, 0.05] });
    const finder = new CandidateFinder([
      { mesh: rotor, body: 0 },
      { mesh: point, body: 1 },
    ]);
    const paths = createPosePaths(2);
    paths.set([0, 0, Math.PI], PATH.turn);
    finder.find(paths, 0);
    expect(finder.pointTriangle.count).toBe(1);
    limitStep(limit, finder, paths, 0, { ...ADVANCE_DEFAULTS, fraction: 0.999, rest: 1e-3 });
    expect(limit).toMatchObject({ kind: 'pointTriangle', candidate: 0, status: 'hit', queries: 1 });
    expect(limit.time).toBeLessThanOrEqual(0.5);
    expect(limit.time).toBeGreaterThan(0.49);
  });

  // radii 0.1 and 0.2 and a separation of 0.05; the rod lies along x at the origin and the dot comes down
  test.each([
    ['a sphere on the side of a capsule', ROD, DOT, 'pointEdge', 1 - 0.35],
    ['two spheres', DOT, DOT, 'pointPoint', 1 - 0.45],
    ['two capsules', ROD, ROD, 'edgeEdge', 1 - 0.25],
    ['a sphere on a face', PLATE, DOT, 'pointTriangle', 1 - 0.25],
    ['a capsule on a ball', BALL, ROD, 'edgeEdge', 1 - 0.4 - 0.15],
  ] as const)('%s', (_, below, above, kind, fall) => {
    const finder = new CandidateFinder([
      { mesh: below, body: 0 },
      { mesh: above, body: 1 },
    ]);
    const paths = createPosePaths(2);
    place(paths, 1, [0, 0, 1], [0, 0, -1], [0, 0, 0]);
    finder.find(paths, 0.05);
    limitStep(limit, finder, paths, 0.05, { ...ADVANCE_DEFAULTS, fraction: 0.999, rest: 1e-3 });
    expect(limit.kind).toBe(kind);
    expect(limit.time).toBeLessThanOrEqual(fall + 1e-12);
    expect(limit.time).toBeGreaterThan(fall - 2e-3);
  });

  test('random bodies that turn fast: no crossing up to the limit, one soon after a hit', () => {
    const surfaces: Surface[] = [BALL, RING, BALL, RING, WIRE, BALL].map((mesh, body) => ({ mesh, body }));
    const finder = new CandidateFinder(surfaces);
    let hits = 0;
    let crossings = 0;
    const pose = new Float64Array(7);
    const intersect = (paths: Float64Array, t: number): boolean => {
      const meshes = surfaces.map(({ mesh, body }) => {
        writePoseAt(pose, 0, paths, body, t);
        return placeMesh(mesh, { position: pose.subarray(0, 3), orientation: pose.subarray(3, 7) }, 0);
      });
      return findIntersections(meshes).length > 0;
    };
    for (let n = 0; n < 24; n++) {
      const paths = createPosePaths(surfaces.length);
      surfaces.forEach((_, b) => {
        const corner = [b & 1, (b >> 1) & 1, b >> 2].map((x) => 1.9 * x - 0.95);
        place(
          paths,
          b,
          corner.map((x, k) => x + draw(0.1)[k]),
          corner.map((x) => -(0.3 + random()) * x),
          draw(n % 2 === 0 ? 1 : 5),
        );
      });
      finder.find(paths, 1e-3);
      limitStep(limit, finder, paths, 0);
      if (intersect(paths, 0)) {
        expect(limit.time).toBe(0);
        continue;
      }
      expect(limit.capped).toBe(0);
      expect(limit.time).toBeGreaterThan(0);
      if (limit.candidate < 0) expect(limit.time).toBe(1);
      else hits++;
      for (let s = 1; s <= 8; s++) expect(intersect(paths, (limit.time * s) / 8)).toBe(false);
      // the finest answer is the true time: crossing begins there
      limitStep(limit, finder, paths, 0, { ...ADVANCE_DEFAULTS, fraction: 0.999, rest: 1e-4, limit: 4000 });
      expect(intersect(paths, limit.time)).toBe(false);
      if (limit.candidate >= 0 && limit.time < 0.99 && intersect(paths, limit.time + 0.01)) crossings++;
    }
    expect(hits).toBeGreaterThan(12);
    expect(crossings).toBeGreaterThan(0.7 * hits);
  });

  test('nothing is kept once the lists have grown', () => {
    const surfaces: Surface[] = [BALL, RING, BALL].map((mesh, body) => ({ mesh, body }));
    const finder = new CandidateFinder(surfaces);
    const sets = [1, 2, 3].map(() => {
      const paths = createPosePaths(3);
      for (let b = 0; b < 3; b++) place(paths, b, [1.05 * b, 0, 0], draw(0.3), draw(0.5));
      return paths;
    });
    const run = (k: number): void => {
      finder.find(sets[k % 3], 0.01);
      limitStep(limit, finder, sets[k % 3], 0);
    };
    for (let k = 0; k < 1000; k++) run(k);
    const buffers = process.memoryUsage().arrayBuffers;
    // what is kept shows in every round; what the host compiles meanwhile in one or two
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      for (let k = 0; k < 600; k++) run(k);
      collectGarbage();
      least = Math.min(least, process.memoryUsage().heapUsed - before);
    }
    expect(limit.queries).toBeGreaterThan(30);
    expect(least).toBeLessThan(50_000);
    expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(buffers);
  });
});
