/**
 * Joints as constraints: the same scene in joint coordinates gives the poses, so the residual must vanish and the joint
 * coordinates must come back; away from there, J and J̇ v against differences.
 */
import { describe, expect, test } from 'vitest';
import { createTurns, takeCases } from '../../../../scripts/long-run.ts';
import { integratePositions } from '../dynamics/poses.ts';
import { Arena } from '../kernels/arena.ts';
import { BlockRows } from '../linear-algebra/block-rows.ts';
import { JOINT } from '../model/model.ts';
import type { Body } from '../scene/body.ts';
import type { Joint } from '../scene/joint.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { copyMotion, copyRandomMotion } from '../testing/copied-motion.ts';
import { createEvaluation, type Evaluation } from '../testing/evaluation.ts';
import { createRandom, solveDense } from '../testing/forest.ts';
import { createJointCoordinates, updateJointCoordinates, writeJointChain } from './joint-coordinate.ts';
import { createResidual } from './residual.ts';

const takeTurn = createTurns();

const CHAINS: Record<string, Joint[]> = {
  hinge: [{ kind: 'hinge', axis: [0.2, 1, 0.3], anchor: [0.1, 0.05, -0.1], reference: 0.4 }],
  slide: [{ kind: 'slide', axis: [0.5, 0.2, 1], reference: 0.1 }],
  ball: [{ kind: 'ball', anchor: [0.1, 0.05, -0.1] }],
  'hinge, hinge': [
    { kind: 'hinge', axis: [1, 0, 0], reference: 0.2 },
    { kind: 'hinge', axis: [0, 1, 0], reference: -0.3 },
  ],
  'skew hinges apart': [
    { kind: 'hinge', axis: [1, 0.2, 0], anchor: [0, 0, 0.2], reference: 0.2 },
    { kind: 'hinge', axis: [0.3, 1, 0.4], anchor: [0.1, 0, 0] },
  ],
  'parallel hinges apart': [
    { kind: 'hinge', axis: [1, 0.2, 0.1], anchor: [0.05, 0, 0.2], reference: 0.2 },
    { kind: 'hinge', axis: [1, 0.2, 0.1], anchor: [0.1, 0, 0], reference: -0.3 },
  ],
  'opposed hinges apart': [
    { kind: 'hinge', axis: [0, 0, 1], anchor: [-0.1, 0, 0] },
    { kind: 'hinge', axis: [0, 0, -1], anchor: [0.02, 0.05, 0.1], reference: 0.4 },
  ],
  'three hinges': [
    { kind: 'hinge', axis: [0, 0, 1], reference: 0.1 },
    { kind: 'hinge', axis: [0, 1, 0], anchor: [0, 0.1, 0], reference: 0.2 },
    { kind: 'hinge', axis: [1, 0.3, 0], anchor: [0.2, 0, 0], reference: -0.3 },
  ],
  'slide, slide, hinge': [
    { kind: 'slide', axis: [1, 0, 0], reference: 0.2 },
    { kind: 'slide', axis: [0.1, 0, 1] },
    { kind: 'hinge', axis: [0, 1, 0], anchor: [0, 0.1, 0.1], reference: 0.3 },
  ],
  'hinge, slide': [
    { kind: 'hinge', axis: [0, 1, 0], anchor: [0, 0.1, 0.1], reference: 0.3 },
    { kind: 'slide', axis: [1, 0.4, 0.2], reference: 0.2 },
  ],
  'slide, hinge, slide': [
    { kind: 'slide', axis: [1, 0, 0] },
    { kind: 'hinge', axis: [0, 1, 0.1], anchor: [0, 0.1, 0.1] },
    { kind: 'slide', axis: [0.2, 1, 0.3], reference: 0.2 },
  ],
  'hinge, hinge, slide, slide': [
    { kind: 'hinge', axis: [0, 1, 0], anchor: [0, 0.1, 0.1] },
    { kind: 'hinge', axis: [0, 0, 1] },
    { kind: 'slide', axis: [1, 0, 0] },
    { kind: 'slide', axis: [0.2, 1, 0.3], reference: 0.2 },
  ],
  'slide, ball': [
    { kind: 'slide', axis: [1, 0, 0.5] },
    { kind: 'ball', anchor: [0.1, 0, 0] },
  ],
  'ball, slide': [
    { kind: 'ball', anchor: [0.1, 0, 0] },
    { kind: 'slide', axis: [1, 0, 0.5], reference: 0.3 },
  ],
  'three slides': [
    { kind: 'slide', axis: [1, 0, 0] },
    { kind: 'slide', axis: [0.2, 1, 0] },
    { kind: 'slide', axis: [0, 0.3, 1], reference: 0.1 },
  ],
  'three slides, three hinges': [
    { kind: 'slide', axis: [1, 0, 0] },
    { kind: 'slide', axis: [0, 1, 0] },
    { kind: 'slide', axis: [0, 0, 1] },
    { kind: 'hinge', axis: [1, 0, 0] },
    { kind: 'hinge', axis: [0, 1, 0] },
    { kind: 'hinge', axis: [0, 0, 1] },
  ],
};

const box: Shape = { kind: 'box', halfSize: [0.1, 0.2, 0.3], position: [0.03, 0.02, 0.01] };

/** Held by the world, by a free body, and through a part that is fixed to its parent. */
function createScene(joints: Joint[]): Scene {
  const held: Body = { joints, orientation: [0.8, 0.1, 0.3, 0.2], shapes: [box] };
  return {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [
      {
        joints: [{ kind: 'free' }],
        position: [1, 2, 0],
        orientation: [0.5, 0.1, -0.3, 0.4],
        shapes: [box],
        bodies: [
          {
            position: [0.1, 0.2, 0.3],
            orientation: [0.9, 0.2, 0, 0.1],
            shapes: [box],
            bodies: [{ ...held, position: [0, 0.4, 0], bodies: [{ ...held, position: [0.2, 0, 0.1] }] }],
          },
        ],
      },
      { ...held, position: [-1, 0, 0.5] },
    ],
  };
}

interface Reading {
  /** C of all chains, and the joint positions but those of balls (0). */
  value: number[];
  rate: number[];
  speed: number[];
  jacobian: number[][];
}

function createReader({ model, state, work }: Evaluation): { read: () => Reading; rowsOf: (b: number) => number } {
  const coordinates = createJointCoordinates(model, new Arena());
  const rows = new BlockRows(new Arena());
  const residual = createResidual();
  const { kind } = model.constraintJoint;
  const dense = (from: BlockRows, b: number, k: number): number[] => {
    const row = new Array<number>(model.size.velocity).fill(0);
    const n = from.columnCount[b];
    for (let i = 0; i < n; i++) row[from.column[from.columnStart[b] + i]] = from.value[from.valueStart[b] + k * n + i];
    return row;
  };
  const read = (): Reading => {
    updateJointCoordinates(model, work, coordinates);
    const out: Reading = { value: [], rate: [], speed: [], jacobian: [] };
    rows.clear();
    for (let b = 0; b < coordinates.chains.length; b++) {
      const block = writeJointChain(rows, model, work, coordinates, b, residual);
      for (let k = 0; k < residual.dimension; k++) {
        out.value.push(residual.value[k]);
        out.rate.push(residual.rate[k]);
        out.jacobian.push(dense(rows, block, k));
      }
    }
    for (let c = 0; c < kind.length; c++) {
      for (let k = 0; k < (kind[c] === JOINT.ball ? 3 : 1); k++) {
        out.value.push(kind[c] === JOINT.ball ? 0 : coordinates.position[c]);
        out.rate.push(coordinates.rate[3 * c + k]);
        out.jacobian.push(dense(coordinates.rows, coordinates.block[c], coordinates.row[c] + k));
        const speed = out.jacobian.at(-1)!.reduce((sum, entry, i) => sum + entry * state.velocity[i], 0);
        expect(Math.abs(speed - coordinates.velocity[3 * c + k])).toBeLessThan(1e-11);
      }
    }
    out.speed = out.jacobian.map((row) => row.reduce((sum, entry, i) => sum + entry * state.velocity[i], 0));
    return out;
  };
  return {
    read,
    rowsOf: (b) => {
      rows.clear();
      writeJointChain(rows, model, work, coordinates, b, residual);
      return residual.dimension;
    },
  };
}

describe.each(Object.entries(CHAINS))('%s', (_name, joints) => {
  const test = takeTurn();
  const scene = createScene(joints);
  const reduced = createEvaluation(scene, { coordinates: 'joint' });
  const full = createEvaluation(scene, { coordinates: 'body' });
  const { read, rowsOf } = createReader(full);
  const freedom = joints.reduce((sum, { kind }) => sum + (kind === 'ball' ? 3 : 1), 0);

  test('six rows less the free directions, all zero in the initial pose', () => {
    full.evaluate();
    const { value } = read();
    expect([0, 1, 2].map(rowsOf)).toEqual([6 - freedom, 6 - freedom, 6 - freedom]);
    for (const residual of value.slice(0, 3 * (6 - freedom))) expect(Math.abs(residual)).toBeLessThan(1e-15);
  });

  test.each(takeCases([1, 2, 3, 4, 5, 6], 3))(
    'bodies moved by their joints: no residual, the joint positions and velocities, state %i',
    (seed) => {
      copyRandomMotion(reduced, full, seed);
      const { value, speed } = read();
      const rows = 3 * (6 - freedom);
      for (let r = 0; r < rows; r++) {
        expect(Math.abs(value[r]), `C, row ${r}`).toBeLessThan(1e-12);
        expect(Math.abs(speed[r]), `J v, row ${r}`).toBeLessThan(1e-12);
      }
      // scene joints in order, the free one aside
      const { joint } = reduced.model;
      let at = rows;
      for (let j = 0; j < reduced.model.size.joint; j++) {
        if (joint.kind[j] === JOINT.free) continue;
        const count = joint.kind[j] === JOINT.ball ? 3 : 1;
        for (let k = 0; k < count; k++, at++) {
          const expected = count === 3 ? 0 : reduced.state.position[joint.positionStart[j]];
          expect(Math.abs(value[at] - expected), `position of joint ${j}`).toBeLessThan(1e-11);
          expect(
            Math.abs(speed[at] - reduced.state.velocity[joint.dofStart[j] + k]),
            `velocity of joint ${j}`,
          ).toBeLessThan(1e-10);
        }
      }
    },
  );

  test.each(takeCases([9, 10], 2))(
    'the joints hold: M a = f + Jᵀ λ, J a + J̇ v = 0 gives the joint accelerations of the tree, state %i',
    (seed) => {
      copyRandomMotion(reduced, full, seed);
      const { jacobian, rate } = read();
      const rows = 3 * (6 - freedom);
      const nv = full.model.size.velocity;
      const mass = denseMass(full);
      const system = Array.from({ length: nv + rows }, (_, i) =>
        Array.from({ length: nv + rows }, (_, j) => {
          if (i < nv) return j < nv ? mass[i][j] : -jacobian[j - nv][i];
          return j < nv ? jacobian[i - nv][j] : 0;
        }),
      );
      const right = [...full.work.smoothForce, ...rate.slice(0, rows).map((value) => -value)];
      const a = solveDense(system, right).slice(0, nv);
      const expected = solveDense(denseMass(reduced), [...reduced.work.smoothForce]);
      // what the rows of the joint coordinates say, in the order of the tree's dofs; the free joint of the base aside
      const found = jacobian
        .slice(rows)
        .map((row, r) => row.reduce((sum, entry, i) => sum + entry * a[i], rate[rows + r]));
      const scale = Math.max(1, ...expected.map(Math.abs));
      for (const [r, value] of found.entries()) {
        expect(Math.abs(value - expected[6 + r]) / scale, `joint acceleration ${r}`).toBeLessThan(1e-9);
      }
    },
  );

  test.each(takeCases([7, 8], 2))('J and J̇ v with the joints torn by 0.2 m and rad, state %i', (seed) => {
    const { model, state } = full;
    copyRandomMotion(reduced, full, seed);
    const random = createRandom(100 + seed);
    const tear = Float64Array.from(state.velocity, () => 0.4 * (random() - 0.5));
    integratePositions(model, state.position, tear, 0, 1);
    for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = 2 * (random() - 0.5);
    full.evaluate();
    checkDerivatives(full, read, (r) => isBallRow(joints, r, freedom));
  });
});

/** J and J̇ v of all rows against differences. */
function checkDerivatives(full: Evaluation, read: () => Reading, isSkipped: (r: number) => boolean): void {
  const { model, state } = full;
  const here = read();
  // central differences: h²/6 of third derivatives of order 100 where hinges come near a plane, and round-off 1e-15/h
  const h = 1e-5;
  for (let i = 0; i < model.size.velocity; i++) {
    const ahead = full.displaced(i, h, read).value;
    const behind = full.displaced(i, -h, read).value;
    for (let r = 0; r < here.value.length; r++) {
      if (isSkipped(r)) continue;
      const slope = (ahead[r] - behind[r]) / (2 * h);
      expect(Math.abs(slope - here.jacobian[r][i]), `row ${r}, dof ${i}`).toBeLessThan(1e-7);
    }
  }
  const start = state.position.slice();
  const along = (step: number): number[] => {
    state.position.set(start);
    integratePositions(model, state.position, state.velocity, 0, step);
    full.evaluate();
    return read().speed;
  };
  const ahead = along(h);
  const behind = along(-h);
  state.position.set(start);
  for (let r = 0; r < here.rate.length; r++) {
    const difference = (ahead[r] - behind[r]) / (2 * h);
    expect(Math.abs(difference - here.rate[r]), `rate ${r}`).toBeLessThan(1e-6 * Math.max(1, Math.abs(here.rate[r])));
  }
}

function denseMass({ model, work }: Evaluation): number[][] {
  const { rowStart, column } = model.massMatrix;
  const matrix = Array.from({ length: model.size.velocity }, () => new Array<number>(model.size.velocity).fill(0));
  for (let i = 0; i < model.size.velocity; i++)
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
      matrix[i][column[k]] = matrix[column[k]][i] = work.massMatrix[k];
  return matrix;
}

/** Rows of a ball are velocities that no position belongs to. */
function isBallRow(joints: Joint[], r: number, freedom: number): boolean {
  const at = r - 3 * (6 - freedom);
  if (at < 0) return false;
  let next = 0;
  for (const { kind } of joints) {
    const count = kind === 'ball' ? 3 : 1;
    if (at % freedom >= next && at % freedom < next + count) return kind === 'ball';
    next += count;
  }
  return false;
}

// beyond 60° rows go on along a tangent (misalignment.ts); their second derivatives grow like 1/s towards 180°
test.each(
  ['hinge', 'slide', 'parallel hinges apart', 'hinge, slide'].flatMap((name) =>
    takeCases([65, 95, 130, 170], 2).map((degrees) => [name, degrees] as const),
  ),
)('J and J̇ v of %s turned %i degrees from its parent', (name, degrees) => {
  const full = createEvaluation(createScene(CHAINS[name]), { coordinates: 'body' });
  const { model, state } = full;
  const { read } = createReader(full);
  const random = createRandom(degrees);
  // across the hinge axes (0.2, 1, 0.3), (1, 0.2, 0.1) and (0, 1, 0): the last body turns
  const across = name === 'parallel hinges apart' ? [0.1, 0, -1] : name === 'hinge' ? [0.3, 0, -0.2] : [1, 0, 0];
  const length = Math.hypot(...across);
  const tear = new Float64Array(model.size.velocity);
  for (let k = 0; k < 3; k++) tear[tear.length - 3 + k] = (across[k] / length) * ((degrees * Math.PI) / 180);
  integratePositions(model, state.position, tear, 0, 1);
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = 2 * (random() - 0.5);
  full.evaluate();
  checkDerivatives(full, read, () => false);
});

test('joints of one body that turn or slide about dependent axes are refused by name', () => {
  const parallel: Joint[] = [
    { kind: 'hinge', axis: [0, 1, 0] },
    { kind: 'hinge', axis: [0, 1, 0], anchor: [0, 1, 0] },
  ];
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [{ name: 'arm', joints: parallel, shapes: [box] }],
  };
  const { model } = createEvaluation(scene, { coordinates: 'body' });
  const refusal = { message: expect.stringMatching(/joints of 'arm' turn/), path: 'bodies[0].joints' };
  expect(() => createJointCoordinates(model, new Arena())).toThrow(expect.objectContaining(refusal));
});

describe('large angles', () => {
  const place = (joints: Joint[], q: number[]): { position: number[]; residual: number } => {
    const scene: Scene = { format: 'nexdyn-scene', version: 1, bodies: [{ joints, shapes: [box] }] };
    const reduced = createEvaluation(scene, { coordinates: 'joint' });
    const full = createEvaluation(scene, { coordinates: 'body' });
    reduced.state.position.set(q);
    copyMotion(reduced, full);
    const coordinates = createJointCoordinates(full.model, new Arena());
    updateJointCoordinates(full.model, full.work, coordinates);
    const out = createResidual();
    writeJointChain(new BlockRows(new Arena()), full.model, full.work, coordinates, 0, out);
    const residual = Math.max(...Array.from(out.value.subarray(0, out.dimension), Math.abs));
    for (const value of coordinates.rows.value) expect(Number.isFinite(value)).toBe(true);
    return { position: [...coordinates.position], residual };
  };
  const hinge = (axis: [number, number, number], range?: [number, number]): Joint =>
    range ? { kind: 'hinge', axis, limit: { range } } : { kind: 'hinge', axis };

  test.each<[string, Joint[], number[]]>([
    ['within half a turn of the initial position', [hinge([0, 1, 0])], [3.1]],
    ['near the middle of a range far off', [hinge([0, 1, 0], [6, 9])], [8.8]],
    ['two hinges', [hinge([1, 0, 0]), hinge([0.2, 1, 0])], [-2.9, 2.7]],
    ['three hinges', [hinge([0, 0, 1]), hinge([0, 1, 0]), hinge([1, 0, 0])], [2.8, 1.4, -2.9]],
    [
      'three hinges, the other branch by their ranges',
      [hinge([0, 0, 1], [0, 2]), hinge([0, 1, 0], [1, 3]), hinge([1, 0, 0], [-1, 1])],
      [1.2, 2.2, 0.4],
    ],
  ])('%s', (_name, joints, q) => {
    const { position, residual } = place(joints, q);
    position.forEach((value, k) => {
      expect(Math.abs(value - q[k]), `joint ${k}`).toBeLessThan(1e-12);
    });
    expect(residual).toBeLessThan(1e-14);
  });

  test('beyond half a turn from the middle a hinge is seen a turn off', () => {
    const { position } = place([hinge([0, 1, 0])], [3.5]);
    expect(position[0]).toBeCloseTo(3.5 - 2 * Math.PI, 12);
  });

  test('three hinges in a plane: numbers stay finite and the point stays where it is', () => {
    const { position, residual } = place(
      [hinge([0, 0, 1]), hinge([0, 1, 0]), hinge([1, 0, 0])],
      [0.3, Math.PI / 2, 0.2],
    );
    // only the difference of the outer angles can be seen; the arc cosine has half the digits here
    expect(position[2] - position[0]).toBeCloseTo(0.2 - 0.3, 7);
    expect(position[1]).toBeCloseTo(Math.PI / 2, 7);
    expect(residual).toBeLessThan(1e-14);
  });
});
