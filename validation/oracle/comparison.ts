/** Puts a NexDyn simulation and the oracle into the same random state and compares what they compute. */
import type { Simulation } from '@nexdyn/engine';
import { JOINT, type Model } from '@nexdyn/engine';
import { expect } from 'vitest';
import { copy, fullMassMatrix, type Oracle } from './mujoco-oracle.ts';

export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Random positions (inside joint ranges), velocities, controls and activations, the same in both. */
export function setRandomState(simulation: Simulation, oracle: Oracle, seed: number): void {
  const { model, state } = simulation;
  const random = createRandom(seed);
  state.position.set(randomPositions(model, random));
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = 4 * (random() - 0.5);
  for (let i = 0; i < state.control.length; i++) {
    const [low, high] = model.actuator.controlLimited[i]
      ? model.actuator.controlRange.subarray(2 * i, 2 * i + 2)
      : [-1, 1];
    // a little beyond the range, so that clamping is seen
    state.control[i] = low + (high - low) * (1.2 * random() - 0.1);
  }
  for (let i = 0; i < state.activation.length; i++) state.activation[i] = random() - 0.5;
  const { data } = oracle;
  data.qpos.set(state.position);
  data.qvel.set(state.velocity);
  if (state.control.length > 0) data.ctrl.set(state.control);
  if (state.activation.length > 0) data.act.set(state.activation);
}

function randomPositions(model: Model, random: () => number): Float64Array {
  const q = model.initialPosition.slice();
  const { joint } = model;
  for (let j = 0; j < model.size.joint; j++) {
    let at = joint.positionStart[j];
    const kind = joint.kind[j];
    if (kind === JOINT.hinge || kind === JOINT.slide) {
      const [low, high] = joint.limited[j] ? joint.range.subarray(2 * j, 2 * j + 2) : [-1, 1];
      q[at] = low + (high - low) * random();
      continue;
    }
    if (kind === JOINT.free) for (let k = 0; k < 3; k++) q[at++] += random() - 0.5;
    const turn = [0, 1, 2, 3].map(() => random() - 0.5);
    const norm = Math.hypot(...turn);
    for (let k = 0; k < 4; k++) q[at + k] = turn[k] / norm;
  }
  return q;
}

/** The largest difference over the largest number. */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let scale = 0;
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    scale = Math.max(scale, Math.abs(expected[i]));
    worst = Math.max(worst, Math.abs(actual[i] - expected[i]));
  }
  return scale > 0 ? worst / scale : worst;
}

/** Mass matrix, bias, passive and actuator forces of the state both are in, each over its scale. */
export function forceErrors(simulation: Simulation, oracle: Oracle): Record<string, number> {
  simulation.forward();
  oracle.mujoco.mj_forward(oracle.model, oracle.data);
  const { derived, model } = simulation;
  const nv = model.size.velocity;
  const dense = new Float64Array(nv * nv);
  const { rowStart, column } = model.massMatrix;
  for (let i = 0; i < nv; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      dense[i * nv + column[k]] = dense[column[k] * nv + i] = derived.massMatrix[k];
    }
  }
  return {
    'mass matrix': relativeError(dense, fullMassMatrix(oracle)),
    bias: relativeError(derived.biasForce, copy(oracle.data.qfrc_bias)),
    passive: relativeError(derived.passiveForce, copy(oracle.data.qfrc_passive)),
    actuator: relativeError(derived.actuatorJointForce, copy(oracle.data.qfrc_actuator)),
  };
}

/** Sizes, masses and inertias of the compiled models. */
export function expectSameModel(model: Model, oracle: Oracle): void {
  const peer = oracle.model;
  const { body } = model;
  expect({
    nq: model.size.position,
    nv: model.size.velocity,
    nbody: model.size.body,
    ngeom: model.size.shape,
    nu: model.size.actuator,
    ntendon: model.size.tendon,
  }).toEqual({
    nq: peer.nq,
    nv: peer.nv,
    nbody: peer.nbody,
    ngeom: peer.ngeom,
    nu: peer.nu,
    ntendon: peer.ntendon,
  });
  const mass = copy(peer.body_mass);
  const moments = copy(peer.body_inertia);
  const turns = copy(peer.body_iquat);
  for (let b = 1; b < model.size.body; b++) {
    const name = body.name[b] || `body ${b}`;
    const ownMoments = body.inertiaMoments.subarray(3 * b, 3 * b + 3);
    const otherMoments = moments.subarray(3 * b, 3 * b + 3);
    const own = tensor(ownMoments, body.inertiaOrientation.subarray(4 * b, 4 * b + 4));
    const other = tensor(otherMoments, turns.subarray(4 * b, 4 * b + 4));
    expect(relativeError([body.mass[b]], [mass[b]]), `mass of ${name}`).toBeLessThan(1e-10);
    expect(relativeError(ownMoments.toSorted(), otherMoments.toSorted()), `principal moments of ${name}`).toBeLessThan(
      1e-10,
    );
    expect(relativeError(own, other), `inertia of ${name}`).toBeLessThan(1e-10);
  }
}

/** R diag(I) Rᵀ: independent of the order and sign of principal axes. */
function tensor(moments: ArrayLike<number>, q: ArrayLike<number>): number[] {
  const [w, x, y, z] = [q[0], q[1], q[2], q[3]];
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  return [0, 1, 2].flatMap((i) =>
    [0, 1, 2].map((j) => [0, 1, 2].reduce((sum, k) => sum + r[i][k] * moments[k] * r[j][k], 0)),
  );
}
