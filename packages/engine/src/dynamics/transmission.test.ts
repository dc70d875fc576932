import { expect, test } from 'vitest';
import { relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import type { Scene } from '../scene/scene.ts';
import { createEvaluation, randomizeState } from '../testing/evaluation.ts';

/** Two sites, turned in their bodies, on a chain of two ball joints. */
const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  bodies: [
    {
      joints: [{ kind: 'ball', name: 'one' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3] }],
      sites: [{ name: 'from', orientation: [0.9, 0.3, -0.2, 0.1] }],
      bodies: [
        {
          position: [0.4, 0, 0],
          joints: [{ kind: 'ball', name: 'two' }],
          shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3] }],
          sites: [{ name: 'to', position: [0.1, 0.2, 0], orientation: [0.5, -0.3, 0.7, 0.2] }],
        },
      ],
    },
  ],
  actuators: [
    { kind: 'motor', transmission: { kind: 'site', site: 'to', referenceSite: 'from', gear: [0, 0, 0, 0.3, 1, -0.4] } },
  ],
};

/**
 * MuJoCo 3.14 multiplies the orientations of site and body in the other order here, so that its length is not that of the
 * rotation between the sites once they are turned in their bodies. We keep the rotation.
 */
test('the rotational length is that of the rotation from the reference site to the site', () => {
  const { model, state, work, evaluate } = createEvaluation(scene);
  randomizeState(model, state, 6, 0.5);
  evaluate();
  const turn = new Float64Array(4);
  const vector = new Float64Array(3);
  const [from, to] = [model.site.name.indexOf('from'), model.site.name.indexOf('to')];
  relativeQuaternion(turn, 0, work.siteOrientation, 4 * from, work.siteOrientation, 4 * to);
  rotationVector(vector, 0, turn, 0);
  expect(work.actuatorLength[0]).toBeCloseTo(0.3 * vector[0] + vector[1] - 0.4 * vector[2], 14);
});

test('the power of an actuator is the power of its joint forces: force · rate = Σ joint force · velocity', () => {
  const { model, state, work, evaluate } = createEvaluation(scene);
  randomizeState(model, state, 7, 0.5);
  state.control[0] = 2;
  evaluate();
  let power = 0;
  for (let i = 0; i < model.size.velocity; i++) power += work.actuatorJointForce[i] * state.velocity[i];
  expect(power).toBeCloseTo(work.actuatorForce[0] * work.actuatorVelocity[0], 12);
});
