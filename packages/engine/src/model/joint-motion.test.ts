import load from '@mujoco/mujoco';
import { describe, expect, test } from 'vitest';
import { integratePositions } from '../dynamics/poses.ts';
import type { Scene } from '../scene/scene.ts';
import { compileModel } from './compile.ts';
import { computeInitialPoses } from './initial-pose.ts';
import { computeBodyMotion } from './joint-motion.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  bodies: [
    {
      position: [0.3, 0.1, 1],
      orientation: [1, 0.1, 0.2, 0.3],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1 }],
      bodies: [
        {
          position: [0, 0.5, 0.1],
          orientation: [1, 0, 0.5, 0],
          joints: [
            { kind: 'hinge', axis: [1, 2, 0], anchor: [0.1, 0, 0.2], reference: 0.4 },
            { kind: 'slide', axis: [0, 1, 1], reference: -0.2 },
            { kind: 'hinge', axis: [0, 0, 1], anchor: [0, 0.3, 0] },
          ],
          shapes: [{ kind: 'sphere', radius: 0.1 }],
          bodies: [
            {
              position: [0.2, 0, 0],
              bodies: [
                {
                  position: [0, 0, 0.4],
                  joints: [{ kind: 'ball', anchor: [0, 0.1, 0] }],
                  shapes: [{ kind: 'sphere', radius: 0.1 }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

const xml = `<mujoco><compiler angle="radian"/><worldbody><body pos=".3 .1 1" quat="1 .1 .2 .3"><freejoint/><geom size=".1"/>
  <body pos="0 .5 .1" quat="1 0 .5 0"><joint axis="1 2 0" pos=".1 0 .2" ref=".4"/><joint type="slide" axis="0 1 1" ref="-.2"/>
    <joint axis="0 0 1" pos="0 .3 0"/><geom size=".1"/>
    <body pos=".2 0 0"><body pos="0 0 .4"><joint type="ball" pos="0 .1 0"/><geom size=".1"/></body></body></body></body></worldbody></mujoco>`;

const q = [0.1, -0.4, 2, 0.5, 0.5, -0.5, 0.5, 0.9, 0.3, -0.7, 0.6, 0, 0.8, 0];
const qdot = [0.5, 1, -0.3, 0.2, -0.8, 0.6, 1.1, -0.4, 0.9, 0.3, -1.2, 0.7];

describe('motion of bodies from joints', () => {
  test('poses as in the oracle', async () => {
    const mujoco = await load();
    const oracle = mujoco.MjModel.from_xml_string(xml);
    if (!oracle) throw new Error('the oracle refused the model');
    const data = new mujoco.MjData(oracle);
    data.qpos.set(q);
    mujoco.mj_kinematics(oracle, data);
    const motion = computeBodyMotion(compileModel(scene), Float64Array.from(q), Float64Array.from(qdot));
    for (let i = 0; i < motion.position.length; i++) expect(motion.position[i]).toBeCloseTo(data.xpos[i], 13);
    for (let i = 0; i < motion.orientation.length; i++) expect(motion.orientation[i]).toBeCloseTo(data.xquat[i], 13);
  });

  test('velocities against finite differences of poses', () => {
    const model = compileModel(scene);
    const at = (h: number) => {
      const position = Float64Array.from(q);
      integratePositions(model, position, Float64Array.from(qdot), 0, h);
      return computeBodyMotion(model, position, Float64Array.from(qdot));
    };
    const h = 1e-5;
    const [before, now, after] = [at(-h), at(0), at(h)];
    for (let b = 1; b < model.size.body; b++) {
      for (let k = 0; k < 3; k++) {
        const rate = (after.position[3 * b + k] - before.position[3 * b + k]) / (2 * h);
        expect(now.velocity[3 * b + k]).toBeCloseTo(rate, 8);
      }
      // q̇ = ½ ω q, with ω in world axes
      const [w, x, y, z] = now.orientation.subarray(4 * b, 4 * b + 4);
      const [wx, wy, wz] = now.angularVelocity.subarray(3 * b, 3 * b + 3);
      const expected = [
        -wx * x - wy * y - wz * z,
        wx * w + wy * z - wz * y,
        wy * w + wz * x - wx * z,
        wz * w + wx * y - wy * x,
      ];
      for (let k = 0; k < 4; k++) {
        const rate = (after.orientation[4 * b + k] - before.orientation[4 * b + k]) / (2 * h);
        expect(expected[k] / 2).toBeCloseTo(rate, 8);
      }
    }
  });

  test('the initial pose chains local frames', () => {
    const model = compileModel(scene);
    const motion = computeBodyMotion(model, model.initialPosition, new Float64Array(model.size.velocity));
    const poses = computeInitialPoses(model.body);
    for (let i = 0; i < poses.position.length; i++) expect(poses.position[i]).toBeCloseTo(motion.position[i], 14);
    for (let i = 0; i < poses.orientation.length; i++)
      expect(poses.orientation[i]).toBeCloseTo(motion.orientation[i], 14);
    expect(Math.max(...motion.velocity.map(Math.abs))).toBe(0);
  });
});
