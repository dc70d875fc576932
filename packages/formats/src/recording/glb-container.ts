/**
 * The binary container of glTF 2.0: a header of 12 bytes (magic, version, length), a JSON chunk padded with spaces and a
 * binary chunk padded with zeros, each behind its length and type; all little endian, chunks multiples of 4 bytes.
 */
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Of single precision. */
const LARGEST_FLOAT = (2 - 2 ** -23) * 2 ** 127;

export const COMPONENT = { u32: 5125, f32: 5126 } as const;
export type AccessorType = 'SCALAR' | 'VEC3' | 'VEC4';
const WIDTH: Readonly<Record<AccessorType, number>> = { SCALAR: 1, VEC3: 3, VEC4: 4 };

interface BufferView {
  buffer: 0;
  byteOffset: number;
  byteLength: number;
  target?: number;
}

interface Accessor {
  bufferView: number;
  componentType: number;
  count: number;
  type: AccessorType;
  min?: number[];
  max?: number[];
}

/** Arrays of numbers, laid out one after the other. */
export class GlbBuffer {
  readonly bufferViews: BufferView[] = [];
  readonly accessors: Accessor[] = [];
  readonly #pieces: (Float32Array | Uint32Array)[] = [];
  #length = 0;

  /** Adds numbers, made finite in place, and gives the number of their accessor. `bounds` writes the least and largest of each component. */
  add(
    data: Float32Array | Uint32Array,
    type: AccessorType,
    options: { bounds?: boolean; target?: 'vertices' | 'indices' } = {},
  ): number {
    const target = options.target && { target: options.target === 'vertices' ? 34962 : 34963 };
    const { byteLength } = data;
    this.bufferViews.push({ buffer: 0, byteOffset: this.#length, byteLength, ...target });
    if (data instanceof Float32Array) limitFloats(data);
    this.#pieces.push(data);
    this.#length += byteLength;
    const componentType = data instanceof Float32Array ? COMPONENT.f32 : COMPONENT.u32;
    const width = WIDTH[type];
    const bounds = options.bounds ? findBounds(data, width) : {};
    const bufferView = this.bufferViews.length - 1;
    this.accessors.push({ bufferView, componentType, count: data.length / width, type, ...bounds });
    return this.accessors.length - 1;
  }

  get byteLength(): number {
    return this.#length;
  }

  /** Writes the numbers, little endian. */
  write(view: DataView, at: number): void {
    for (const piece of this.#pieces) {
      const isFloat = piece instanceof Float32Array;
      for (const value of piece) {
        if (isFloat) view.setFloat32(at, value, true);
        else view.setUint32(at, value, true);
        at += 4;
      }
    }
  }
}

// glTF has no infinity: infinite values become the largest number, NaN becomes zero
function limitFloats(data: Float32Array): void {
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    if (Number.isFinite(value)) continue;
    data[i] = Number.isNaN(value) ? 0 : Math.sign(value) * LARGEST_FLOAT;
  }
}

function findBounds(data: ArrayLike<number>, width: number): { min: number[]; max: number[] } {
  const min = Array<number>(width).fill(Number.POSITIVE_INFINITY);
  const max = Array<number>(width).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < data.length; i++) {
    min[i % width] = Math.min(min[i % width]!, data[i]!);
    max[i % width] = Math.max(max[i % width]!, data[i]!);
  }
  return { min, max };
}

/** The bytes of a `.glb` file. */
export function packGlb(document: object, buffer: GlbBuffer): Uint8Array {
  const { accessors, bufferViews, byteLength } = buffer;
  const buffers = byteLength > 0 ? { buffers: [{ byteLength }], bufferViews, accessors } : {};
  const text = new TextEncoder().encode(JSON.stringify({ ...document, ...buffers }));
  const jsonLength = Math.ceil(text.length / 4) * 4;
  const length = 12 + 8 + jsonLength + (byteLength > 0 ? 8 + byteLength : 0);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  [MAGIC, 2, length, jsonLength, JSON_CHUNK].forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  bytes.fill(0x20, 20, 20 + jsonLength);
  bytes.set(text, 20);
  if (byteLength > 0) {
    view.setUint32(20 + jsonLength, byteLength, true);
    view.setUint32(24 + jsonLength, BINARY_CHUNK, true);
    buffer.write(view, 28 + jsonLength);
  }
  return bytes;
}
