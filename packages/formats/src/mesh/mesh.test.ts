import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import { NexdynError } from '@nexdyn/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../../../../scripts/long-run.ts';
import { type MeshData, readMesh } from './mesh.ts';

const MODELS = process.env.NEXDYN_MODELS ?? join(import.meta.dirname, '../../../../../shared/models');
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A binary STL of the given corners, nine numbers per triangle. */
function makeStl(corners: number[], claimed = corners.length / 9): Uint8Array {
  const bytes = new Uint8Array(84 + (corners.length / 9) * 50);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, claimed, true);
  corners.forEach((value, i) => {
    view.setFloat32(84 + Math.floor(i / 9) * 50 + 12 + (i % 9) * 4, value, true);
  });
  return bytes;
}

/** A MuJoCo MSH with the given header counts. */
function makeMsh(counts: number[], vertices: number[], faces: number[]): Uint8Array {
  const bytes = new Uint8Array(16 + 4 * (vertices.length + faces.length));
  const view = new DataView(bytes.buffer);
  counts.forEach((count, i) => {
    view.setInt32(4 * i, count, true);
  });
  vertices.forEach((value, i) => {
    view.setFloat32(16 + 4 * i, value, true);
  });
  faces.forEach((index, i) => {
    view.setInt32(16 + 4 * (vertices.length + i), index, true);
  });
  return bytes;
}

const TETRAHEDRON = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const TETRAHEDRON_FACES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
const corners = TETRAHEDRON_FACES.flatMap((v) => TETRAHEDRON.slice(3 * v, 3 * v + 3));

/** Six times the signed volume. */
function signedVolume({ vertices: v, faces }: MeshData): number {
  let sum = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    sum +=
      v[a] * (v[b + 1] * v[c + 2] - v[b + 2] * v[c + 1]) +
      v[a + 1] * (v[b + 2] * v[c] - v[b] * v[c + 2]) +
      v[a + 2] * (v[b] * v[c + 1] - v[b + 1] * v[c]);
  }
  return sum;
}

describe('formats', () => {
  test('binary STL merges equal vertices in order of appearance', () => {
    const mesh = readMesh('a.stl', makeStl(corners));
    expect(mesh.vertices).toEqual([0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1]);
    expect(mesh.faces).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3]);
    expect(signedVolume(mesh)).toBe(1);
  });

  test('binary STL that begins with `solid` is read as binary', () => {
    const bytes = makeStl(corners);
    bytes.set(encode('solid made by somebody'));
    expect(readMesh('a.STL', bytes).faces).toHaveLength(12);
  });

  test('ASCII STL gives what the same binary gives', () => {
    const facets = [0, 1, 2, 3].map((f) => {
      const vertex = (k: number): string => `vertex ${corners.slice(9 * f + 3 * k, 9 * f + 3 * k + 3).join(' ')}`;
      return ` facet normal 0 0 0\n  outer loop\n   ${[0, 1, 2].map(vertex).join('\n   ')}\n  endloop\n endfacet\n`;
    });
    const text = `solid t\n${facets.join('')}endsolid t\n`;
    expect(readMesh('a.stl', encode(text))).toEqual(readMesh('a.stl', makeStl(corners)));
    expect(readMesh('a.stl', encode(text.replaceAll('\n', '\r\n')))).toEqual(readMesh('a.stl', makeStl(corners)));
  });

  test('many distinct vertices stay distinct', () => {
    // 40,000 vertices on a grid force the table to grow; each appears twice
    const grid = Array.from({ length: 40_000 }, (_, i) => [i % 200, Math.floor(i / 200), (i * 7919) % 31]);
    const flat = [...grid, ...grid].flat().slice(0, 9 * Math.floor(80_000 / 3));
    const mesh = readMesh('a.stl', makeStl(flat));
    expect(mesh.vertices).toEqual(grid.flat());
    expect(mesh.faces[0]).toBe(0);
    expect(mesh.faces[40_000]).toBe(0);
    expect(mesh.faces[40_123]).toBe(123);
  });

  test('MSH', () => {
    const mesh = readMesh('a.msh', makeMsh([4, 0, 0, 4], TETRAHEDRON, TETRAHEDRON_FACES));
    expect(mesh).toEqual({ vertices: TETRAHEDRON, faces: TETRAHEDRON_FACES });
  });

  test('bytes may be a window into a larger buffer', () => {
    const inner = makeMsh([4, 0, 0, 4], TETRAHEDRON, TETRAHEDRON_FACES);
    const outer = new Uint8Array(inner.length + 9);
    outer.set(inner, 5);
    expect(readMesh('a.msh', outer.subarray(5, 5 + inner.length)).faces).toEqual(TETRAHEDRON_FACES);
  });

  test('OBJ: all corner forms, negative indices, continued lines, single precision', () => {
    const text = '# c\nv 0.1 0 0\nv 1 0 0 1\nv 0 1 0\nvn 0 0 1\nvt 0 0\ng a\nf 1/1/1 2//1 \\\n 3/1\nf -3 -2 -1\n';
    const mesh = readMesh('a.obj', encode(text));
    expect(mesh.vertices).toEqual([Math.fround(0.1), 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(mesh.faces).toEqual([0, 1, 2, 0, 1, 2]);
  });

  test('OBJ: a quad is cut along the shorter diagonal', () => {
    const wide = 'v 0 0 0\nv 2 -1 0\nv 4 0 0\nv 2 1 0\nf 1 2 3 4\n';
    expect(readMesh('a.obj', encode(wide)).faces).toEqual([0, 1, 3, 1, 2, 3]);
    const tall = 'v 1 0 0\nv 2 -3 0\nv 3 0 0\nv 2 3 0\nf 1 2 3 4\n';
    expect(readMesh('a.obj', encode(tall)).faces).toEqual([0, 1, 2, 0, 2, 3]);
  });

  test('OBJ: a hollow polygon keeps its area and orientation', () => {
    // an L of area 3 in a tilted plane, seen from the point (0, 0, 0) as a cone of volume area · distance / 3
    const outline = [0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2];
    const text = [0, 1, 2, 3, 4, 5].map((i) => `v ${outline[2 * i]} ${outline[2 * i + 1]} 5`).join('\n');
    const mesh = readMesh('a.obj', encode(`${text}\nf 4 5 6 1 2 3\n`));
    expect(mesh.faces).toHaveLength(12);
    expect(signedVolume(mesh)).toBeCloseTo(2 * 3 * 5, 12);
    for (let f = 0; f < 12; f += 3) {
      const one = { vertices: mesh.vertices, faces: mesh.faces.slice(f, f + 3) };
      expect(signedVolume(one)).toBeGreaterThan(0);
    }
  });

  test('OBJ: a polygon without area still gives its triangles', () => {
    const text = 'v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\nf 1 2 3 4 5\n';
    expect(readMesh('a.obj', encode(text)).faces).toHaveLength(9);
  });
});

describe('bad input', () => {
  const cases: [name: string, path: string, bytes: Uint8Array, reason: RegExp][] = [
    ['empty file', 'a.stl', new Uint8Array(0), /empty/],
    ['STL of 2^31 faces', 'a.stl', makeStl(corners, 2 ** 31), /2147483648 triangles/],
    ['STL of 2^32 − 1 faces', 'a.stl', makeStl(corners, 2 ** 32 - 1), /4294967295 triangles/],
    ['STL cut off', 'a.stl', makeStl(corners).subarray(0, 200), /but the file has 200/],
    ['STL cut off in the header', 'a.stl', makeStl(corners).subarray(0, 20), /after 20 bytes/],
    ['STL with bytes to spare', 'a.stl', new Uint8Array([...makeStl(corners), 0]), /but the file has 285/],
    ['STL without triangles', 'a.stl', makeStl([]), /no triangles/],
    ['STL with NaN', 'a.stl', makeStl([...corners.slice(0, 8), Number.NaN]), /triangle 0/],
    ['STL with Infinity', 'a.stl', makeStl([...corners.slice(0, 9), ...corners.slice(0, 8), 1 / 0]), /triangle 1/],
    ['ASCII STL with a word', 'a.stl', encode('solid\nouter loop\nvertex 0 0 x\n'), /is not a vertex/],
    [
      'ASCII STL with four corners',
      'a.stl',
      encode(`solid\nouter loop\n${'vertex 0 0 0\n'.repeat(4)}endloop`),
      /4 ver/,
    ],
    ['ASCII STL cut off', 'a.stl', encode('solid\nfacet\nouter loop\nvertex 0 0 0\n'), /cut off/],
    ['ASCII STL that is prose', 'a.stl', encode('solid\nground under our feet'), /'ground'/],
    ['ASCII STL beyond single precision', 'a.stl', encode('solid\nvertex 0 0 1e39\n'), /is not a vertex/],
    ['OBJ without vertices', 'a.obj', encode('# nothing\n'), /no vertices/],
    ['OBJ with NaN', 'a.obj', encode('v 0 0 nan\n'), /is not a vertex/],
    ['OBJ with 1e400', 'a.obj', encode('v 0 0 1e400\n'), /is not a vertex/],
    ['OBJ with two coordinates', 'a.obj', encode('v 0 0\n'), /is not a vertex/],
    ['OBJ face beyond the vertices', 'a.obj', encode('v 0 0 0\nf 1 1 2\n'), /names vertex 2/],
    ['OBJ face 2^31', 'a.obj', encode('v 0 0 0\nf 1 1 2147483648\n'), /names vertex 2147483648/],
    ['OBJ face zero', 'a.obj', encode('v 0 0 0\nf 0 1 1\n'), /'0' is not a corner/],
    ['OBJ face before the first', 'a.obj', encode('v 0 0 0\nf -2 1 1\n'), /'-2' is not a corner/],
    ['OBJ face of words', 'a.obj', encode('v 0 0 0\nf a b c\n'), /'a' is not a corner/],
    ['OBJ face of two', 'a.obj', encode('v 0 0 0\nf 1 1\n'), /2 corners/],
    ['OBJ face of 5000', 'a.obj', encode(`v 0 0 0\nf${' 1'.repeat(5000)}\n`), /5000 corners/],
    ['OBJ free-form', 'a.obj', encode('v 0 0 0\ncstype bezier\n'), /free-form/],
    [
      'MSH of 2^31 − 1 faces',
      'a.msh',
      makeMsh([4, 0, 0, 2 ** 31 - 1], TETRAHEDRON, TETRAHEDRON_FACES),
      /2147483647 fa/,
    ],
    ['MSH with a negative count', 'a.msh', makeMsh([4, 0, 0, -4], TETRAHEDRON, TETRAHEDRON_FACES), /-4 faces/],
    ['MSH cut off', 'a.msh', makeMsh([4, 0, 0, 4], TETRAHEDRON, TETRAHEDRON_FACES).subarray(0, 90), /has 90/],
    ['MSH header cut off', 'a.msh', new Uint8Array(7), /after 7 bytes/],
    ['MSH without vertices', 'a.msh', makeMsh([0, 0, 0, 0], [], []), /no vertices/],
    ['MSH with NaN', 'a.msh', makeMsh([1, 0, 0, 0], [0, Number.NaN, 0], []), /vertex 0/],
    ['MSH face beyond the vertices', 'a.msh', makeMsh([4, 0, 0, 1], TETRAHEDRON, [0, 1, 4]), /names vertex 4/],
    ['MSH face below zero', 'a.msh', makeMsh([4, 0, 0, 1], TETRAHEDRON, [0, 1, -1]), /names vertex -1/],
    ['Gmsh', 'a.msh', encode('$MeshFormat\n4.1 0 8\n'), /Gmsh/],
  ];
  test.each(cases)('%s', (_name, path, bytes, reason) => {
    const error = catchError(() => readMesh(path, bytes));
    expect(error.code).toBe('malformed-mesh');
    expect(error.message).toMatch(reason);
    expect(error.file).toBe(path);
    expect(error.hint).toBeTruthy();
  });

  test('an unknown extension is named', () => {
    const error = catchError(() => readMesh('parts/a.ply', encode('x')));
    expect(error.code).toBe('unknown-format');
    expect(error.message).toContain("'ply'");
  });

  test('places in text files carry the line', () => {
    expect(catchError(() => readMesh('a.obj', encode('v 0 0 0\n\nf 1 1 9\n'))).line).toBe(3);
    expect(catchError(() => readMesh('a.stl', encode('solid\nvertex 0 x 0\n'))).line).toBe(2);
  });
});

describe('against MuJoCo', () => {
  let mujoco: MainModule;
  beforeAll(async () => {
    mujoco = await loadMujoco();
  });

  /** Counts, faces and vertices (in the frame of the file) that MuJoCo reads. */
  function readWithMujoco(name: string, bytes: Uint8Array): MeshData {
    const xml = `<mujoco><asset><mesh name="m" file="${name}" inertia="shell"/></asset>
      <worldbody><geom type="mesh" mesh="m" contype="0" conaffinity="0"/></worldbody></mujoco>`;
    // through its file system: buffers of MjVFS are copied byte by byte, one call each
    mujoco.FS.writeFile(`/${name}`, bytes);
    mujoco.FS.writeFile('/model.xml', xml);
    const model = mujoco.MjModel.from_xml_path('/model.xml');
    mujoco.FS.unlink(`/${name}`);
    const [w, x, y, z] = model.mesh_quat as Float64Array;
    const offset = model.mesh_pos as Float64Array;
    const vertices: number[] = [];
    for (let v = 0; v < model.mesh_vertnum[0]; v++) {
      const p = (model.mesh_vert as Float32Array).subarray(3 * v, 3 * v + 3);
      // p + 2w (u × p) + 2 u × (u × p)
      const c = [y * p[2] - z * p[1], z * p[0] - x * p[2], x * p[1] - y * p[0]];
      const d = [y * c[2] - z * c[1], z * c[0] - x * c[2], x * c[1] - y * c[0]];
      for (let k = 0; k < 3; k++) vertices.push(offset[k] + p[k] + 2 * (w * c[k] + d[k]));
    }
    const faces = Array.from(model.mesh_face as Int32Array);
    model.delete();
    return { vertices, faces };
  }

  function expectSame(ours: MeshData, theirs: MeshData): void {
    expect([ours.vertices.length, ours.faces.length]).toEqual([theirs.vertices.length, theirs.faces.length]);
    // numbers are compared by hand: some meshes have a million
    expect(ours.faces.findIndex((vertex, i) => vertex !== theirs.faces[i])).toBe(-1);
    // MuJoCo keeps recentred vertices in single precision: half a unit in the last place of the largest coordinate, twice
    let scale = 1e-12;
    let error = 0;
    for (let i = 0; i < ours.vertices.length; i++) {
      scale = Math.max(scale, Math.abs(ours.vertices[i]));
      error = Math.max(error, Math.abs(ours.vertices[i] - theirs.vertices[i]));
    }
    expect(error / scale).toBeLessThan(4 * 2 ** -24);
  }

  test('zero and minus zero are different vertices', () => {
    const signed = [...corners.slice(0, 9), -0, ...corners.slice(10)];
    const ours = readMesh('a.stl', makeStl(signed));
    expectSame(ours, readWithMujoco('a.stl', makeStl(signed)));
  });

  test('MSH', () => {
    const bytes = makeMsh([4, 0, 0, 4], TETRAHEDRON, TETRAHEDRON_FACES);
    expectSame(readMesh('a.msh', bytes), readWithMujoco('a.msh', bytes));
  });

  test('OBJ with quads and a hexagon', () => {
    const ring = (z: number): string =>
      [0, 1, 2, 3, 4, 5].map((k) => `v ${Math.cos(k + 0.1 * z)} ${Math.sin(k + 0.1 * z)} ${z}`).join('\n');
    const sides = [0, 1, 2, 3, 4, 5].map((k) => `f ${k + 1} ${((k + 1) % 6) + 1} ${((k + 1) % 6) + 7} ${k + 7}`);
    const bytes = encode(`${ring(0)}\n${ring(2)}\n${sides.join('\n')}\nf 6 5 4 3 2 1\nf 7 8 9 10 11 12\n`);
    const [ours, theirs] = [readMesh('a.obj', bytes), readWithMujoco('a.obj', bytes)];
    expect(ours.faces.slice(0, 36)).toEqual(theirs.faces.slice(0, 36));
    expect(ours.faces.length).toBe(theirs.faces.length);
    expect(signedVolume(ours)).toBeCloseTo(signedVolume(theirs), 5);
  });

  const meshes = existsSync(MODELS)
    ? readdirSync(MODELS, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(obj|stl|msh)$/i.test(file))
    : [];
  const step = isLongRun ? 1 : 8;
  test.skipIf(meshes.length === 0)(`${meshes.length} meshes of the model collection (NEXDYN_MODELS)`, () => {
    for (const [n, file] of meshes.entries()) {
      if (n % step !== 0) continue;
      const bytes = new Uint8Array(readFileSync(join(MODELS, file)));
      const ours = readMesh(file, bytes);
      // MuJoCo keeps assets by name, and several robots have a base_link.stl
      const theirs = readWithMujoco(`${n}-${basename(file).toLowerCase()}`, bytes);
      expect({ file, vertices: ours.vertices.length, faces: ours.faces.length }).toEqual({
        file,
        vertices: theirs.vertices.length,
        faces: theirs.faces.length,
      });
      expectSame(ours, theirs);
    }
  });
});

function catchError(run: () => unknown): NexdynError {
  try {
    run();
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
