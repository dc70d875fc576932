import { describe, expect, test } from 'vitest';
import { createEvaluation, randomizeState } from '../testing/evaluation.ts';
import { mixedScene } from '../testing/mixed-scene.ts';

const STEP = 1e-6;

describe('tendons and transmissions', () => {
  test.each([1, 2, 3, 4, 5])('Jacobians and moments are the derivatives of lengths, state %i', (seed) => {
    const evaluation = createEvaluation(mixedScene());
    const { model, state, work } = evaluation;
    randomizeState(model, state, seed, 0.7);
    evaluation.evaluate();
    const jacobian = work.tendonJacobian.slice();
    const moment = work.actuatorMoment.slice();
    const pattern = work.plan.moment;
    const nv = model.size.velocity;
    expect([model.size.tendon, model.size.actuator]).toEqual([2, 8]);
    for (let i = 0; i < nv; i++) {
      const ahead = evaluation.displaced(i, STEP, () => [...work.tendonLength, ...work.actuatorLength]);
      const behind = evaluation.displaced(i, -STEP, () => [...work.tendonLength, ...work.actuatorLength]);
      for (let t = 0; t < model.size.tendon; t++) {
        expect(Math.abs((ahead[t] - behind[t]) / (2 * STEP) - jacobian[t * nv + i])).toBeLessThan(1e-8);
      }
      for (let a = 0; a < model.size.actuator; a++) {
        // thrusts have no length; a rotation vector's slope is its axis only along the axis
        if (['thrust', 'push', 'twist', 'aim'].includes(model.actuator.name[a])) continue;
        const n = model.size.tendon + a;
        let expected = 0;
        for (let k = pattern.rowStart[a]; k < pattern.rowStart[a + 1]; k++)
          if (pattern.column[k] === i) expected = moment[k];
        expect(Math.abs((ahead[n] - behind[n]) / (2 * STEP) - expected)).toBeLessThan(1e-8);
      }
    }
  });

  test('the length relative to a reference site follows the relative position', () => {
    const scene = mixedScene();
    scene.actuators = [
      {
        kind: 'motor',
        name: 'aim',
        transmission: { kind: 'site', site: 'palm', referenceSite: 'nose', gear: [0.5, 1, -0.3, 0, 0, 0] },
      },
    ];
    const evaluation = createEvaluation(scene);
    const { model, state, work } = evaluation;
    randomizeState(model, state, 3);
    evaluation.evaluate();
    const moment = work.actuatorMoment.slice();
    const { rowStart, column } = work.plan.moment;
    for (let k = rowStart[0]; k < rowStart[1]; k++) {
      const read = () => work.actuatorLength[0];
      const slope =
        (evaluation.displaced(column[k], STEP, read) - evaluation.displaced(column[k], -STEP, read)) / (2 * STEP);
      // dofs above both sites move neither relative to the other
      expect(Math.abs(slope - moment[k])).toBeLessThan(1e-8);
    }
  });
});
