import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { readMesh } from './mesh.ts';

const POSITIONS = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
const INDICES = Uint16Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);

interface Changes {
  nodes?: object[];
  scenes?: object[];
  uri?: string | undefined;
  extensionsRequired?: string[];
  accessor?: object;
}

function describeTetrahedron({
  nodes = [{ mesh: 0 }],
  scenes,
  extensionsRequired,
  accessor = {},
  uri,
}: Changes): object {
  return {
    asset: { version: '2.0' },
    ...(scenes ? { scenes } : {}),
    ...(extensionsRequired ? { extensionsRequired } : {}),
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', ...accessor },
      { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 24 },
    ],
    buffers: [{ byteLength: 72, ...(uri === undefined ? {} : { uri }) }],
  };
}

function joinBuffer(): Uint8Array {
  const bytes = new Uint8Array(72);
  bytes.set(new Uint8Array(POSITIONS.buffer));
  bytes.set(new Uint8Array(INDICES.buffer), 48);
  return bytes;
}

const DATA_URI = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...joinBuffer()))}`;

function writeJson(changes: Changes = {}): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(describeTetrahedron({ uri: DATA_URI, ...changes })));
}

function writeBinary(changes: Changes = {}): Uint8Array {
  const text = JSON.stringify(describeTetrahedron(changes));
  const json = new TextEncoder().encode(text.padEnd(4 * Math.ceil(text.length / 4)));
  const binary = joinBuffer();
  const bytes = new Uint8Array(12 + 8 + json.length + 8 + binary.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, json.length, 0x4e4f534a].forEach((word, k) => {
    view.setUint32(4 * k, word, true);
  });
  bytes.set(json, 20);
  view.setUint32(20 + json.length, binary.length, true);
  view.setUint32(24 + json.length, 0x004e4942, true);
  bytes.set(binary, 28 + json.length);
  return bytes;
}

function catchError(path: string, bytes: Uint8Array): NexdynError {
  try {
    readMesh(path, bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(NexdynError);
    return error as NexdynError;
  }
  throw new Error('read without an error');
}

describe('glTF', () => {
  test('binary and JSON files give the same triangles', () => {
    const binary = readMesh('a.glb', writeBinary());
    expect(binary).toEqual({ vertices: [...POSITIONS], faces: [...INDICES] });
    expect(readMesh('a.gltf', writeJson())).toEqual(binary);
  });

  test('nodes place their meshes: translation, rotation and scale of a parent, matrix of a child', () => {
    const half = Math.SQRT1_2;
    const nodes = [
      // a quarter turn about z after doubling x, then 5 along z
      { children: [1], translation: [0, 0, 5], rotation: [0, 0, half, half], scale: [2, 1, 1] },
      { mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1] },
    ];
    const { vertices } = readMesh('a.gltf', writeJson({ nodes, scenes: [{ nodes: [0] }] }));
    // (x + 1, y, z) → (2 (x + 1), y, z) → (−y, 2 (x + 1), z + 5)
    const expected = [0, 2, 5, 0, 4, 5, -1, 2, 5, 0, 2, 6];
    expected.forEach((value, k) => {
      expect(vertices[k]).toBeCloseTo(value, 6);
    });
  });

  test('a mesh of two nodes is there twice', () => {
    const { vertices, faces } = readMesh(
      'a.gltf',
      writeJson({ nodes: [{ mesh: 0 }, { mesh: 0, translation: [9, 0, 0] }] }),
    );
    expect(vertices).toHaveLength(24);
    expect(faces.slice(12)).toEqual([...INDICES].map((k) => k + 4));
  });

  test.each([
    ['buffer in another file', 'a.gltf', writeJson({ uri: 'a.bin' }), 'malformed-mesh', /another file/],
    [
      'compression',
      'a.glb',
      writeBinary({ extensionsRequired: ['KHR_draco_mesh_compression'] }),
      'unknown-format',
      /draco/,
    ],
    ['nodes in a circle', 'a.gltf', writeJson({ nodes: [{ children: [0] }] }), 'malformed-mesh', /circle/],
    ['cut off', 'a.glb', writeBinary().subarray(0, 200), 'malformed-mesh', /beyond the end/],
    ['count too large', 'a.gltf', writeJson({ accessor: { count: 400 } }), 'malformed-mesh', /beyond its buffer/],
    ['no triangles', 'a.gltf', writeJson({ nodes: [{}] }), 'malformed-mesh', /no triangles/],
    ['not JSON', 'a.gltf', new TextEncoder().encode('solid'), 'malformed-mesh', /JSON/],
  ] as const)('%s is refused', (_, path, bytes, code, reason) => {
    const error = catchError(path, bytes);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(reason);
    expect(error.hint).toBeTruthy();
  });
});
