/** Compiled detection gives the bits of its twin in TypeScript: boxes that meet with faces, edges and corners, deep, touching, apart and aligned. */
import { expect, test } from 'vitest';
import '../sparse.ts';
import { updateKinematics } from '../dynamics/kinematics.ts';
import { createWorkspace } from '../dynamics/workspace.ts';
import { Arena } from '../kernels/arena.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import { createState } from '../state/state.ts';
import { createRandom } from '../testing/forest.ts';
import { CONTACT_FIELDS } from './contact-set.ts';
import { createCollisionWorkspace, detectContacts } from './detect-contacts.ts';

/** All contacts, field by field, their number, and the kinds of features among them. */
function detect(
  scene: Scene,
  portable: boolean,
): { fields: Record<string, string>; count: number; kinds: Set<number> } {
  const model = compileModel(scene);
  const arena = new Arena({ portable });
  const state = createState(model, arena);
  state.position.set(model.initialPosition);
  const work = createWorkspace(model, arena, state.all.length);
  const collision = createCollisionWorkspace(model, arena);
  expect(collision.boxPairs === undefined).toBe(portable);
  updateKinematics(model, state, work);
  // twice: the second time nothing has to grow
  for (let n = 0; n < 2; n++) detectContacts(model, work, collision);
  const { contacts } = collision;
  const fields: Record<string, string> = {};
  for (const [name, { width }] of Object.entries(CONTACT_FIELDS))
    fields[name] = contacts[name as keyof typeof CONTACT_FIELDS].subarray(0, width * contacts.count).join();
  const kinds = new Set(Array.from(contacts.feature.subarray(0, contacts.count), (feature) => feature >> 13));
  return { fields, count: contacts.count, kinds };
}

function scene(bodies: Body[]): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { contactPoints: 'spread' },
    shapes: [{ kind: 'plane' }],
    bodies,
  };
}

/** Boxes of many proportions in a heap, some with a margin. */
function createHeap(count: number, seed: number): Body[] {
  const random = createRandom(seed);
  const side = 0.7 * Math.cbrt(count);
  return Array.from({ length: count }, (): Body => {
    const halfSize = [0.05 + 0.4 * random(), 0.05 + 0.4 * random(), 0.05 + 0.4 * random()] as const;
    return {
      position: [side * random(), side * random(), side * random()],
      orientation: [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [...halfSize], margin: random() < 0.5 ? 0.3 : 0 }],
    };
  });
}

/** Boxes in rows and layers that exactly touch, overlap a little or lie a little apart, turned by quarters or a little more. */
function createStack(count: number): Body[] {
  const random = createRandom(count);
  return Array.from({ length: count }, (_, i): Body => {
    const tilt = i % 3 === 0 ? 0 : 1e-9 * (random() - 0.5);
    const half = (Math.PI / 4) * (i % 4) + tilt;
    const shift = [0, 1e-3, -1e-3][i % 3]!;
    return {
      position: [0.5 * (i % 5), 0.5 * (Math.floor(i / 5) % 5), 0.25 + shift + 0.5 * Math.floor(i / 25)],
      orientation: [Math.cos(half), 0, 0, Math.sin(half)],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.25, 0.25, 0.25], margin: 1e-3 }],
    };
  });
}

test('boxes at random: patches, edges and corners', () => {
  const found = [1, 2, 3].map((seed) => {
    const bodies = scene(createHeap(100, seed));
    const compiled = detect(bodies, false);
    expect(compiled).toEqual(detect(bodies, true));
    return compiled.kinds;
  });
  // every branch was met
  expect(new Set(found.flatMap((kinds) => [...kinds]))).toEqual(new Set([0, 1, 2]));
});

test('boxes in one place: more pairs than there is room for at first', () => {
  const bodies = scene(createHeap(30, 4).map((body) => ({ ...body, position: [0, 0, 5] })));
  const compiled = detect(bodies, false);
  expect(compiled).toEqual(detect(bodies, true));
  expect(new Set(compiled.fields['pair']!.split(',')).size).toBe((30 * 29) / 2);
});

test('boxes in rows and layers', () => {
  const bodies = scene(createStack(125));
  const compiled = detect(bodies, false);
  expect(compiled).toEqual(detect(bodies, true));
  expect(compiled.count).toBeGreaterThan(500);
});
