import { describe, expect, test } from 'vitest';
import type { Scene } from '../scene/scene.ts';
import { createEvaluation, type Evaluation, randomizeState } from '../testing/evaluation.ts';
import { mixedScene } from '../testing/mixed-scene.ts';
import { addBiasRate } from './bias-rate.ts';
import { computeForceRate } from './force-rate.ts';

const STEP = 1e-6;
const H = 0.01;

/** Central differences of a force by the velocity of dof k. */
function differences({ state, work, evaluate }: Evaluation, read: () => Float64Array, k: number): Float64Array {
  const before = state.velocity[k];
  state.velocity[k] = before + STEP;
  evaluate();
  const ahead = read().slice();
  state.velocity[k] = before - STEP;
  evaluate();
  const behind = read().slice();
  state.velocity[k] = before;
  evaluate();
  void work;
  return ahead.map((value, i) => (value - behind[i]) / (2 * STEP));
}

function prepare(change: (scene: Scene) => void): Evaluation {
  const scene = mixedScene();
  scene.options = { ...scene.options, integrator: 'implicit' };
  change(scene);
  const evaluation = createEvaluation(scene);
  randomizeState(evaluation.model, evaluation.state, 21);
  evaluation.evaluate();
  return evaluation;
}

describe('rates of forces by velocity, against central differences', () => {
  test('passive and actuator forces: dampers, tendons, servos, fluid', () => {
    // site and tendon actuators couple branches; the pattern keeps ancestors only, so compare where a pair is stored
    const evaluation = prepare((scene) => {
      scene.actuators = scene.actuators!.filter((a) => a.name !== 'twist');
    });
    const { model, state, work } = evaluation;
    computeForceRate(model, state, work, H);
    const rate = work.forceRate.slice();
    const { rowStart, column } = model.massMatrix;
    for (let k = 0; k < model.size.velocity; k++) {
      const read = () => work.passiveForce.map((value, i) => value + work.actuatorJointForce[i]);
      const slope = differences(evaluation, read, k);
      for (let i = 0; i < model.size.velocity; i++) {
        for (let place = rowStart[i]; place < rowStart[i + 1]; place++) {
          if (column[place] !== k) continue;
          expect(Math.abs(rate[place] + H * slope[i])).toBeLessThan(1e-8 * (1 + Math.abs(rate[place])));
        }
      }
    }
  });

  test('bias force: every pair of dofs on one branch, both sides of the diagonal', () => {
    const evaluation = prepare(() => {});
    const { model, state, work } = evaluation;
    const { rowStart, column } = model.massMatrix;
    work.forceRate.fill(0);
    work.forceRateUpper.fill(0);
    work.rateAcceleration.fill(Number.NaN);
    work.rateForce.fill(Number.NaN);
    addBiasRate(model, state, work, 0, model.size.velocity, H);
    const lower = work.forceRate.slice();
    const upper = work.forceRateUpper.slice();
    for (let k = 0; k < model.size.velocity; k++) {
      const slope = differences(evaluation, () => work.biasForce, k);
      const isCovered = new Set<number>();
      for (let i = 0; i < model.size.velocity; i++) {
        for (let place = rowStart[i]; place < rowStart[i + 1]; place++) {
          if (column[place] === k) {
            isCovered.add(i);
            expect(Math.abs(lower[place] - H * slope[i])).toBeLessThan(1e-8);
          }
        }
      }
      for (let place = rowStart[k]; place < rowStart[k + 1] - 1; place++) {
        isCovered.add(column[place]);
        expect(Math.abs(upper[place] - H * slope[column[place]])).toBeLessThan(1e-8);
      }
      // nothing outside the pattern depends on this velocity
      for (let i = 0; i < model.size.velocity; i++)
        if (!isCovered.has(i)) expect(Math.abs(slope[i])).toBeLessThan(1e-6);
    }
  });
});
