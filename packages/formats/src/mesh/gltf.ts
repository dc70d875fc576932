/**
 * Triangles of a glTF 2.0 file, binary (.glb) or JSON with its buffers inside as data URIs (.gltf): all meshes of the default
 * scene as one, each placed by its nodes. Metres, y up, as in the file. Vertices at the same place are one.
 * Source: Khronos, glTF 2.0 specification, sections 3.5 (scenes, nodes), 3.6 (buffers, accessors), 3.7 (meshes), 4.4 (GLB).
 */
import { NexdynError } from '@nexdyn/engine';
import type { MeshData } from './mesh.ts';
import { VertexTable } from './vertex-table.ts';

interface GltfNode {
  children?: number[];
  mesh?: number;
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}

interface GltfAccessor {
  bufferView?: number;
  byteOffset?: number;
  componentType: number;
  count: number;
  type: string;
  sparse?: unknown;
}

interface Gltf {
  scene?: number;
  scenes?: { nodes?: number[] }[];
  nodes?: GltfNode[];
  meshes?: { primitives: { attributes: Record<string, number>; indices?: number; mode?: number }[] }[];
  accessors?: GltfAccessor[];
  bufferViews?: { buffer: number; byteOffset?: number; byteLength: number; byteStride?: number }[];
  buffers?: { uri?: string; byteLength: number }[];
  extensionsRequired?: string[];
}

const MAGIC = 0x46546c67;
const CHUNK = { json: 0x4e4f534a, binary: 0x004e4942 };
const COMPONENT = { uint8: 5121, uint16: 5123, uint32: 5125, float32: 5126 };
const TRIANGLES = 4;
/** A matrix column by column, as glTF has it. */
const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function readGltf(path: string, bytes: Uint8Array): MeshData {
  const reader = new GltfReader(path, bytes);
  return reader.read();
}

class GltfReader {
  readonly #path: string;
  readonly #gltf: Gltf;
  readonly #binary: Uint8Array | undefined;
  readonly #buffers: (Uint8Array | undefined)[] = [];
  readonly #table = new VertexTable();
  readonly #faces: number[] = [];

  constructor(path: string, bytes: Uint8Array) {
    this.#path = path;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isBinary = bytes.length >= 12 && view.getUint32(0, true) === MAGIC;
    const chunks = isBinary ? this.#splitChunks(bytes, view) : { json: bytes, binary: undefined };
    this.#binary = chunks.binary;
    try {
      this.#gltf = JSON.parse(new TextDecoder().decode(chunks.json)) as Gltf;
    } catch (error) {
      throw this.#malformed(`its JSON cannot be read: ${(error as Error).message}`);
    }
  }

  read(): MeshData {
    const { scene = 0, scenes, nodes = [], extensionsRequired = [] } = this.#gltf;
    if (extensionsRequired.length > 0) {
      throw new NexdynError('unknown-format', `the file needs ${extensionsRequired.join(', ')}`, {
        file: this.#path,
        hint: 'export it without compression and extensions',
      });
    }
    const roots = scenes?.[scene]?.nodes ?? nodes.map((_, n) => n);
    for (const n of roots) this.#addNode(n, IDENTITY, 0);
    if (this.#faces.length === 0) throw this.#malformed('it has no triangles');
    return { vertices: this.#table.vertices, faces: this.#faces };
  }

  #splitChunks(bytes: Uint8Array, view: DataView): { json: Uint8Array; binary: Uint8Array | undefined } {
    let json: Uint8Array | undefined;
    let binary: Uint8Array | undefined;
    for (let at = 12; at + 8 <= bytes.length; ) {
      const length = view.getUint32(at, true);
      const kind = view.getUint32(at + 4, true);
      if (at + 8 + length > bytes.length) throw this.#malformed('a chunk reaches beyond the end of the file');
      const chunk = bytes.subarray(at + 8, at + 8 + length);
      if (kind === CHUNK.json) json ??= chunk;
      if (kind === CHUNK.binary) binary ??= chunk;
      at += 8 + length;
    }
    if (!json) throw this.#malformed('it has no JSON chunk');
    return { json, binary };
  }

  // a node with all below it; `depth` ends circles
  #addNode(number: number, parent: readonly number[], depth: number): void {
    const node = this.#gltf.nodes?.[number];
    if (!node || depth > 1000) throw this.#malformed(`there is no node ${number}, or nodes run in a circle`);
    const matrix = multiply(parent, node.matrix ?? composeMatrix(node));
    if (node.mesh !== undefined) this.#addMesh(node.mesh, matrix);
    for (const child of node.children ?? []) this.#addNode(child, matrix, depth + 1);
  }

  #addMesh(number: number, m: readonly number[]): void {
    const mesh = this.#gltf.meshes?.[number];
    if (!mesh) throw this.#malformed(`there is no mesh ${number}`);
    for (const { attributes, indices, mode = TRIANGLES } of mesh.primitives) {
      // points and lines bound nothing
      if (mode !== TRIANGLES || attributes.POSITION === undefined) continue;
      const positions = this.#readAccessor(attributes.POSITION, 3);
      const count = positions.length / 3;
      const id = Array.from({ length: count }, (_, v) => {
        const [x, y, z] = [positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!];
        const place = [0, 1, 2].map((k) => m[k]! * x + m[4 + k]! * y + m[8 + k]! * z + m[12 + k]!);
        if (!place.every(Number.isFinite)) throw this.#malformed(`vertex ${v} of mesh ${number} is not finite`);
        return this.#table.add(place[0]!, place[1]!, place[2]!);
      });
      const order = indices === undefined ? Array.from(id.keys()) : this.#readAccessor(indices, 1);
      for (let k = 0; k + 2 < order.length; k += 3) this.#addTriangle(id, order, k);
    }
  }

  // what merging of vertices has made a line is no triangle
  #addTriangle(id: readonly number[], order: readonly number[], k: number): void {
    const [a, b, c] = [id[order[k]!], id[order[k + 1]!], id[order[k + 2]!]];
    if (a === undefined || b === undefined || c === undefined) throw this.#malformed('a triangle names no vertex');
    if (a !== b && b !== c && c !== a) this.#faces.push(a, b, c);
  }

  #readAccessor(number: number, width: number): number[] {
    const accessor = this.#gltf.accessors?.[number];
    const bufferView = this.#gltf.bufferViews?.[accessor?.bufferView ?? -1];
    if (!accessor || !bufferView || accessor.sparse !== undefined)
      throw this.#malformed(`accessor ${number} has no buffer of its own`);
    const size = measureComponent(accessor.componentType);
    const expected = width === 3 ? 'VEC3' : 'SCALAR';
    const isFloat = accessor.componentType === COMPONENT.float32;
    if (size === 0 || accessor.type !== expected || isFloat !== (width === 3))
      throw this.#malformed(`accessor ${number} is ${accessor.type} of component type ${accessor.componentType}`);
    const buffer = this.#openBuffer(bufferView.buffer);
    const stride = bufferView.byteStride ?? width * size;
    const start = (bufferView.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const end = start + stride * (accessor.count - 1) + width * size;
    if (accessor.count > 0 && end > buffer.length)
      throw this.#malformed(`accessor ${number} reaches beyond its buffer`);
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    const out = new Array<number>(width * accessor.count);
    for (let i = 0; i < out.length; i++) {
      const at = start + stride * Math.floor(i / width) + size * (i % width);
      if (isFloat) out[i] = view.getFloat32(at, true);
      else out[i] = size === 4 ? view.getUint32(at, true) : size === 2 ? view.getUint16(at, true) : view.getUint8(at);
    }
    return out;
  }

  #openBuffer(number: number): Uint8Array {
    const known = this.#buffers[number];
    if (known) return known;
    const uri = this.#gltf.buffers?.[number]?.uri;
    const inside = uri === undefined ? this.#binary : decodeDataUri(uri);
    if (!inside) {
      throw new NexdynError('malformed-mesh', `its buffer ${number} is in another file`, {
        file: this.#path,
        hint: 'export as .glb, which holds everything',
      });
    }
    this.#buffers[number] = inside;
    return inside;
  }

  #malformed(reason: string): NexdynError {
    return new NexdynError('malformed-mesh', `not a glTF file that can be used: ${reason}`, {
      file: this.#path,
      hint: 'export the mesh again as .glb with triangles',
    });
  }
}

function measureComponent(type: number): number {
  if (type === COMPONENT.uint8) return 1;
  if (type === COMPONENT.uint16) return 2;
  return type === COMPONENT.uint32 || type === COMPONENT.float32 ? 4 : 0;
}

function decodeDataUri(uri: string): Uint8Array | undefined {
  const match = /^data:[^,]*;base64,/.exec(uri);
  return match ? decodeBase64(uri.slice(match[0].length).replace(/=*$/, '')) : undefined;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// six bits a letter
function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((6 * text.length) / 8));
  let bits = 0;
  for (let i = 0, at = 0; i < text.length; i++) {
    bits = ((bits << 6) | LETTERS.indexOf(text[i]!)) & 0xffffff;
    if (i % 4 > 0) bytes[at++] = bits >> (6 - 2 * (i % 4));
  }
  return bytes;
}

/** translation · rotation (x y z w) · scale. */
function composeMatrix({ translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: GltfNode): number[] {
  const [x, y, z, w] = rotation as [number, number, number, number];
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  return [...columns.flatMap((column, c) => [...column.map((value) => value * scale[c]!), 0]), ...translation, 1];
}

function multiply(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[4 * k + (i % 4)]! * b[4 * Math.floor(i / 4) + k]!;
    return sum;
  });
}
