/** Numbers of two compiled models that differ, by name where things have names: what two files of one robot disagree about. */
import { JOINT, type Model } from '@nexdyn/engine';

export interface FieldDifference {
  /** As in `body.mass of forearm`. */
  field: string;
  first: string;
  second: string;
}

/** Relative difference below which numbers are the same. */
const SAME = 1e-9;
const GROUPS = [
  'body',
  'joint',
  'dof',
  'constraintJoint',
  'shape',
  'actuator',
  'equality',
  'tendon',
  'soft',
  'sensor',
] as const;

/** Whether two models have the same bodies and joints in the same frames, so that their arrays can be compared one by one. */
export function haveSameFrames(one: Model, two: Model): boolean {
  const found: FieldDifference[] = [];
  for (const field of ['name', 'parent', 'position', 'orientation'] as const)
    compareArrays(field, [], one.body[field], two.body[field], found);
  for (const field of ['name', 'kind', 'body'] as const)
    compareArrays(field, [], one.joint[field], two.joint[field], found);
  return found.length === 0;
}

/** Differences of the options, without those of formulations that neither model uses. */
export function listOptionDifferences(one: Model, two: Model): FieldDifference[] {
  const found: FieldDifference[] = [];
  const used = [one.options.formulation, two.options.formulation];
  comparePlain('', chooseOptions(one, used), chooseOptions(two, used), 'options', found);
  // what each formulation derives from its own options says no more than that there are two
  return used[0] === used[1]
    ? found
    : found.filter(({ field }) => !/^options\.(?:clearance|elasticStep)\./.test(field));
}

/** Options of built-in formulations stand twice in a model. */
function chooseOptions({ options }: Model, used: readonly string[]): object {
  const { formulations, requestedIntegrator, ...rest } = options;
  const others = Object.keys(formulations).filter((name) => !used.includes(name));
  const chosen = Object.fromEntries(used.map((name) => [name, formulations[name] ?? {}]));
  return { ...Object.fromEntries(Object.entries(rest).filter(([key]) => !others.includes(key))), ...chosen };
}

/** Differences of sizes, options and arrays; arrays of different length are told by their sizes alone. */
export function listModelDifferences(one: Model, two: Model): FieldDifference[] {
  const found: FieldDifference[] = [];
  comparePlain('', one.size, two.size, 'size', found);
  found.push(...listOptionDifferences(one, two));
  for (const group of GROUPS) {
    const [a, b] = [one[group], two[group]] as unknown as [Record<string, unknown>, Record<string, unknown>];
    const names = (a['name'] ?? []) as readonly string[];
    for (const [field, values] of Object.entries(a)) {
      // a free joint has neither: in body coordinates the numbers are those of the centre of mass
      const isLeftOut = group === 'joint' && (field === 'anchor' || field === 'axis');
      const leftOut = isLeftOut ? (i: number) => one.joint.kind[i] === JOINT.free : undefined;
      compareArrays(`${group}.${field}`, names, values, b[field], found, leftOut);
    }
  }
  return found;
}

function comparePlain(path: string, one: object, two: object, name: string, found: FieldDifference[]): void {
  for (const [key, a] of Object.entries(one)) {
    const b = (two as Record<string, unknown>)[key];
    const place = `${name}.${path}${key}`;
    if (isList(a) && isList(b)) compareArrays(place, [], a, b, found);
    else if (isPlain(a) && isPlain(b)) comparePlain(`${path}${key}.`, a, b, name, found);
    else if (!isFunction(a) && !isSame(a, b)) found.push({ field: place, first: show(a), second: show(b) });
  }
}

function compareArrays(
  field: string,
  names: readonly string[],
  one: unknown,
  two: unknown,
  found: FieldDifference[],
  isLeftOut?: (item: number) => boolean,
): void {
  if (!isList(one) || !isList(two)) return;
  if (one.length !== two.length) {
    found.push({ field: `${field}, how many`, first: String(one.length), second: String(two.length) });
    return;
  }
  const width = names.length > 0 ? one.length / names.length : 1;
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i], two[i]];
    if (isPlain(a) || isPlain(b) || isList(a) || isFunction(a) || isSame(a, b)) continue;
    if (isLeftOut?.(Math.floor(i / width))) continue;
    if (field.startsWith('options.')) {
      found.push({ field: `${field}[${i}]`, first: show(a), second: show(b) });
      continue;
    }
    const owner =
      Number.isInteger(width) && width > 0
        ? names[Math.floor(i / width)] || `${field.split('.')[0]} ${Math.floor(i / width)}`
        : `place ${i}`;
    found.push({ field: `${field} of ${owner}`, first: show(a), second: show(b) });
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return Object.is(a, b) || (isPlain(a) && isPlain(b));
  return Object.is(a, b) || Math.abs(a - b) <= SAME * Math.max(1e-12, Math.abs(a), Math.abs(b));
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isList(value);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function show(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'number' ? String(Number(value.toPrecision(9))) : String(value);
}
