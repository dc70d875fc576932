// The engine for the Python package: sets up what is missing, compiles and bundles it.
//   node scripts/python-engine.mjs [FOLDER]     default: packages/bridge/dist-bundle
import { resolve } from 'node:path';
import { buildBridge, buildPackages, installPackages, requireNode } from './setup.mjs';

requireNode();
try {
  installPackages();
  buildPackages();
  await buildBridge(process.argv[2] ? resolve(process.argv[2]) : undefined);
} catch (error) {
  console.error(`nexdyn: ${error.message}`);
  process.exit(1);
}
