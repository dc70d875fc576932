import * as engine from '@nexdyn/engine';
import * as core from '@nexdyn/engine/core';
import * as geometry from '@nexdyn/engine/geometry';
import * as solvers from '@nexdyn/engine/solvers';
import * as terms from '@nexdyn/engine/terms';
import { expect, test } from 'vitest';
import { readText } from './source-files.ts';

/** Everything that `@nexdyn/engine` gives at run time: what users call, and the numbers that stand in arrays they read. */
const NAMES = [
  ...[
    'ACTIVATION',
    'BodyBuilder',
    'CARRIER',
    'CONTACT_MODE',
    'DEFAULT_FORMULATION',
    'DEFAULT_FRICTION',
    'DEFAULT_SCENE_LIMITS',
    'DC_MOTOR',
    'DeepContacts',
    'EQUALITY',
    'FrameBuilder',
  ],
  ...[
    'JOINT',
    'METRICS',
    'METRIC_NAMES',
    'NexdynError',
    'PHASES',
    'PID',
    'Ruler',
    'SHAPE',
    'SLEEP',
    'SOFT_CONTACT',
    'SOFT_QUANTITIES',
  ],
  ...['ContactEvents', 'MUSCLE', 'SENSOR_KINDS', 'SITE_SHAPE', 'judgeGuarantee', 'judgeRuns'],
  ...[
    'STATE_FIELDS',
    'STATION',
    'SceneBuilder',
    'Simulation',
    'TRANSMISSION',
    'axisAngle',
    'changeModel',
    'compileModel',
    'degrees',
  ],
  ...[
    'describePicture',
    'euler',
    'findFormulation',
    'hashDoubles',
    'isItemPath',
    'listEngineParts',
    'listFormulations',
  ],
  ...[
    'measureGyration',
    'placeView',
    'publishSchema',
    'readMarks',
    'readOptions',
    'recompileModel',
    'registerFormulation',
    'registerShape',
  ],
  ...['registerTerm', 'scene', 'sceneJsonSchema', 'schema', 'setSceneParameters', 'validateScene', 'wasTaken'],
];

test('the top of the engine has what users call and nothing from inside', () => {
  expect(Object.keys(engine).sort()).toEqual([...NAMES].sort());
  expect(Object.keys(core).sort()).toEqual([...NAMES].sort());
});

test('what works alone has a path of its own', () => {
  expect(Object.keys(solvers)).toEqual(
    expect.arrayContaining(['ConeSolver', 'CoulombLoop', 'minimizeByNewton', 'SolveTrace', 'CONSTRAINT_LAW', 'Arena']),
  );
  expect(Object.keys(geometry)).toEqual(
    expect.arrayContaining(['closestPoints', 'advancePointTriangle', 'computeConvexHull', 'castRayShape']),
  );
  expect(Object.keys(terms)).toEqual(expect.arrayContaining(['checkTerm', 'registerTerm']));
});

test('every path has sources, types and compiled code', () => {
  const { exports } = JSON.parse(readText('packages/engine/package.json')) as {
    exports: Record<string, Record<string, string>>;
  };
  for (const [path, files] of Object.entries(exports)) {
    const name = files['nexdyn-source']!.replace(/^\.\/src\/|\.ts$/g, '');
    expect(files, path).toEqual({
      'nexdyn-source': `./src/${name}.ts`,
      types: `./dist/${name}.d.ts`,
      'nexdyn-files': `./dist/${name}.js`,
      node: `./dist-node/${name}.js`,
      default: `./dist/${name}.js`,
    });
    expect(() => readText(`packages/engine/src/${name}.ts`)).not.toThrow();
  }
});

test('solvers and geometry work without a scene', () => {
  const { SHAPE, closestPoints, placeShape } = geometry;
  const out = { pointA: new Float64Array(3), pointB: new Float64Array(3), normal: new Float64Array(3) };
  const ball = placeShape(SHAPE.sphere, [0.5], [0, 0, 2]);
  expect(closestPoints(out, ball, placeShape(SHAPE.box, [1, 1, 1]))).toBeCloseTo(0.5, 12);
  expect([...out.normal]).toEqual([0, 0, -1].map((part) => expect.closeTo(part, 12)));

  // ½ (u₁ − 1)² + ½ (u₂ + 2)² over u ≥ 0 is least at (1, 0)
  const arena = new solvers.Arena();
  const cones = new solvers.ConeTable(arena);
  cones.addNonnegative(2);
  const u = Float64Array.of(1, -2);
  solvers.projectCones(u, u, cones);
  expect([...u]).toEqual([1, 0]);
});
