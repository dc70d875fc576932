/** The scale of soft constraints is MuJoCo's: inverse weights of bodies, dofs and tendons, and the mean inertia; robots are in models.test.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { describe, test } from 'vitest';
import { expectSameWeights, readWeights } from './inverse-weights.ts';
import { loadOracle } from './mujoco-oracle.ts';
import { folderFiles, hasReference, REFERENCE } from './shared-data.ts';

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
