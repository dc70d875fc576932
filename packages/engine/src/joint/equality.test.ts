/** Every residual against its own derivatives: J by differences of C, J̇ v by differences of J v along the motion. */
import { describe, expect, test } from 'vitest';
import { integratePositions } from '../dynamics/poses.ts';
import { Arena } from '../kernels/arena.ts';
import { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Equality } from '../scene/equality.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { createEvaluation, type Evaluation, randomizeState } from '../testing/evaluation.ts';
import { writeEquality } from './equality.ts';
import { createJointWorkspace } from './joint-workspace.ts';
import { createResidual } from './residual.ts';

const box: Shape = { kind: 'box', halfSize: [0.1, 0.2, 0.3] };
const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  bodies: [
    {
      name: 'a',
      joints: [{ kind: 'free' }],
      shapes: [box],
      bodies: [
        {
          name: 'b',
          position: [0, 0.4, 0],
          orientation: [0.8, 0.1, 0.3, 0.2],
          joints: [{ kind: 'ball', anchor: [0.1, 0, 0.2] }],
          shapes: [box],
          bodies: [
            {
              name: 'c',
              position: [0.3, 0, 0.1],
              joints: [
                { kind: 'hinge', name: 'h', axis: [0, 1, 0.3], anchor: [0.05, 0, 0], reference: 0.4 },
                { kind: 'slide', name: 's', axis: [1, 0, 0.2] },
              ],
              shapes: [box],
            },
          ],
        },
        { name: 'd', position: [-0.4, 0, 0], joints: [{ kind: 'hinge', name: 'g', axis: [1, 0, 0] }], shapes: [box] },
      ],
    },
    { name: 'e', position: [1, 0, 0], joints: [{ kind: 'free' }], shapes: [box] },
  ],
};

const CASES: Record<string, Equality> = {
  'connect of two trees': { kind: 'connect', body1: 'c', body2: 'e', anchor: [0.1, 0.2, -0.1] },
  'connect within a tree': { kind: 'connect', body1: 'c', body2: 'd', anchor: [0.1, 0.2, -0.1] },
  'connect with the world': { kind: 'connect', body1: 'world', body2: 'c', anchor: [0.4, 0.2, 0.1] },
  'weld of two trees': { kind: 'weld', body1: 'c', body2: 'e', anchor: [0.1, 0.2, -0.1], torqueScale: 0.7 },
  'weld of parent and child': { kind: 'weld', body1: 'a', body2: 'c', torqueScale: 2 },
  'weld with the world': { kind: 'weld', body1: 'd', body2: 'world' },
  distance: { kind: 'distance', body1: 'c', point1: [0.1, 0, 0.2], body2: 'e', point2: [0, 0.1, 0], distance: 0.5 },
  'joint polynomial': { kind: 'joint', joint1: 's', joint2: 'h', coefficients: [0.1, 0.5, -0.3, 0.2, 0.4] },
  'joint alone': { kind: 'joint', joint1: 'h', coefficients: [0.2, 0, 0, 0, 0] },
};

interface Reading {
  dimension: number;
  value: number[];
  rate: number[];
  /** J v. */
  speed: number[];
  /** J, dense. */
  jacobian: number[][];
}

function createReader({ model, state, work }: Evaluation): () => Reading {
  const joints = createJointWorkspace(model, new Arena());
  const rows = new BlockRows(new Arena());
  const residual = createResidual();
  return () => {
    rows.clear();
    expect(writeEquality(rows, model, state, work, joints, 0, residual)).toBe(0);
    const { dimension } = residual;
    const n = rows.columnCount[0];
    const jacobian = Array.from({ length: dimension }, (_, r) => {
      const row = new Array<number>(model.size.velocity).fill(0);
      for (let i = 0; i < n; i++) row[rows.column[i]] = rows.value[r * n + i];
      return row;
    });
    const speed = jacobian.map((row) => row.reduce((sum, value, i) => sum + value * state.velocity[i], 0));
    const take = (values: Float64Array): number[] => [...values.subarray(0, dimension)];
    return { dimension, value: take(residual.value), rate: take(residual.rate), speed, jacobian };
  };
}

describe.each(Object.entries(CASES))('%s', (_name, equality) => {
  const evaluation = createEvaluation({ ...scene, equalities: [equality] }, { coordinates: 'joint' });
  const { model, state } = evaluation;
  const read = createReader(evaluation);
  const h = 1e-5;

  test.each([1, 2, 3])('J and J̇ v, state %i', (seed) => {
    randomizeState(model, state, seed);
    evaluation.evaluate();
    const here = read();
    // central differences: error h²/6 of third derivatives of order 10, and round-off 1e-16/h
    for (let i = 0; i < model.size.velocity; i++) {
      const ahead = evaluation.displaced(i, h, read).value;
      const behind = evaluation.displaced(i, -h, read).value;
      for (let r = 0; r < here.dimension; r++) {
        const slope = (ahead[r] - behind[r]) / (2 * h);
        expect(Math.abs(slope - here.jacobian[r][i]), `row ${r}, dof ${i}`).toBeLessThan(1e-8);
      }
    }
    const start = state.position.slice();
    const along = (step: number): number[] => {
      state.position.set(start);
      integratePositions(model, state.position, state.velocity, 0, step);
      evaluation.evaluate();
      return read().speed;
    };
    const ahead = along(h);
    const behind = along(-h);
    state.position.set(start);
    for (let r = 0; r < here.dimension; r++)
      expect(Math.abs((ahead[r] - behind[r]) / (2 * h) - here.rate[r]), `rate ${r}`).toBeLessThan(1e-7);
  });
});

test('equalities that hold in the initial pose are zero there', () => {
  for (const equality of [CASES['connect of two trees'], CASES['weld of two trees'], CASES['weld with the world']]) {
    const evaluation = createEvaluation({ ...scene, equalities: [equality] }, { coordinates: 'joint' });
    evaluation.evaluate();
    for (const value of createReader(evaluation)().value) expect(Math.abs(value)).toBeLessThan(1e-15);
  }
});

test('a constraint between parts of the world has no block, and leaves no trace', () => {
  const fixed: Scene = {
    ...scene,
    bodies: [...scene.bodies!, { name: 'post', shapes: [box] }],
    equalities: [{ kind: 'weld', body1: 'world', body2: 'post' }],
  };
  const { model, state, work, evaluate } = createEvaluation(fixed, { coordinates: 'joint' });
  evaluate();
  const rows = new BlockRows(new Arena());
  const joints = createJointWorkspace(model, new Arena());
  expect(writeEquality(rows, model, state, work, joints, 0, createResidual())).toBe(-1);
  expect([rows.blockCount, rows.rowCount, rows.columnEnd, rows.valueEnd]).toEqual([0, 0, 0, 0]);
});
