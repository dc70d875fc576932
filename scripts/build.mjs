// npm run build: compiles the packages and bundles the studio.
import { buildPackages, buildStudio, installPackages, requireNode } from './setup.mjs';

requireNode();
try {
  installPackages();
  buildPackages();
  buildStudio();
} catch (error) {
  console.error(`nexdyn: ${error.message}`);
  process.exitCode = 1;
}
