// npm run docs: writes the pages that are generated from code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPackages, installPackages, requireNode, root } from './setup.mjs';

requireNode();
installPackages();
buildPackages();
const { formatHelpPage } = await import(`${pathToFileURL(root)}/packages/cli/dist/index.js`);
writeFileSync(join(root, 'docs/cli.md'), formatHelpPage());
