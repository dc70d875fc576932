import { expect, test } from 'vitest';
import { listSceneFiles } from './main-file.ts';

const mjcf = (body = ''): string =>
  `<?xml version="1.0"?>\n<!-- a <robot> -->\n<mujoco model="m">${body}<worldbody/></mujoco>`;

test('a robot folder opens on its scene, and what the scene includes is no scene', () => {
  const files = {
    'arm/arm.xml': mjcf(),
    'arm/scene.xml': mjcf('<include file="arm.xml"/>'),
    'arm/assets/link.obj': 'v 0 0 0',
    'arm/LICENSE': 'free',
  };
  expect(listSceneFiles(files)).toEqual(['arm/scene.xml']);
});

test('several scenes stand with the likeliest first', () => {
  const files = {
    'hand/keyframes.xml': '<mujoco><keyframe/></mujoco>',
    'hand/alone.xml': '<mujoco><default/></mujoco>',
    'hand/left.xml': mjcf('<include file="./keyframes.xml"/>'),
    'hand/scene_left.xml': mjcf('<include file="left.xml"/>'),
    'hand/scene.xml': mjcf('<!-- <include file="scene_left.xml"/> -->'),
    'hand/hand.urdf': '<robot name="hand"/>',
    'hand/extra/deep.xml': mjcf('<asset><model name="x" file="../left.xml"/></asset>'),
  };
  expect(listSceneFiles(files)).toEqual([
    'hand/scene.xml',
    'hand/scene_left.xml',
    'hand/hand.urdf',
    'hand/extra/deep.xml',
  ]);
});

test('other XML and other JSON are not scenes', () => {
  expect(
    listSceneFiles({ 'package.xml': '<package/>', 'a.json': '{}', 'b.json': '{"format": "nexdyn-scene"}' }),
  ).toEqual(['b.json']);
  expect(listSceneFiles({ 'mesh.stl': 'solid', 'readme.md': '' })).toEqual([]);
});

test('a lone file that cannot be recognised goes to the reader, which says why', () => {
  expect(listSceneFiles({ 'broken.xml': 'no markup at all' })).toEqual(['broken.xml']);
  expect(listSceneFiles({ 'robot.xml': new TextEncoder().encode('<robot name="r"/>') })).toEqual(['robot.xml']);
});

test('comments are passed over once, however many there are', () => {
  const comments = '<!---->'.repeat(2000);
  expect(listSceneFiles({ 'a.xml': `${comments}x`, 'b.json': '{"format": "nexdyn-scene"}' })).toEqual(['b.json']);
  expect(listSceneFiles({ 'a.xml': `${comments}<mujoco><worldbody/>${comments}</mujoco>` })).toEqual(['a.xml']);
  const includes = '<include '.repeat(50_000);
  expect(listSceneFiles({ 'a.xml': `<mujoco><worldbody/>${includes}${'<!--'.repeat(50_000)}` })).toEqual(['a.xml']);
});
