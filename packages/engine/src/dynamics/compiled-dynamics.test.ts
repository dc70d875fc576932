/** Compiled kinematics, bias forces, factors and motion give the bits of their twins in TypeScript. */
import { describe, expect, test } from 'vitest';
import '../sparse.ts';
import { Arena } from '../kernels/arena.ts';
import { compileModel } from '../model/compile.ts';
import type { Model } from '../model/model.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { createState } from '../state/state.ts';
import { randomizeState } from '../testing/evaluation.ts';
import { mixedScene } from '../testing/mixed-scene.ts';
import { computeBiasForce, updateTwists } from './bias-force.ts';
import { updateKinematics } from './kinematics.ts';
import { movePositions } from './poses.ts';
import { createWorkspace } from './workspace.ts';

/** What the compiled functions write, from a random state. */
function evaluate(model: Model, isPortable: boolean, seed: number, turns: number): Record<string, number[]> {
  const arena = new Arena({ portable: isPortable });
  const state = createState(model, arena);
  const work = createWorkspace(model, arena, 0);
  expect(work.mechanism === undefined).toBe(isPortable);
  randomizeState(model, state, seed);
  for (let j = 0; j < model.size.joint; j++)
    if (model.joint.kind[j] >= 2) state.position[model.joint.positionStart[j]] += 2 * Math.PI * turns;
  updateKinematics(model, state, work);
  updateTwists(model, state, work);
  computeBiasForce(model, state, work);
  const { kernels, rowStart, column } = work.plan;
  const { factor, inverseDiagonal, massMatrix, biasForce } = work;
  factor.set(massMatrix);
  work.acceleration.set(biasForce);
  expect(kernels.factorTree(factor, inverseDiagonal, rowStart, column)).toBe(-1);
  kernels.solveTree(work.acceleration, factor, inverseDiagonal, rowStart, column);
  movePositions(model, state, work, state.velocity, 0.01);
  const found: Record<string, number[]> = { position: [...state.position] };
  for (const [name, array] of Object.entries(work)) {
    // zeros may differ in sign where products with them are left out
    if (array instanceof Float64Array) found[name] = Array.from(array, (value) => value + 0);
  }
  return found;
}

const OFFSET_BOX: Shape = { kind: 'box', halfSize: [0.2, 0.1, 0.15], position: [0.03, 0.02, -0.01] };

/** Bodies that are alone, in front of and behind others that are not. */
function loneBodies(): Scene {
  const scene = mixedScene();
  const lone = Array.from({ length: 5 }, (_, n): Body => {
    const joints = [{ kind: 'free' as const, armature: 0.1 * n }];
    return { name: `lone ${n}`, position: [n, 2, 1], joints, shapes: [OFFSET_BOX] };
  });
  const ball: Body = {
    name: 'pendulum',
    position: [0, 5, 1],
    joints: [{ kind: 'ball', anchor: [0, 0, 0.4] }],
    shapes: [OFFSET_BOX],
  };
  const mocap: Body = { name: 'target', mocap: true, position: [1, 1, 1], shapes: [OFFSET_BOX] };
  return { ...scene, bodies: [...lone.slice(0, 2), ...(scene.bodies ?? []), ball, mocap, ...lone.slice(2)] };
}

describe('compiled dynamics', () => {
  test.each([
    ['every kind of joint', mixedScene(), 0],
    ['angles beyond the exact reduction', mixedScene(), 1e6],
    ['bodies that are alone', loneBodies(), 0],
  ])('%s', (_, scene, turns) => {
    const model = compileModel(scene, { coordinates: 'joint' });
    for (let seed = 1; seed < 6; seed++)
      expect(evaluate(model, false, seed, turns)).toEqual(evaluate(model, true, seed, turns));
  });
});
