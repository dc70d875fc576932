/**
 * A 64-bit hash of the bytes of an array: two FNV-1a style lanes of 32 bits over its 32-bit words, finished by the mixer of
 * MurmurHash3. Equal bytes, equal hash: on any machine of the same byte order, in Node and in browsers.
 */
export function hashDoubles(values: Float64Array): string {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < words.length; i++) {
    a = Math.imul(a ^ words[i], 0x01000193);
    b = Math.imul(b ^ words[i], 0x85ebca6b);
    b = (b << 13) | (b >>> 19);
  }
  return hex(mix(a ^ words.length)) + hex(mix(b ^ a));
}

function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

function hex(x: number): string {
  return x.toString(16).padStart(8, '0');
}
