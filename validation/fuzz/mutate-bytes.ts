/** Damage that needs no knowledge of the format: flipped bits, cut ends, parts that are missing, repeated or from another file. */
import type { RandomSource } from './random-source.ts';

/** Numbers at which counts and offsets break. */
const NUMBERS = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
/** Longest part that is copied, bytes. */
const LONGEST_PART = 64;

type Mutate = (bytes: Uint8Array, other: Uint8Array, random: RandomSource) => Uint8Array;

const MUTATIONS: readonly Mutate[] = [flipBits, setByte, setNumber, truncate, removePart, repeatPart, splice, fillPart];

/** One to three kinds of damage; `other` is another file of the corpus. */
export function mutateBytes(bytes: Uint8Array, other: Uint8Array, random: RandomSource): Uint8Array {
  let result = bytes;
  for (let n = 1 + random.below(3); n > 0; n--) {
    if (result.length === 0) return other.slice();
    result = random.pick(MUTATIONS)(result, other, random);
  }
  return result;
}

function flipBits(bytes: Uint8Array, _: Uint8Array, random: RandomSource): Uint8Array {
  const result = bytes.slice();
  for (let n = 1 + random.below(4); n > 0; n--) result[random.below(bytes.length)]! ^= 1 << random.below(8);
  return result;
}

function setByte(bytes: Uint8Array, _: Uint8Array, random: RandomSource): Uint8Array {
  const result = bytes.slice();
  result[random.below(bytes.length)] = random.below(256);
  return result;
}

function setNumber(bytes: Uint8Array, other: Uint8Array, random: RandomSource): Uint8Array {
  const width = random.pick([1, 2, 4]);
  if (bytes.length < width) return setByte(bytes, other, random);
  const result = bytes.slice();
  const view = new DataView(result.buffer, result.byteOffset, result.byteLength);
  const at = random.below(bytes.length - width + 1);
  const [value, isLittle] = [random.pick(NUMBERS), random.chance(0.5)];
  if (width === 4) view.setUint32(at, value, isLittle);
  else if (width === 2) view.setUint16(at, value, isLittle);
  else view.setUint8(at, value);
  return result;
}

function truncate(bytes: Uint8Array, _: Uint8Array, random: RandomSource): Uint8Array {
  return bytes.slice(0, random.below(bytes.length));
}

function removePart(bytes: Uint8Array, _: Uint8Array, random: RandomSource): Uint8Array {
  const [start, end] = choosePart(bytes, random);
  return join(bytes.subarray(0, start), bytes.subarray(end));
}

function repeatPart(bytes: Uint8Array, _: Uint8Array, random: RandomSource): Uint8Array {
  const [start, end] = choosePart(bytes, random);
  const parts = Array.from({ length: 1 + random.below(random.chance(0.05) ? 200 : 4) }, () =>
    bytes.subarray(start, end),
  );
  return join(bytes.subarray(0, end), ...parts, bytes.subarray(end));
}

function splice(bytes: Uint8Array, other: Uint8Array, random: RandomSource): Uint8Array {
  const [start, end] = choosePart(other, random);
  const at = random.below(bytes.length);
  // half of the time the rest comes from the other file as well
  const rest = random.chance(0.5) ? other.subarray(end) : bytes.subarray(at);
  return join(bytes.subarray(0, at), other.subarray(start, end), rest);
}

function fillPart(bytes: Uint8Array, _: Uint8Array, random: RandomSource): Uint8Array {
  const [start, end] = choosePart(bytes, random);
  return bytes.slice().fill(random.pick([0, 0x20, 0x7f, 0xff]), start, end);
}

function choosePart(bytes: Uint8Array, random: RandomSource): [start: number, end: number] {
  const start = random.below(bytes.length);
  return [start, Math.min(bytes.length, start + 1 + random.below(LONGEST_PART))];
}

function join(...parts: Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
