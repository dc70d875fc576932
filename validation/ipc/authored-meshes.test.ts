/** The meshes of these scenes are what they are said to be: closed, turned outwards, of the right volume. */
import type { MeshAsset } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createDrilledBar } from './drilled-bar.ts';
import { createSpike, createTetrahedron, createWedge } from './sharp-meshes.ts';
import { createBolt, createNut } from './thread-mesh.ts';

/** Edges that are not run through once in each direction. */
function countOpenEdges({ faces }: MeshAsset): number {
  const runs = new Map<string, number>();
  for (let f = 0; f < faces!.length; f += 3) {
    for (let k = 0; k < 3; k++) {
      const key = `${faces![f + k]} ${faces![f + ((k + 1) % 3)]}`;
      runs.set(key, (runs.get(key) ?? 0) + 1);
    }
  }
  return [...runs].filter(([key, count]) => count !== 1 || runs.get(key.split(' ').reverse().join(' ')) !== 1).length;
}

/** Signed volume, m³: positive where faces are turned outwards. */
function measureVolume({ vertices, faces }: MeshAsset): number {
  let volume = 0;
  for (let f = 0; f < faces!.length; f += 3) {
    const [p, q, r] = [0, 1, 2].map((k) => vertices.slice(3 * faces![f + k]!, 3 * faces![f + k]! + 3)) as number[][];
    volume +=
      (p![0]! * (q![1]! * r![2]! - q![2]! * r![1]!) +
        p![1]! * (q![2]! * r![0]! - q![0]! * r![2]!) +
        p![2]! * (q![0]! * r![1]! - q![1]! * r![0]!)) /
      6;
  }
  return volume;
}

/** Area of a polygon of n corners on a circle. */
const polygon = (n: number, r: number): number => 0.5 * n * r * r * Math.sin((2 * Math.PI) / n);

describe('meshes', () => {
  const thread = { lead: 0.05, rootRadius: 0.08, crestRadius: 0.1, flank: 3e-3, segments: 24 };
  const tetrahedron = createTetrahedron('tet', [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 0],
  ]);
  const bar = { length: 1, halfWidth: 0.05, halfThickness: 0.02, holeRadius: 0.021, corners: 48 };

  test.each([
    ['spike', createSpike('a', 0.5, 1), 1 / 3, 1e-12],
    ['wedge', createWedge('a', 0.5, 1, 0.5), 1 / 2, 1e-12],
    ['tetrahedron', tetrahedron, 1 / 6, 1e-12],
    // its outline is a rectangle but for its lower corners, which are cut where the last corner of a side is
    ['drilled bar', createDrilledBar('a', bar), 0.04 * (0.1 * 1.05 - polygon(48, 0.021)), 0.04 * 0.1 * 0.06],
  ] as const)('%s', (_, mesh, volume, tolerance) => {
    expect(countOpenEdges(mesh)).toBe(0);
    expect(Math.abs(measureVolume(mesh) - volume)).toBeLessThan(tolerance);
  });

  test('a bolt is closed, and one turn more adds a turn of its root and its crest', () => {
    const bolts = [3, 4].map((turns) => createBolt('bolt', thread, turns));
    for (const bolt of bolts) expect(countOpenEdges(bolt)).toBe(0);
    const [root, crest] = [polygon(24, 0.08), polygon(24, 0.1)];
    // half of the lead less a flank each, and flanks between, whose radius goes evenly from one to the other
    const flank = polygon(24, 1) * ((0.08 ** 2 + 0.08 * 0.1 + 0.1 ** 2) / 3);
    const turn = 0.022 * (root + crest) + 2 * 3e-3 * flank;
    const added = measureVolume(bolts[1]!) - measureVolume(bolts[0]!);
    // facets twist along the helix: a share of (2π/24)²
    expect(Math.abs(added / turn - 1)).toBeLessThan(0.02);
  });

  test('a nut is the bolt with its clearance, and open at both ends', () => {
    const nut = createNut('nut', thread, 2, { axial: 5e-4, radial: 2e-3 });
    const radii = Array.from({ length: nut.vertices.length / 3 }, (_, v) =>
      Math.hypot(nut.vertices[3 * v]!, nut.vertices[3 * v + 1]!),
    );
    expect(Math.min(...radii)).toBeCloseTo(0.082, 12);
    expect(Math.max(...radii)).toBeCloseTo(0.102, 12);
    expect(countOpenEdges(nut)).toBeGreaterThan(24);
  });
});
