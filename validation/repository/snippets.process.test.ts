import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import { listSnippets } from './snippets.ts';
import { ROOT } from './source-files.ts';

const snippets = listSnippets();
const nameOf = (i: number): string => `${snippets[i]!.page.replace(/\W/g, '-')}-${snippets[i]!.line}.ts`;

let folder: string;
beforeAll(() => {
  // inside the repository, so that they find the packages
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.cache/snippets-'));
  snippets.forEach(({ code }, i) => {
    writeFileSync(join(folder, nameOf(i)), code);
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('programs in the pages', () => {
  test('there are some, in the guide and on the first page', () => {
    expect(snippets.length).toBeGreaterThan(12);
    expect(new Set(snippets.map(({ page }) => page))).toEqual(
      new Set([
        'README.md',
        'docs/batch.md',
        'docs/collision.md',
        'docs/derivatives.md',
        'docs/formats.md',
        'docs/guide.md',
        'docs/index.md',
        'docs/sensors.md',
        'docs/soft.md',
        'docs/terms.md',
        'docs/thin.md',
      ]),
    );
  });

  test('they compile against what the packages publish, with all checks on', () => {
    // a user's project: no settings of this repository
    const options = {
      compilerOptions: {
        target: 'ES2022',
        module: 'NodeNext',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        types: ['node'],
        lib: ['ES2023', 'DOM'],
      },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  test.each(
    takeCases(
      snippets.map(({ page, line, output }, i) => [`${page}:${line}`, i, output] as const),
      2,
    ),
  )('%s runs and prints what the page says', async (_, i, output) => {
    const printed: string[] = [];
    const spy = vi.spyOn(console, 'log').mockImplementation((...parts) => void printed.push(parts.join(' ')));
    try {
      await import(join(folder, nameOf(i)));
    } finally {
      spy.mockRestore();
    }
    if (output === undefined) expect(printed.length).toBeGreaterThan(0);
    else expect(`${printed.join('\n')}\n`).toBe(output);
  });
});
