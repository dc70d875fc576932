#!/usr/bin/env node
// The command line of a clone: sets up what is missing, then runs packages/cli.
import { pathToFileURL } from 'node:url';
import { buildPackages, buildStudio, installPackages, requireNode, root } from './setup.mjs';

requireNode();
try {
  installPackages();
  buildPackages();
  if (process.argv[2] === 'studio') buildStudio();
} catch (error) {
  console.error(`nexdyn: ${error.message}`);
  process.exit(1);
}
await import(`${pathToFileURL(root)}/packages/cli/dist-node/main.js`);
