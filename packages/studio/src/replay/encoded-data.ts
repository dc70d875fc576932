/** Structures with typed arrays as text and back: JSON, with arrays in base64. */
import { decodeBase64, deflate, encodeBase64, inflate } from '../packed-scene.ts';

const ARRAYS = { Float32Array, Float64Array, Int32Array, Uint8Array } as const;

/** A page that replays a run holds no more, bytes. */
const LARGEST_RUN = 2 ** 30;

type ArrayName = keyof typeof ARRAYS;

export async function encodeData(value: unknown): Promise<string> {
  const json = JSON.stringify(value, (_, part: unknown) => {
    const name = (Object.keys(ARRAYS) as ArrayName[]).find((key) => part instanceof ARRAYS[key]);
    if (name === undefined) return part;
    const { buffer, byteOffset, byteLength } = part as Float32Array;
    return { array: name, base64: encodeBase64(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)) };
  });
  return encodeBase64(await deflate(new TextEncoder().encode(json)));
}

export async function decodeData<T>(text: string): Promise<T> {
  const json = new TextDecoder().decode(await inflate(decodeBase64(text), LARGEST_RUN, 'replay'));
  return JSON.parse(json, (_, part: unknown) => {
    const { array, base64 } = (part ?? {}) as { array?: ArrayName; base64?: string };
    if (array === undefined || base64 === undefined || !Object.hasOwn(ARRAYS, array)) return part;
    return new ARRAYS[array](decodeBase64(base64).buffer as ArrayBuffer);
  }) as T;
}
