/** `maxhullvert`: the vertices of limited hulls, and masses from them, against MuJoCo; 3.14 and 4.0 have the same rule. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import { compileModel, NexdynError, type Scene } from '@nexdyn/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import { readMjcf } from './mjcf.ts';
import { writeMjcf } from './write/write-mjcf.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await loadMujoco({ print: () => {}, printErr: () => {} });
});

const read = (text: string): Scene => readMjcf('a.xml', { files: memoryFiles({ 'a.xml': text }) }).scene;

const list = (text: string): unknown[] =>
  readMjcf('a.xml', { files: memoryFiles({ 'a.xml': text }) }).unsupported.map(({ attribute, affects }) => [
    attribute,
    affects,
  ]);

/** Points of no special position, in single precision. */
function makePoints(seed: number, count: number): number[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const scales = [1, 0.7, 0.4];
  return Array.from({ length: 3 * count }, (_, i) => Math.fround(scales[i % 3]! * (next() + next() + next() - 1.4)));
}

const makeFile = (vertex: readonly number[], most: number, rest = ''): string => `<mujoco><asset>
  <mesh name="m" maxhullvert="${most}" vertex="${vertex.join(' ')}" ${rest}/></asset>
  <worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;

interface Answer {
  vertices: string[];
  mass: number;
  inertia: number[];
}

const key = (x: number, y: number, z: number): string => [x, y, z].map((value) => value.toFixed(6)).join(' ');

// the hull in the frame of the file: MuJoCo turns and shifts meshes to their principal axes
function askMujoco(text: string, points: readonly number[]): Answer {
  const model = mujoco.MjModel.from_xml_string(text);
  if (!model) throw new Error('MuJoCo refused the file');
  try {
    const graph = [...model.mesh_graph];
    const count = graph[0]!;
    const vertices = graph
      .slice(2 + count, 2 + 2 * count)
      .map((i) => key(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!));
    return {
      vertices: vertices.sort(),
      mass: model.body_mass[1]!,
      inertia: [...model.body_inertia].slice(3, 6).sort(),
    };
  } finally {
    model.delete();
  }
}

function ask(text: string): Answer {
  const model = compileModel(read(text), { formulation: 'mujoco' });
  const { vertices } = model.geometry.hull[0]!;
  const listed: string[] = [];
  for (let i = 0; i < vertices.length; i += 3) listed.push(key(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!));
  const { body } = model;
  return { vertices: listed.sort(), mass: body.mass[1]!, inertia: [...body.inertiaMoments.subarray(3, 6)].sort() };
}

describe('maxhullvert', () => {
  test('stops the hull where MuJoCo stops it, and gives its mass', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const points = makePoints(seed, 15 + 5 * seed);
      const text = makeFile(points, 4 + (seed % 23));
      const [own, theirs] = [ask(text), askMujoco(text, points)];
      expect(own.vertices).toEqual(theirs.vertices);
      expect(own.mass / theirs.mass).toBeCloseTo(1, 9);
      for (let k = 0; k < 3; k++) expect(own.inertia[k]! / theirs.inertia[k]!).toBeCloseTo(1, 6);
    }
  });

  test('holds for meshes with faces, scaled, with mass from the hull', () => {
    const points = makePoints(99, 12);
    const faces = [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2, 4, 5, 6, 7, 8, 9, 9, 10, 11];
    const text = makeFile(points, 6, `face="${faces.join(' ')}" inertia="convex"`);
    const [own, theirs] = [ask(text), askMujoco(text, points)];
    expect(own.vertices).toEqual(theirs.vertices);
    expect(own.mass / theirs.mass).toBeCloseTo(1, 9);
  });

  test('scaled and mirrored it has the same vertices; stretched or turned, the choice is listed', () => {
    for (const scale of ['.001 .001 .001', '1 -1 1', '-2 2 -2']) {
      const points = makePoints(11, 60);
      const text = makeFile(points, 9, `scale="${scale}"`);
      const factors = scale.split(' ').map(Number);
      const scaled = points.map((value, i) => value * factors[i % 3]!);
      expect(ask(text).vertices).toEqual(askMujoco(text, scaled).vertices);
      expect(list(text)).toEqual([]);
    }
    for (const rest of ['scale="1 3 .5"', 'refquat=".9 .3 .2 .1"']) {
      expect(list(makeFile(makePoints(11, 60), 9, rest))).toEqual([['maxhullvert', 'physics']]);
      expect(list(makeFile(makePoints(11, 60), -1, rest))).toEqual([]);
    }
  });

  test('is written, and -1 is no limit', () => {
    const points = makePoints(7, 30);
    const scene = read(makeFile(points, 9));
    expect(scene.meshes![0]!.hullVertices).toBe(9);
    const { text } = writeMjcf(scene);
    expect(text).toContain('maxhullvert="9"');
    expect(read(text).meshes![0]!.hullVertices).toBe(9);
    expect(read(makeFile(points, -1)).meshes![0]!.hullVertices).toBeUndefined();
    for (const wrong of [0, 3, -2]) expect(() => read(makeFile(points, wrong))).toThrow(NexdynError);
  });
});
