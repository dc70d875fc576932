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
