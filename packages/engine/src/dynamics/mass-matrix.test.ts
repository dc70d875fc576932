import { expect, test } from 'vitest';
import { createEvaluation, randomizeState } from '../testing/evaluation.ts';
import { mixedScene } from '../testing/mixed-scene.ts';

const STEP = 1e-6;

/** Velocity of a body's centre and its angular velocity per unit of dof i, by central differences of poses. */
function bodyVelocities(evaluation: ReturnType<typeof createEvaluation>, i: number) {
  const { work } = evaluation;
  const ahead = evaluation.displaced(i, STEP, () => ({
    center: work.bodyCenter.slice(),
    rotation: work.bodyRotation.slice(),
  }));
  const behind = evaluation.displaced(i, -STEP, () => ({
    center: work.bodyCenter.slice(),
    rotation: work.bodyRotation.slice(),
  }));
  evaluation.evaluate();
  const linear = ahead.center.map((value, k) => (value - behind.center[k]) / (2 * STEP));
  const angular = new Float64Array(linear.length);
  for (let b = 0; b < linear.length / 3; b++) {
    // ω× = Ṙ Rᵀ
    const entry = (r: number, c: number) => {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const rate = (ahead.rotation[9 * b + 3 * r + k] - behind.rotation[9 * b + 3 * r + k]) / (2 * STEP);
        sum += rate * work.bodyRotation[9 * b + 3 * c + k];
      }
      return sum;
    };
    angular.set([entry(2, 1), entry(0, 2), entry(1, 0)], 3 * b);
  }
  return { linear, angular };
}

test('the composite-rigid-body matrix is Σ m Jᵀ J + Jᵣᵀ I Jᵣ with Jacobians from differences of poses', () => {
  const evaluation = createEvaluation(mixedScene());
  const { model, state, work } = evaluation;
  const nv = model.size.velocity;
  randomizeState(model, state, 5);
  evaluation.evaluate();
  const columns = Array.from({ length: nv }, (_, i) => bodyVelocities(evaluation, i));
  evaluation.evaluate();

  for (let i = 0; i < nv; i++) {
    for (let j = 0; j <= i; j++) {
      let expected = i === j ? model.dof.armature[i] : 0;
      for (let b = 1; b < model.size.body; b++) {
        const r = work.bodyRotation.subarray(9 * b, 9 * b + 9);
        const t = work.plan.bodyTensor.subarray(6 * b, 6 * b + 6);
        const local = (w: Float64Array) => [0, 1, 2].map((k) => r[k] * w[0] + r[3 + k] * w[1] + r[6 + k] * w[2]);
        const wi = local(columns[i].angular.subarray(3 * b, 3 * b + 3));
        const wj = local(columns[j].angular.subarray(3 * b, 3 * b + 3));
        const iw = [
          t[0] * wj[0] + t[3] * wj[1] + t[4] * wj[2],
          t[3] * wj[0] + t[1] * wj[1] + t[5] * wj[2],
          t[4] * wj[0] + t[5] * wj[1] + t[2] * wj[2],
        ];
        for (let k = 0; k < 3; k++) {
          expected += wi[k] * iw[k];
          expected += model.body.mass[b] * columns[i].linear[3 * b + k] * columns[j].linear[3 * b + k];
        }
      }
      const { rowStart, column } = model.massMatrix;
      const place = column.subarray(rowStart[i], rowStart[i + 1]).indexOf(j);
      const actual = place < 0 ? 0 : work.massMatrix[rowStart[i] + place];
      // central differences with step 1e-6: error about 1e-10 of the entries, which are up to 30 kg
      expect(Math.abs(actual - expected)).toBeLessThan(1e-7);
    }
  }
});
