/**
 * NumPy's array file (NEP 1): `\x93NUMPY`, version, length of the header, the header as a Python dictionary padded with
 * spaces to a multiple of 64 bytes, then the numbers. Written as version 1.0, float64 or uint8, little endian, C order.
 */
import { NexdynError } from '@nexdyn/engine';

/** Numbers with a shape, last index fastest. */
export interface NpyArray {
  /** Length of each axis. */
  shape: number[];
  /** All numbers, the last index fastest. */
  data: Float64Array;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const ALIGNMENT = 64;

/** How each type of number that is read is stored. */
const TYPES: Record<string, { size: number; read: (view: DataView, at: number) => number }> = {
  '<f8': { size: 8, read: (view, at) => view.getFloat64(at, true) },
  '<f4': { size: 4, read: (view, at) => view.getFloat32(at, true) },
  '<i8': { size: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  '<i4': { size: 4, read: (view, at) => view.getInt32(at, true) },
  '|u1': { size: 1, read: (view, at) => view.getUint8(at) },
  '|b1': { size: 1, read: (view, at) => view.getUint8(at) },
};

/** The bytes of an array file. */
export function writeNpy({ shape, data }: { shape: number[]; data: Float64Array | Uint8Array }): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const isText = data instanceof Uint8Array;
  const dictionary = `{'descr': '${isText ? '|u1' : '<f8'}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const start = Math.ceil((MAGIC.length + 4 + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const bytes = new Uint8Array(start + (isText ? 1 : 8) * data.length);
  const view = new DataView(bytes.buffer);
  bytes.set([...MAGIC, 1, 0]);
  view.setUint16(8, start - 10, true);
  bytes.fill(0x20, 10, start);
  bytes.set(new TextEncoder().encode(dictionary), 10);
  bytes[start - 1] = 0x0a;
  if (isText) bytes.set(data, start);
  else for (let i = 0; i < data.length; i++) view.setFloat64(start + 8 * i, data[i]!, true);
  return bytes;
}

/** Reads an array file; integers and single precision become doubles. `file` names it in errors. */
export function readNpy(bytes: Uint8Array, file: string): NpyArray {
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('file-unreadable', reason, { file, hint });
  };
  if (bytes.length < 12 || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    return fail('this is not a NumPy array', 'write it with numpy.save or numpy.savez');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [start, length] = bytes[6] === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
  if (start + length > bytes.length) fail('the header is cut off', 'write the file again');
  const header = new TextDecoder().decode(bytes.subarray(start, start + length));

  const descriptor = /'descr':\s*'([^']*)'/.exec(header)?.[1] ?? '';
  const type = Object.hasOwn(TYPES, descriptor) ? TYPES[descriptor]! : undefined;
  const shape = readShape(header);
  if (!type) return fail(`numbers of type '${descriptor}' are not read`, 'convert them with .astype("<f8")');
  if (!shape) return fail('the header has no shape', 'write the file again');
  if (/'fortran_order':\s*True/.test(header) && shape.length > 1) {
    fail('the array is stored by columns', 'convert it with numpy.ascontiguousarray');
  }
  if (shape.some((size) => !Number.isSafeInteger(size)))
    fail('the shape has sizes that are no counts', 'write the file again');
  // the shape must account for every byte before anything is allocated
  const count = shape.reduce((product, size) => product * size, 1);
  const first = start + length;
  if (first + count * type.size !== bytes.length) {
    fail(
      `the shape (${shape.join(', ')}) does not fit ${bytes.length - first} bytes`,
      'the file is cut off or damaged',
    );
  }
  const data = new Float64Array(count);
  for (let i = 0; i < count; i++) data[i] = type.read(view, first + i * type.size);
  return { shape, data };
}

function readShape(header: string): number[] | undefined {
  const tuple = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1];
  const sizes = tuple
    ?.split(',')
    .map((size) => size.trim())
    .filter((size) => size !== '');
  return sizes?.map(Number);
}
