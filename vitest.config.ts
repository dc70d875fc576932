import { defineConfig } from 'vitest/config';

// Tests run on the TypeScript sources: the condition `nexdyn-source` points each package at its `src`.
const conditions = ['nexdyn-source', 'module', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'validation/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 60_000,
    pool: 'forks',
  },
});
