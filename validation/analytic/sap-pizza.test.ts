/**
 * A rigid triangle lying on three contacts, q = (x, y, z, θ): problems of `sap` with answers in closed form.
 * Mass 3 kg, circumradius 1.5 m, moment m R², g = 10 m/s², time step 0.01 s; every step starts from the same bad guess.
 */
import type { SapOptions } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { type Solution, VelocityProblem } from '../reference/velocity-problem.ts';

const MASS = 3;
const RADIUS = 1.5;
const MOMENT = MASS * RADIUS * RADIUS;
const GRAVITY = 10;
const H = 0.01;
const GUESS = [1, 2, 3, 4];

interface PizzaOptions {
  friction: number;
  stiffness: number;
  dissipation: number;
  beta: number;
  /** N along x, N m about z. */
  push?: number;
  torque?: number;
  height?: number;
  sap?: SapOptions;
}

class Pizza {
  readonly q: Float64Array;
  v: Float64Array = new Float64Array(4);
  readonly problem: VelocityProblem;
  readonly options: PizzaOptions;

  constructor(options: PizzaOptions) {
    this.options = options;
    this.q = Float64Array.of(0, 0, options.height ?? 0, Math.PI / 5);
    const diagonal = [MASS, MASS, MASS, MOMENT];
    const matrix = diagonal.map((entry, i) => diagonal.map((_, j) => (i === j ? entry : 0)));
    this.problem = new VelocityProblem([matrix], H, { nearRigid: options.beta, ...options.sap });
  }

  step(guess: ArrayLike<number> = GUESS): Solution {
    const { friction, stiffness, dissipation, push = 0, torque = 0 } = this.options;
    const [vx = 0, vy = 0, vz = 0, spin = 0] = this.v;
    const [, , z = 0, angle = 0] = this.q;
    this.problem.begin([vx + (H * push) / MASS, vy, vz - H * GRAVITY, spin + (H * torque) / MOMENT]);
    this.problem.startVelocity = this.v;
    for (let k = 0; k < 3; k++) {
      const x = RADIUS * Math.cos(angle + (2 * Math.PI * k) / 3);
      const y = RADIUS * Math.sin(angle + (2 * Math.PI * k) / 3);
      const jacobian = [
        [0, 0, 1, 0],
        [1, 0, 0, -y],
        [0, 1, 0, x],
      ];
      this.problem.addContact({ jacobian, gap: z, stiffness, dissipation, friction });
    }
    const solution = this.problem.solve(guess);
    this.v = solution.velocity.slice();
    for (let i = 0; i < 4; i++) this.q[i] = (this.q[i] ?? NaN) + H * (this.v[i] ?? NaN);
    return solution;
  }

  run(steps: number): Solution {
    let solution = this.step();
    for (let n = 1; n < steps; n++) {
      expect(solution.hasConverged).toBe(true);
      solution = this.step();
    }
    expect(solution.hasConverged).toBe(true);
    return solution;
  }

  /** Normal impulse and size of the tangential one, of every contact. */
  impulses(): { normal: number; tangent: number }[] {
    const { rows } = this.problem.problem;
    const { force } = this.problem.problem.data;
    return [0, 1, 2].map((block) => {
      const first = rows.rowStart[block] ?? NaN;
      const hasTangents = (rows.rowStart[block + 1] ?? NaN) - first > 1;
      const tangent = hasTangents ? Math.hypot(force[first + 1] ?? NaN, force[first + 2] ?? NaN) : 0;
      return { normal: force[first] ?? NaN, tangent };
    });
  }
}

/** What every contact carries of the weight in a step: m g h / 3. */
const NORMAL = (MASS * GRAVITY * H) / 3;

function expectNear(value: number | undefined, expected: number, tolerance: number): void {
  expect(Math.abs((value ?? NaN) - expected)).toBeLessThan(tolerance);
}

test('w of a corner is |J A⁻¹ Jᵀ| / 3 = √(2/3)/m', () => {
  const pizza = new Pizza({ friction: 1, stiffness: 1e4, dissipation: H, beta: 0 });
  pizza.step();
  for (const w of pizza.problem.weights) expectNear(w, Math.sqrt(6) / (3 * MASS), 1e-15);
});

describe('at rest', () => {
  test('lies at z = −m g/(3 k) without moving', () => {
    const pizza = new Pizza({ friction: 1, stiffness: 1e4, dissipation: H, beta: 0 });
    const { impulse } = pizza.run(30);
    for (const { normal } of pizza.impulses()) expectNear(normal, NORMAL, 1e-6 * NORMAL);
    for (const [i, expected] of [0, 0, 3 * NORMAL, 0].entries()) expectNear(impulse[i], expected, 1e-6 * NORMAL);
    for (const v of pizza.v) expectNear(v, 0, 1e-6);
    expectNear(pizza.q[2], -1e-3, 1e-9);
  });

  test('a guess that is the answer is taken as it is, without an iteration', () => {
    const height = -(MASS * GRAVITY) / (3 * 1e4);
    const sap = { iterations: 0 };
    const pizza = new Pizza({ friction: 1, stiffness: 1e4, dissipation: H, beta: 0, height, sap });
    const { velocity, iterations, hasConverged } = pizza.step([0, 0, 0, 0]);
    expect(hasConverged).toBe(true);
    expect(iterations).toBe(0);
    expect([...velocity]).toEqual([0, 0, 0, 0]);
  });
});

describe('torque below the limit of friction', () => {
  const tangent = (H * 20) / (3 * RADIUS);
  const options = { friction: 2 / 3, stiffness: 1e4, dissipation: 2 * H, beta: 1, torque: 20 };

  function expectSticking(pizza: Pizza): void {
    for (const impulse of pizza.impulses()) {
      expectNear(impulse.normal, NORMAL, 1e-6 * NORMAL);
      expectNear(impulse.tangent, tangent, 1e-6 * tangent);
    }
  }

  test('sticks and creeps by R_t γ_t', () => {
    const pizza = new Pizza(options);
    pizza.run(40);
    expectSticking(pizza);
    const slip = RADIUS * (pizza.v[3] ?? NaN);
    const w = pizza.problem.weights[0] ?? NaN;
    expectNear(slip, 1e-3 * w * tangent, 1e-6 * slip);
    expectNear(slip, 1.21e-5, 1e-8);
    expect(slip).toBeLessThan((1e-3 * 2 * H * GRAVITY) / 3);
    for (let i = 0; i < 3; i++) expectNear(pizza.v[i], 0, 1e-10);
  });

  test('with no tolerance it stops where the cost no longer changes, at the same place', () => {
    const pizza = new Pizza({ ...options, sap: { relativeTolerance: 0, absoluteTolerance: 0 } });
    const { residual, iterations } = pizza.run(40);
    expectSticking(pizza);
    expect(residual).toBeGreaterThanOrEqual(0);
    expect(residual).toBeLessThan(1e-12);
    expect(iterations).toBeLessThan(100);
  });

  test('stiffer than a step resolves, it rests at the depth of the near-rigid limit', () => {
    const pizza = new Pizza({ ...options, stiffness: 1e20, dissipation: H });
    pizza.run(30);
    expectSticking(pizza);
    const normal = (1 / (4 * Math.PI ** 2)) * (pizza.problem.weights[0] ?? NaN);
    const depth = 2 * H * normal * NORMAL;
    expectNear(pizza.q[2], -depth, 1e-6 * depth);
    expectNear(depth, 1.3788e-5, 1e-9);
    for (let i = 0; i < 3; i++) expectNear(pizza.v[i], 0, 1e-9);
  });

  test('rigid beyond double precision, the report is honest about the residual', () => {
    const pizza = new Pizza({ ...options, stiffness: 1e20, dissipation: H, beta: Number.EPSILON });
    for (let n = 0; n < 30; n++) {
      const { velocity, impulse, hasConverged, residual } = pizza.step();
      // recomputed: |D (A (v − v*) − Jᵀ γ)| over the larger of |D A v| and |D Jᵀ γ|, D = diag(A)^−½
      const masses = [MASS, MASS, MASS, MOMENT];
      let momentum = 0;
      let whole = 0;
      let contact = 0;
      for (const [i, m] of masses.entries()) {
        const v = velocity[i] ?? NaN;
        const p = impulse[i] ?? NaN;
        momentum += (m * (v - (pizza.problem.problem.target[i] ?? NaN)) - p) ** 2 / m;
        whole += m * v * v;
        contact += (p * p) / m;
      }
      const measured = Math.sqrt(momentum / Math.max(whole, contact));
      expect(measured).toBeLessThan(residual + 1e-9);
      if (!hasConverged) expect(residual).toBeGreaterThan(1e-6);
    }
  });
});

test('without friction a push accelerates it as if there were no ground', () => {
  const pizza = new Pizza({ friction: 0, stiffness: 1e4, dissipation: H, beta: 0, push: 1 });
  pizza.run(30);
  expectNear(pizza.v[0], (30 * H) / MASS, 2e-6 * 0.1);
  for (const { normal } of pizza.impulses()) expectNear(normal, NORMAL, 2e-6 * NORMAL);
});

test('torque beyond the limit of friction: slides with the friction of its normal impulse', () => {
  const pizza = new Pizza({ friction: 2 / 3, stiffness: 1e4, dissipation: H, beta: 0, torque: 40 });
  pizza.run(10);
  for (const { normal, tangent } of pizza.impulses()) {
    expect(normal).toBeGreaterThan(0);
    expectNear(tangent, (2 / 3) * normal, 4 * Number.EPSILON * normal);
  }
  expectNear(pizza.v[3], 0.1352, 5e-5);
  expectNear(pizza.q[2], 1.41e-3, 5e-6);
});

test('without constraints the answer is v*, bit for bit and without an iteration', () => {
  const problem = new VelocityProblem([[[2]], [[3]]], H);
  problem.begin([0.1, 1 / 3]);
  const { velocity, iterations, hasConverged } = problem.solve([5, 5]);
  expect([...velocity]).toEqual([0.1, 1 / 3]);
  expect(iterations).toBe(0);
  expect(hasConverged).toBe(true);
});
