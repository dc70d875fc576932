// npm start: sets up what is missing, then serves the studio on the loopback address.
import { pathToFileURL } from 'node:url';
import { buildPackages, buildStudio, installPackages, requireNode, root } from './setup.mjs';

requireNode();
try {
  installPackages();
  buildPackages();
  buildStudio();
} catch (error) {
  console.error(`nexdyn: ${error.message}`);
  process.exit(1);
}
const { runCommandLine } = await import(`${pathToFileURL(root)}/packages/cli/dist-node/index.js`);
process.exitCode = await runCommandLine(['studio', '--open', ...process.argv.slice(2)]);
