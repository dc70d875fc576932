import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// The page is built from the TypeScript sources of all packages and works from any static folder.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  resolve: {
    conditions: ['nexdyn-source', 'module', 'browser', 'development|production'],
    // formulations that few scenes begin with come when they are asked for: see src/session/formulation-loader.ts
    alias: [
      { find: /^@nexdyn\/engine$/, replacement: fileURLToPath(new URL('../engine/src/core.ts', import.meta.url)) },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  build: {
    target: 'es2022',
    cssTarget: 'chrome123',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
  },
});
