// npm run example -- 01: runs an example; TypeScript is stripped on the way, which Node does by itself only since 22.18.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackages, installPackages, requireNode, root } from './setup.mjs';

requireNode();
const examples = readdirSync(join(root, 'examples')).filter(
  (name) => /^\d+.*\.ts$/.test(name) && !name.includes('.test.'),
);
const wanted = process.argv[2];
const example = wanted && examples.find((name) => name.startsWith(wanted));
if (!example) {
  console.error(`Give the number of an example: ${examples.map((name) => name.replace('.ts', '')).join(', ')}`);
  process.exit(1);
}
installPackages();
buildPackages();
const { runnerImport } = await import('vite');
await runnerImport(join(root, 'examples', example), { root, configFile: false, logLevel: 'error' });
