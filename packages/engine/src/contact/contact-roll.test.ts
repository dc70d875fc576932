/** Places of contact against detection: b = ½ h ω × ρ̇ of a body that turns by small angles on a plane, by centred differences. */
import { expect, test } from 'vitest';
import { createCollisionWorkspace, detectContacts } from '../collision/detect-contacts.ts';
import { updateKinematics } from '../dynamics/kinematics.ts';
import { integratePositions } from '../dynamics/poses.ts';
import { Arena } from '../kernels/arena.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { createEvaluation } from '../testing/evaluation.ts';
import { ContactRoll } from './contact-roll.ts';

const SHAPES: Readonly<Record<string, Shape>> = {
  sphere: { kind: 'sphere', radius: 0.3, position: [0.1, 0.05, -0.1] },
  capsule: { kind: 'capsule', radius: 0.1, halfLength: 0.3, orientation: [0.8, 0.3, -0.2, 0.4], position: [0, 0.1, 0] },
  ellipsoid: {
    kind: 'ellipsoid',
    radii: [0.2, 0.3, 0.45],
    orientation: [0.7, -0.4, 0.3, 0.2],
    position: [0.02, 0, 0.1],
  },
  cylinder: { kind: 'cylinder', radius: 0.2, halfLength: 0.15, orientation: [0.9, 0.3, 0.2, -0.1] },
  box: { kind: 'box', halfSize: [0.2, 0.3, 0.15], orientation: [0.8, 0.3, -0.25, 0.4] },
};

test.each(Object.keys(SHAPES))('%s', (kind) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp' },
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        position: [0.3, -0.2, 0.3],
        orientation: [0.95, 0.1, -0.2, 0.15],
        joints: [{ kind: 'free' }],
        // a weight off the centre that touches nothing
        shapes: [
          { ...SHAPES[kind]!, margin: 1 },
          { kind: 'sphere', radius: 0.05, position: [0.2, 0.1, 0.3], mass: 200 },
        ],
      },
    ],
  };
  const { model, state, work } = createEvaluation(scene);
  const start = state.position.slice();
  const w = Float64Array.of(0.7, -1.1, 0.4);
  /** The lowest point after a turn by ω t about the centre of mass. */
  const place = (
    t: number,
  ): { position: number[]; collision: ReturnType<typeof createCollisionWorkspace>; lowest: number } => {
    state.position.set(start);
    updateKinematics(model, state, work);
    const r = work.bodyRotation.subarray(9, 18);
    const own = [0, 1, 2].map((k) => r[k]! * w[0]! + r[3 + k]! * w[1]! + r[6 + k]! * w[2]!);
    state.velocity.set([0, 0, 0, ...own]);
    integratePositions(model, state.position, state.velocity, 0, t);
    updateKinematics(model, state, work);
    const collision = createCollisionWorkspace(model, new Arena());
    detectContacts(model, work, collision);
    const { contacts } = collision;
    let lowest = 0;
    for (let i = 1; i < contacts.count; i++) if (contacts.gap[i]! < contacts.gap[lowest]!) lowest = i;
    const n = 9 * lowest;
    // on the body, not half way to the plane; from the centre of mass
    const position = [0, 1, 2].map(
      (k) =>
        contacts.position[3 * lowest + k]! +
        0.5 * contacts.gap[lowest]! * contacts.frame[n + k]! -
        work.bodyCenter[3 + k]!,
    );
    return { position, collision, lowest };
  };
  const t = 1e-5;
  const [before, after] = [place(-t).position, place(t).position];
  const { collision, lowest } = place(0);
  // the point of the body in place of the middle of the gap
  const { contacts } = collision;
  for (let k = 0; k < 3; k++)
    contacts.position[3 * lowest + k] += 0.5 * contacts.gap[lowest]! * contacts.frame[9 * lowest + k]!;
  const isSecond = contacts.carrier2[lowest] === 1;
  const h = 0.01;
  const roll = new ContactRoll(model);
  const spin = Float64Array.of(0, 0, 0, ...w);
  expect(roll.measure(work, contacts, lowest, isSecond, spin, h)).toBe(true);
  const rate = before.map((x, k) => (after[k]! - x) / (2 * t));
  const [x, y, z] = rate as [number, number, number];
  const expected = [w[1]! * z - w[2]! * y, w[2]! * x - w[0]! * z, w[0]! * y - w[1]! * x];
  const sign = isSecond ? 1 : -1;
  for (let k = 0; k < 3; k++) expect(roll.slip[k]).toBeCloseTo(sign * 0.5 * h * expected[k]!, 8);
});
