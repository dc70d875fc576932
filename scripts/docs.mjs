// npm run docs: writes the pages that are generated from code, then the whole site: documentation, studio and gallery.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatScenePage } from './docs/scene-page.mjs';
import { buildPackages, buildStudio, installPackages, requireNode, root } from './setup.mjs';

requireNode();
installPackages();
buildPackages();
buildStudio();
const { formatHelpPage, writeWholeSite } = await import(`${pathToFileURL(root)}/packages/cli/dist-node/index.js`);
writeFileSync(join(root, 'docs/cli.md'), formatHelpPage());
const schema = JSON.parse(readFileSync(join(root, 'docs/schema/scene.schema.json'), 'utf8'));
writeFileSync(join(root, 'docs/scene.md'), formatScenePage(schema));
rmSync(join(root, 'dist-site'), { recursive: true, force: true });
const { files } = await writeWholeSite(join(root, 'dist-site'), true);
console.log(`wrote docs/cli.md, docs/scene.md and dist-site with ${files.length} files: open dist-site/index.html`);
