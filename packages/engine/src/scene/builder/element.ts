import { NexdynError } from '../../error.ts';

/** Red, green, blue, opacity from 0 to 1, or hexadecimal as in the web: `#f80`, `#ff8800`, `#ff8800cc`. */
export type Color = [number, number, number, number] | string;

/** What the builder asks for an element: its fields without kind and name, colours also by hex. */
export type Options<T> = {
  [K in keyof T as K extends 'kind' | 'name' ? never : K]: K extends 'color' ? Color : T[K];
};

/** A name and options, or options alone; the options may be left out where nothing in them is required. */
export type Arguments<T> =
  Record<never, never> extends T
    ? [name: string, options?: T] | [options?: T]
    : [name: string, options: T] | [options: T];

/** Takes the arguments of a builder's method apart. */
export function readArguments<T>(args: Arguments<T>): { name?: string; options: T } {
  const [first, second] = args as [string | T | undefined, T | undefined];
  if (typeof first === 'string') return { name: first, options: second ?? ({} as T) };
  return { options: first ?? ({} as T) };
}

/** An element of a scene: fixed fields first, then a copy of the options with the colour in numbers. */
export function makeElement<T>(fixed: object, options: object): T {
  const { color, ...rest } = options as { color?: Color };
  const element = { ...fixed, ...rest, ...(color !== undefined && { color: readColor(color) }) };
  return copyPlain(element) as T;
}

/** Colour in numbers from 0 to 1. */
function readColor(color: Color): [number, number, number, number] {
  if (typeof color !== 'string') return color;
  const digits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color)?.[1];
  if (!digits) {
    const hint = 'write #rgb, #rgba, #rrggbb or #rrggbbaa';
    throw new NexdynError('invalid-argument', `'${color}' is not a colour`, { hint });
  }
  const width = digits.length < 6 ? 1 : 2;
  const full = 16 ** width - 1;
  // four decimals tell all 256 levels apart and read well in a file
  const read = (i: number) => Number((Number.parseInt(digits.slice(i * width, (i + 1) * width), 16) / full).toFixed(4));
  return [read(0), read(1), read(2), digits.length === 4 * width ? read(3) : 1];
}

/** A deep copy of plain data without undefined fields. */
function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, content]) => content !== undefined);
  return Object.fromEntries(entries.map(([key, content]) => [key, copyPlain(content)]));
}
