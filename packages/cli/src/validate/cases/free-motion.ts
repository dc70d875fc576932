/** Bodies that nothing holds and nothing touches, and bodies on springs and dampers. */

import { advance, FREE, findCrossing, G, placeOf, pointBody, simulate, velocityOf } from '../case-scene.ts';
import { measureTumbling } from '../integrator-table.ts';
import { ALL, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

const H = 1e-3;
const ROUND_OFF = 'round-off of a thousand steps, 1e3 × 1e-13 of the largest value';
const group = 'free motion' as const;
const rail = (more: object) => [
  { kind: 'slide' as const, name: 'rail', axis: [1, 0, 0] as [number, number, number], ...more },
];

const chooseDefault = (formulation: ComparedFormulation) =>
  [formulation, formulation === 'mujoco' || formulation === 'sap' ? 'joint' : 'body', 'semiImplicit'] as const;

/** The closed forms of steps are those of this integrator. */
const FIRST_ORDER = { integrator: 'semiImplicit' } as const;

export const FREE_MOTION: readonly ValidationCase[] = [
  {
    name: 'tumbling-energy',
    group,
    title: 'largest relative change of kinetic energy of a box spun at 10 rad/s about its middle axis, 10 s at 1/60 s',
    unit: '1',
    source: "Euler's equations without torque: energy stays",
    basis: 'the step keeps it: round-off of 600 steps, 1e-10 with the tolerance of the solver',
    formulations: ALL,
    isQuick: true,
    run: (formulation) => ({
      value: measureTumbling(chooseDefault(formulation)).energy,
      expected: 0,
      tolerance: 1e-10,
    }),
  },
  {
    name: 'tumbling-momentum',
    group,
    title: 'largest relative change of its angular momentum',
    unit: '1',
    source: "Euler's equations without torque: angular momentum stays in size and direction",
    basis: 'as tumbling-energy',
    formulations: ALL,
    isQuick: true,
    run: (formulation) => ({
      value: measureTumbling(chooseDefault(formulation)).momentum,
      expected: 0,
      tolerance: 1e-10,
    }),
  },
  {
    name: 'free-fall',
    group,
    title: 'height lost in 1 s, Σ of steps: g h² n(n + 1)/2',
    unit: 'm',
    source: 'sum of v⁺ = v − g h, x⁺ = x + h v⁺',
    basis: ROUND_OFF,
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, { options: FIRST_ORDER, bodies: [pointBody('a', 2, FREE)] });
      advance(simulation, 1);
      return { value: -placeOf(simulation, 'a')[2], expected: (G * H * H * 1000 * 1001) / 2, tolerance: 1e-9 };
    },
  },
  {
    name: 'inertia',
    group,
    title: 'distance that a body at 3 m/s moves in 1 s: v t',
    unit: 'm',
    source: "Newton's first law",
    basis: ROUND_OFF,
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, { bodies: [pointBody('a', 2, FREE)], velocity: [3, 0, 0, 0, 0, 0] });
      advance(simulation, 1);
      return { value: placeOf(simulation, 'a')[0], expected: 3, tolerance: 1e-9 };
    },
  },
  {
    name: 'apex',
    group,
    title: 'height of a throw at 5 m/s: v²/(2 g), less v h/2 of the steps',
    unit: 'm',
    source: 'energy; each step uses the velocity at its end',
    basis: 'the top is found to within half a step: g h²',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: FIRST_ORDER,
        bodies: [pointBody('a', 2, FREE)],
        velocity: [0, 0, 5, 0, 0, 0],
      });
      let top = 0;
      for (let n = 0; n < 600; n++) {
        simulation.step();
        top = Math.max(top, placeOf(simulation, 'a')[2]);
      }
      return { value: top, expected: 25 / (2 * G) - (5 * H) / 2, tolerance: G * H * H };
    },
  },
  {
    name: 'spin-kept',
    group,
    title: 'angular speed of a ball after 1 s without torque, |ω|',
    unit: 'rad/s',
    source: 'conservation of angular momentum',
    basis: ROUND_OFF,
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { gravity: [0, 0, 0] },
        bodies: [pointBody('a', 1, FREE, [0, 0, 0], 0.1)],
        velocity: [0, 0, 0, 1, 2, 3],
      });
      advance(simulation, 1);
      return {
        value: Math.hypot(...simulation.state.velocity.subarray(3, 6)),
        expected: Math.sqrt(14),
        tolerance: 1e-9,
      };
    },
  },
  {
    name: 'precession',
    group,
    title: 'angle by which the angular velocity of a symmetric top turns in body axes in 1 s: (I₃ − I₁)/I₁ ω₃ t',
    unit: 'rad',
    source: "Euler's equations of a symmetric top (Goldstein, Classical Mechanics, 5.6)",
    basis: 'a first-order method lags by at most Ω² h t/2',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { gravity: [0, 0, 0] },
        bodies: [{ name: 'a', joints: FREE, inertia: { kind: 'principal', mass: 1, moments: [0.1, 0.1, 0.15] } }],
        velocity: [0, 0, 0, 0.5, 0, 4],
      });
      advance(simulation, 1);
      const [x, y] = simulation.state.velocity.subarray(3, 5);
      const rate = 0.5 * 4;
      return { value: Math.atan2(y!, x!), expected: rate, tolerance: (rate * rate * H) / 2 };
    },
  },
  {
    name: 'spring-period',
    group,
    title: 'period of a mass on a spring, in steps: 2π h/(2 asin(ω h/2)), ω² = k/m',
    unit: 's',
    source:
      'symplectic Euler on the harmonic oscillator (Hairer, Lubich, Wanner, Geometric Numerical Integration, I.1)',
    basis: 'zero crossings are interpolated linearly: (ω h)² h/8, here h/100',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { ...FIRST_ORDER, gravity: [0, 0, 0] },
        bodies: [pointBody('a', 2, rail({ stiffness: 200 }))],
        position: [0.1],
      });
      const read = (): number => placeOf(simulation, 'a')[0];
      const first = findCrossing(simulation, read, 2);
      findCrossing(simulation, read, 4);
      const third = findCrossing(simulation, read, 4);
      return {
        value: third - first,
        expected: (2 * Math.PI * H) / (2 * Math.asin((10 * H) / 2)),
        tolerance: H / 100,
      };
    },
  },
  {
    name: 'damper-decay',
    group,
    title: 'speed on a damped rail after 0.5 s, taken at the end of each step: v/(1 + h d/m)ⁿ',
    unit: 'm/s',
    source: 'backward Euler on v̇ = −d v/m',
    basis: 'tolerance of the solvers: 1e-6 m/s (ipc), below it the others',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { ...FIRST_ORDER, gravity: [0, 0, 0] },
        bodies: [pointBody('a', 2, rail({ damping: 8 }))],
        velocity: [3],
      });
      advance(simulation, 0.499);
      return {
        value: velocityOf(simulation, 'a')[0],
        expected: 3 / (1 + (H * 8) / 2) ** 500,
        tolerance: 1e-6,
      };
    },
  },
  {
    name: 'terminal-speed',
    group,
    title: 'speed of a fall against a damper: m g/d',
    unit: 'm/s',
    source: 'balance of forces',
    basis: 'remaining initial transient, e^(−d t/m) = 1e-13, and the tolerance of the solvers, 1e-6 m/s',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        bodies: [pointBody('a', 2, [{ kind: 'slide', axis: [0, 0, 1], damping: 30 }])],
      });
      advance(simulation, 2);
      return { value: -velocityOf(simulation, 'a')[2], expected: (2 * G) / 30, tolerance: 1e-6 };
    },
  },
];
