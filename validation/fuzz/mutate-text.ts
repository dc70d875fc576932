/** Damage to text formats: numbers that break counts, words of the format in the wrong place, lines and tags moved about. */
import type { RandomSource } from './random-source.ts';

const NUMBERS = ['0', '-1', '1', '-0', '2', '0.5', '1e8', '1e308', '-1e308', '1e-320', '1e999', 'nan', 'inf', '-inf'];
const WHOLE = ['65535', '65536', '2147483647', '4294967295', '9007199254740993', '99999999999999999999', ''];
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** One to three changes of a text; `words` are words of its format. */
export function mutateText(text: string, words: readonly string[], random: RandomSource): string {
  let result = text;
  for (let n = 1 + random.below(3); n > 0; n--) {
    const kind = random.below(5);
    if (kind === 0)
      result = replaceMatch(result, NUMBER, () => random.pick(random.chance(0.7) ? NUMBERS : WHOLE), random);
    else if (kind === 1) result = insertWord(result, words, random);
    else if (kind === 2) result = replaceMatch(result, /[\w$:.-]+/g, () => random.pick(words), random);
    else if (kind === 3) result = moveLine(result, random);
    else
      result = replaceMatch(
        result,
        /[^\w\s]/g,
        () => random.pick(['', '"', '<', '>', '/', '\\', '{', '[', ',', '\0']),
        random,
      );
  }
  return result;
}

const SIZES = [
  '0',
  '-1',
  '1',
  '1e-3',
  '1e-9',
  '1e-160',
  '1e-320',
  '3',
  '10',
  '1e3',
  '1e9',
  '1e160',
  '1e308',
  '0.3333333333333333',
];

/** One to three numbers of a text replaced by others, small and large: most readers accept the result. */
export function mutateNumbers(text: string, random: RandomSource): string {
  let result = text;
  for (let n = 1 + random.below(3); n > 0; n--) {
    result = replaceMatch(result, NUMBER, (old) => (random.chance(0.2) ? `-${old}` : random.pick(SIZES)), random);
  }
  return result.replaceAll('--', '');
}

/** Changes of the tags of an XML text: removed, repeated, wrapped, with other attributes and values. */
export function mutateXml(text: string, words: readonly string[], random: RandomSource): string {
  const value = (): string => random.pick([...NUMBERS, ...WHOLE, ...words, '0 0 0', '1 2', 'x'.repeat(300)]);
  switch (random.below(6)) {
    case 0:
      return replaceMatch(text, /="[^"]*"/g, () => `="${value()}"`, random);
    case 1:
      return replaceMatch(
        text,
        /\s[\w:]+="[^"]*"/g,
        () => (random.chance(0.5) ? '' : ` ${random.pick(words)}="${value()}"`),
        random,
      );
    case 2:
      return replaceMatch(text, /<[^<>]*\/>/g, (tag) => tag.repeat(random.below(4)), random);
    case 3:
      return replaceMatch(text, /<\w+/g, () => `<${random.pick(words)}`, random);
    case 4: {
      const name = random.pick(words);
      const depth = random.chance(0.05) ? 1100 : 1 + random.below(3);
      return replaceMatch(
        text,
        /<[^<>]*\/>/g,
        (tag) => `<${name}>`.repeat(depth) + tag + `</${name}>`.repeat(depth),
        random,
      );
    }
    default:
      return replaceMatch(text, /<[^<>]*\/>/g, (tag) => tag + random.pick(text.match(/<[^<>]*\/>/g) ?? ['']), random);
  }
}

/** Changes of the values of a JSON text: other types, missing and unknown fields, lists that are too long or too deep. */
export function mutateJson(text: string, words: readonly string[], random: RandomSource): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return mutateText(text, words, random);
  }
  const root = { value };
  for (let n = 1 + random.below(3); n > 0; n--) changeValue(root, words, random);
  return JSON.stringify(root.value) ?? '';
}

function changeValue(root: { value: unknown }, words: readonly string[], random: RandomSource): void {
  const holders: object[] = [root];
  for (let i = 0; i < holders.length && holders.length < 2000; i++) {
    for (const inner of Object.values(holders[i]!))
      if (typeof inner === 'object' && inner !== null) holders.push(inner);
  }
  const holder = random.pick(holders) as Record<string, unknown>;
  const keys = Object.keys(holder);
  const key = keys.length > 0 ? random.pick(keys) : random.pick(words);
  const kind = random.below(6);
  if (kind === 0 && holder !== root) delete holder[key];
  else if (kind === 1) holder[random.pick(words)] = holder[key];
  else if (kind === 2 && Array.isArray(holder)) holder.push(...holder.slice(0, 20), makeValue(words, random));
  else if (kind === 3 && Array.isArray(holder)) holder.length = random.below(holder.length + 1);
  else holder[key] = makeValue(words, random);
}

function makeValue(words: readonly string[], random: RandomSource): unknown {
  const kind = random.below(12);
  if (kind < 5) return random.pick([0, -1, 1, 0.5, 1e8, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 3]);
  if (kind < 7) return random.pick([null, true, false, '', {}, []]);
  if (kind < 9) return random.pick(words);
  if (kind === 9) return Array.from({ length: random.below(20) }, () => makeValue(words, random));
  if (kind === 10) return { [random.pick(words)]: random.pick([null, 1, 'x']) };
  let deep: unknown = 1;
  for (let n = random.below(random.chance(0.1) ? 600 : 8); n > 0; n--) deep = random.chance(0.5) ? [deep] : { a: deep };
  return deep;
}

function replaceMatch(text: string, pattern: RegExp, make: (match: string) => string, random: RandomSource): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text + make('');
  const { index, 0: match } = random.pick(matches);
  return text.slice(0, index) + make(match) + text.slice(index + match.length);
}

function insertWord(text: string, words: readonly string[], random: RandomSource): string {
  const at = random.below(text.length + 1);
  return `${text.slice(0, at)}${random.pick([' ', '\n', ''])}${random.pick(words)}${random.pick([' ', '\n', ''])}${text.slice(at)}`;
}

function moveLine(text: string, random: RandomSource): string {
  const lines = text.split('\n');
  const [from, to] = [random.below(lines.length), random.below(lines.length)];
  const line = lines[from]!;
  if (random.chance(0.5)) lines.splice(from, 1);
  lines.splice(to, 0, random.chance(0.1) ? `${line}\n`.repeat(50) : line);
  return lines.join('\n');
}
