// Compiles the command line once before the tests that start it as a process.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackages, root } from './setup.mjs';

export function setup() {
  try {
    buildPackages();
  } catch (error) {
    // types are checked on their own; code with a wrong type may still be tested
    if (!existsSync(join(root, 'packages/cli/dist/index.js'))) throw error;
  }
}
