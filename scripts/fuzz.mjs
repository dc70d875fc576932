// npm run fuzz -- --minutes 60: damaged inputs for every reader, until the time is over. Each new fault is written into the corpus as a
// case as small as it gets; `npm test` then keeps it. Options: --minutes N, --inputs N (for each reader, in place of a time),
// --seed N, --only mjcf,urdf. TypeScript is stripped on the way.
import { join } from 'node:path';
import { installPackages, requireNode, root } from './setup.mjs';

requireNode();
installPackages();
const { runnerImport } = await import('vite');
const conditions = ['nexdyn-source', 'module', 'node', 'import', 'default'];
await runnerImport(join(root, 'validation/fuzz/fuzz-main.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
  resolve: { conditions },
  ssr: { resolve: { conditions } },
});
