/**
 * Screw threads: a profile of four corners (root, root, crest, crest) drawn along a helix of lead p, so that all edges follow it.
 *   corner k of the profile at angle θ:  (r_k cos θ, r_k sin θ, p θ/2π + a_k),  a_k along the axis, r_k the radius, m
 * The bolt is closed by a fan at each end. The nut is its inner surface alone, a sheet, wider by a clearance on all sides.
 */
import type { MeshAsset } from '@nexdyn/engine';

/** Sizes of a thread, m. */
export interface Thread {
  /** Way along the axis in a turn. */
  lead: number;
  rootRadius: number;
  crestRadius: number;
  /** Way along the axis that a flank takes between root and crest. */
  flank: number;
  /** Corners in a turn. */
  segments: number;
}

/** What the nut leaves free around the bolt, m. */
export interface Clearance {
  axial: number;
  radial: number;
}

/** A right-handed bolt along z, its middle at the origin. */
export function createBolt(name: string, thread: Thread, turns: number): MeshAsset {
  const { vertices, faces, at, rows } = drawThread(thread, turns, { axial: 0, radial: 0 });
  const { segments: n } = thread;
  const bottom = vertices.length / 3;
  vertices.push(0, 0, vertices[2]!);
  vertices.push(0, 0, vertices[3 * at(rows, 0) + 2]!);
  for (const [row, centre, isUp] of [
    [0, bottom, false],
    [rows, bottom + 1, true],
  ] as const) {
    // a turn of the helix, and back along the profile
    const loop = Array.from({ length: n + 1 }, (_, i) => at(row + i, 0));
    loop.push(at(row, 3), at(row, 2), at(row, 1));
    loop.forEach((v, i) => {
      const next = loop[(i + 1) % loop.length]!;
      faces.push(centre, ...(isUp ? [v, next] : [next, v]));
    });
  }
  return { name, vertices, faces, inertia: 'exact' };
}

/** The inner surface of a nut for such a bolt. */
export function createNut(name: string, thread: Thread, turns: number, clearance: Clearance): MeshAsset {
  const { vertices, faces } = drawThread(thread, turns, clearance);
  return { name, vertices, faces };
}

function drawThread({ lead, rootRadius, crestRadius, flank, segments: n }: Thread, turns: number, free: Clearance) {
  const rows = n * turns;
  const width = lead / 2 - flank;
  const profile: [along: number, radius: number][] = [
    [free.axial, rootRadius + free.radial],
    [width - free.axial, rootRadius + free.radial],
    [width + flank - free.axial, crestRadius + free.radial],
    [2 * width + flank + free.axial, crestRadius + free.radial],
  ];
  const vertices: number[] = [];
  const faces: number[] = [];
  // rows up to the end have the whole profile; one more turn has its first corner
  const at = (row: number, k: number): number => (row <= rows ? 4 * row + k : 4 * (rows + 1) + row - rows - 1);
  for (let row = 0; row <= rows + n; row++) {
    const angle = (2 * Math.PI * row) / n;
    for (const [along, radius] of row <= rows ? profile : profile.slice(0, 1)) {
      const z = lead * (row / n - (turns + 1) / 2) + along;
      vertices.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < 4; k++) {
      const above = (r: number): number => (k < 3 ? at(r, k + 1) : at(r + n, 0));
      const [a, b, c, d] = [at(row, k), at(row + 1, k), above(row + 1), above(row)];
      faces.push(a, b, c, a, c, d);
    }
  }
  return { vertices, faces, at, rows };
}
