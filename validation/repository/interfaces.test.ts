/** How functions of the engine hand over their results and take their arguments; what still breaks the rule is counted, and only shrinks. */
import { describe, expect, test } from 'vitest';
import { listFiles, readText } from './source-files.ts';

const ENGINE = 'packages/engine/src/';
const sources = listFiles(/^packages\/engine\/src\/.*\.ts$/).filter(
  (path) => !/\.test\.ts$|\/src\/testing\/|\/arbitrary-[a-z-]+\.ts$/.test(path),
);

/** Code with its comments blanked out. */
function readCode(path: string): string {
  return readText(path)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** Functions and methods that a text declares, with the number of their arguments. */
function listFunctions(code: string): { name: string; count: number }[] {
  const heads =
    /\bfunction\s+(\w+)\s*(?:<[^(]*>)?\(|^ {2}(?:(?:private|static|override|async|get|set) )*(#?\w+)(?:<[^(]*>)?\(/gm;
  return [...code.matchAll(heads)].flatMap((match) => {
    const name = (match[1] ?? match[2])!;
    const begin = match.index + match[0].length;
    let depth = 1;
    let end = begin;
    const commas: number[] = [];
    for (; end < code.length && depth > 0; end++) {
      const letter = code[end]!;
      if ('([{'.includes(letter) || (letter === '<' && /\w/.test(code[end - 1]!))) depth++;
      else if (')]}'.includes(letter) || (letter === '>' && code[end - 1] !== '=')) depth--;
      else if (letter === ',' && depth === 1) commas.push(end);
    }
    // a call has no type and no body after it
    if (match[1] === undefined && !/^\s*(:[^;={]*(\{[^}]*\}[^;={]*)?)?\{/.test(code.slice(end, end + 200))) return [];
    const list = code.slice(begin, end - 1).trim();
    return [{ name, count: list === '' ? 0 : commas.length + (list.endsWith(',') ? 0 : 1) }];
  });
}

describe('results', () => {
  /** Arrays that a function fills for whoever reads them next, and why. */
  const EXCEPTIONS: Readonly<Record<string, string>> = {
    'geometry/convex/direction-proof.ts: direction': 'the innermost loop of GJK and EPA',
    'geometry/convex/simplex.ts: weights': 'the innermost loop of GJK and EPA',
    'geometry/convex/simplex.ts: nearest': 'the innermost loop of GJK and EPA',
    'geometry/distance/two-directions.ts: frame': 'read by the second derivatives of distances, entry by entry',
    'geometry/mujoco/nearest-weights.ts: lambda': 'the innermost loop of GJK',
    'soft/shell/membrane-law.ts: membraneStress': 'as many arguments as there may be',
    'soft/shell/membrane-law.ts: membraneTangent': 'as many arguments as there may be',
  };

  test('are written where the caller says, not into an array that a file exports', () => {
    const exported = sources.flatMap((path) =>
      [
        ...readCode(path).matchAll(
          /^export (?:let (\w+)|const (\w+)(?:: [^=]+)? =\s+new (?:Float|Int|Uint)\d+Array\((?!\[))/gm,
        ),
      ].map((match) => `${path.slice(ENGINE.length)}: ${match[1] ?? match[2]}`),
    );
    expect(exported.sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});

describe('arguments', () => {
  /**
   * Functions of more than six arguments by folder. Most are kernels in inner loops that take the coordinates of points and vectors
   * as numbers: an object would be made at every call, or read and written through memory. The others are to take one object.
   */
  const MOST: Readonly<Record<string, number>> = {
    collision: 17,
    contact: 7,
    derivatives: 5,
    diagnostics: 2,
    dynamics: 12,
    formulation: 18,
    geometry: 42,
    joint: 18,
    'linear-algebra': 16,
    minimize: 4,
    model: 5,
    objective: 1,
    readout: 2,
    scene: 1,
    sensor: 4,
    soft: 10,
    term: 1,
  };

  test('are six at most, but for kernels in inner loops', () => {
    const counts: Record<string, number> = {};
    for (const path of sources) {
      const long = listFunctions(readCode(path)).filter(({ count }) => count > 6);
      const folder = path.slice(ENGINE.length).split('/')[0]!;
      if (long.length > 0) counts[folder] = (counts[folder] ?? 0) + long.length;
    }
    const grown = Object.entries(counts).filter(([folder, count]) => count > (MOST[folder] ?? 0));
    expect(grown).toEqual([]);
  });

  test('are counted: declarations, not calls, whatever their types', () => {
    const code = `
function plain(a: number, b: Map<string, number>, c: [number, number], { d, e }: F, f: (x: number, y: number) => void): void {}
class A {
  #method(a: number, b = 2,): { x: number; y: number } {
    this.other(1, 2, 3, 4, 5, 6, 7);
  }
  get value(): number {
    return 1;
  }
}`;
    expect(listFunctions(code)).toEqual([
      { name: 'plain', count: 5 },
      { name: '#method', count: 2 },
      { name: 'value', count: 0 },
    ]);
  });
});
