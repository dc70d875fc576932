/**
 * Triangles of a glTF 2.0 file, binary (.glb) or JSON with its buffers inside as data URIs (.gltf): all meshes of the default
 * scene as one, each placed by its nodes. Metres, y up, as in the file. Vertices at the same place are one.
 * Source: Khronos, glTF 2.0 specification, sections 3.5 (scenes, nodes), 3.6 (buffers, accessors), 3.7 (meshes), 4.4 (GLB).
 */
import { NexdynError } from '@nexdyn/engine';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { decodeBase64 } from './base64.ts';
import { COMPONENT_SIZE, GltfDocument, type GltfNode, type GltfPrimitive } from './gltf-document.ts';
import type { MeshData } from './mesh.ts';
import { VertexTable } from './vertex-table.ts';

const MAGIC = 0x46546c67;
const CHUNK = { json: 0x4e4f534a, binary: 0x004e4942 };
const FLOAT32 = 5126;
const TRIANGLES = 4;
/** Nodes below each other; deeper trees are no mesh that a program exports. */
const DEEPEST_NODE = 1000;
/** A matrix column by column, as glTF has it. */
const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function readGltf(path: string, bytes: Uint8Array, limits: Readonly<ReadLimits>): MeshData {
  return new GltfReader(path, bytes, limits).read();
}

class GltfReader {
  readonly #path: string;
  readonly #limits: Readonly<ReadLimits>;
  readonly #document: GltfDocument;
  readonly #binary: Uint8Array | undefined;
  readonly #buffers = new Map<number, Uint8Array>();
  readonly #accessors = new Map<number, Float64Array>();
  readonly #primitives = new Map<number, GltfPrimitive[]>();
  readonly #table = new VertexTable();
  readonly #faces: number[] = [];
  #placed = 0;

  constructor(path: string, bytes: Uint8Array, limits: Readonly<ReadLimits>) {
    this.#path = path;
    this.#limits = limits;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isBinary = bytes.length >= 12 && view.getUint32(0, true) === MAGIC;
    const chunks = isBinary ? this.#splitChunks(bytes, view) : { json: bytes, binary: undefined };
    this.#binary = chunks.binary;
    this.#document = new GltfDocument(path, new TextDecoder().decode(chunks.json), limits);
  }

  read(): MeshData {
    const { requiredExtensions } = this.#document;
    if (requiredExtensions.length > 0) {
      throw new NexdynError('unknown-format', `the file needs ${requiredExtensions.slice(0, 8).join(', ')}`, {
        file: this.#path,
        hint: 'export it without compression and extensions',
      });
    }
    this.#addNodes(this.#document.listRoots());
    if (this.#faces.length === 0) this.#document.fail('it has no triangles', '');
    return { vertices: this.#table.vertices, faces: this.#faces };
  }

  #splitChunks(bytes: Uint8Array, view: DataView): { json: Uint8Array; binary: Uint8Array | undefined } {
    const malformed = (reason: string): NexdynError =>
      new NexdynError('malformed-mesh', `not a glTF file that can be used: ${reason}`, {
        file: this.#path,
        hint: 'export the mesh again as .glb with triangles',
      });
    let json: Uint8Array | undefined;
    let binary: Uint8Array | undefined;
    for (let at = 12; at + 8 <= bytes.length; ) {
      const length = view.getUint32(at, true);
      const kind = view.getUint32(at + 4, true);
      if (at + 8 + length > bytes.length) throw malformed('a chunk reaches beyond the end of the file');
      const chunk = bytes.subarray(at + 8, at + 8 + length);
      if (kind === CHUNK.json) json ??= chunk;
      if (kind === CHUNK.binary) binary ??= chunk;
      at += 8 + length;
    }
    if (!json) throw malformed('it has no JSON chunk');
    return { json, binary };
  }

  // the trees below the roots, parents first; a node has one parent, so each is met once
  #addNodes(roots: readonly number[]): void {
    const met = new Set<number>();
    const waiting = roots.map((number) => ({ number, parent: IDENTITY, depth: 0 })).reverse();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { number, parent, depth } = next;
      const path = `nodes[${number}]`;
      if (met.has(number)) {
        this.#document.fail(
          `node ${number} hangs below two nodes, or nodes run in a circle`,
          path,
          'a node has one parent',
        );
      }
      if (depth > DEEPEST_NODE) this.#document.fail(`nodes hang ${depth} deep below each other`, path);
      met.add(number);
      const node = this.#document.readNode(number);
      const matrix = multiply(parent, node.matrix ?? composeMatrix(node));
      if (node.mesh !== undefined) this.#addMesh(node.mesh, matrix);
      for (let i = node.children.length - 1; i >= 0; i--) {
        waiting.push({ number: node.children[i]!, parent: matrix, depth: depth + 1 });
      }
    }
  }

  #addMesh(number: number, matrix: readonly number[]): void {
    let primitives = this.#primitives.get(number);
    if (!primitives) this.#primitives.set(number, (primitives = this.#document.listPrimitives(number)));
    // a mesh may stand in many places: each counts, with or without vertices
    this.#placed += primitives.length;
    primitives.forEach((primitive, p) => {
      // points and lines bound nothing
      if (primitive.mode !== TRIANGLES || primitive.position === undefined) return;
      this.#addPrimitive(primitive, matrix, `meshes[${number}].primitives[${p}]`);
    });
  }

  #addPrimitive(primitive: GltfPrimitive, m: readonly number[], path: string): void {
    const positions = this.#readAccessor(primitive.position!, 3);
    const count = positions.length / 3;
    this.#placed += count;
    checkLimit(this.#placed, 'vertices', this.#limits, 'vertices', { file: this.#path, path });
    const ids = new Int32Array(count);
    for (let v = 0; v < count; v++) {
      const x = positions[3 * v]!;
      const y = positions[3 * v + 1]!;
      const z = positions[3 * v + 2]!;
      const px = Math.fround(m[0]! * x + m[4]! * y + m[8]! * z + m[12]!);
      const py = Math.fround(m[1]! * x + m[5]! * y + m[9]! * z + m[13]!);
      const pz = Math.fround(m[2]! * x + m[6]! * y + m[10]! * z + m[14]!);
      // single precision, as the table keeps them: a number beyond it is infinite
      if (!Number.isFinite(px) || !Number.isFinite(py) || !Number.isFinite(pz))
        this.#document.fail(`vertex ${v} is not finite`, path);
      ids[v] = this.#table.add(px, py, pz);
    }
    const order = primitive.indices === undefined ? undefined : this.#readAccessor(primitive.indices, 1);
    const corners = order?.length ?? count;
    checkLimit((this.#faces.length + corners) / 3, 'faces', this.#limits, 'triangles', { file: this.#path, path });
    for (let k = 0; k + 2 < corners; k += 3) {
      const a = ids[order ? order[k]! : k];
      const b = ids[order ? order[k + 1]! : k + 1];
      const c = ids[order ? order[k + 2]! : k + 2];
      if (a === undefined || b === undefined || c === undefined)
        this.#document.fail(`triangle ${k / 3} names a vertex beyond the ${count} there are`, path);
      // what merging of vertices has made a line is no triangle
      if (a !== b && b !== c && c !== a) this.#faces.push(a, b, c);
    }
  }

  #readAccessor(number: number, width: 1 | 3): Float64Array {
    const known = this.#accessors.get(number);
    const path = `accessors[${number}]`;
    const accessor = this.#document.readAccessor(number, width, (buffer) => this.#openBuffer(buffer).length);
    const { buffer, start, stride, count, componentType, type } = accessor;
    const isFloat = componentType === FLOAT32;
    if (type !== (width === 3 ? 'VEC3' : 'SCALAR') || isFloat !== (width === 3))
      this.#document.fail(`accessor ${number} is ${type.slice(0, 40)} of component type ${componentType}`, path);
    if (known) return known;
    const bytes = this.#openBuffer(buffer);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = COMPONENT_SIZE.get(componentType)!;
    const out = new Float64Array(width * count);
    for (let item = 0, i = 0; item < count; item++) {
      for (let at = start + stride * item, k = 0; k < width; k++, i++, at += size) {
        if (isFloat) out[i] = view.getFloat32(at, true);
        else out[i] = size === 4 ? view.getUint32(at, true) : size === 2 ? view.getUint16(at, true) : view.getUint8(at);
      }
    }
    this.#accessors.set(number, out);
    return out;
  }

  #openBuffer(number: number): Uint8Array {
    const known = this.#buffers.get(number);
    if (known) return known;
    const uri = this.#document.readUri(number);
    const path = `buffers[${number}]`;
    const mark = uri === undefined ? undefined : /^data:[^,]{0,200};base64,/.exec(uri)?.[0];
    if (uri === undefined ? !this.#binary : mark === undefined)
      this.#document.fail(`its buffer ${number} is in another file`, path, 'export as .glb, which holds everything');
    const bytes = uri === undefined ? this.#binary! : decodeBase64(uri, mark!.length);
    if (!bytes) return this.#document.fail(`buffer ${number} is not base64`, `${path}.uri`);
    this.#buffers.set(number, bytes);
    return bytes;
  }
}

/** translation · rotation (x y z w) · scale. */
function composeMatrix({ translation, rotation, scale }: GltfNode): number[] {
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
