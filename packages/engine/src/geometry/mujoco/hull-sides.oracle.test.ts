/** The sides of hulls against MuJoCo's polygons: of round, bent and flat bodies. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPolyhedron } from '../convex/build-polyhedron.ts';
import { findSides } from './hull-sides.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await loadMujoco({ print: () => {}, printErr: () => {} });
});

/** Polygons by the numbers of their points, sorted. */
function askMujoco(points: readonly number[]): string[] {
  const model = mujoco.MjModel.from_xml_string(`<mujoco><asset><mesh name="m" vertex="${points.join(' ')}"/></asset>
    <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>`);
  if (!model) throw new Error('MuJoCo refused the mesh');
  try {
    const polygons = Array.from({ length: model.mesh_polynum[0]! }, (_, i) => {
      const start = model.mesh_polyvertadr[i]!;
      return [...model.mesh_polyvert.subarray(start, start + model.mesh_polyvertnum[i]!)];
    });
    return polygons.map((polygon) => polygon.sort((a, b) => a - b).join(' ')).sort();
  } finally {
    model.delete();
  }
}

function listSides(points: readonly number[]): string[] {
  const numbers = new Map<string, number>();
  for (let i = 0; i < points.length; i += 3) numbers.set(points.slice(i, i + 3).join(' '), i / 3);
  const hull = buildPolyhedron(points, undefined, 'the points', {}, { flatness: 1e-12 });
  const { faceStart, faceVertex, faceNormal } = findSides(hull);
  return Array.from({ length: faceStart.length - 1 }, (_, f) => {
    const corners = [...faceVertex.subarray(faceStart[f], faceStart[f + 1])];
    const [x, y, z] = [faceNormal[3 * f], faceNormal[3 * f + 1], faceNormal[3 * f + 2]];
    expect(x * x + y * y + z * z).toBeCloseTo(1, 12);
    const own = corners.map((v) => numbers.get([...hull.vertices.subarray(3 * v, 3 * v + 3)].join(' '))!);
    return own.sort((a, b) => a - b).join(' ');
  }).sort();
}

/** A plate that is curved along x, about y, by an angle in all, and along y where `both`. */
function makePlate(angle: number, count: number, both: boolean): number[] {
  const points: number[] = [];
  for (let i = 0; i <= count; i++) {
    for (let j = 0; j <= count; j++) {
      const [u, v] = [(i / count - 0.5) * angle + 0.3, (j / count - 0.5) * angle];
      const height = Math.cos(u - 0.3) + (both ? Math.cos(v) : 0);
      points.push(i / count - 0.5, 0.7 * (j / count - 0.5), (height + 0.01 * (i / count)) / angle);
    }
  }
  points.push(-0.6, -0.5, -9, 0.6, -0.5, -9, 0.6, 0.5, -9, -0.6, 0.5, -9);
  return points.map(Math.fround);
}

/** Points on an ellipsoid, of no special order. */
function makeRound(count: number): number[] {
  const points: number[] = [];
  for (let n = 0; n < count; n++) {
    const z = 1 - (2 * (n + 0.5)) / count;
    const [r, angle] = [Math.sqrt(1 - z * z), 2.39996 * n];
    points.push(r * Math.cos(angle), 0.8 * r * Math.sin(angle), 0.6 * z);
  }
  return points.map(Math.fround);
}

describe('sides of a hull', () => {
  test('of round bodies: triangles, and some that are joined where they are small', () => {
    for (const count of [30, 200, 900]) expect(listSides(makeRound(count))).toEqual(askMujoco(makeRound(count)));
  });

  test.each([
    [0.02, 12, false],
    [0.05, 9, false],
    [0.3, 15, false],
    [0.04, 6, true],
  ])('of a plate curved by %f rad in %i pieces', (angle, count, both) => {
    const points = makePlate(angle, count, both);
    const theirs = askMujoco(points);
    expect(listSides(points)).toEqual(theirs);
    // some are joined although they are not in one plane
    if (!both) expect(theirs.length).toBeLessThan(count + 60);
  });

  test('of a prism are its flat sides', () => {
    const points: number[] = [];
    for (let i = 0; i < 18; i++) {
      for (const z of [-1, 1]) points.push(Math.cos((i * Math.PI) / 9), Math.sin((i * Math.PI) / 9), z);
    }
    const single = points.map(Math.fround);
    expect(listSides(single)).toEqual(askMujoco(single));
    expect(listSides(single).length).toBe(20);
  });
});
