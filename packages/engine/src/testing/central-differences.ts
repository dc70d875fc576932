/**
 * Derivatives by central differences of fourth order: f' ≈ (8(f(h) − f(−h)) − (f(2h) − f(−2h)))/(12h), error h⁴ f⁽⁵⁾/30 plus
 * the rounding of f over h.
 */

/** ∂f/∂xᵢ of a function of several numbers, each of whose values is a list: row i holds the derivatives by xᵢ. */
export function differentiate(
  x: Float64Array,
  h: number,
  f: (x: Float64Array) => number | ArrayLike<number>,
): number[][] {
  const place = x.slice();
  return Array.from(x, (value, i) => {
    const at = (shift: number): number[] => {
      place[i] = value + shift;
      const found = f(place);
      place[i] = value;
      return typeof found === 'number' ? [found] : Array.from(found);
    };
    const [far, near, back, farBack] = [at(2 * h), at(h), at(-h), at(-2 * h)];
    return near.map((_, k) => (8 * (near[k] - back[k]) - (far[k] - farBack[k])) / (12 * h));
  });
}

/** Largest difference of two lists over the largest entry of the second, or over `floor` where that is larger. */
export function compareLists(found: ArrayLike<number>, expected: ArrayLike<number>, floor = 0): number {
  let largest = floor;
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    largest = Math.max(largest, Math.abs(expected[i]));
    const difference = Math.abs(found[i] - expected[i]);
    if (!(difference <= worst)) worst = difference;
  }
  return worst === 0 ? 0 : worst / largest;
}
