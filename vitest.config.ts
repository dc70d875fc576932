import { defineConfig } from 'vitest/config';

// Tests run on the TypeScript sources: the condition `nexdyn-source` points each package at its `src`.
const conditions = ['nexdyn-source', 'module', 'node', 'import', 'default'];

// Tests that start the command line as a process need it compiled; they are a project of their own.
const compiled = ['packages/cli/src/**/*.process.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'sources',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'validation/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**', ...compiled],
        },
      },
      {
        extends: true,
        test: { name: 'compiled', include: compiled, globalSetup: 'scripts/compile-for-tests.mjs' },
      },
    ],
  },
});
