import type { Scene } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { directAxis, findJoint, locateAnchor, moveAnchor, turnAxis } from './joint-edits.ts';
import { turnAbout } from './rotation.ts';

const makeScene = (): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  bodies: [
    { name: 'loose', joints: [{ kind: 'free' }] },
    {
      name: 'arm',
      joints: [{ kind: 'ball', anchor: [0, 0, 1] }],
      bodies: [
        { name: 'hand', joints: [{ kind: 'slide' }, { kind: 'hinge', axis: [0, 1, 0], anchor: [0.5, 0, 0] }] },
        { name: 'flag' },
      ],
    },
  ],
});

/** A body at 1 2 3, turned by a quarter about z: its x is y of the world. */
const FRAME = { position: [1, 2, 3] as [number, number, number], orientation: turnAbout(2, Math.PI / 2) };

test('joints are found by the numbers of the sliders, which leave out balls, and by their body', () => {
  const scene = makeScene();
  expect(findJoint(scene, 'joint:0')).toMatchObject({ joint: { kind: 'slide' }, body: 3, index: 0 });
  expect(findJoint(scene, 'joint:1')).toMatchObject({ joint: { kind: 'hinge' }, body: 3, index: 1 });
  expect(findJoint(scene, 'joint:2')).toBeUndefined();
  expect(findJoint(scene, 'body:2')).toMatchObject({ joint: { kind: 'ball' } });
  for (const id of ['body:1', 'body:4', 'shape:0', undefined]) expect(findJoint(scene, id)).toBeUndefined();
});

test('an anchor moves in the world by the distance, whatever way its body is turned', () => {
  const scene = makeScene();
  const before = locateAnchor(findJoint(scene, 'joint:1')!, FRAME);
  // half a metre along x of the body is along y of the world
  [1, 2.5, 3].forEach((part, k) => {
    expect(before[k]).toBeCloseTo(part, 14);
  });
  moveAnchor(scene, 'joint:1', [0.1, 0.2, -0.3], FRAME);
  const after = locateAnchor(findJoint(scene, 'joint:1')!, FRAME);
  [1.1, 2.7, 2.7].forEach((part, k) => {
    expect(after[k]).toBeCloseTo(part, 9);
  });
});

test('an axis turns about axes of the world and stays a unit vector; a ball has none', () => {
  const scene = makeScene();
  // y of the body is -x of the world; a quarter about z makes it -y
  turnAxis(scene, 'joint:1', 2, Math.PI / 2, FRAME);
  const turned = directAxis(findJoint(scene, 'joint:1')!, FRAME)!;
  [0, -1, 0].forEach((part, k) => {
    expect(turned[k]).toBeCloseTo(part, 9);
  });
  turnAxis(scene, 'joint:1', 0, 0.4, FRAME);
  expect(Math.hypot(...directAxis(findJoint(scene, 'joint:1')!, FRAME)!)).toBeCloseTo(1, 9);
  turnAxis(scene, 'body:2', 0, 1, FRAME);
  expect(directAxis(findJoint(scene, 'body:2')!, FRAME)).toBeUndefined();
  expect(scene.bodies![1]!.joints).toEqual([{ kind: 'ball', anchor: [0, 0, 1] }]);
});
