/** What acts on joints acts on them in body coordinates, too: same distances, same velocities along the rows, same powers. */
import { describe, expect, test } from 'vitest';
import { integratePositions } from '../dynamics/poses.ts';
import { Arena } from '../kernels/arena.ts';
import { BlockRows } from '../linear-algebra/block-rows.ts';
import { TRANSMISSION } from '../model/model.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { copyRandomMotion } from '../testing/copied-motion.ts';
import { createEvaluation, type Evaluation } from '../testing/evaluation.ts';
import { writeEquality } from './equality.ts';
import { writeDofFriction, writeJointFriction, writeTendonFriction } from './friction-loss.ts';
import { updateJointCoordinates } from './joint-coordinate.ts';
import { addJointForces } from './joint-force.ts';
import { updateJointTransmissions } from './joint-transmission.ts';
import { createJointWorkspace, type JointWorkspace } from './joint-workspace.ts';
import { writeJointLimits, writeTendonLimits } from './limit.ts';
import { createResidual } from './residual.ts';

const box: Shape = { kind: 'box', halfSize: [0.1, 0.2, 0.3] };
const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  bodies: [
    {
      position: [0, 0, 1],
      joints: [
        {
          kind: 'hinge',
          name: 'a',
          axis: [0, 1, 0.2],
          limit: { range: [-0.2, 0.3], margin: 0.1 },
          frictionLoss: 0.3,
          stiffness: 2,
          damping: 0.3,
          springReference: 0.2,
          reference: 0.1,
        },
      ],
      shapes: [box],
      bodies: [
        {
          position: [0.3, 0, 0],
          joints: [
            { kind: 'ball', name: 'b', limit: { range: [0, 0.5] }, frictionLoss: 0.2, stiffness: 3, damping: 0.2 },
          ],
          shapes: [box],
          bodies: [
            {
              position: [0, 0.3, 0],
              orientation: [0.9, 0.1, 0.2, 0.3],
              joints: [
                { kind: 'slide', name: 'c', axis: [1, 0, 0], limit: { range: [-0.1, 0.1], margin: 0.05 }, damping: 1 },
                { kind: 'hinge', name: 'd', axis: [0, 0, 1], frictionLoss: 0.1, stiffness: 1 },
              ],
              shapes: [box],
            },
          ],
        },
      ],
    },
  ],
  tendons: [
    {
      kind: 'fixed',
      name: 't',
      terms: [
        { joint: 'a', coefficient: 0.7 },
        { joint: 'c', coefficient: -1.2 },
      ],
      limit: { range: [-0.2, 0.2], margin: 0.1 },
      frictionLoss: 0.4,
    },
    { kind: 'fixed', name: 'u', terms: [{ joint: 'd', coefficient: 2 }] },
  ],
  equalities: [
    { kind: 'joint', joint1: 'c', joint2: 'a', coefficients: [0.1, 0.5, -0.3, 0.2, 0.4] },
    { kind: 'joint', joint1: 'd', coefficients: [0.1, 0, 0, 0, 0] },
    { kind: 'tendon', tendon1: 't', tendon2: 'u', coefficients: [0.1, 0.5, -0.3, 0.2, 0.4] },
  ],
  actuators: [
    { kind: 'motor', transmission: { kind: 'joint', joint: 'a', gear: [3] } },
    { kind: 'motor', transmission: { kind: 'joint', joint: 'b', gear: [1, 2, -0.5] } },
    { kind: 'motor', transmission: { kind: 'joint', joint: 'b', gear: [1, 2, -0.5], inParent: true } },
    { kind: 'motor', transmission: { kind: 'tendon', tendon: 't', gear: [1.5] } },
  ],
};

interface Row {
  what: string;
  source: number;
  /** Distance or friction bound. */
  value: number;
  margin: number;
  /** J v. */
  speed: number;
}

/** Everything the writers list; sources as the scene counts joints. */
function listRows({ model, state, work }: Evaluation, joints: JointWorkspace, reach?: Float64Array): Row[] {
  const list: Row[] = [];
  const rows = new BlockRows(new Arena());
  let what = '';
  let shift = 0;
  const push = (block: number, value: number, margin: number, source: number): void => {
    let speed = 0;
    for (let i = 0; i < rows.columnCount[block]; i++)
      speed += rows.value[rows.valueStart[block] + i] * state.velocity[rows.column[rows.columnStart[block] + i]];
    list.push({ what, source: source - shift, value, margin, speed });
  };
  const friction = { add: (block: number, loss: number, source: number) => push(block, loss, 0, source) };
  const limit = { add: push };
  const isReduced = model.coordinates === 'joint';
  what = 'friction';
  if (isReduced)
    writeDofFriction(rows, model, work, { add: (b, loss, i) => friction.add(b, loss, model.dof.joint[i]) });
  else writeJointFriction(rows, model, joints, friction);
  what = 'tendon friction';
  writeTendonFriction(rows, model, work, joints, friction);
  what = 'limit';
  shift = isReduced ? 0 : model.size.joint;
  writeJointLimits(rows, model, state, joints, reach, limit);
  what = 'tendon limit';
  shift = 0;
  writeTendonLimits(rows, model, work, joints, undefined, limit);
  const residual = createResidual();
  for (let e = 0; e < model.size.equality; e++) {
    what = 'equality';
    push(writeEquality(rows, model, state, work, joints, e, residual), residual.value[0], 0, e);
  }
  return list;
}

const reduced = createEvaluation(scene, { coordinates: 'joint' });
const reducedJoints = createJointWorkspace(reduced.model, new Arena());
const full = createEvaluation(scene, { coordinates: 'body' });
const joints = createJointWorkspace(full.model, new Arena());

function update(): void {
  updateJointCoordinates(full.model, full.work, joints.coordinates);
  updateJointTransmissions(full.model, full.work, joints);
}

describe('the same motion in joint and in body coordinates', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('rows of limits, friction and equalities, state %i', (seed) => {
    copyRandomMotion(reduced, full, seed);
    update();
    const expected = listRows(reduced, reducedJoints);
    const actual = listRows(full, joints);
    expect(actual.map(({ what, source, margin }) => [what, source, margin])).toEqual(
      expected.map(({ what, source, margin }) => [what, source, margin]),
    );
    expect(actual.filter(({ what }) => what.endsWith('limit')).length).toBeGreaterThan(0);
    for (const [k, row] of actual.entries()) {
      expect(Math.abs(row.value - expected[k].value), `${row.what} ${row.source}`).toBeLessThan(1e-12);
      expect(Math.abs(row.speed - expected[k].speed), `speed of ${row.what} ${row.source}`).toBeLessThan(1e-11);
    }
  });

  test.each([1, 2, 3])('springs, dampers and drives have the same power, state %i', (seed) => {
    copyRandomMotion(reduced, full, seed);
    update();
    const force = new Float64Array(full.model.size.velocity);
    addJointForces(force, full.model, joints.coordinates, false);
    const power = (f: Float64Array, v: Float64Array): number => f.reduce((sum, value, i) => sum + value * v[i], 0);
    // the scene has no other passive forces
    const expected = power(reduced.work.passiveForce, reduced.state.velocity);
    expect(Math.abs(power(force, full.state.velocity) - expected)).toBeLessThan(1e-11);
    expect(Math.abs(expected)).toBeGreaterThan(0.01);
  });
});

test('drives: the same lengths and rates, where the pattern of moments holds the dofs of both bodies', () => {
  const { model } = full;
  const { constraintJoint, size } = model;
  const count = size.actuator;
  // all dofs for every actuator
  const rowStart = Int32Array.from({ length: count + 1 }, (_, a) => a * size.velocity);
  const column = Int32Array.from({ length: count * size.velocity }, (_, k) => k % size.velocity);
  const work = {
    ...full.work,
    plan: { ...full.work.plan, moment: { rowStart, column } },
    actuatorMoment: new Float64Array(count * size.velocity),
  };
  expect(Array.from(model.actuator.transmission)).toContain(TRANSMISSION.jointInParent);
  expect(constraintJoint.kind.length).toBe(4);
  for (let seed = 1; seed < 6; seed++) {
    copyRandomMotion(reduced, full, seed);
    updateJointCoordinates(model, work, joints.coordinates);
    updateJointTransmissions(model, work, joints);
    for (let a = 0; a < count; a++) {
      let rate = 0;
      for (let i = 0; i < size.velocity; i++)
        rate += work.actuatorMoment[a * size.velocity + i] * full.state.velocity[i];
      expect(Math.abs(work.actuatorLength[a] - reduced.work.actuatorLength[a]), `length ${a}`).toBeLessThan(1e-12);
      expect(Math.abs(rate - reduced.work.actuatorVelocity[a]), `rate ${a}`).toBeLessThan(1e-11);
    }
  }
});

test.each([0, 2])('the rate of a polynomial in body coordinates, equality %i', (e) => {
  const { model, state, work } = full;
  const rows = new BlockRows(new Arena());
  const residual = createResidual();
  const read = (): { speed: number; rate: number } => {
    update();
    rows.clear();
    writeEquality(rows, model, state, work, joints, e, residual);
    let speed = 0;
    for (let i = 0; i < rows.columnCount[0]; i++) speed += rows.value[i] * state.velocity[rows.column[i]];
    return { speed, rate: residual.rate[0] };
  };
  copyRandomMotion(reduced, full, 3);
  const { rate } = read();
  const start = state.position.slice();
  const h = 1e-5;
  const [ahead, behind] = [h, -h].map((step) => {
    state.position.set(start);
    integratePositions(model, state.position, state.velocity, 0, step);
    full.evaluate();
    return read().speed;
  });
  // central difference: h² of third derivatives of order 10, round-off 1e-15/h
  expect(Math.abs((ahead - behind) / (2 * h) - rate)).toBeLessThan(1e-7);
});

test('a reach brings in limits that are still far', () => {
  const limits = (rows: Row[]): number => rows.filter(({ what }) => what === 'limit').length;
  reduced.state.position.set(reduced.model.initialPosition);
  reduced.evaluate();
  const { size } = reduced.model;
  const reach = new Float64Array(size.joint);
  // at rest in the initial pose: a at 0.1 of [−0.2, 0.3], the ball at 0 of 0.5, c at 0 of ±0.1
  expect(limits(listRows(reduced, reducedJoints, reach))).toBe(0);
  reach.set([0.15, 0, 0.1]);
  expect(limits(listRows(reduced, reducedJoints, reach))).toBe(3);
  reach.set([0.25, 0.6, 0.1]);
  expect(limits(listRows(reduced, reducedJoints, reach))).toBe(5);
});
