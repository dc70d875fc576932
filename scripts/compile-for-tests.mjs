// Before the tests: compiles what they run on, and makes a folder in which files of tests find the models that MuJoCo has compiled
// for others. After them the folder goes.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackages, root } from './setup.mjs';

export function setup() {
  try {
    buildPackages();
  } catch (error) {
    // types are checked on their own; code with a wrong type may still be tested
    if (!existsSync(join(root, 'packages/cli/dist/index.js'))) throw error;
  }
  const models = mkdtempSync(join(tmpdir(), 'nexdyn-oracle-'));
  process.env.NEXDYN_ORACLE_MODELS = models;
  return () => rmSync(models, { recursive: true, force: true });
}
