import { expect, test } from 'vitest';
import { multiplyTree } from '../linear-algebra/tree-ldl.ts';
import { createEvaluation, type Evaluation, randomizeState } from '../testing/evaluation.ts';
import { mixedScene } from '../testing/mixed-scene.ts';
import { measureEnergy, measureMomentum } from './energy.ts';
import { integratePositions } from './poses.ts';

const STEP = 1e-5;

function momentumOf({ model, state, work }: Evaluation): Float64Array {
  const out = new Float64Array(model.size.velocity);
  multiplyTree(out, work.massMatrix, state.velocity, model.massMatrix.rowStart, model.massMatrix.column);
  return out;
}

test('on joints with one dof the bias force is d(Mv)/dt − ∂T/∂q + ∂V/∂q (Lagrange)', () => {
  const scene = mixedScene();
  // trees of hinges and slides only: there, velocities are rates of positions
  const torso = scene.bodies![0];
  torso.joints = [{ kind: 'hinge', name: 'base', axis: [1, 0.3, 0], anchor: [0, 0.1, 0.2] }];
  torso.bodies = [torso.bodies![1]];
  delete scene.tendons;
  delete scene.actuators;
  delete scene.options;
  const evaluation = createEvaluation(scene);
  const { model, state, work } = evaluation;
  randomizeState(model, state, 9);
  evaluation.evaluate();
  const bias = work.biasForce.slice();

  const along = (h: number) => {
    const before = state.position.slice();
    integratePositions(model, state.position, state.velocity, 0, h);
    evaluation.evaluate();
    const momentum = momentumOf(evaluation);
    state.position.set(before);
    return momentum;
  };
  const ahead = along(STEP);
  const behind = along(-STEP);
  for (let i = 0; i < model.size.velocity; i++) {
    const lagrangian = () => {
      const energy = measureEnergy(model, state, work);
      return energy.kinetic - gravityPotential(evaluation);
    };
    const slope = (evaluation.displaced(i, STEP, lagrangian) - evaluation.displaced(i, -STEP, lagrangian)) / (2 * STEP);
    const expected = (ahead[i] - behind[i]) / (2 * STEP) - slope;
    // second-order differences: STEP² = 1e-10 times third derivatives of order 100
    expect(Math.abs(bias[i] - expected)).toBeLessThan(1e-7);
  }
});

function gravityPotential({ model, work }: Evaluation): number {
  let sum = 0;
  for (let b = 1; b < model.size.body; b++) sum += model.body.mass[b] * 9.81 * work.bodyCenter[3 * b + 2];
  return sum;
}

test('a force on the free joint at rest balances the weight', () => {
  const evaluation = createEvaluation(mixedScene());
  evaluation.evaluate();
  const { model, work } = evaluation;
  const weight = 9.81 * model.body.subtreeMass[1];
  expect(work.biasForce[2]).toBeCloseTo(weight, 10);
  expect(work.biasForce[0]).toBeCloseTo(0, 12);
});

test('momentum equals M v in the rows of the free joint', () => {
  const scene = mixedScene();
  scene.bodies!.pop();
  delete scene.tendons;
  delete scene.actuators;
  const evaluation = createEvaluation(scene);
  randomizeState(evaluation.model, evaluation.state, 4);
  evaluation.evaluate();
  const generalised = momentumOf(evaluation);
  const { linear } = measureMomentum(evaluation.model, evaluation.work);
  for (let k = 0; k < 3; k++) expect(linear[k]).toBeCloseTo(generalised[k], 12);
});
