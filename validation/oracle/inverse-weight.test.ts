/** The scale of soft constraints is MuJoCo's: inverse weights of bodies, dofs and tendons, and the mean inertia. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, type Model } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { copy, loadOracle, type Oracle } from './mujoco-oracle.ts';
import { folderFiles, hasModels, hasReference, listFiles, MODELS, REFERENCE } from './shared-data.ts';

/** Cholesky of well-scaled mass matrices of depth up to 40, over the largest number beside it. */
const TOLERANCE = 1e-9;

interface Expected {
  /** Translation and rotation of each body in turn. */
  readonly body: ArrayLike<number>;
  readonly dof: ArrayLike<number>;
  readonly tendon?: ArrayLike<number>;
  readonly meanInertia: number;
}

function expectSameWeights({ inverseWeight, body }: Model, expected: Expected): void {
  const { bodyTranslation, bodyRotation, dof, tendon, meanInertia } = inverseWeight;
  expect([2 * bodyTranslation.length, dof.length]).toEqual([expected.body.length, expected.dof.length]);
  for (let b = 0; b < bodyTranslation.length; b++) {
    const name = `body ${b} ${body.name[b]}`;
    expectClose(bodyTranslation[b], expected.body[2 * b], `translation of ${name}`);
    expectClose(bodyRotation[b], expected.body[2 * b + 1], `rotation of ${name}`);
  }
  for (let i = 0; i < dof.length; i++) expectClose(dof[i], expected.dof[i], `dof ${i}`);
  if (expected.tendon) {
    expect(tendon).toHaveLength(expected.tendon.length);
    for (let t = 0; t < tendon.length; t++) expectClose(tendon[t], expected.tendon[t], `tendon ${t}`);
  }
  expectClose(meanInertia, expected.meanInertia, 'mean inertia');
}

/** Relative to each number itself; what is zero is zero up to round-off. */
function expectClose(actual: number, expected: number, what: string): void {
  expect(Math.abs(actual - expected), `${what}: ${actual}, not ${expected}`).toBeLessThanOrEqual(
    TOLERANCE * Math.abs(expected) + 1e-15,
  );
}

function readWeights({ model }: Oracle): Expected {
  return {
    body: copy(model.body_invweight0),
    dof: model.nv > 0 ? copy(model.dof_invweight0) : [],
    tendon: model.ntendon > 0 ? copy(model.tendon_invweight0) : [],
    meanInertia: model.stat.meaninertia,
  };
}

function listModels(): { name: string; folder: string; path: string }[] {
  if (!hasModels) return [];
  const mujoco = join(MODELS, 'mujoco');
  const menagerie = join(MODELS, 'menagerie');
  return [
    ...['humanoid', '22_humanoids'].map((name) => ({ name, folder: mujoco, path: `${name}.xml` })),
    ...readdirSync(menagerie).flatMap((robot) =>
      readdirSync(join(menagerie, robot))
        // keyframes.xml is a fragment that scenes include
        .filter((file) => file.endsWith('.xml') && file !== 'keyframes.xml')
        .map((file) => ({ name: `${robot}/${file}`, folder: join(menagerie, robot), path: file })),
    ),
  ];
}

describe.skipIf(!hasModels)('models beside the repository (../shared/models or NEXDYN_MODELS)', () => {
  test.each(listModels())('$name', async ({ folder, path }) => {
    const oracle = await loadOracle(listFiles(folder), path);
    const { scene } = loadScene(path, { files: folderFiles(folder) });
    const model = compileModel(scene, { coordinates: 'joint' });
    const expected = readWeights(oracle);
    expectSameWeights(model, expected);
    // bodies and tendons set free keep the weights of the mechanism
    const freed = compileModel(scene, { coordinates: 'body' }).inverseWeight;
    expect(freed.bodyTranslation).toEqual(model.inverseWeight.bodyTranslation);
    expect(freed.bodyRotation).toEqual(model.inverseWeight.bodyRotation);
    expect(freed.tendon).toEqual(model.inverseWeight.tendon);
    oracle.data.delete();
    oracle.model.delete();
  });
});

interface Run {
  readonly id: string;
  readonly body: { readonly invweight0: number[] };
  readonly dof_invweight0: number[];
  readonly meaninertia: number;
}

function listRuns(): { name: string; id: string; run: Run }[] {
  if (!hasReference) return [];
  const folder = join(REFERENCE, 'mujoco');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'cases.json')
    .flatMap((file) => {
      const { runs } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { runs: Run[] };
      return runs.map((run) => ({ name: file.slice(0, -'.json'.length), id: run.id, run }));
    });
}

describe.skipIf(!hasReference)('reference runs (../shared/reference)', () => {
  test.each(listRuns())('$name, $id', ({ name, run }) => {
    const { scene } = loadScene(`${name}.xml`, { files: folderFiles(join(REFERENCE, 'mujoco')) });
    expectSameWeights(compileModel(scene, { coordinates: 'joint' }), {
      body: run.body.invweight0,
      dof: run.dof_invweight0,
      meanInertia: run.meaninertia,
    });
  });
});

const BALL = '<geom type="sphere" size="0.1" mass="2"/>';
const slide = (axis: string, more = ''): string => `<joint type="slide" axis="${axis}" armature="0.5" ${more}/>`;

describe('what counts as sliding freely', () => {
  test.each([
    ['nothing that moves', '<geom size="0.1"/>'],
    ['a slide along an axis of the body', `<body>${slide('-1 0 0')}${BALL}</body>`],
    ['a slide along no axis of the body', `<body>${slide('1 1 0')}${BALL}</body>`],
    ['an axis off by 1e-13', `<body>${slide('1 0 1e-13')}${BALL}</body>`],
    ['three slides', `<body>${slide('1 0 0')}${slide('0 1 0')}${slide('0 0 1')}${BALL}</body>`],
    ['a centre of mass off the origin', `<body>${slide('1 0 0')}<geom size="0.1" mass="2" pos="0.1 0 0"/></body>`],
    ['a centre of mass off by 1e-9', `<body>${slide('1 0 0')}<geom size="0.1" mass="2" pos="1e-9 0 0"/></body>`],
    ['an anchor off the origin', `<body>${slide('1 0 0', 'pos="0.1 0 0"')}${BALL}</body>`],
    [
      'turned principal axes',
      `<body>${slide('1 0 0')}<inertial mass="2" pos="0 0 0" euler="0 0 30" diaginertia="1 2 2.5"/></body>`,
    ],
    ['a fixed body below', `<body>${BALL}<body pos="1 0 0">${slide('1 0 0')}${BALL}</body></body>`],
    ['two fixed bodies below', `<body><body>${BALL}<body pos="1 0 0">${slide('1 0 0')}${BALL}</body></body></body>`],
    ['a body on top', `<body>${slide('1 0 0')}${BALL}<body pos="0 0 1"><geom size="0.1"/></body></body>`],
    ['a hinge through the centre of mass', `<body><joint axis="1 0 0" armature="0.5"/>${BALL}</body>`],
    ['a slide and a hinge', `<body>${slide('1 0 0')}<joint axis="0 1 0"/>${BALL}</body>`],
    ['a ball joint', '<body><joint type="ball" armature="0.1"/><geom type="box" size="0.1 0.2 0.3"/></body>'],
    ['a free body off its centre', '<body><freejoint/><geom type="box" pos="0.3 0 0" size="0.1 0.2 0.3"/></body>'],
    [
      'bodies without mass',
      `<body><freejoint/>${BALL}<body pos="0.3 0.1 0.2" euler="0 0 30"><geom size="0.1" mass="0" pos="1 2 3"/></body>
       <body pos="0.3 0.1 0.2" euler="0 40 30"/></body>`,
    ],
    [
      'branches',
      `<body><freejoint/>${BALL}<body pos="1 0 0"><joint axis="0 1 0" pos="-0.5 0 0"/>${BALL}</body>
       <body pos="-1 0 0"><joint type="ball" pos="0.5 0 0"/>${BALL}<body pos="-1 0 0">${slide('1 2 0')}${BALL}</body></body>
       <body pos="0 1 0">${BALL}</body></body>`,
    ],
  ])('%s', async (_, bodies) => {
    const xml = `<mujoco><worldbody>${bodies}</worldbody></mujoco>`;
    const oracle = await loadOracle(new Map([['scene.xml', new TextEncoder().encode(xml)]]), 'scene.xml');
    const { scene } = loadScene('scene.xml', { files: memoryFiles({ 'scene.xml': xml }) });
    expectSameWeights(compileModel(scene, { coordinates: 'joint' }), readWeights(oracle));
    oracle.data.delete();
    oracle.model.delete();
  });
});
