/** The whole detection against its plain twin: all pairs of shapes in the order of their keys, each tested by itself. */
import { expect, test } from 'vitest';
import { takeSamples } from '../../../../scripts/long-run.ts';
import { ContactPoints } from '../geometry/contact-points.ts';
import { Arena } from '../kernels/arena.ts';
import type { Model } from '../model/model.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { createEvaluation } from '../testing/evaluation.ts';
import { createRandom } from '../testing/forest.ts';
import { CONTACT_FIELDS, ContactSet } from './contact-set.ts';
import { type CollisionWorkspace, createCollisionWorkspace, detectContacts } from './detect-contacts.ts';
import { findPairTest } from './narrow-phase.ts';
import { mayTouch, pairKey } from './pair-filter.ts';
import { ShapeProxy } from './shape-proxy.ts';

const TETRAHEDRON = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1].map((value) => 0.25 * value);

/** Bodies numbered at random in a heap: plain shapes, shapes with assets, margins, explicit pairs. */
function createHeap(count: number): Scene {
  const random = createRandom(count);
  const side = 0.6 * Math.cbrt(count);
  const kinds: (() => Shape)[] = [
    () => ({ kind: 'sphere', radius: 0.2 + 0.1 * random() }),
    () => ({ kind: 'capsule', radius: 0.15, halfLength: 0.1 + 0.2 * random() }),
    () => ({ kind: 'ellipsoid', radii: [0.2 + 0.1 * random(), 0.25, 0.3] }),
    () => ({ kind: 'cylinder', radius: 0.2, halfLength: 0.1 + 0.2 * random() }),
    () => ({ kind: 'box', halfSize: [0.2 + 0.1 * random(), 0.2, 0.25] }),
    () => ({ kind: 'convexMesh', mesh: 'tetrahedron' }),
    () => ({ kind: 'triangleMesh', mesh: 'tetrahedron' }),
  ];
  const bodies = Array.from({ length: count }, (_, i): Body => {
    const shape = kinds[Math.floor(kinds.length * random())]!();
    const margin = random() < 0.3 ? 0.02 : 0;
    return {
      position: [side * random(), side * random(), side * random()],
      orientation: [random() - 0.5, random() - 0.5, random() - 0.5, 0.5],
      joints: [{ kind: 'free' }],
      shapes: [{ ...shape, name: `shape${i}`, margin }],
    };
  });
  return {
    format: 'nexdyn-scene',
    version: 1,
    // the twin below tests pairs as scenes of our own do
    options: { contactPoints: 'spread' },
    meshes: [{ name: 'tetrahedron', vertices: TETRAHEDRON, faces: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2] }],
    shapes: [
      { kind: 'plane', position: [0, 0, 0.2] },
      { kind: 'box', halfSize: [side, 0.1, 0.5] },
    ],
    bodies,
    contactPairs: [{ shape1: 'shape3', shape2: 'shape7', margin: 0.4 }],
  };
}

/** Per contact: key, shapes, position, normal, gap, feature. */
type Row = number[];

function listPlainly(model: Model, { plan }: CollisionWorkspace): Row[] {
  const { kind, margin, gap } = model.shape;
  const points = new ContactPoints();
  const rows: Row[] = [];
  for (let one = 0; one < model.size.shape; one++) {
    for (let two = one + 1; two < model.size.shape; two++) {
      const [a, b] = kind[one]! <= kind[two]! ? [one, two] : [two, one];
      const key = pairKey(one, two, model.size.shape);
      const reach = plan.explicitReach.get(key) ?? margin[a]! + gap[a]! + margin[b]! + gap[b]!;
      points.clear();
      if (mayTouch(model, plan.filter, one, two)) {
        findPairTest(kind[a]!, kind[b]!)?.(points, plan.placed[a]!, plan.placed[b]!, reach);
      }
      for (let n = 0; n < points.count; n++) {
        const vectors = [points.position, points.normal].flatMap((from) => [...from.subarray(3 * n, 3 * n + 3)]);
        rows.push([key, a, b, ...vectors, points.gap[n]!, points.feature[n]!]);
      }
    }
  }
  return rows;
}

function listContactRows({ contacts }: CollisionWorkspace): Row[] {
  const { pair, shape1, shape2, position, frame, gap, feature } = contacts;
  return Array.from({ length: contacts.count }, (_, i) => {
    const vectors = [...position.subarray(3 * i, 3 * i + 3), ...frame.subarray(9 * i, 9 * i + 3)];
    return [pair[i]!, shape1[i]!, shape2[i]!, ...vectors, gap[i]!, feature[i]!];
  });
}

test.each([
  [8, false],
  [60, false],
  [60, true],
  [63, false],
  [64, false],
  [takeSamples(400, 0.5), false],
  [takeSamples(400, 0.5), true],
])('%i bodies, stand-ins for far shapes: %s', (count, isCopying) => {
  const { model, work, state, evaluate } = createEvaluation(createHeap(count));
  const collision: CollisionWorkspace = {
    ...createCollisionWorkspace(model, new Arena()),
    sideA: new ShapeProxy(isCopying),
    sideB: new ShapeProxy(isCopying),
  };
  state.position.set(model.initialPosition);
  for (let round = 0; round < 2; round++) {
    evaluate();
    detectContacts(model, work, collision);
    const rows = listPlainly(model, collision);
    expect(rows.length).toBeGreaterThan(count / 2);
    expect(listContactRows(collision)).toEqual(rows);

    // another configuration: nothing of the one before is left over
    for (let i = 2; i < state.position.length; i += 7) state.position[i]! *= 0.8;
  }
});

test('every array of the contact set grows with it and keeps its numbers', () => {
  const contacts = new ContactSet();
  contacts.reserve(3);
  const names = Object.keys(CONTACT_FIELDS) as (keyof typeof CONTACT_FIELDS)[];
  names.forEach((name, k) => {
    const { width } = CONTACT_FIELDS[name];
    for (let i = 0; i < 3 * width; i++) contacts[name][i] = (7 * i + k) % 251;
  });
  contacts.reserve(1000);
  // all that is an array is in the table
  const arrays = Object.entries(contacts).filter(([, value]) => ArrayBuffer.isView(value));
  expect(arrays.map(([name]) => name).sort()).toEqual([...names].sort());
  names.forEach((name, k) => {
    const { width } = CONTACT_FIELDS[name];
    expect(contacts[name].length).toBeGreaterThanOrEqual(1003 * width);
    for (let i = 0; i < 3 * width; i++) expect(contacts[name][i]).toBe((7 * i + k) % 251);
  });
});
