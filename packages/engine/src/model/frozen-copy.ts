/** A deep, frozen copy of plain data: what a model keeps of a scene, which its caller may still change. */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, frozenCopy(part)]))) as T;
}
