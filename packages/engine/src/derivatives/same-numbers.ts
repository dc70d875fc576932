/** Whether two models have the same numbers, objects with methods left out: a scene that was changed since it was compiled gives others. */
export function haveSameNumbers(one: unknown, two: unknown): boolean {
  if (one === two) return true;
  if (typeof one !== 'object' || typeof two !== 'object' || one === null || two === null) return Object.is(one, two);
  if (ArrayBuffer.isView(one)) {
    const [a, b] = [one as Float64Array, two as Float64Array];
    return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
  }
  if (Array.isArray(one)) {
    const other = two as unknown[];
    return one.length === other.length && one.every((value, i) => haveSameNumbers(value, other[i]));
  }
  if (Object.getPrototypeOf(one) !== Object.prototype) return true;
  return Object.entries(one).every(([key, value]) => haveSameNumbers(value, (two as Record<string, unknown>)[key]));
}
