/** Mechanisms: pendulums, couplings, drives, limits and dry friction of joints. */
import type { Body, Vec3 } from '@nexdyn/engine';
import {
  advance,
  angleOf,
  findCrossing,
  G,
  placeOf,
  pointBody,
  type SceneParts,
  simulate,
  velocityOf,
} from '../case-scene.ts';
import { integrateDoublePendulum } from '../double-pendulum.ts';
import { GAP_TOLERANCE, measureJointGap, predictGap } from '../joint-gap.ts';
import { ALL, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

const H = 1e-3;
const group = 'joints' as const;
/** An equality as hard as `mujoco` makes them. */
const HARD = {
  solref: [0.002, 1] as [number, number],
  solimp: [0.9999, 0.9999, 1e-3, 0.5, 2] as [number, number, number, number, number],
};
const up: Vec3 = [0, 0, 1];

/** Quarter of the period of a pendulum of some length that swings out to an angle, s. */
function quarterPeriod(length: number, angle: number): number {
  // arithmetic-geometric mean of 1 and cos(angle/2)
  let [a, b] = [1, Math.cos(angle / 2)];
  while (Math.abs(a - b) > 1e-15) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return (Math.PI / (2 * a)) * Math.sqrt(length / G);
}

/** Time from release at an angle to the lowest place, s. */
function timeFall(formulation: ComparedFormulation, parts: SceneParts): number {
  const simulation = simulate(formulation, parts);
  return findCrossing(simulation, () => placeOf(simulation, 'a')[0], 2);
}

const START = 0.8;
/** A mass 1 m below the origin, turned out by the start angle. */
const swungOut: Vec3 = [Math.sin(START), 0, -Math.cos(START)];
const PENDULUM: Omit<ValidationCase, 'name' | 'title' | 'run'> = {
  group,
  unit: 's',
  source: 'complete elliptic integral by the arithmetic-geometric mean (Abramowitz and Stegun 17.6)',
  basis: 'first order: within one step h',
  formulations: ALL,
};

/** Two masses on upright rails. */
function weights(m1: number, m2: number): Body[] {
  return [
    pointBody('a', m1, [{ kind: 'slide', name: 'a', axis: up }]),
    pointBody('b', m2, [{ kind: 'slide', name: 'b', axis: up }], [1, 0, 0]),
  ];
}

/** One mass on a level rail. */
const onRail = (more: object = {}): Body[] => [
  pointBody('a', 2, [{ kind: 'slide', name: 'a', axis: [1, 0, 0], ...more }]),
];

const LOADED_CHAIN: Pick<ValidationCase, 'group' | 'unit' | 'formulations'> = {
  group,
  unit: 'm',
  formulations: ['ipc'],
};

export const JOINTS: readonly ValidationCase[] = [
  {
    ...PENDULUM,
    name: 'pendulum',
    title: 'quarter of the period of a pendulum on a hinge, 0.8 rad: K(sin(a/2)) √(l/g)',
    isQuick: true,
    run: (formulation) => ({
      value: timeFall(formulation, {
        bodies: [
          {
            name: 'hub',
            joints: [{ kind: 'hinge', axis: [0, -1, 0], anchor: [0, 0, 0] }],
            inertia: { kind: 'principal', mass: 1, moments: [1e-6, 1e-6, 1e-6], center: [0, 0, -1] },
            bodies: [{ name: 'a', position: [0, 0, -1] }],
          },
        ],
        position: [START],
      }),
      expected: quarterPeriod(1, START),
      tolerance: H,
    }),
  },
  {
    ...PENDULUM,
    name: 'pendulum-connect',
    title: 'the same, a free body with one point held',
    run: (formulation) => ({
      value: timeFall(formulation, {
        bodies: [pointBody('a', 1, [{ kind: 'free' }], swungOut)],
        equalities: [{ kind: 'connect', body1: 'a', anchor: swungOut.map((x) => -x) as Vec3, mujoco: HARD }],
      }),
      expected: quarterPeriod(1, START),
      tolerance: H,
    }),
  },
  {
    ...PENDULUM,
    name: 'pendulum-rod',
    title: 'the same, a free body at the end of a massless rod',
    run: (formulation) => ({
      value: timeFall(formulation, {
        bodies: [pointBody('a', 1, [{ kind: 'free' }], swungOut)],
        equalities: [{ kind: 'distance', body1: 'a', distance: 1, mujoco: HARD }],
      }),
      expected: quarterPeriod(1, START),
      tolerance: H,
    }),
  },
  {
    name: 'double-pendulum',
    group,
    title: 'distance of the end of a double pendulum from the solution of its equations after 1 s',
    unit: 'm',
    source: "Lagrange's equations of two point masses, classical Runge-Kutta at 1e-5 s",
    basis: 'order one: the end moves at up to 6 m/s and accelerates at up to 40 m/s²; h a t/2',
    formulations: ALL,
    run(formulation) {
      const h = 2e-4;
      const link = (name: string, bodies: Body[] = []): Body => ({
        name,
        position: name === 'one' ? [0, 0, 0] : [0, 0, -1],
        joints: [{ kind: 'hinge', axis: [0, -1, 0] }],
        inertia: { kind: 'principal', mass: 1, moments: [1e-6, 1e-6, 1e-6], center: [0, 0, -1] },
        bodies,
      });
      const simulation = simulate(formulation, {
        options: { timestep: h },
        bodies: [link('one', [link('two', [{ name: 'end', position: [0, 0, -1] }])])],
        position: [1.2, 0],
      });
      advance(simulation, 1);
      const [x, , z] = placeOf(simulation, 'end');
      const { one, two } = integrateDoublePendulum(1.2, 1.2, 1);
      const expected = [Math.sin(one) + Math.sin(two), -Math.cos(one) - Math.cos(two)];
      return { value: Math.hypot(x - expected[0]!, z - expected[1]!), expected: 0, tolerance: (h * 40) / 2 };
    },
  },
  {
    name: 'conical-pendulum',
    group,
    title: 'height lost in a turn of a pendulum that circles at ω² = g/(l cos a), a = 0.6 rad',
    unit: 'm',
    source: 'balance of forces on the circle',
    basis: 'order one: a circle in steps of ω h leaves by up to ω² h l sin a per radian',
    formulations: ALL,
    run(formulation) {
      const a = 0.6;
      const rate = Math.sqrt(G / Math.cos(a));
      const simulation = simulate(formulation, {
        bodies: [pointBody('a', 1, [{ kind: 'free' }], [Math.sin(a), 0, -Math.cos(a)])],
        equalities: [{ kind: 'distance', body1: 'a', distance: 1, mujoco: HARD }],
        position: [Math.sin(a), 0, -Math.cos(a), 1, 0, 0, 0],
        velocity: [0, rate * Math.sin(a), 0, 0, 0, 0],
      });
      const turn = (2 * Math.PI) / rate;
      let worst = 0;
      while (simulation.time < turn) {
        simulation.step();
        worst = Math.max(worst, Math.abs(placeOf(simulation, 'a')[2] + Math.cos(a)));
      }
      return { value: worst, expected: 0, tolerance: rate * H * Math.sin(a) * Math.PI };
    },
  },
  {
    name: 'atwood',
    group,
    title: 'acceleration of two weights on a pulley: g (m₁ − m₂)/(m₁ + m₂)',
    unit: 'm/s²',
    source: 'Atwood (1784)',
    basis: 'mujoco: impedance 0.9999 loses 1e-4 of the force; the others: their tolerance',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, {
        bodies: weights(3, 2),
        equalities: [{ kind: 'joint', joint1: 'a', joint2: 'b', coefficients: [0, -1, 0, 0, 0], mujoco: HARD }],
      });
      advance(simulation, 0.5);
      const before = velocityOf(simulation, 'a')[2];
      advance(simulation, 0.299);
      return { value: (before - velocityOf(simulation, 'a')[2]) / 0.3, expected: G / 5, tolerance: (1e-3 * G) / 5 };
    },
  },
  {
    name: 'gear',
    group,
    title: 'acceleration of two shafts with a gear: T/(J₁ + J₂ r²)',
    unit: 'rad/s²',
    source: 'project Chrono, test of shafts: J 10 and 100 kg m², r −0.1, T 6 N m',
    basis: 'mujoco: impedance 0.9999 loses 1e-4 of the torque; the others: their tolerance',
    formulations: ALL,
    run(formulation) {
      const shaft = (name: string, moment: number, x: number): Body => ({
        name,
        position: [x, 0, 0],
        joints: [{ kind: 'hinge', name, axis: [0, 1, 0] }],
        inertia: { kind: 'principal', mass: 1, moments: [moment, moment, moment] },
      });
      const simulation = simulate(formulation, {
        bodies: [shaft('a', 10, 0), shaft('b', 100, 1)],
        equalities: [{ kind: 'joint', joint1: 'b', joint2: 'a', coefficients: [0, -0.1, 0, 0, 0], mujoco: HARD }],
        actuators: [{ kind: 'motor', name: 'm', transmission: { kind: 'joint', joint: 'a' } }],
      });
      simulation.setControl('m', 6);
      advance(simulation, 1);
      const before = angleOf(simulation, 'a');
      advance(simulation, 1);
      const expected = 6 / (10 + 100 * 0.01);
      // from 1 s to 2 s: ½ α (4 − 1), and what the mechanism needed to come together at the start
      return { value: (angleOf(simulation, 'a') - before) / 1.5, expected, tolerance: 2e-3 * expected };
    },
  },
  {
    name: 'motor',
    group,
    title: 'speed of a mass after 0.5 s under a force: F t/m',
    unit: 'm/s',
    source: "Newton's second law",
    basis: 'tolerance of the solvers, 1e-6 m/s',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, {
        // the speed is read off two places
        options: { integrator: 'semiImplicit' },
        bodies: onRail(),
        actuators: [{ kind: 'motor', name: 'm', transmission: { kind: 'joint', joint: 'a' } }],
      });
      simulation.setControl('m', 7);
      advance(simulation, 0.499);
      return { value: velocityOf(simulation, 'a')[0], expected: 1.75, tolerance: 1e-6 };
    },
  },
  {
    name: 'servo-sag',
    group,
    title: 'sag of a weight below the target of its servo: m g/k',
    unit: 'm',
    source: 'balance of forces',
    basis: 'remaining initial transient, e^(−10 t) after 3 s',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        bodies: [pointBody('a', 2, [{ kind: 'slide', name: 'a', axis: up }])],
        actuators: [
          { kind: 'position', name: 's', transmission: { kind: 'joint', joint: 'a' }, stiffness: 400, damping: 50 },
        ],
      });
      simulation.setControl('s', 0.3);
      advance(simulation, 3);
      return { value: 0.3 - placeOf(simulation, 'a')[2], expected: (2 * G) / 400, tolerance: 1e-6 };
    },
  },
  {
    name: 'servo-speed',
    group,
    title: 'speed of a velocity servo against a load: v₀ − F/k',
    unit: 'm/s',
    source: 'balance of forces',
    basis: 'remaining initial transient, e^(−25 t) after 1 s, and the tolerance of the solvers',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        bodies: onRail(),
        actuators: [{ kind: 'velocity', name: 's', transmission: { kind: 'joint', joint: 'a' }, gain: 50 }],
      });
      simulation.setControl('s', 1);
      simulation.applyForce('a', { force: [-10, 0, 0] });
      advance(simulation, 1);
      return { value: velocityOf(simulation, 'a')[0], expected: 1 - 10 / 50, tolerance: 1e-6 };
    },
  },
  {
    name: 'limit-rest',
    group,
    title:
      'how far a weight passes the limit of its rail: mujoco g (1 − d)(t ζ)²; sap 2 h R m g h, R = β²/(4π² m); ccp, ipc 0',
    unit: 'm',
    source: 'balance of the row: docs of each formulation',
    basis: 'mujoco, sap: 1e-6 of the formula; ccp: its tolerance times g h²; ipc: its joint tolerance, 1e-6 m',
    formulations: ALL,
    run(formulation) {
      const d = 0.9;
      const mujoco = {
        solrefLimit: [0.02, 1] as [number, number],
        solimpLimit: [d, d, 1e-3, 0.5, 2] as [number, number, number, number, number],
      };
      const simulation = simulate(formulation, {
        bodies: [pointBody('a', 2, [{ kind: 'slide', axis: up, limit: { range: [0, 1] }, mujoco }])],
      });
      advance(simulation, 2);
      const { nearRigidJoint } = simulation.model.options.sap;
      const soft = { mujoco: G * (1 - d) * 0.02 ** 2, ccp: 0, ipc: 0 };
      // w = 1/m; the row undoes its error within two steps
      const sap = (nearRigidJoint ** 2 / (4 * Math.PI ** 2)) * G * H * 2 * H;
      const expected = formulation === 'sap' ? sap : soft[formulation];
      return {
        value: -placeOf(simulation, 'a')[2],
        expected,
        tolerance: formulation === 'ipc' ? 1e-6 : formulation === 'ccp' ? 1e-9 : 1e-6 * expected + 1e-12,
      };
    },
  },
  {
    name: 'dry-friction-slip',
    group,
    title: 'acceleration of a joint with dry friction pushed by more: (F − f)/m',
    unit: 'm/s²',
    source: "Coulomb's law",
    basis: 'mujoco, sap: full friction needs a slip of R f, 1e-3 of the speed; ipc: friction is smooth below 1e-3 m/s',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, { bodies: onRail({ frictionLoss: 4 }) });
      simulation.applyForce('a', { force: [10, 0, 0] });
      advance(simulation, 0.2);
      const before = velocityOf(simulation, 'a')[0];
      advance(simulation, 0.199);
      return { value: (velocityOf(simulation, 'a')[0] - before) / 0.2, expected: 3, tolerance: 3e-3 };
    },
  },
  {
    name: 'rope',
    group,
    title: 'length of a rope of 1 m that stops a fall, at rest: mujoco g (1 − d)(t ζ)² more, the others none',
    unit: 'm',
    source: 'balance of the row; project Chrono, test of the unilateral distance',
    basis:
      'sap: near-rigid, (h + τ) g h β²/(4π²) × 2; ccp: its tolerance; mujoco: 1e-6 of the formula and rest after 3 s',
    formulations: ['mujoco', 'sap', 'ccp'],
    run(formulation) {
      const d = 0.9;
      const simulation = simulate(formulation, {
        sites: [{ name: 'top' }],
        bodies: [{ ...pointBody('a', 1, [{ kind: 'free' }], [0, 0, -0.8], 0.1), sites: [{ name: 'end' }] }],
        tendons: [
          {
            kind: 'spatial',
            path: [
              { kind: 'site', site: 'top' },
              { kind: 'site', site: 'end' },
            ],
            limit: { range: [0, 1] },
            mujoco: { solrefLimit: [0.02, 1], solimpLimit: [d, d, 1e-3, 0.5, 2] },
          },
        ],
      });
      advance(simulation, 3);
      const soft = formulation === 'mujoco' ? G * (1 - d) * 0.02 ** 2 : 0;
      const tolerance = { mujoco: 1e-6 * soft, sap: G * H * H, ccp: 1e-9, ipc: 0 }[formulation];
      return { value: -placeOf(simulation, 'a')[2], expected: 1 + soft, tolerance };
    },
  },
  ...[100, 1000].map(
    (gamma): ValidationCase => ({
      ...LOADED_CHAIN,
      name: `joint-gap-penalty-${gamma}`,
      title: `gap of a loaded chain by pure penalty, γ = ${gamma}: λ/μ`,
      source: 'balance of the joint that carries λ = 104 kg g, μ = γ m/h²',
      basis: 'remaining initial oscillation, 1e-4 of the gap',
      run: () => ({
        value: measureJointGap('penalty', gamma).atRest,
        expected: predictGap(gamma),
        tolerance: 1e-4 * predictGap(gamma),
      }),
    }),
  ),
  {
    ...LOADED_CHAIN,
    name: 'joint-gap-halves',
    title: 'gap by pure penalty over that with twice the penalty, γ = 200 and 400',
    unit: '1',
    source: 'C = λ/μ',
    basis: 'remaining initial oscillation, 1e-4 of each gap',
    run: () => ({
      value: measureJointGap('penalty', 200).atRest / measureJointGap('penalty', 400).atRest,
      expected: 2,
      tolerance: 4e-4,
    }),
  },
  ...[10, 100, 10000].map(
    (gamma): ValidationCase => ({
      ...LOADED_CHAIN,
      name: `joint-gap-lagrangian-${gamma}`,
      title: `largest gap of the same chain in all steps by augmented Lagrangian, γ = ${gamma}: within the tolerance, every step converged`,
      source: 'λ is known, and C within the tolerance is the criterion',
      basis: 'jointTolerance, 1e-6 m',
      run() {
        const { worst, open } = measureJointGap('augmentedLagrangian', gamma);
        if (open > 0) throw new Error(`${open} steps did not converge`);
        return { value: worst, expected: 0, tolerance: GAP_TOLERANCE };
      },
    }),
  ),
];
