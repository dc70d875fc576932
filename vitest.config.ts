import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BUILT_FILES, useBuiltSources } from './scripts/built-sources.ts';
import { HangWatch } from './scripts/hang-watch.ts';
import { TestOrder } from './scripts/test-order.ts';

/** Results of the last run. */
const REPORT = process.env.NEXDYN_TEST_REPORT ?? '.cache/last-tests.json';

const isLong = process.env.NEXDYN_LONG !== undefined;

// Tests of minutes are for `npm run validate`, not for `npm test`.
const long = ['**/*.long.test.ts'];

// Tests of which `npm test` takes a part, and `npm run validate` all: those that ask for it.
const sampled = [...readdirSync('packages').map((name) => `packages/${name}/src`), 'validation']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`))
  .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('/scripts/long-run.ts'));

// Tests that start processes or threads need them compiled; they are a project of their own.
const compiled = ['packages/*/src/**/*.process.test.ts', 'validation/**/*.process.test.ts'];

// Tests that need a process of their own: they measure the heap or processor time, which compiled code of other tests would
// change, look at parts of the engine that are not loaded yet, or register formulations that other tests must not see.
const isolated = [
  'examples/extensions/hertz-contact.test.ts',
  'packages/engine/src/formulation/settled-step.test.ts',
  'packages/engine/src/geometry/bounding-tree/growth.test.ts',
  'packages/engine/src/geometry/convex/manifold.test.ts',
  'packages/engine/src/geometry/signed-distance/signed-distance-pairs.test.ts',
  'packages/engine/src/geometry/signed-distance/surface-exact-field.test.ts',
  'packages/engine/src/geometry/triangle-mesh/large-mesh.test.ts',
  'packages/engine/src/linear-algebra/block-cholesky/block-cholesky.test.ts',
  'packages/engine/src/minimize/cone/cone-solver.test.ts',
  'packages/engine/src/parts/lazy-module.test.ts',
  'packages/engine/src/state/carry-state.test.ts',
  'packages/engine/src/term/term-step.test.ts',
  'packages/formats/src/mesh/mesh.test.ts',
  'validation/analytic/ccp-memory.test.ts',
  'validation/analytic/detection-memory.test.ts',
  'validation/analytic/hydroelastic-memory.test.ts',
  'validation/analytic/memory.test.ts',
  'validation/analytic/mujoco-memory.test.ts',
  'validation/analytic/sap-clutter.test.ts',
  'validation/analytic/soft-contact.test.ts',
  'validation/analytic/soft-growth.test.ts',
  'validation/cases/ruler-memory.test.ts',
  // the time of an input counts, and a large heap makes the collector slow
  'validation/fuzz/fuzz.test.ts',
  'validation/repository/additions.test.ts',
];

// Tests beside MuJoCo share processes; each file has a MuJoCo of its own, whose memory has a limit.
const oracle = ['packages/formats/src/mjcf/oracle.test.ts', 'validation/oracle/**/*.test.ts'];

// Tests of the page in a browser; a process has one browser and one server for all its files.
const browser = ['packages/studio/src/browser/**/*.test.ts'];

// Tests that look at the clock run after the others and one at a time.
const timed = ['packages/cli/src/bench/bench-targets.test.ts', 'packages/studio/src/browser/pace.test.ts'];
const timedAndLong = ['packages/studio/src/browser/slow-solver.test.ts'];

// Most tests look into packages file by file, so all of them must be loaded that way: a bundle beside would be a second engine.
const FILES = 'nexdyn-files';

function loadFileByFile(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    extends: true,
    ssr: { resolve: { conditions: [FILES, ...defaultServerConditions], externalConditions: [FILES, 'node'] } },
    test: { execArgv: ['--conditions', FILES], ...test },
  };
}

export default defineConfig({
  plugins: [useBuiltSources()],
  test: {
    globalSetup: 'scripts/compile-for-tests.mjs',
    setupFiles: ['scripts/plain-assertions.ts'],
    server: { deps: { external: [BUILT_FILES] } },
    exclude: ['**/node_modules/**', '**/dist/**'],
    // ends what hangs: long enough for a machine that is busy with other things
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // one more than there are cores: the process that drives the browser mostly waits for it
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: TestOrder },
    reporters: ['default', ['json', { outputFile: REPORT }], new HangWatch()],
    projects: [
      loadFileByFile({
        name: 'sources',
        include: ['packages/*/src/**/*.test.{ts,tsx}', 'validation/**/*.test.ts', 'examples/**/*.test.ts'],
        exclude: [
          '**/node_modules/**',
          '**/dist/**',
          ...compiled,
          ...browser,
          ...timed,
          ...timedAndLong,
          ...long,
          ...isolated,
          ...oracle,
        ],
        // one process loads the engine once for many files; with all of it loaded first, their order changes nothing
        isolate: false,
        setupFiles: ['scripts/whole-engine.ts'],
      }),
      loadFileByFile({ name: 'isolated', include: isolated }),
      loadFileByFile({ name: 'oracle', include: oracle, isolate: false }),
      loadFileByFile({
        name: 'browser',
        include: browser,
        exclude: ['**/node_modules/**', ...timed, ...timedAndLong, ...long],
        isolate: false,
      }),
      loadFileByFile({
        name: 'timed',
        include: isLong ? timedAndLong : timed,
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
      }),
      loadFileByFile({
        name: 'long',
        include: isLong ? [...long, ...sampled] : [],
        // tests of single parts expect all of the engine, as above
        setupFiles: ['scripts/whole-engine.ts'],
        testTimeout: 1_800_000,
        hookTimeout: 600_000,
      }),
      // the bundles that users get: threads and processes start in a third of the time
      { extends: true, test: { name: 'compiled', include: compiled } },
    ],
  },
});
