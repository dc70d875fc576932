/** The glossary has each word and each symbol once, and the files that it names exist. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, readText } from './source-files.ts';

const rows = readText('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (word|-+) /.test(line))
  .map((line) => {
    const [word, symbol, unit, meaning, file] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { word: word!, symbol: symbol!, unit: unit!, meaning: meaning!, file: file! };
  });

function listRepeated(values: string[]): string[] {
  return values.filter((value, i) => values.indexOf(value) !== i);
}

describe('the glossary', () => {
  test('has each word once and in one sentence', () => {
    expect(rows.length).toBeGreaterThan(80);
    const words = rows.flatMap(({ word }) => word.split(', '));
    expect(listRepeated(words.map((word) => word.toLowerCase()))).toEqual([]);
    expect(rows.filter(({ meaning }) => !/^[A-Z][^\n]*\.$/.test(meaning) || /\. [A-Z]/.test(meaning))).toEqual([]);
  });

  test('has each symbol once, and a unit or a dash for every word', () => {
    const symbols = rows.map(({ symbol }) => symbol).filter((symbol) => symbol !== '–');
    expect(symbols.filter((symbol) => !/^\$[^$]+\$$/.test(symbol))).toEqual([]);
    expect(listRepeated(symbols)).toEqual([]);
    expect(rows.filter(({ unit }) => unit === '')).toEqual([]);
  });

  test('names files of the engine that exist, by their names', () => {
    const wrong = rows.filter(({ file }) => {
      const [, label, path] = /^\[([^\]]+)\]\(\.\.\/(packages\/engine\/src\/[^)]+)\)$/.exec(file) ?? [];
      return !path?.endsWith(`/${label}`) || !existsSync(join(ROOT, path));
    });
    expect(wrong).toEqual([]);
  });
});
