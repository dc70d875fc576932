/** Solids from broken surfaces: volume and distance against the whole shape that was broken. */
import { expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import { describeRepair, meshRepairedSurface } from './repaired-surface.ts';
import { meshClosedSurface } from './solid-mesher.ts';
import { computeVolumes } from './tetrahedral-mesh.ts';

interface Surface {
  vertices: number[];
  faces: number[];
}

/** A sphere of the given radius about a point, from `rows` rings. */
function makeSphere(rows: number, radius = 0.1, x = 0): Surface {
  const vertices: number[] = [x, 0, radius];
  const columns = 2 * rows;
  for (let i = 1; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      const [a, b] = [(Math.PI * i) / rows, (2 * Math.PI * j) / columns];
      vertices.push(x + radius * Math.sin(a) * Math.cos(b), radius * Math.sin(a) * Math.sin(b), radius * Math.cos(a));
    }
  vertices.push(x, 0, -radius);
  const at = (i: number, j: number) => 1 + (i - 1) * columns + (j % columns);
  const last = vertices.length / 3 - 1;
  const faces: number[] = [];
  for (let j = 0; j < columns; j++) {
    faces.push(0, at(1, j), at(1, j + 1), last, at(rows - 1, j + 1), at(rows - 1, j));
    for (let i = 1; i < rows - 1; i++)
      faces.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  }
  return { vertices, faces };
}

function join(...parts: Surface[]): Surface {
  const out: Surface = { vertices: [], faces: [] };
  for (const { vertices, faces } of parts) {
    const first = out.vertices.length / 3;
    out.vertices.push(...vertices);
    out.faces.push(...faces.map((v) => v + first));
  }
  return out;
}

const repair = ({ vertices, faces }: Surface) => meshRepairedSurface(vertices, faces, 0.025, 'the ball', {});
const whole = makeSphere(9);
const volume = (4 / 3) * Math.PI * 0.1 ** 3;

const repaired = repair(whole);

test('a whole surface stays what it is: no faults, no distance, the tetrahedra of the plain mesher', () => {
  const { mesh, repair: told } = repaired;
  const plain = meshClosedSurface(whole.vertices, whole.faces, 0.025);
  expect(told).toMatchObject({ openEdges: 0, crowdedEdges: 0, reversedTriangles: 0, passesThroughItself: false });
  expect(told.largestDistance).toBeLessThan(1e-9);
  expect(told.volume).toBeCloseTo(
    computeVolumes(plain).reduce((a, b) => a + b),
    9,
  );
  expect(mesh.tetrahedra.length).toBe(plain.tetrahedra.length);
});

test('holes are closed by caps that bridge them', () => {
  // two patches of the upper and of the lower side are missing
  const holes = new Set([20, 21, 22, 23, 120, 121, 122, 123]);
  const faces = whole.faces.filter((_, i) => !holes.has(Math.floor(i / 3)));
  expect(() => meshClosedSurface(whole.vertices, faces, 0.025)).toThrow(/'repair'/);
  const { mesh, repair: told } = repair({ vertices: whole.vertices, faces });
  expect(told.openEdges).toBeGreaterThan(6);
  // a hole of 0.05 m in a ball of 0.1 m is bridged within its depth, 0.05²/(8·0.1)
  expect(told.largestDistance).toBeLessThan(0.02);
  expect(Math.abs(told.volume / volume - 1)).toBeLessThan(0.1);
  for (const size of computeVolumes(mesh)) expect(size).toBeGreaterThan(0);
  expect(describeRepair(told)).toMatch(/repaired: \d+ open edges; volume 0\.00\d+ m³ \(.* mm at most/);
});

test('triangles that face the wrong way, without area, or all inside out are put right', () => {
  const faces = [...whole.faces];
  for (const t of [3, 50, 51, 120]) [faces[3 * t], faces[3 * t + 1]] = [faces[3 * t + 1]!, faces[3 * t]!];
  faces.push(5, 5, 6);
  const told = repair({ vertices: whole.vertices, faces }).repair;
  expect(told).toMatchObject({ reversedTriangles: 4, degenerateTriangles: 1, openEdges: 0 });
  expect(told.largestDistance).toBeLessThan(1e-9);
  const inside = repair({ vertices: whole.vertices, faces: [...whole.faces].reverse() }).repair;
  expect(inside.reversedTriangles).toBe(whole.faces.length / 3);
  expect(inside.volume).toBeCloseTo(repaired.repair.volume, 9);
});

test('parts that pass through each other become one solid, without what lies inside', () => {
  const pair = join(makeSphere(9), makeSphere(9, 0.1, 0.1));
  expect(() => meshClosedSurface(pair.vertices, pair.faces, 0.025)).toThrow(/passes through itself.*/);
  const told = repair(pair).repair;
  expect(told.passesThroughItself).toBe(true);
  // two balls less the lens that they share: π (4 r + d)(2 r − d)²/12, of balls of 18 columns 5 % less
  const lens = (Math.PI * (0.4 + 0.1) * (0.2 - 0.1) ** 2) / 12;
  expect(Math.abs(told.volume / (2 * volume - lens) - 1)).toBeLessThan(0.07);
  // the surface has no vertex away from the given triangles
  expect(told.largestDistance).toBeLessThan(1e-9);
});

test('edges that the lattice does not hold are bevelled, and the report says by how much', () => {
  const cube = (low: number, high: number): Surface => ({
    vertices: [...Array(8).keys()].flatMap((i) => [1, 2, 4].map((bit) => (i & bit ? high : low))),
    faces: [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
  });
  const pair = join(cube(0, 0.2), cube(0.103, 0.303));
  const told = meshRepairedSurface(pair.vertices, pair.faces, 0.05, 'the cubes', {}).repair;
  expect(told.largestDistance).toBeLessThan(1e-9);
  // no point of the mesh is farther than 0.97 spacings from the solid (field-mesher.ts), and edges lose up to as much
  const lost = 1 - told.volume / (2 * 0.2 ** 3 - 0.097 ** 3);
  expect(lost).toBeGreaterThan(0.01);
  // at most 24 edges of 0.2 m, right angles, of which a cut at a distance d takes d² of volume a metre
  expect(told.lostDetail).toBeGreaterThan(Math.sqrt((lost * told.volume) / (24 * 0.2)));
  expect(told.lostDetail).toBeLessThan(0.97 * 0.05);
  // a cube on the lattice is exact
  const alone = cube(0, 0.2);
  expect(meshRepairedSurface(alone.vertices, alone.faces, 0.05, 'the cube', {}).repair.lostDetail).toBeLessThan(1e-9);
});

test('a scene asks for it, small scraps are left out, and the model tells', () => {
  const broken = join(makeSphere(10), makeSphere(6, 0.012, 0.2));
  const scene = (extra: object): Scene => ({
    format: 'nexdyn-scene',
    version: 1,
    meshes: [{ name: 'broken', vertices: broken.vertices, faces: broken.faces.slice(9) }],
    softBodies: [
      {
        name: 'ball',
        mesh: { kind: 'surface', mesh: 'broken', resolution: 0.025, ...extra },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
      },
    ],
  });
  expect(() => compileModel(scene({}))).toThrow(
    expect.objectContaining({ code: 'invalid-mesh', hint: expect.stringContaining("'repair'") }),
  );
  const { soft } = compileModel(scene({ repair: true }));
  expect(soft.repair[0]).toMatchObject({ openEdges: 9, droppedParts: 1 });
  expect(soft.mass[0]).toBeCloseTo(1000 * soft.repair[0]!.volume, 9);
});
