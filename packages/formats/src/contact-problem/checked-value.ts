/** Values of a parsed file that must be of a kind; errors carry the path and say what was expected. */
import { type ErrorCode, NexdynError } from '@nexdyn/engine';

export function fail(code: ErrorCode, reason: string, path: string, hint: string): never {
  throw new NexdynError(code, reason, { path, hint });
}

export function readObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return fail('invalid-value', `expected an object but found ${describe(value)}`, path, 'write it in { }');
}

export function readNumber(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return fail('invalid-value', `expected a number but found ${describe(value)}`, path, 'give a finite number');
}

export function readNonnegative(value: unknown, path: string): number {
  const number = readNumber(value, path);
  if (number >= 0) return number;
  return fail('invalid-value', `${number} is negative`, path, 'a coefficient of friction is 0 or more');
}

/** A whole number, `least` or more. */
export function readCount(value: unknown, path: string, least: number): number {
  const number = readNumber(value, path);
  if (Number.isSafeInteger(number) && number >= least) return number;
  return fail('invalid-value', `${number} is no number of rows`, path, `give a whole number, ${least} or more`);
}

/** A list; with `length` given, of that many items. */
export function readList(value: unknown, path: string, length?: number): unknown[] {
  if (!Array.isArray(value)) {
    return fail('invalid-value', `expected a list but found ${describe(value)}`, path, 'write it in [ ]');
  }
  if (length !== undefined && value.length !== length) {
    fail(
      'invalid-value',
      `${value.length} items where ${length} are needed`,
      path,
      'the sizes of a problem must agree',
    );
  }
  return value;
}

export function readNumbers(value: unknown, path: string, length?: number): number[] {
  const list = readList(value, path, length);
  for (let i = 0; i < list.length; i++) readNumber(list[i], `${path}[${i}]`);
  return list as number[];
}

/** A field that must be there. */
export function readField(fields: Record<string, unknown>, name: string, path: string): unknown {
  const value = fields[name];
  if (value !== undefined) return value;
  return fail('missing-value', `there is no '${name}'`, path, `add '${name}'`);
}

export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? `'${value.slice(0, 40)}'` : String(value);
}
