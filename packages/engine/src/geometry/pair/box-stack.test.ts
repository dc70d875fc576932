import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { loadOracle, type OracleContact } from '../../testing/contact-oracle.ts';
import { compareUnordered, runPair, toMatrix } from '../../testing/pair-poses.ts';
import type { PairTest } from '../pair-test.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { findClosedForm } from './closed-forms.ts';

const SHARED = fileURLToPath(new URL('../../../../../../shared/reference/mujoco/stack5.json', import.meta.url));

interface Reference {
  runs: { id: string; details: { qpos: number[]; contacts: ReferenceContact[] }[] }[];
}
interface ReferenceContact {
  geom: [number, number];
  dist: number;
  pos: number[];
  frame: number[];
}

const PLANE = placeShape(SHAPE.plane, [0, 0, 0]);

/** Geom 0 is the floor, the others are boxes of half edge `half` posed by free joints. */
function placeStack(qpos: ArrayLike<number>, half: number): PlacedShape[] {
  const shapes = [PLANE];
  for (let k = 0; k < qpos.length; k += 7) {
    const pose = Array.from({ length: 7 }, (_, n) => qpos[k + n]);
    const length = Math.hypot(...pose.slice(3));
    const turn = toMatrix(pose.slice(3).map((x) => x / length));
    shapes.push(placeShape(SHAPE.box, [half, half, half], pose.slice(0, 3), turn));
  }
  return shapes;
}

/** Largest difference over the pairs that are in contact. */
function compareStack(shapes: PlacedShape[], theirs: (OracleContact & { geom: number[] })[], reach: number): number {
  let worst = 0;
  for (let i = 0; i < shapes.length; i++) {
    for (let j = i + 1; j < shapes.length; j++) {
      const expected = theirs.filter((contact) => contact.geom[0] === i && contact.geom[1] === j);
      const pair = findClosedForm(shapes[i].kind, SHAPE.box) as PairTest;
      worst = Math.max(worst, compareUnordered(runPair(pair, shapes[i], shapes[j], reach), expected));
    }
  }
  return worst;
}

describe('stacks of boxes', () => {
  test.skipIf(!existsSync(SHARED))('contacts of the reference run of five boxes (needs shared/reference)', () => {
    const reference: Reference = JSON.parse(readFileSync(SHARED, 'utf8'));
    for (const run of reference.runs) {
      for (const { qpos, contacts } of run.details) {
        expect(contacts.length).toBe(16);
        const theirs = contacts.map(({ geom, dist, pos, frame }) => ({
          geom,
          gap: dist,
          position: pos,
          normal: frame.slice(0, 3),
        }));
        expect(compareStack(placeStack(qpos, 0.1), theirs, 0)).toBeLessThan(1e-9);
      }
    }
  });

  test('contacts in every step of MuJoCo: six boxes fall on each other askew and come to rest', async () => {
    const mujoco = await loadOracle();
    const bodies = [0, 1, 2, 3, 4, 5].map((k) => {
      const place = `${0.007 * (k % 3)} ${0.011 * (k % 2)} ${0.101 + 0.203 * k}`;
      return `<body pos="${place}" euler="0 ${0.1 * k} ${3 * k}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>`;
    });
    const model = mujoco.MjModel.from_xml_string(
      `<mujoco><worldbody><geom type="plane" size="0 0 1"/>${bodies.join('')}</worldbody></mujoco>`,
    );
    if (!model) throw new Error('the oracle refused the model');
    const data = new mujoco.MjData(model);
    let worst = 0;
    let points = 0;
    for (let step = 0; step < takeSamples(1000, 0.4); step++) {
      mujoco.mj_step1(model, data);
      const theirs = [];
      const list = data.contact;
      for (let i = 0; i < data.ncon; i++) {
        const contact = list.get(i);
        if (!contact) throw new Error('the oracle lost a contact');
        theirs.push({
          geom: [contact.geom1, contact.geom2],
          gap: contact.dist,
          position: Array.from(contact.pos as Float64Array),
          normal: Array.from(contact.frame as Float64Array).slice(0, 3),
        });
        contact.delete();
      }
      list.delete();
      points += theirs.length;
      worst = Math.max(worst, compareStack(placeStack(data.qpos, 0.1), theirs, 0));
      mujoco.mj_step2(model, data);
    }
    data.delete();
    model.delete();
    expect(points).toBeGreaterThan(takeSamples(20_000, 0.4));
    expect(worst).toBeLessThan(1e-9);
  });
});
