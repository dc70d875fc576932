/**
 * Messages between this process and the one that started it: JSON, with typed arrays beside it.
 *
 * A frame is two lengths (u32, little endian), the JSON as UTF-8, and the bytes of the arrays. In the JSON an array stands as
 *   {"$array": "float64", "at": byte offset among the arrays, "shape": [rows, columns]}
 * and a number that JSON cannot write as {"$number": "NaN" | "Infinity" | "-Infinity"}. Arrays begin at multiples of 8 bytes.
 */

/** Types of arrays by the names that NumPy has for them. */
const ARRAY_TYPES = {
  float64: Float64Array,
  float32: Float32Array,
  int32: Int32Array,
  uint32: Uint32Array,
  uint8: Uint8Array,
} as const;

type TypeName = keyof typeof ARRAY_TYPES;
/** An array that can travel. */
export type TypedArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/** An array with its shape, for arrays of more than one axis. */
export class Shaped {
  readonly array: TypedArray;
  readonly shape: readonly number[];

  constructor(array: TypedArray, shape: readonly number[]) {
    this.array = array;
    this.shape = shape;
  }
}

/** A message as it travels. */
export interface Frame {
  readonly header: Buffer;
  readonly arrays: readonly Uint8Array[];
  /** Bytes of the arrays with the gaps between them. */
  readonly size: number;
}

/** Writes a value as JSON and arrays. */
export function encodeMessage(value: unknown): Frame {
  const arrays: Uint8Array[] = [];
  let size = 0;
  const place = (array: TypedArray, shape: readonly number[]): object => {
    const at = size;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const rest = (8 - (bytes.length % 8)) % 8;
    arrays.push(bytes);
    if (rest > 0) arrays.push(new Uint8Array(rest));
    size += bytes.length + rest;
    return { $array: nameType(array), at, shape };
  };
  const replace = (_: string, item: unknown): unknown => {
    if (typeof item === 'number') return Number.isFinite(item) ? item : { $number: String(item) };
    if (item instanceof Shaped) return place(item.array, item.shape);
    if (isTypedArray(item)) return place(item, [item.length]);
    if (item instanceof Set) return [...item];
    return item;
  };
  const header = Buffer.from(JSON.stringify(value, replace) ?? 'null');
  return { header, arrays, size };
}

/** Reads what `encodeMessage` wrote. Arrays are views on the bytes that were given. */
export function decodeMessage(header: string, bytes: Uint8Array): unknown {
  return JSON.parse(header, (_, item: unknown) => {
    if (typeof item !== 'object' || item === null) return item;
    if ('$number' in item) return Number(item.$number);
    if (!('$array' in item)) return item;
    const { $array, at, shape } = item as { $array: TypeName; at: number; shape: number[] };
    const count = shape.reduce((product, n) => product * n, 1);
    return new ARRAY_TYPES[$array](bytes.buffer as ArrayBuffer, bytes.byteOffset + at, count);
  });
}

function isTypedArray(item: unknown): item is TypedArray {
  return ArrayBuffer.isView(item) && nameType(item) in ARRAY_TYPES;
}

function nameType(array: ArrayBufferView): string {
  return array.constructor.name.replace('Array', '').toLowerCase();
}
