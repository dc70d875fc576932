/** Compiled rows of contacts, and their products, give the bits of their twins in TypeScript: free bodies, trees, links of one tree, every dimension. */
import { expect, test } from 'vitest';
import '../sparse.ts';
import { ContactSet } from '../collision/contact-set.ts';
import { updateKinematics } from '../dynamics/kinematics.ts';
import { createWorkspace } from '../dynamics/workspace.ts';
import { Arena } from '../kernels/arena.ts';
import { BlockRows, multiplyRows } from '../linear-algebra/block-rows.ts';
import { RowsRecord } from '../linear-algebra/rows-record.ts';
import { compileModel } from '../model/compile.ts';
import type { Model } from '../model/model.ts';
import { createState } from '../state/state.ts';
import { randomizeState } from '../testing/evaluation.ts';
import { createRandom } from '../testing/forest.ts';
import { mixedScene } from '../testing/mixed-scene.ts';
import { ContactRows } from './contact-rows.ts';

const DIMENSIONS = [1, 3, 4, 6] as const;

/** Contacts between all pairs of bodies, two of each, at random places and in random frames, some of them swept. */
function createContacts({ size }: Model, arena: Arena): ContactSet {
  const contacts = new ContactSet(arena);
  const random = createRandom(3);
  for (let a = 0; a < size.body; a++) {
    for (let b = a + 1; b < size.body; b++) {
      for (let n = 0; n < 2; n++) {
        const i = contacts.reserve(1);
        contacts.carrier1[i] = a;
        contacts.carrier2[i] = b;
        for (let k = 0; k < 9; k++) contacts.frame[9 * i + k] = random() - 0.5;
        for (let k = 0; k < 3; k++) {
          contacts.position[3 * i + k] = 2 * (random() - 0.5);
          contacts.sweep[3 * i + k] = i % 3 === 0 ? random() : 0;
        }
      }
    }
  }
  return contacts;
}

function evaluate(portable: boolean): { values: number[]; columns: number[]; products: number[] } {
  const model = compileModel(mixedScene(), { coordinates: 'joint' });
  const arena = new Arena({ portable });
  const state = createState(model, arena);
  const work = createWorkspace(model, arena, 0);
  randomizeState(model, state, 5);
  updateKinematics(model, state, work);
  const rows = new BlockRows(arena);
  const contactRows = new ContactRows(model, arena);
  const contacts = createContacts(model, arena);
  contactRows.begin(work, contacts);
  for (let i = 0; i < contacts.count; i++)
    contactRows.add(rows, model, work, contacts, i, DIMENSIONS[Math.floor(i / 2) % 4]!);
  const products = arena.f64(rows.rowCount);
  const order = Int32Array.from({ length: rows.blockCount }, (_, b) => b);
  const compiled = arena.compiledDynamics;
  if (compiled) expect(new RowsRecord(compiled, rows, arena).multiply(products, state.velocity)).toBe(true);
  else multiplyRows(products, rows, state.velocity, order, 0, rows.blockCount);
  return {
    values: [...rows.value.subarray(0, rows.valueEnd)],
    columns: [...rows.column.subarray(0, rows.columnEnd)],
    products: [...products],
  };
}

test('rows and products', () => {
  const compiled = evaluate(false);
  expect(compiled.values.length).toBeGreaterThan(500);
  expect(compiled).toEqual(evaluate(true));
});

test('arrays out of reach are left to TypeScript', () => {
  const arena = new Arena();
  const rows = new BlockRows(arena);
  rows.add(1, 1);
  const record = new RowsRecord(arena.compiledDynamics!, rows, arena);
  expect(record.multiply(arena.f64(1), new Float64Array(1))).toBe(false);
});
