/** Body coordinates: position of the centre of mass and a quaternion, velocity [ṙ, ω] with ω in the body frame. */
import { expect, test } from 'vitest';
import type { Scene } from '../scene/scene.ts';
import { createEvaluation, randomizeState } from '../testing/evaluation.ts';
import { integratePositions } from './poses.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  bodies: [
    {
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3], position: [0.2, 0.1, 0] }],
      bodies: [
        {
          position: [0, 0.4, 0],
          orientation: [0.8, 0.1, 0.3, 0.2],
          shapes: [{ kind: 'capsule', radius: 0.1, halfLength: 0.2 }],
        },
      ],
    },
  ],
};

function createBody() {
  const evaluation = createEvaluation(scene, { coordinates: 'body' });
  randomizeState(evaluation.model, evaluation.state, 12);
  evaluation.evaluate();
  return evaluation;
}

test('the mass matrix is constant: m on the translations, one tensor on the rotations, nothing between', () => {
  const evaluation = createBody();
  const { model, state, work } = evaluation;
  const first = work.massMatrix.slice();
  const mass = model.body.subtreeMass[1];
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j <= i; j++) {
      const value = first[model.massMatrix.rowStart[i] + j];
      if (i < 3) expect(value).toBeCloseTo(i === j ? mass : 0, 12);
      else if (j < 3) expect(value).toBeCloseTo(0, 12);
    }
  }
  randomizeState(model, state, 13);
  evaluation.evaluate();
  for (let k = 0; k < first.length; k++) expect(work.massMatrix[k]).toBeCloseTo(first[k], 12);
});

test('the bias force is the weight and the gyroscopic term ω × J ω', () => {
  const { model, state, work } = createBody();
  const mass = model.body.subtreeMass[1];
  const entry = (i: number, j: number): number =>
    work.massMatrix[model.massMatrix.rowStart[3 + Math.max(i, j)] + 3 + Math.min(i, j)];
  const w = state.velocity.subarray(3, 6);
  const l = [0, 1, 2].map((i) => entry(i, 0) * w[0] + entry(i, 1) * w[1] + entry(i, 2) * w[2]);
  const expected = [0, 0, mass * 9.81, w[1] * l[2] - w[2] * l[1], w[2] * l[0] - w[0] * l[2], w[0] * l[1] - w[1] * l[0]];
  for (const [i, value] of expected.entries()) expect(work.biasForce[i]).toBeCloseTo(value, 11);
});

test('rates of coordinates are q̇ = L(q) v with ½ Gᵀ(e) on the quaternion', () => {
  const { model, state } = createBody();
  const q = state.position.slice();
  const h = 1e-6;
  const ahead = q.slice();
  const behind = q.slice();
  integratePositions(model, ahead, state.velocity, 0, h);
  integratePositions(model, behind, state.velocity, 0, -h);
  const [e0, e1, e2, e3] = q.subarray(3, 7);
  const g = [
    [-e1, e0, e3, -e2],
    [-e2, -e3, e0, e1],
    [-e3, e2, -e1, e0],
  ];
  const rate = [...state.velocity.subarray(0, 3)];
  for (let k = 0; k < 4; k++)
    rate.push(0.5 * (g[0][k] * state.velocity[3] + g[1][k] * state.velocity[4] + g[2][k] * state.velocity[5]));
  for (const [k, value] of rate.entries())
    expect(Math.abs((ahead[k] - behind[k]) / (2 * h) - value)).toBeLessThan(1e-8);
});
