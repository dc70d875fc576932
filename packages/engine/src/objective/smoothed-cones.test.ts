/** The linearised conditions of one block: along every step that they allow, the smoothed conditions lose what is missing, to first order. */
import { describe, expect, test } from 'vitest';
import { Arena } from '../kernels/arena.ts';
import { createRandom } from '../testing/forest.ts';
import { SINGLE_BLOCKS } from '../testing/single-block.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { CONSTRAINT_LAW, type ConvexProblem } from './convex-problem.ts';
import { evaluateLaw } from './law-table.ts';
import { SmoothedCones } from './smoothed-cones.ts';

const MASS = 1.7;
const WIDTH = 0.3;

function open(problem: ConvexProblem, random: () => number): SmoothedCones {
  problem.metric = Float64Array.of(MASS);
  problem.rows.value.fill(1, 0, problem.rowCount);
  const islands = { block: [0], blockStart: [0, 1], dof: [0], dofStart: [0, 1] };
  const objective = { problem, islands, island: 0, pattern: { rowStart: [0, 1] } };
  const cones = new SmoothedCones(objective as unknown as ConvexObjective, new Arena());
  cones.enter(WIDTH);
  for (let r = 0; r < problem.rowCount; r++) {
    cones.velocity[r] = 2 * (random() - 0.6);
    cones.impulse[r] = 2 * (random() - 0.3);
  }
  return cones;
}

/** P_ε(z) − γ in units of the cone, written out from its definition. */
function findMiss(problem: ConvexProblem, cones: SmoothedCones, epsilon: number): number[] {
  const { friction, low, high } = problem;
  const n = problem.rowCount;
  const rho = cones.rate[0];
  const isCone = problem.law[0] === CONSTRAINT_LAW.cone;
  const part = (x: number): number => (x === -Infinity ? 0 : 0.5 * (x + Math.hypot(x, 2 * epsilon)));
  const scale = Array.from({ length: n }, (_, r) => (isCone && r > 0 ? friction[r] : 1));
  const gamma = scale.map((s, r) => cones.impulse[r] / s);
  const z = scale.map((s, r) => gamma[r] - rho * s * (cones.velocity[r] + cones.softness[r] * cones.impulse[r]));
  if (!isCone) {
    return z.map((x, r) => {
      const above = low[r] === -Infinity ? x : low[r] + part(x - low[r]);
      return above - (high[r] === Infinity ? 0 : part(x - high[r])) - gamma[r];
    });
  }
  const length = Math.hypot(...z.slice(1));
  const upper = part(z[0] + length);
  const lower = part(z[0] - length);
  return z.map((x, r) => (r === 0 ? 0.5 * (upper + lower) : (0.5 * (upper - lower) * x) / length) - gamma[r]);
}

const BLOCKS = SINGLE_BLOCKS.filter(({ create }) => create().law[0] !== CONSTRAINT_LAW.pyramid);

describe.each(BLOCKS)('$name', ({ create, dimension: n }) => {
  test('lose what is missing along every linearised step', () => {
    const random = createRandom(30 + n);
    for (let k = 0; k < 200; k++) {
      const problem = create();
      const cones = open(problem, random);
      const smoothing = 0.02 + 0.5 * random();
      const epsilon = smoothing * cones.rate[0];
      cones.linearize(smoothing);
      const before = findMiss(problem, cones, epsilon);
      for (let r = 0; r < n; r++) cones.step[r] = random() - 0.5;
      cones.findImpulses();
      const d = 1e-5;
      cones.move(d);
      const ahead = findMiss(problem, cones, epsilon);
      cones.move(-2 * d);
      const behind = findMiss(problem, cones, epsilon);
      // third derivatives of P are below 1/ε², z moves by no more than 100 d
      for (let r = 0; r < n; r++) expect((ahead[r] - behind[r]) / (2 * d)).toBeCloseTo(-before[r], 4);
    }
  });

  test('without smoothing hold where impulses are those of the law, and measure no error there', () => {
    const random = createRandom(60 + n);
    for (let k = 0; k < 100; k++) {
      const problem = create();
      const cones = open(problem, random);
      for (let r = 0; r < n; r++) problem.data.residual[r] = cones.velocity[r];
      evaluateLaw(problem, 0);
      const size = Math.max(...problem.data.force.subarray(0, n).map(Math.abs), 1);
      for (let r = 0; r < n; r++) cones.impulse[r] = problem.data.force[r];
      cones.measure();
      expect(cones.error).toBeLessThan(1e-14 * size);
      cones.linearize(0);
      for (let r = 0; r < n; r++) expect(Math.abs(cones.push[r])).toBeLessThan(1e-12 * size);
    }
  });
});
