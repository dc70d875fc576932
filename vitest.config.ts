import { defineConfig } from 'vitest/config';

// Tests run on the TypeScript sources: the condition `nexdyn-source` points each package at its `src`.
const conditions = ['nexdyn-source', 'module', 'node', 'import', 'default'];

// Tests of minutes are for `npm run validate`, not for `npm test`.
const long = ['**/*.long.test.ts'];

// Tests that start processes or threads need them compiled; they are a project of their own.
const compiled = ['packages/*/src/**/*.process.test.ts', 'validation/**/*.process.test.ts'];

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
          exclude: ['**/node_modules/**', '**/dist/**', ...compiled, ...long],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: process.env.NEXDYN_LONG ? long : [],
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: { name: 'compiled', include: compiled, globalSetup: 'scripts/compile-for-tests.mjs' },
      },
    ],
  },
});
