import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { createProgram, formatHelpPage } from '@nexdyn/cli';
import { compileModel, type FormulationId, type Scene, Simulation, scene } from '@nexdyn/engine';
import { parseSceneJson } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { listFiles, ROOT, readText } from './source-files.ts';

interface Definition {
  properties: Record<string, { description: string }>;
}

const pages = listFiles(/\.md$/);

/** Anchors of the headings of a page, as hosts of Markdown make them. */
function listAnchors(path: string): string[] {
  const headings = readText(path).match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Lines of the shell in code blocks and in inline code. */
function listCommands(path: string): string[] {
  const text = readText(path);
  const blocks = [...text.matchAll(/```(?:sh|bash|console)\n([\s\S]*?)```/g)].flatMap((match) => match[1]!.split('\n'));
  const inline = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  return [...blocks, ...inline].map((line) =>
    line
      .replace(/^\$ /, '')
      .replace(/\s+#.*$/, '')
      .trim(),
  );
}

describe('documents', () => {
  test('links inside the repository lead somewhere', () => {
    const broken = pages.flatMap((page) =>
      [
        ...readText(page)
          .replace(/```[\s\S]*?```/g, '')
          .matchAll(/\]\(([^)\s]+)\)/g),
      ]
        .map((match) => match[1]!)
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [file, anchor] = link.split('#');
          const target = file ? posix.join(posix.dirname(page), file) : page;
          if (!existsSync(join(ROOT, target))) return true;
          return anchor && statSync(join(ROOT, target)).isFile() && !listAnchors(target).includes(anchor);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('npm commands exist', () => {
    const { scripts } = JSON.parse(readText('package.json'));
    const wrong = pages.flatMap((page) =>
      listCommands(page).flatMap((line) => {
        const name = /^npm (?:run )?([a-z]+)\b/.exec(line)?.[1];
        return !name || name in scripts || ['install', 'ci', 'pack'].includes(name) ? [] : [`${page}: ${line}`];
      }),
    );
    expect(wrong).toEqual([]);
    expect(listCommands('README.md')).toEqual(expect.arrayContaining(['npm start', 'npm test']));
  });

  test('nexdyn commands and their options exist', () => {
    const silent = {
      writeData: () => {},
      writeMessage: () => {},
      redrawLine: () => {},
      isTerminal: false,
      isDataTerminal: false,
      columns: 80,
    };
    const { program } = createProgram(silent);
    const wrong = pages.flatMap((page) =>
      listCommands(page).flatMap((line) => {
        const words = /^(?:npx )?nexdyn (.*)$/.exec(line)?.[1]?.split(/\s+/);
        if (!words) return [];
        const command = program.commands.find((known) => known.name() === words[0]);
        const known = [
          ...(command ?? program).options.flatMap((option) => [option.long, option.short]),
          '--help',
          '-h',
        ];
        const isKnown = command || words[0]?.startsWith('-');
        const unknown = words.filter((word) => /^--?[a-z]/i.test(word) && !known.includes(word.split('=')[0]!));
        return isKnown && unknown.length === 0 ? [] : [`${page}: ${line}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('the page of the command line is what the parser knows (npm run docs writes it)', () => {
    expect(readText('docs/cli.md')).toBe(formatHelpPage());
  });

  test('the page of the scene is what the schema says (npm run docs writes it)', async () => {
    const { formatScenePage } = await import(join(ROOT, 'scripts/docs/scene-page.mjs'));
    const page: string = formatScenePage(JSON.parse(readText('docs/schema/scene.schema.json')));
    expect(readText('docs/scene.md')).toBe(page);
    // every field says what it is
    const rows = [...page.matchAll(/^\| `(\S+)` +\| (.*?) +\| (.*?) *\| (.*?) *\|$/gm)];
    expect(rows.length).toBeGreaterThan(250);
    expect(rows.filter((row) => row[3]!.trim() === '').map((row) => row[0])).toEqual([]);
  });

  test.each<[FormulationId, string]>([
    ['mujoco', 'MujocoOptions'],
    ['sap', 'SapOptions'],
    ['ccp', 'CcpOptions'],
    ['ipc', 'IpcOptions'],
  ])('the page of %s has every option with the default of the schema', async (formulation, name) => {
    const { splitDefault } = await import(join(ROOT, 'scripts/docs/scene-page.mjs'));
    const { properties }: Definition = JSON.parse(readText('docs/schema/scene.schema.json')).$defs[name];
    const inUse = compileModel(scene('empty').build()).options.formulations[formulation] as unknown as Record<
      string,
      unknown
    >;
    const listCodes = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
    const page = readText(`docs/${formulation}.md`);
    const table = page.slice(page.indexOf(`| option of \`options.${formulation}\``)).split('\n\n')[0]!;
    const rows = table
      .split('\n')
      .slice(2)
      .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    const written = new Map(
      rows.flatMap(([, keys, , defaults]) =>
        listCodes(keys!).map((key, i) => [key, defaults!.split(', ')[i] ?? defaults!]),
      ),
    );
    expect([...written.keys()].sort()).toEqual(Object.keys(properties).sort());
    for (const [key, { description }] of Object.entries(properties)) {
      const fallback: string = splitDefault(description).fallback;
      // words may differ, numbers and names may not
      if (!/^\S+$/.test(fallback)) continue;
      expect(written.get(key), key).toBe(fallback);
      // and so does the code
      expect(String(inUse[key]), key).toBe(/^[\d.e+-]+$/.test(fallback) ? String(Number(fallback)) : fallback);
    }
  });

  test('scenes in the pages are scenes, and run', () => {
    const blocks = pages.flatMap((page) =>
      [...readText(page).matchAll(/^```json\n([\s\S]*?)^```$/gm)].map((match) => ({ page, text: match[1]! })),
    );
    // what has bodies is meant whole; the others show a few fields
    const whole = blocks.filter(({ text }) => JSON.parse(text).format === 'nexdyn-scene' && /"bodies"/.test(text));
    expect(whole.map(({ page }) => page)).toEqual(expect.arrayContaining(['docs/hydroelastic.md', 'docs/scene.md']));
    for (const { page, text } of whole) {
      const simulation = new Simulation(compileModel(parseSceneJson(text, page)));
      expect(simulation.step(10).status, page).toBe('converged');
    }
    for (const { page, text } of blocks) expect(() => JSON.parse(text), page).not.toThrow();
  });

  test('the page of scenes has every scene, in its own words and with its formulation', () => {
    const page = readText('docs/scenes.md');
    const files = listFiles(/^scenes\/[^/]*\.json$/);
    for (const file of files) {
      const { description, options }: Scene = JSON.parse(readText(file));
      const row = page.split('\n').find((line) => line.includes(`(../${file})`));
      expect(row, file).toContain(description);
      expect(row, file).toContain(`| \`${options?.formulation ?? 'mujoco'}\` `);
    }
    expect(page.match(/^\| \[`/gm)).toHaveLength(files.length);
  });

  test('names for those who know MuJoCo exist', () => {
    const page = readText('docs/mujoco.md');
    const table = page.slice(page.indexOf('| MuJoCo  '));
    const names = [...table.matchAll(/^\|[^|]*\| (.*) \|$/gm)].flatMap((row) =>
      [...row[1]!.matchAll(/`([\w.]+)/g)].map((match) => match[1]!),
    );
    expect(names.length).toBeGreaterThan(30);
    const simulation = new Simulation(compileModel(scene('empty').build()));
    const missing = names.filter((path) => {
      const owner = path === 'dofStart' ? simulation.model.joint : simulation;
      const steps = path.split('.');
      return steps.reduce<unknown>((found, key) => (found as Record<string, unknown>)?.[key], owner) === undefined;
    });
    expect(missing).toEqual(['Simulation']);
  });

  test('the page of errors has every code, and no other', () => {
    const codes = [...readText('packages/engine/src/error.ts').matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(
      (match) => match[1]!,
    );
    expect(codes.length).toBeGreaterThan(20);
    const page = readText('docs/errors.md');
    const table = page.slice(page.indexOf('## Error codes'), page.indexOf('## Steps that did not converge'));
    expect([...table.matchAll(/^\| `([a-z-]+)` /gm)].map((match) => match[1]!)).toEqual(codes);
  });

  test('the page of the architecture names every phase of the step, in its order', () => {
    const step = readText('packages/engine/src/simulation.ts');
    const phases = [
      ...step.matchAll(/^ +(?:if \(.*?\) |else )?([\w.]+)\(model, (?:state, )?(?:work|this\.#work),?/gm),
    ].map((match) => match[1]!);
    expect(phases.length).toBeGreaterThanOrEqual(7);
    const page = readText('docs/architecture.md');
    const places = phases.map((phase) => page.indexOf(`\`${phase}\``));
    expect(phases.filter((_, i) => places[i]! < 0)).toEqual([]);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test.each(['mujoco', 'sap', 'ccp', 'ipc', 'penalty'])(
    'the README of %s has its equation and names every source file once',
    (id) => {
      const folder = `packages/engine/src/formulation/${id}/`;
      const text = readText(`${folder}README.md`);
      expect(text).toMatch(/^\$\$\n[\s\S]*argmin[\s\S]*?^\$\$$/m);
      const named = [...text.matchAll(/\[([\w./-]+\.ts)\]\(([\w./-]+\.ts)\)/g)].map(([, label, path]) => {
        expect(label).toBe(path);
        return path!;
      });
      const sources = listFiles(new RegExp(`^${folder}.*\\.ts$`))
        .map((path) => path.slice(folder.length))
        .filter((path) => !path.endsWith('.test.ts'));
      expect(named.filter((path) => !path.endsWith('.test.ts')).sort()).toEqual(sources.sort());
    },
  );

  test('versions agree', () => {
    const { version } = JSON.parse(readText('package.json'));
    for (const path of listFiles(/^packages\/[^/]+\/package\.json$/)) {
      expect(JSON.parse(readText(path)).version, path).toBe(version);
    }
    expect(readText('packages/cli/src/version.ts')).toContain(`'${version}'`);
    // the command is part of the package that is named after it
    const { bin, files } = JSON.parse(readText('packages/cli/package.json'));
    expect(readText(`packages/cli/${bin.nexdyn}`)).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(files).toContain(bin.nexdyn.split('/')[0]);
    expect(readText('CHANGELOG.md')).toContain(`## ${version}`);
  });
});
