/** Rows of contacts that vertices carry: J v is the relative velocity of the two points, whatever carries them. */
import '../compliance.ts';
import { describe, expect, test } from 'vitest';
import { CARRIER, ContactSet } from '../collision/contact-set.ts';
import { BlockRows } from '../linear-algebra/block-rows.ts';
import { compileModel } from '../model/compile.ts';
import { Simulation } from '../simulation.ts';
import { createRandom } from '../testing/forest.ts';
import { SoftContactRows } from './soft-contact-rows.ts';

const random = createRandom(11);
const sample = (): number => 2 * random() - 1;
const simulation = new Simulation(
  compileModel({
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap' },
    bodies: [
      {
        name: 'arm',
        position: [0, 0, 1],
        joints: [{ kind: 'hinge', axis: [1, 0, 0] }],
        shapes: [{ kind: 'sphere', radius: 0.1 }],
        bodies: [
          {
            name: 'hand',
            position: [0, 0.5, 0],
            joints: [{ kind: 'ball' }],
            shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.1] }],
          },
        ],
      },
    ],
    softBodies: [0, 1].map((n) => ({
      name: `soft ${n}`,
      position: [n, 0, 0],
      mesh: { kind: 'box', halfSize: [0.2, 0.2, 0.2], cells: [1, 1, 1] },
      contact: 'none',
      elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
    })),
  }),
);
const { model } = simulation;
const nv = model.size.velocity;
const velocity = Float64Array.from({ length: nv + 3 * model.size.softVertex }, sample);
simulation.state.velocity.set(velocity.subarray(0, nv));
const work = simulation.derived;
work.softVelocity.set(velocity.subarray(nv));

/** A contact with a random frame at a random point. */
function createContact(): ContactSet {
  const contacts = new ContactSet();
  contacts.reserve(1);
  contacts.position.set([sample(), sample(), sample()]);
  const [x, y, z] = [sample(), sample(), sample()];
  const length = Math.hypot(x, y, z);
  const n = [x / length, y / length, z / length];
  const t = [n[1], -n[0], 0].map((value) => value / Math.hypot(n[0], n[1]));
  const s = [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]];
  contacts.frame.set([...n, ...t, ...s]);
  return contacts;
}

/** Velocity of a point of a body, by its twist about the centre of its tree. */
function pointVelocity(body: number, p: Float64Array): number[] {
  const c = 3 * model.body.root[body];
  const [wx, wy, wz, vx, vy, vz] = work.bodyTwist.subarray(6 * body, 6 * body + 6);
  const [dx, dy, dz] = [0, 1, 2].map((k) => p[k] - work.treeCenter[c + k]);
  return [vx + wy * dz - wz * dy, vy + wz * dx - wx * dz, vz + wx * dy - wy * dx];
}

function vertexVelocity(vertices: readonly number[], weights: readonly number[]): number[] {
  return [0, 1, 2].map((k) => vertices.reduce((sum, v, n) => sum + weights[n] * velocity[nv + 3 * v + k], 0));
}

/** J v of the last block, with what held vertices add. */
function multiply(rows: BlockRows, soft: SoftContactRows): number[] {
  const n = rows.columnCount[0];
  return [0, 1, 2].map((r) => {
    let sum = soft.heldVelocity[r];
    for (let c = 0; c < n; c++) sum += rows.value[r * n + c] * velocity[rows.column[c]];
    return sum;
  });
}

const memory = { f64: (n: number) => new Float64Array(n), i32: (n: number) => new Int32Array(n) };

describe.each([
  ['nothing is held', []],
  ['some vertices are held', [1, 3, 9]],
  ['all vertices are held', Array.from({ length: 16 }, (_, v) => v)],
] as const)('%s', (_, heldVertices) => {
  const held = new Float64Array(model.size.softVertex);
  for (const v of heldVertices) held[v] = 1;

  test.each([
    ['soft on a hand', true, false],
    ['a hand on soft', false, true],
    ['soft on soft', true, true],
  ] as const)('%s', (_name, isSoft1, isSoft2) => {
    for (let trial = 0; trial < 20; trial++) {
      const contacts = createContact();
      const sides = [
        { isSoft: isSoft1, vertices: [4, 1, 6, 3], weights: [0.1, 0.4, 0.2, 0.3] },
        { isSoft: isSoft2, vertices: [12, 9, 14, -1], weights: [0.5, 0.2, 0.3, 0] },
      ];
      const expected = sides.map(({ isSoft, vertices, weights }, k) => {
        const [kind, carrier, vertex, weight] =
          k === 0
            ? [contacts.carrierKind1, contacts.carrier1, contacts.vertex1, contacts.weight1]
            : [contacts.carrierKind2, contacts.carrier2, contacts.vertex2, contacts.weight2];
        kind[0] = isSoft ? CARRIER.soft : CARRIER.body;
        carrier[0] = isSoft ? k : 2;
        vertex.set(vertices);
        weight.set(weights);
        const used = vertices.filter((v) => v >= 0);
        return isSoft ? vertexVelocity(used, weights) : pointVelocity(2, contacts.position);
      });
      const rows = new BlockRows(memory);
      const soft = new SoftContactRows();
      const block = soft.add(rows, model, work, held, contacts, 0);
      if (block < 0) {
        expect(heldVertices.length === 16 && isSoft1 && isSoft2).toBe(true);
        continue;
      }
      const columns = [...rows.column.subarray(0, rows.columnCount[0])];
      expect(columns).toEqual([...new Set(columns)].sort((a, b) => a - b));
      const result = multiply(rows, soft);
      for (let r = 0; r < 3; r++) {
        const along = [0, 1, 2].reduce(
          (sum, k) => sum + contacts.frame[3 * r + k] * (expected[1][k] - expected[0][k]),
          0,
        );
        expect(Math.abs(result[r] - along)).toBeLessThan(1e-13);
      }
    }
  });

  test('an attachment: velocity of the vertex minus that of the body where it is', () => {
    const rows = new BlockRows(memory);
    const soft = new SoftContactRows();
    soft.addAttachment(rows, model, work, held, 5, 2);
    const result = multiply(rows, soft);
    const body = pointVelocity(2, work.softPosition.subarray(15, 18));
    for (let k = 0; k < 3; k++) expect(Math.abs(result[k] - (velocity[nv + 15 + k] - body[k]))).toBeLessThan(1e-13);
  });
});
