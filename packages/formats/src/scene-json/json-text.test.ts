import { NexdynError } from '@nexdyn/engine';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../scripts/long-run.ts';
import { locateJson, parseJson } from './json-text.ts';

describe('values', () => {
  test('any JSON text gives what the host gives', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', '\r\n'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJson(text, 'a.json')).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: takeSamples(2000, 0.2) },
    );
  });

  test('damaged JSON is accepted exactly where the host accepts it, duplicate names apart', () => {
    const damage = fc.record({
      value: fc.jsonValue(),
      at: fc.nat(200),
      insert: fc.constantFrom('', ',', '"', '{', ']', '1', 'e', '.', '-', '\\', ':', ' ', '\u0001', '0', 'true'),
      remove: fc.nat(2),
    });
    fc.assert(
      fc.property(damage, ({ value, at, insert, remove }) => {
        const good = JSON.stringify(value);
        const place = at % (good.length + 1);
        const text = good.slice(0, place) + insert + good.slice(place + remove);
        const host = attempt(() => JSON.parse(text));
        const ours = attempt(() => parseJson(text, 'a.json'));
        if (ours.error?.message.includes('twice') || ours.error?.message.includes('too large')) return;
        expect({ text, failed: ours.error !== undefined }).toEqual({ text, failed: host.error !== undefined });
        if (!ours.error) expect(ours.value).toStrictEqual(host.value);
      }),
      { numRuns: takeSamples(5000, 0.2) },
    );
  });

  test('minus zero, the smallest and the largest number survive', () => {
    expect(parseJson('[-0, 5e-324, 1.7976931348623157e308, 0.1]', '')).toStrictEqual([
      -0, 5e-324, 1.7976931348623157e308, 0.1,
    ]);
  });

  test('escapes', () => {
    expect(parseJson('"\\u00e9\\n\\/\\ud83d\\ude00\\""', '')).toBe('é\n/😀"');
  });

  test('__proto__ is an ordinary name', () => {
    const value = parseJson('{"__proto__": {"a": 1}}', '') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });

  test('100,000 nested lists need no deep stack', () => {
    let value = parseJson('['.repeat(100_000) + ']'.repeat(100_000), '', { valueDepth: 100_000 });
    let depth = 0;
    for (; Array.isArray(value); value = value[0]) depth++;
    expect(depth).toBe(100_000);
  });
});

describe('errors', () => {
  const cases: [text: string, line: number, column: number, reason: RegExp][] = [
    ['', 1, 1, /end of the file/],
    ['{', 1, 2, /end of the file/],
    ['{"a": 1,\n "b": 2,\n}', 3, 1, /there is a comma before '}'/],
    ['[1, 2,]', 1, 7, /there is a comma before ']'/],
    ['{"a": 1\n "b": 2}', 2, 2, /expected ',' or '}'/],
    ['{"a": 1, "b": 2,\n  "a": 3}', 2, 3, /'a' appears twice/],
    ['{"a": {"a": 1}, "\\u0061": 3}', 1, 17, /'a' appears twice/],
    ['{a: 1}', 1, 2, /name of a field but found 'a'/],
    ["{'a': 1}", 1, 2, /double quotes/],
    ['{"a" 1}', 1, 6, /expected ':'/],
    ['[01]', 1, 2, /'01'/],
    ['[.5]', 1, 2, /0\.5/],
    ['[+1]', 1, 2, /found '\+1'/],
    ['[1.]', 1, 2, /'1\.'/],
    ['[NaN]', 1, 2, /no NaN/],
    ['[-Infinity]', 1, 2, /no infinity/],
    ['[1e999]', 1, 2, /too large/],
    ['[1] // note', 1, 5, /more text/],
    ['[ // note\n1]', 1, 3, /no comments/],
    ['"abc\ndef"', 1, 5, /no end on its line/],
    ['\n\n"abc', 3, 1, /no end/],
    ['"\\x41"', 1, 2, /escape/],
    ['"\\u12g4"', 1, 2, /escape/],
    ['[tru]', 1, 2, /'tru'/],
    ['[nullify]', 1, 2, /'nullify'/],
    ['[1 2]', 1, 4, /expected ',' or ']' but found '2'/],
    ['{"a": [1, 2}', 1, 12, /expected ',' or ']'/],
  ];
  test.each(cases)('%j', (text, line, column, reason) => {
    const { error } = attempt(() => parseJson(text, 'a.json'));
    expect(error).toBeInstanceOf(NexdynError);
    expect(error).toMatchObject({ code: 'malformed-json', file: 'a.json', line, column });
    expect(error!.message).toMatch(reason);
    expect((error as NexdynError).hint).toBeTruthy();
  });
});

describe('places', () => {
  const text = '{\n  "bodies": [\n    {"joints": [{}, {"axis": [0, 0, 1], "x y": 2}]},\n    7\n  ]\n}';
  test.each<[path: string, line: number, column: number]>([
    ['', 1, 1],
    ['bodies', 2, 13],
    ['bodies[1]', 4, 5],
    ['bodies[0].joints[1].axis', 3, 30],
    ['bodies[0].joints[1].axis[2]', 3, 37],
    ['bodies[0].joints[1]["x y"]', 3, 48],
    // what is not there: the innermost value that is
    ['bodies[0].joints[1].limit', 3, 21],
    ['bodies[0].joints[0].axis[1]', 3, 17],
    ['bodies[5].name', 2, 13],
    ['shapes', 1, 1],
  ])('%s', (path, line, column) => {
    expect(locateJson(text, path)).toEqual({ line, column });
  });

  test('the name of a field', () => {
    expect(locateJson(text, 'bodies[0].joints[1].axis', 'key')).toEqual({ line: 3, column: 22 });
  });
});

function attempt(run: () => unknown): { value?: unknown; error?: Error } {
  try {
    return { value: run() };
  } catch (error) {
    return { error: error as Error };
  }
}
