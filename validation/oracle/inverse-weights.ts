/** Compares inverse weights of bodies, dofs and tendons, and the mean inertia, with MuJoCo's. */
import type { Model } from '@nexdyn/engine';
import { expect } from 'vitest';
import { copy, type Oracle } from './mujoco-oracle.ts';

/** Cholesky of well-scaled mass matrices of depth up to 40, over the largest number beside it. */
const TOLERANCE = 1e-9;

export interface ExpectedWeights {
  /** Translation and rotation of each body in turn. */
  readonly body: ArrayLike<number>;
  readonly dof: ArrayLike<number>;
  readonly tendon?: ArrayLike<number>;
  readonly meanInertia: number;
}

export function expectSameWeights({ inverseWeight, body }: Model, expected: ExpectedWeights): void {
  const { bodyTranslation, bodyRotation, dof, tendon, meanInertia } = inverseWeight;
  expect([2 * bodyTranslation.length, dof.length]).toEqual([expected.body.length, expected.dof.length]);
  for (let b = 0; b < bodyTranslation.length; b++) {
    const name = `body ${b} ${body.name[b]}`;
    expectClose(bodyTranslation[b], expected.body[2 * b], `translation of ${name}`);
    expectClose(bodyRotation[b], expected.body[2 * b + 1], `rotation of ${name}`);
  }
  for (let i = 0; i < dof.length; i++) expectClose(dof[i], expected.dof[i], `dof ${i}`);
  if (expected.tendon) {
    expect(tendon).toHaveLength(expected.tendon.length);
    for (let t = 0; t < tendon.length; t++) expectClose(tendon[t], expected.tendon[t], `tendon ${t}`);
  }
  expectClose(meanInertia, expected.meanInertia, 'mean inertia');
}

/** Relative to each number itself; what is zero is zero up to round-off. */
function expectClose(actual: number, expected: number, what: string): void {
  expect(Math.abs(actual - expected), `${what}: ${actual}, not ${expected}`).toBeLessThanOrEqual(
    TOLERANCE * Math.abs(expected) + 1e-15,
  );
}

export function readWeights({ model }: Oracle): ExpectedWeights {
  return {
    body: copy(model.body_invweight0),
    dof: model.nv > 0 ? copy(model.dof_invweight0) : [],
    tendon: model.ntendon > 0 ? copy(model.tendon_invweight0) : [],
    meanInertia: model.stat.meaninertia,
  };
}
