// npm run docs: writes the pages that are generated from code, then the whole documentation as a static site.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatScenePage } from './docs/scene-page.mjs';
import { buildPackages, installPackages, requireNode, root } from './setup.mjs';

requireNode();
installPackages();
buildPackages();
const { formatHelpPage } = await import(`${pathToFileURL(root)}/packages/cli/dist/index.js`);
writeFileSync(join(root, 'docs/cli.md'), formatHelpPage());
const schema = JSON.parse(readFileSync(join(root, 'docs/schema/scene.schema.json'), 'utf8'));
writeFileSync(join(root, 'docs/scene.md'), formatScenePage(schema));
const { buildSite } = await import('./docs/site.mjs');
const pages = buildSite(join(root, 'dist-site'));
console.log(`wrote docs/cli.md, docs/scene.md and ${pages.length} pages: open dist-site/index.html`);
