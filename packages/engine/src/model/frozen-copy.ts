/** A deep, frozen copy of plain data: what a model keeps of a scene, which its caller may still change. */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, frozenCopy(part)]))) as T;
}

/** Freezes a model and all plain objects and arrays in it; typed arrays cannot be frozen, sets are read-only by type. */
export function freezeModel<T>(part: T): T {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || Object.isFrozen(part)) return part;
  const prototype = Object.getPrototypeOf(part);
  // geometry holds objects with methods and inner state
  if (prototype !== Object.prototype && prototype !== Array.prototype) return part;
  Object.freeze(part);
  for (const inner of Object.values(part)) freezeModel(inner);
  return part;
}
