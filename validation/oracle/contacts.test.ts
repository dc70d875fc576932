/** Contacts as MuJoCo has them: stored frames and gaps, mixed parameters, and who may touch whom. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { createRandom } from './comparison.ts';
import { loadOracle, type Oracle } from './mujoco-oracle.ts';
import { folderFiles, hasReference, REFERENCE } from './shared-data.ts';

/** Least coefficient that MuJoCo uses (mjMINMU). */
const LEAST_FRICTION = 1e-5;

interface StoredContact {
  geom: [number, number];
  dist: number;
  pos: number[];
  frame: number[];
  dim: number;
  friction: number[];
}

function simulationOf(text: string): Simulation {
  return new Simulation(compileModel(loadScene('m.xml', { files: memoryFiles({ 'm.xml': text }) }).scene));
}

async function oracleOf(text: string): Promise<Oracle> {
  const oracle = await loadOracle(new Map([['m.xml', new TextEncoder().encode(text)]]), 'm.xml');
  oracle.mujoco.mj_forward(oracle.model, oracle.data);
  return oracle;
}

describe.skipIf(!hasReference)('reference/mujoco/stack5', () => {
  const folder = join(REFERENCE, 'mujoco');
  const { runs } = hasReference
    ? (JSON.parse(readFileSync(join(folder, 'stack5.json'), 'utf8')) as {
        runs: { id: string; details: { step: number; qpos: number[]; qvel: number[]; contacts: StoredContact[] }[] }[];
      })
    : { runs: [] };
  test.each(runs)('points, frames and gaps of $id to 1e-9', ({ details }) => {
    const simulation = new Simulation(compileModel(loadScene('stack5.xml', { files: folderFiles(folder) }).scene));
    for (const detail of details) {
      simulation.state.position.set(detail.qpos);
      simulation.state.velocity.set(detail.qvel);
      const set = simulation.contactSet();
      expect(set.count).toBe(detail.contacts.length);
      const left = new Set(detail.contacts);
      for (let i = 0; i < set.count; i++) {
        const at = set.position.subarray(3 * i, 3 * i + 3);
        const twin = [...left].find(
          (c) =>
            c.geom[0] === set.shape1[i] &&
            c.geom[1] === set.shape2[i] &&
            c.pos.every((x, k) => Math.abs(x - at[k]) < 1e-9),
        );
        expect(twin, `contact ${i} at ${[...at]}`).toBeDefined();
        left.delete(twin!);
        expect(Math.abs(set.gap[i] - twin!.dist)).toBeLessThan(1e-9);
        twin!.frame.forEach((x, k) => {
          expect(Math.abs(set.frame[9 * i + k] - x), `frame[${k}]`).toBeLessThan(1e-9);
        });
        twin!.friction.forEach((x, k) => {
          expect(set.friction[5 * i + k]).toBeCloseTo(x, 12);
        });
        expect(set.condim[i]).toBe(twin!.dim);
      }
    }
  });
});

test('parameters of 300 random pairs are mixed as MuJoCo mixes them', async () => {
  const random = createRandom(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
  const number = (low: number, high: number): string => (low + (high - low) * random()).toFixed(4);
  const geom = (): string => {
    const solref =
      random() < 0.7 ? `${number(0.005, 0.05)} ${number(0.5, 1.5)}` : `-${number(100, 1000)} -${number(1, 50)}`;
    return `<geom size=".1" condim="${pick([1, 3, 4, 6])}" priority="${pick([0, 0, 1])}" solmix="${pick([0, 1, 0.3, 2])}"
      friction="${number(0, 1)} ${number(0, 0.1)} ${number(0, 0.01)}" margin="${number(0, 0.02)}" gap="${number(0, 0.02)}"
      solref="${solref}" solimp="${number(0.5, 0.9)} ${number(0.9, 0.99)} ${number(0.001, 0.01)} ${number(0.2, 0.8)} ${pick([1, 2, 3])}"/>`;
  };
  const bodies = Array.from(
    { length: 300 },
    (_, i) =>
      `<body pos="${3 * i} 0 0"><freejoint/>${geom()}</body><body pos="${3 * i} 0 .15"><freejoint/>${geom()}</body>`,
  );
  const text = `<mujoco><worldbody>${bodies.join('')}</worldbody></mujoco>`;
  const oracle = await oracleOf(text);
  const set = simulationOf(text).contactSet();
  expect(set.count).toBe(oracle.data.ncon);
  for (let i = 0; i < set.count; i++) {
    const twin = oracle.data.contact.get(i)!;
    expect([set.shape1[i], set.shape2[i], set.condim[i]]).toEqual([
      ...Array.from(twin.geom as ArrayLike<number>),
      twin.dim,
    ]);
    const compare = (ours: Float64Array, width: number, theirs: unknown, what: string): void => {
      Array.from(theirs as ArrayLike<number>).forEach((x, k) => {
        expect(Math.abs(ours[width * i + k] - x), `${what}[${k}] of contact ${i}`).toBeLessThan(
          1e-12 * (1 + Math.abs(x)),
        );
      });
    };
    // `mujoco` applies MuJoCo's least friction when it builds its rows
    const least = set.friction.map((mu) => Math.max(LEAST_FRICTION, mu));
    compare(least, 5, twin.friction, 'friction');
    compare(set.solref, 2, twin.solref, 'solref');
    compare(set.solimp, 5, twin.solimp, 'solimp');
    compare(set.margin, 1, [twin.includemargin], 'margin');
    compare(set.gap, 1, [twin.dist], 'gap');
    twin.delete?.();
  }
});

test('groups, parents, rigid groups, excludes and explicit pairs decide who touches, as in MuJoCo', async () => {
  const random = createRandom(3);
  for (let n = 0; n < 20; n++) {
    let counter = 0;
    const grow = (depth: number): string => {
      const id = counter++;
      const joint =
        random() < 0.3 && depth > 0 ? '' : depth === 0 && random() < 0.5 ? '<freejoint/>' : '<joint axis="0 1 0"/>';
      const children =
        depth < 3 ? Array.from({ length: Math.floor(3 * random()) }, () => grow(depth + 1)).join('') : '';
      const bits = `contype="${Math.floor(4 * random())}" conaffinity="${Math.floor(4 * random())}"`;
      return `<body name="b${id}" pos=".01 0 .01">${joint}<geom name="g${id}" size=".1" ${bits}/>${children}</body>`;
    };
    const tree = Array.from({ length: 3 }, () => grow(0)).join('');
    const pair = (tag: string): string => {
      const [a, b] = [Math.floor(counter * random()), Math.floor(counter * random())];
      return a === b
        ? ''
        : tag === 'exclude'
          ? `<exclude body1="b${a}" body2="b${b}"/>`
          : `<pair geom1="g${a}" geom2="g${b}"/>`;
    };
    const rules = `<contact>${pair('exclude')}${pair('exclude')}${pair('pair')}</contact>`;
    const flag = random() < 0.3 ? '<option><flag filterparent="disable"/></option>' : '';
    const text = `<mujoco>${flag}<worldbody><geom size="1 1 .1" type="plane"/><geom size=".1" pos=".02 0 0"/>${tree}</worldbody>${rules}</mujoco>`;
    const oracle = await oracleOf(text);
    const set = simulationOf(text).contactSet();
    const theirs = Array.from({ length: oracle.data.ncon }, (_, i) =>
      Array.from(oracle.data.contact.get(i)!.geom as ArrayLike<number>)
        .sort((x, y) => x - y)
        .join(),
    );
    const ours = Array.from({ length: set.count }, (_, i) =>
      [set.shape1[i], set.shape2[i]].sort((x, y) => x - y).join(),
    );
    expect(ours.sort()).toEqual(theirs.sort());
  }
});
