import { describe, expect, test } from 'vitest';
import { listFiles, readText } from './source-files.ts';

const texts = listFiles(/\.(ts|tsx|mjs|js|json|md|html|css|xml|urdf|yml)$|^\.ci\/run$/).filter(
  (path) => path !== 'package-lock.json',
);

/** `path:line: text` of all lines that match. */
function findLines(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    readText(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 100)}`] : [])),
  );
}

describe('text of the repository', () => {
  test('no path of one machine', () => {
    const roots = ['home', 'root', 'work', 'Users', 'tmp'].join('|');
    expect(findLines(texts, new RegExp(`(^|[\\s"'\`(=:])/(${roots})/\\w|[A-Z]:\\\\Users`))).toEqual([]);
  });

  test('no unfinished business', () => {
    const marks = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|');
    expect(findLines(texts, new RegExp(`\\b(${marks})\\b`))).toEqual([]);
  });

  test('no default exports but where a tool asks for one', () => {
    const code = texts.filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.config\.ts$/.test(path));
    expect(findLines(code, /^\s*export default\b/)).toEqual([]);
  });

  // Rolldown 1.2 prints the slash of a division and the comment after it as a line comment: the rest of the file is lost
  test('notes of purity stand before calls, and never behind a slash', () => {
    const code = texts.filter((path) => /^packages\/.*\.tsx?$/.test(path));
    expect(findLines(code, /\/\s*\/\* @__PURE__|@__PURE__ \*\/ *\{/)).toEqual([]);
  });

  test('no test is switched off or runs alone', () => {
    const tests = texts.filter((path) => /\.test\.tsx?$/.test(path));
    expect(findLines(tests, /\b(describe|test|it)\.(only|todo|skip)\b/)).toEqual([]);
  });

  test('no file is named after nothing', () => {
    const vague = /(^|\/)(utils?|helpers?|common|types|manager|misc)(\.test)?\.tsx?$/;
    expect(texts.filter((path) => vague.test(path))).toEqual([]);
  });

  test('file names are in kebab case', () => {
    const code = texts.filter((path) =>
      /^(packages|validation|benchmarks|examples|scripts)\/.*\.(ts|tsx|mjs)$/.test(path),
    );
    expect(code.filter((path) => !/^[a-z0-9-]+(\.[a-z]+)*$/.test(path.split('/').at(-1)!))).toEqual([]);
  });

  test('the lock file names no host', () => {
    expect(findLines(['package-lock.json'], /"resolved": "https?:/)).toEqual([]);
  });
});
