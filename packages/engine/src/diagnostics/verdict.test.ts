import { expect, test } from 'vitest';
import { formatSize, type JudgedRun, judgeGuarantee, judgeRuns } from './verdict.ts';

const run = (formulation: string, penetration: number, stepTime: number, more: Partial<JudgedRun> = {}): JudgedRun => ({
  formulation,
  metrics: {
    contacts: { max: 4 },
    penetration: { max: penetration },
    normalForce: { max: 20 },
    coneViolation: { max: 0 },
    creep: { max: 0 },
    iterations: { max: 3 },
  },
  steps: 500,
  unconverged: 0,
  stepTime,
  energyChange: -1,
  ...more,
});

test('depth and cost stand first, each formulation once', () => {
  const { sentences, silent } = judgeRuns([
    run('mujoco', 0.0073, 0.0001),
    run('sap', 3e-5, 0.00011, { difference: 0.002 }),
    run('ccp', 4e-12, 0.0005, { difference: 0.003, unconverged: 12 }),
    run('ipc', 0, 0.0024, { difference: 0.03 }),
  ]);
  expect(sentences.slice(0, 2)).toEqual([
    '`mujoco` lets bodies sink by 7.3 mm and `sap` by 30 µm; `ccp` and `ipc` keep them apart.',
    'A step of `mujoco` takes 100 µs; `sap` costs about the same; `ccp` takes 5 times as long and `ipc` 24 times.',
  ]);
  expect(sentences).toContain('`ccp` missed its tolerance in 12 of 500 steps.');
  expect(sentences).toContain('`ipc` ends up 30 mm away from `mujoco`, `sap` 2 mm.');
  expect(silent.get('jointDrift')).toBe('no joint can separate');
  expect(silent.has('creep')).toBe(false);
});

test('before the first step nothing is said', () => {
  expect(judgeRuns([])).toEqual({ sentences: [], silent: new Map(), guarantees: [] });
});

test('distances are told from the run that they were measured from', () => {
  const { sentences } = judgeRuns([
    run('mujoco', 0, 0.0001, { difference: 0.15 }),
    run('sap', 0, 0.0001),
    run('ccp', 0, 0.0001, { difference: 0.0015 }),
  ]);
  expect(sentences).toContain('`mujoco` ends up 150 mm away from `sap`, `ccp` 1.5 mm.');
});

test('where nothing touches, rows of contact say nothing', () => {
  const free = { metrics: { contacts: { max: 0 }, jointDrift: { max: 1e-6 } } };
  const { sentences, silent } = judgeRuns([
    run('mujoco', 0, 1e-4, free),
    run('sap', 0, 1e-4, { ...free, difference: 0 }),
  ]);
  expect(silent.get('penetration')).toBe('nothing touches');
  expect(silent.has('jointDrift')).toBe(false);
  expect(sentences.at(-1)).toBe(`Nothing touches, so ${silent.size} rows do not apply.`);
  expect(sentences).toContain('All runs end up in the same place.');
  expect(sentences.join()).not.toContain('sink');
});

test('energy from nothing and creep are told where they stand out', () => {
  const creeping = { metrics: { ...run('sap', 0, 1).metrics, creep: { max: 5.1e-3 } } };
  const { sentences } = judgeRuns([
    run('mujoco', 1e-4, 1e-4, { energyChange: 0.5 }),
    run('sap', 1e-4, 1e-4, creeping),
    run('ccp', 1e-4, 1e-4, { energyChange: 1e-12 }),
  ]);
  expect(sentences).toContain('`mujoco` creates 500 mJ from nothing.');
  expect(sentences).toContain(
    'Contacts that should stick creep at up to 5.1 mm/s under `sap`, not at all under `ccp`.',
  );
});

test('a guarantee is that of the formulation and its options, and is checked', () => {
  expect(judgeGuarantee(run('ipc', 0, 1))).toEqual({ promise: 'no intersection', isKept: true });
  expect(judgeGuarantee(run('ipc', 1e-9, 1))).toEqual({ promise: 'no intersection', isKept: false });
  expect(judgeGuarantee(run('sap', 1e-3, 1))).toEqual({ promise: 'exact cone', isKept: true });
  const pyramidal = run('mujoco', 1e-3, 1, { options: { cone: 'pyramidal' } });
  expect(judgeGuarantee(pyramidal)).toEqual({ promise: 'none', isKept: undefined });
  const elliptic = run('mujoco', 1e-3, 1, { options: { cone: 'elliptic' } });
  expect(judgeGuarantee(elliptic).promise).toBe('exact cone');
  expect(judgeGuarantee(run('penalty', 1e-3, 1)).promise).toBe('none');
  const outside = { ...run('ccp', 0, 1).metrics, coneViolation: { max: 1e-3 } };
  expect(judgeGuarantee(run('ccp', 0, 1, { metrics: outside })).isKept).toBe(false);
  // 153 N without friction: MuJoCo's least coefficient of 1e-5 is no broken promise, ten times as much is one
  const slippery = (coneViolation: number, formulation: string): boolean | undefined => {
    const { metrics } = run(formulation, 1e-3, 1);
    const given = { ...metrics, normalForce: { max: 153 }, coneViolation: { max: coneViolation } };
    return judgeGuarantee(run(formulation, 1e-3, 1, { metrics: given, options: { cone: 'elliptic' } })).isKept;
  };
  expect([slippery(1.3e-4, 'mujoco'), slippery(1.3e-4, 'sap'), slippery(1.6e-2, 'mujoco')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('sizes have two digits and a prefix', () => {
  expect([7.26e-3, 0, 1234, 0.9999, 3e-12].map((value) => formatSize(value, 'm'))).toEqual([
    '7.3 mm',
    '0 m',
    '1.2 km',
    '1 m',
    '3 pm',
  ]);
});
