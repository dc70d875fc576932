/**
 * Noise of sensors: numbers with mean 0 and variance 1 that depend on a seed, the time and the place of a reading alone, so that a run
 * repeats itself whatever was read, and after a restored snapshot. Each is the sum of twelve that are even between 0 and 1, less 6
 * (Irwin and Hall): no function in it differs between machines. Bits are mixed as in MurmurHash3.
 */
const clock = /* @__PURE__ */ new Float64Array(1);
const words = /* @__PURE__ */ new Uint32Array(clock.buffer);

/** One such number. */
export function drawNoise(seed: number, time: number, place: number): number {
  clock[0] = time;
  let bits = mix(mix(mix(seed | 0) ^ words[0]) ^ words[1]) ^ place;
  let sum = -6;
  for (let k = 0; k < 12; k++) {
    bits = mix((bits + 0x9e3779b9) | 0);
    sum += (bits >>> 0) / 4294967296;
  }
  return sum;
}

function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Adds noise of deviation σ to d numbers: what cannot be negative stays so and 0 stays 0; directions and rotations keep their length. */
export function addNoise(
  out: Float64Array,
  at: number,
  count: number,
  deviation: number,
  range: 'real' | 'positive' | 'unit',
  seed: number,
  time: number,
): void {
  let square = 0;
  for (let i = at; i < at + count; i++) {
    // a quaternion turns by twice what its numbers change
    const change = (count === 4 ? 0.5 : 1) * deviation * drawNoise(seed, time, i);
    if (range !== 'positive') out[i] += change;
    else if (out[i] > 0) out[i] = Math.max(0, out[i] + change);
    square += out[i] * out[i];
  }
  if (range !== 'unit' || square === 0) return;
  const scale = 1 / Math.sqrt(square);
  for (let i = at; i < at + count; i++) out[i] *= scale;
}
