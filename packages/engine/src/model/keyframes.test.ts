import { expect, test } from 'vitest';
import type { Scene } from '../scene/scene.ts';
import { loadMujocoParser } from '../testing/mujoco-parser.ts';
import { compileModel } from './compile.ts';

const robot: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  bodies: [
    { mocap: true, position: [1, 2, 3] },
    {
      position: [0, 0, 1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1 }],
      bodies: [
        { joints: [{ kind: 'hinge', name: 'h', reference: 0.4 }], shapes: [{ kind: 'sphere', radius: 0.1 }] },
        { joints: [{ kind: 'ball' }], shapes: [{ kind: 'sphere', radius: 0.1 }] },
      ],
    },
  ],
  actuators: [
    { kind: 'motor', transmission: { kind: 'joint', joint: 'h' } },
    { kind: 'position', timeConstant: 0.1, transmission: { kind: 'joint', joint: 'h' } },
  ],
  keyframes: [
    { name: 'empty' },
    {
      name: 'full',
      time: 2,
      position: [1, 2, 3, 2, 0, 0, 2, 0.7, 0, 3, 0, 4],
      velocity: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      activation: [0.5],
      control: [0.1, 0.2],
      mocapPosition: [4, 5, 6],
      mocapOrientation: [0, 0, 0, 2],
    },
  ],
};

const xml = `<mujoco><compiler angle="radian"/><worldbody><body mocap="true" pos="1 2 3"/>
  <body pos="0 0 1"><freejoint/><geom size=".1"/><body><joint name="h" ref=".4"/><geom size=".1"/></body>
    <body><joint type="ball"/><geom size=".1"/></body></body></worldbody>
  <actuator><motor joint="h"/><position timeconst=".1" joint="h"/></actuator>
  <keyframe><key name="empty"/><key name="full" time="2" qpos="1 2 3 2 0 0 2 .7 0 3 0 4" qvel="1 2 3 4 5 6 7 8 9 10"
    act=".5" ctrl=".1 .2" mpos="4 5 6" mquat="0 0 0 2"/></keyframe></mujoco>`;

test('keyframes are filled and normalised as in the oracle', async () => {
  const parse = await loadMujocoParser();
  const oracle = parse(xml);
  const { keyframe, size } = compileModel(robot);
  expect(size.keyframe).toBe(2);
  expect(keyframe.name).toEqual(['empty', 'full']);
  const pairs: [string, Float64Array, Float64Array][] = [
    ['time', keyframe.time, oracle.key_time],
    ['position', keyframe.position, oracle.key_qpos],
    ['velocity', keyframe.velocity, oracle.key_qvel],
    ['activation', keyframe.activation, oracle.key_act],
    ['control', keyframe.control, oracle.key_ctrl],
    ['mocapPosition', keyframe.mocapPosition, oracle.key_mpos],
    ['mocapOrientation', keyframe.mocapOrientation, oracle.key_mquat],
  ];
  for (const [name, ours, theirs] of pairs) {
    expect(ours.length, name).toBe(theirs.length);
    for (let i = 0; i < ours.length; i++) expect(ours[i], `${name}[${i}]`).toBeCloseTo(theirs[i], 14);
  }
});
