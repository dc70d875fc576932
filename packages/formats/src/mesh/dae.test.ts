import { describe, expect, test } from 'vitest';
import { readMesh } from './mesh.ts';

const CORNERS = '0 0 0 1 0 0 0 1 0 0 0 1';
const FACES = '0 2 1 0 1 3 0 3 2 1 2 3';

/** A tetrahedron of volume 1/6 in the units of the file, in a node. */
function writeDae(
  node: string,
  {
    unit = 1,
    faces = `<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>${FACES}</p></triangles>`,
    scene = true,
  } = {},
): Uint8Array {
  const text = `<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
    <asset><unit name="u" meter="${unit}"/><up_axis>Z_UP</up_axis></asset>
    <library_geometries><geometry id="g"><mesh>
      <source id="s"><float_array id="f" count="12">${CORNERS}</float_array><technique_common><accessor source="#f" count="4" stride="3"/></technique_common></source>
      <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>${faces}
    </mesh></geometry></library_geometries>
    <library_visual_scenes><visual_scene id="scene">${node}</visual_scene></library_visual_scenes>
    ${scene ? '<scene><instance_visual_scene url="#scene"/></scene>' : ''}</COLLADA>`;
  return new TextEncoder().encode(text);
}

const GEOMETRY = '<instance_geometry url="#g"/>';

/** Signed volume inside the triangles. */
function measureVolume({ vertices: v, faces }: { vertices: number[]; faces: number[] }): number {
  let sum = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * faces[f + k]!) as [number, number, number];
    sum +=
      v[a]! * (v[b + 1]! * v[c + 2]! - v[b + 2]! * v[c + 1]!) +
      v[a + 1]! * (v[b + 2]! * v[c]! - v[b]! * v[c + 2]!) +
      v[a + 2]! * (v[b]! * v[c + 1]! - v[b + 1]! * v[c]!);
  }
  return sum / 6;
}

describe('Collada', () => {
  test('triangles, in metres', () => {
    const mesh = readMesh('a.dae', writeDae(`<node>${GEOMETRY}</node>`, { unit: 0.1 }));
    expect(mesh.faces).toEqual(FACES.split(' ').map(Number));
    expect(measureVolume(mesh)).toBeCloseTo(0.001 / 6, 9);
  });

  test('nodes in nodes, each step in turn', () => {
    const inner = `<node><rotate>0 0 1 90</rotate><scale>2 1 1</scale>${GEOMETRY}</node>`;
    const { vertices } = readMesh('a.dae', writeDae(`<node><translate>5 0 0</translate>${inner}</node>`));
    // x is doubled, turned to y, then moved
    const expected = [5, 0, 0, 5, 2, 0, 4, 0, 0, 5, 0, 1];
    vertices.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i]!, 6);
    });
  });

  test('a mirrored node still looks outwards', () => {
    const mesh = readMesh(
      'a.dae',
      writeDae(`<node><matrix>-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>${GEOMETRY}</node>`),
    );
    expect(measureVolume(mesh)).toBeCloseTo(1 / 6, 9);
  });

  test('a geometry used twice is there twice', () => {
    const mesh = readMesh(
      'a.dae',
      writeDae(`<node>${GEOMETRY}</node><node><translate>3 0 0</translate>${GEOMETRY}</node>`),
    );
    expect(measureVolume(mesh)).toBeCloseTo(2 / 6, 9);
  });

  test('polygons with several inputs', () => {
    const polylist = `<polylist count="4"><input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#s" offset="0"/><vcount>3 3 3 3</vcount><p>${FACES.split(
      ' ',
    )
      .map((index) => `9 ${index}`)
      .join(' ')}</p></polylist>`;
    const mesh = readMesh('a.dae', writeDae(`<node>${GEOMETRY}</node>`, { faces: polylist, scene: false }));
    expect(measureVolume(mesh)).toBeCloseTo(1 / 6, 9);
  });

  test.each([
    [
      'a vertex that is not there',
      writeDae(`<node>${GEOMETRY}</node>`, {
        faces: '<triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 9</p></triangles>',
      }),
      /not there/,
    ],
    ['a geometry that is not there', writeDae('<node><instance_geometry url="#x"/></node>'), /there is no '#x'/],
    ['a node that uses itself', writeDae('<node id="n"><instance_node url="#n"/></node>'), /uses itself/],
    ['a skin', writeDae('<node><instance_controller url="#g"/></node>'), /skins/],
    ['another root', new TextEncoder().encode('<scene/>'), /begins with <COLLADA>/],
    ['nothing to show', writeDae('<node/>'), /no triangles/],
  ])('%s is an error with its place', (_, bytes, message) => {
    expect(() => readMesh('a.dae', bytes)).toThrow(message);
  });
});
