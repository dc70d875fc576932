/**
 * Rows of connect and weld under `mujoco`: naming bodies or sites makes rows of the same softness; a_ref takes off J̇ v, which the variant
 * of Genesis leaves out, so that the two differ by the rate of J along the motion.
 */
import { compileModel, type Equality, type Scene, Simulation } from '@nexdyn/engine';
import type { ConvexProblem } from '@nexdyn/engine/solvers';
import { describe, expect, test } from 'vitest';

/** Two arms of two links each; all dofs are in one island once the arms are joined. */
function arms(
  equalities: Equality[],
  variant: 'mujoco' | 'genesis' = 'mujoco',
  integrator: 'euler' | 'semiImplicit' = 'semiImplicit',
): Scene {
  const arm = (side: 1 | -1): NonNullable<Scene['bodies']>[number] => ({
    name: `upper${side}`,
    position: [0.4 * side, 0, 1],
    joints: [{ kind: 'ball', name: `shoulder${side}` }],
    shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.2, collisionMask: 0, collisionGroups: 0 }],
    bodies: [
      {
        name: `lower${side}`,
        position: [0, 0, 0.5],
        orientation: [0.9, 0.1 * side, 0.3, 0.2],
        joints: [{ kind: 'hinge', name: `elbow${side}`, axis: [0.2, 1, 0.3] }],
        shapes: [{ kind: 'capsule', radius: 0.04, halfLength: 0.2, collisionMask: 0, collisionGroups: 0 }],
        sites: [{ name: `hand${side}`, position: [0, 0.1 * side, 0.2], orientation: [0.8, 0.2, 0.5 * side, 0.1] }],
      },
    ],
  });
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { integrator, timestep: 0.002, disable: ['warmStart'], mujoco: { variant } },
    bodies: [arm(1), arm(-1)],
    equalities,
  };
}

const CONNECT: Equality = { kind: 'connect', site1: 'hand1', site2: 'hand-1' };
const WELD: Equality = { kind: 'weld', site1: 'hand1', site2: 'hand-1', torqueScale: 0.7 };

/** A pose and velocities away from the start. */
function evaluate(scene: Scene, time = 0): Simulation {
  const simulation = new Simulation(compileModel(scene));
  const { state } = simulation;
  const velocity = [0.5, -1, 2, 0.7, 1, 0.4, -0.6, 1.5];
  const turn = (v: number[], t: number): [number, number, number, number] => {
    const angle = Math.hypot(...v) * t;
    const s = angle === 0 ? 0 : Math.sin(angle / 2) / Math.hypot(...v);
    const [w, x, y, z] = [Math.cos(angle / 2), s * v[0], s * v[1], s * v[2]];
    // a turned start, then the motion: both about the axes of the body
    const [a, b, c, d] = [Math.cos(0.4), Math.sin(0.4) * 0.6, 0, Math.sin(0.4) * 0.8];
    return [
      a * w - b * x - c * y - d * z,
      a * x + b * w + c * z - d * y,
      a * y - b * z + c * w + d * x,
      a * z + b * y - c * x + d * w,
    ];
  };
  state.position.set([...turn(velocity.slice(0, 3), time), 0.3 + 0.7 * time]);
  state.position.set([...turn(velocity.slice(4, 7), time), -0.5 + 1.5 * time], 5);
  state.velocity.set(velocity);
  simulation.forward();
  return simulation;
}

function rowsOf(simulation: Simulation): { problem: ConvexProblem; motion: number[] } {
  const { problem } = simulation.formulation;
  if (problem === undefined) throw new Error('no rows');
  const { rows } = problem;
  const motion: number[] = [];
  for (let b = 0; b < rows.blockCount; b++) {
    for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
      let sum = 0;
      const n = rows.columnCount[b];
      const from = rows.valueStart[b] + (r - rows.rowStart[b]) * n;
      for (let i = 0; i < n; i++) {
        sum += rows.value[from + i] * simulation.state.velocity[rows.column[rows.columnStart[b] + i]];
      }
      motion.push(sum);
    }
  }
  return { problem, motion };
}

describe('bodies or sites', () => {
  const anchor: [number, number, number] = [0, 0.1, 0.2];

  test('a connect by bodies has the rows of one by sites', () => {
    const bodies = rowsOf(evaluate(arms([{ kind: 'connect', body1: 'lower1', body2: 'lower-1', anchor }])));
    const { problem } = rowsOf(evaluate(arms([CONNECT])));
    for (let r = 0; r < 3; r++) {
      expect(Math.abs(bodies.problem.regularization[r] / problem.regularization[r] - 1)).toBeLessThan(1e-12);
    }
  });

  test('a weld by bodies has the inverse weights of one by sites', () => {
    const bodies = rowsOf(evaluate(arms([{ kind: 'weld', body1: 'lower1', body2: 'lower-1' }])));
    const sites = rowsOf(evaluate(arms([WELD])));
    expect(sites.problem.rowCount).toBe(6);
    for (let r = 0; r < 6; r++) {
      expect(Math.abs(bodies.problem.regularization[r] / sites.problem.regularization[r] - 1)).toBeLessThan(1e-12);
    }
  });
});

describe('J̇ v', () => {
  test.each([
    { name: 'connect, euler', equality: CONNECT, integrator: 'euler', share: 1 },
    { name: 'weld, euler', equality: WELD, integrator: 'euler', share: 1 },
    // B acts on J v − ½ h J̇ v, B = 2/(0.95 · 20 ms): steps of 2 ms
    { name: 'connect, semiImplicit', equality: CONNECT, integrator: 'semiImplicit', share: 1 - 0.001 * (2 / 0.019) },
    { name: 'weld, semiImplicit', equality: WELD, integrator: 'semiImplicit', share: 1 - 0.001 * (2 / 0.019) },
  ] as const)('$name: what the variants differ by is the rate of J v at constant velocity', (given) => {
    const { equality, integrator, share } = given;
    const full = rowsOf(evaluate(arms([equality], 'mujoco', integrator)));
    const without = rowsOf(evaluate(arms([equality], 'genesis', integrator)));
    const step = 1e-4;
    const ahead = rowsOf(evaluate(arms([equality], 'mujoco', integrator), step));
    const behind = rowsOf(evaluate(arms([equality], 'mujoco', integrator), -step));
    for (let r = 0; r < full.problem.rowCount; r++) {
      const rate = without.problem.reference[r] - full.problem.reference[r];
      const difference = (ahead.motion[r] - behind.motion[r]) / (2 * step);
      // central differences of J v, of size 10 1/s², err by step² and 1e-16/step
      expect(Math.abs(rate - share * difference)).toBeLessThan(1e-6);
      expect(Math.abs(rate)).toBeGreaterThan(1e-3);
    }
  });
});
