import { compileModel, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { memoryFiles } from './file-source.ts';
import { loadScene } from './load-scene.ts';

const JSON_SCENE = '{ "format": "nexdyn-scene", "version": 1, "bodies": [{ "name": "a" }] }';
const MJCF = '<mujoco><worldbody><body name="a"/></worldbody></mujoco>';
const URDF = '<robot name="r"><link name="a"/></robot>';
const load = (path: string, content: string): ReturnType<typeof loadScene> =>
  loadScene(path, { files: memoryFiles({ [path]: content }) });

describe('the format is found', () => {
  test.each<[name: string, path: string, content: string]>([
    ['JSON by its extension', 'a.json', JSON_SCENE],
    ['MJCF by its extension', 'a.mjcf', MJCF],
    ['URDF by its extension', 'x/A.URDF', URDF],
    ['MJCF in XML', 'a.xml', `<?xml version="1.0"?>\n<!-- a <robot> -->\n${MJCF}`],
    ['URDF in XML', 'a.xml', `\ufeff<?xml version="1.0"?>\n<!-- a <mujoco> model -->\n${URDF}`],
    ['JSON without extension', 'scene', `\n  ${JSON_SCENE}`],
    ['URDF without extension', 'robot_description', URDF],
    ['MJCF with another extension', 'model.txt', MJCF],
  ])('%s', (_name, path, content) => {
    const { scene, unsupported } = load(path, content);
    expect(scene.bodies!.map((body) => body.name)).toEqual(['a']);
    expect(unsupported).toEqual([]);
  });

  test('the path may be written in any way', () => {
    const files = memoryFiles({ 'x/a.json': JSON_SCENE });
    expect(loadScene('./x/y/../a.json', { files }).scene.bodies).toHaveLength(1);
  });
});

describe('errors', () => {
  test.each<[name: string, path: string, content: string, code: string, hint: RegExp]>([
    ['a mesh', 'a.stl', 'solid', 'unknown-format', /a mesh alone/],
    ['macros', 'a.xacro', 'x', 'unknown-format', /expand/],
    ['another format', 'a.sdf', '<sdf/>', 'unknown-format', /convert/],
    ['anything', 'a.bin', '\u0000\u0001', 'unknown-format', /\.json/],
    ['nothing', 'empty', '', 'unknown-format', /\.json/],
    ['an XML file of another kind', 'a.xml', '<html/>', 'unknown-format', /mujoco/],
    ['an empty XML file', 'a.xml', '', 'malformed-xml', /./],
    ['an empty JSON file', 'a.json', '', 'malformed-json', /./],
  ])('%s', (_name, path, content, code, hint) => {
    expect(() => load(path, content)).toThrow(
      expect.objectContaining({ name: 'NexdynError', code, file: path, hint: expect.stringMatching(hint) }),
    );
  });

  test('a file that is not there', () => {
    expect(() => loadScene('b.xml', { files: memoryFiles({}) })).toThrow(
      expect.objectContaining({ code: 'file-not-found', file: 'b.xml', hint: expect.stringContaining('spelling') }),
    );
  });
});

describe('triangles without area', () => {
  // a cube with the point 8 on its edge 0-1, which the sixth face fills, and a face with a corner twice
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [0, 1, 2].map((k) => (i & (1 << k) ? 0.1 : -0.1)));
  const cube = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 2, 6, 7, 2, 7, 3];
  const side = [0, 8, 5, 8, 1, 5, 0, 5, 4];
  const points = [...vertices, 0, -0.1, -0.1];
  const faces = [...cube, ...side, 0, 1, 8, 3, 3, 7];
  const scene = {
    format: 'nexdyn-scene',
    version: 1,
    meshes: [{ name: 'cube', vertices: points, faces }],
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        name: 'block',
        position: [0, 0, 0.102],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'triangleMesh', mesh: 'cube' }],
      },
    ],
  };
  const obj = (() => {
    const lines = [];
    for (let i = 0; i < points.length; i += 3) lines.push(`v ${points.slice(i, i + 3).join(' ')}`);
    for (let i = 0; i < faces.length; i += 3)
      lines.push(
        `f ${faces
          .slice(i, i + 3)
          .map((v) => v + 1)
          .join(' ')}`,
      );
    return lines.join('\n');
  })();
  const mjcf =
    '<mujoco>\n<asset><mesh file="cube.obj"/></asset>\n<worldbody><body name="block"><freejoint/><geom type="mesh" mesh="cube"/></body></worldbody></mujoco>';
  const urdf =
    '<robot name="r">\n<link name="block"><collision><geometry><mesh filename="cube.obj"/></geometry></collision></link></robot>';
  const numbers = /mesh 'cube': triangles 13 and 14 have no area; left out/;

  test.each([
    ['JSON', 'a.json', JSON.stringify(scene), 1],
    ['MJCF', 'a.xml', mjcf, 2],
    ['URDF', 'a.urdf', urdf, 2],
  ])('are listed with their numbers and their place: %s', (_, path, text, line) => {
    const files = memoryFiles({ [path]: text, 'cube.obj': obj });
    const { unsupported } = loadScene(path, { files });
    expect(unsupported).toHaveLength(1);
    expect(unsupported[0]).toMatchObject({ file: path, line, element: 'mesh' });
    expect(unsupported[0]!.message).toMatch(numbers);
    expect(() => loadScene(path, { files, strictMeshes: true })).toThrow(/triangles 13 and 14 have no area/);
  });

  test('a mesh without any other is refused', () => {
    const flat = { ...scene, meshes: [{ name: 'cube', vertices: points, faces: [0, 1, 8, 3, 3, 7] }] };
    const loaded = load('a.json', JSON.stringify(flat)).scene;
    expect(() => compileModel(loaded)).toThrow(
      expect.objectContaining({ code: 'invalid-mesh', path: 'meshes[0].faces' }),
    );
  });

  test.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)(
    'the cube weighs what it should and rests under %s',
    (formulation) => {
      const loaded = load('a.json', JSON.stringify(scene)).scene;
      const model = compileModel(loaded, { formulation });
      expect(model.geometry.mesh[0]!.isClosed).toBe(true);
      expect(model.body.mass[1]).toBeCloseTo(1000 * 0.008, 9);
      const simulation = new Simulation(model);
      while (simulation.time < 0.3) simulation.step();
      // no formulation sinks or hovers by more than a millimetre under this weight
      expect(Math.abs(simulation.state.position[2]! - 0.1)).toBeLessThan(1.1e-3);
      expect(Math.abs(simulation.state.velocity[2]!)).toBeLessThan(0.01);
    },
  );

  test('a strict mesh in the scene is refused', () => {
    const strict = { ...scene, meshes: [{ ...scene.meshes[0], strict: true }] };
    expect(() => load('a.json', JSON.stringify(strict))).toThrow(/have no area/);
  });
});
