/** What formulations do that nature does not, with the formulas that their pages give. */
import type { MujocoOptions, SceneOptions, Simulation, Vec3 } from '@nexdyn/engine';
import {
  advance,
  box,
  G,
  ground,
  placeOf,
  pointBody,
  type SceneParts,
  simulate,
  takeStep,
  tilt,
  velocityOf,
} from '../case-scene.ts';
import { measureConeFriction } from '../friction-cones.ts';
import type { ComparedFormulation, ValidationCase } from '../validation-case.ts';

const MU = 0.5;
const group = 'artefacts' as const;
const slider = (axis: Vec3) => ({ kind: 'slide' as const, axis });
const IMPEDANCE = 0.9;

/** A ball of 1 kg that cannot turn, in joint coordinates: a point mass. */
function pointMass(
  formulation: ComparedFormulation,
  h: number,
  gap: number,
  speed: number,
  parts: SceneParts = {},
): Simulation {
  const { options, ...rest } = parts;
  const surface = {
    friction: MU,
    mujoco: {
      solref: [0.02, 1] as [number, number],
      solimp: [IMPEDANCE, IMPEDANCE, 1e-3, 0.5, 2] as [number, number, number, number, number],
    },
  };
  return simulate(
    formulation,
    {
      options: { timestep: h, ...options },
      shapes: [ground(surface)],
      bodies: [
        {
          name: 'a',
          position: [0, 0, 0.1],
          joints: [slider([1, 0, 0]), slider([0, 1, 0]), slider([0, 0, 1])],
          shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, margin: 0.05, ...surface }],
        },
      ],
      position: [0, 0, gap],
      velocity: [speed, 0, 0],
      ...rest,
    },
    formulation === 'ipc' ? 'body' : 'joint',
  );
}

const heightOf = (simulation: Simulation): number => placeOf(simulation, 'a')[2] - 0.1;
const coulomb: SceneOptions = { ccp: { coulomb: true, tolerance: 1e-12 } };

/** Dilation gap against μ h v after 0.2 s of sliding. */
function dilation(
  name: string,
  formulation: ComparedFormulation,
  h: number,
  tau: number,
  options: SceneOptions,
  has: boolean,
): ValidationCase {
  return {
    name,
    group,
    title: has
      ? `dilation gap under a sliding body: (h + τ) μ v, h = ${h} s, τ = ${tau} s`
      : 'no dilation gap under a sliding body',
    unit: 'm',
    source:
      formulation === 'sap'
        ? 'Castro, Permenter, Han (2022), section V'
        : 'cone complementarity: φ/h + u_N = μ |u_T|, u_N = 0',
    basis: has ? '1 % of the gap: the gap shrinks as the body slows down' : '1 % of the dilation gap of the others',
    formulations: [formulation],
    isQuick: true,
    run() {
      const simulation = pointMass(formulation, h, has ? (h + tau) * MU * 5 : 0, 5, { options });
      advance(simulation, 0.45);
      const gap = (h + tau) * MU * velocityOf(simulation, 'a')[0];
      // sap penetrates by m g/k, and the gap closes at its own rate
      return { value: heightOf(simulation), expected: has ? gap : 0, tolerance: 0.015 * gap };
    },
  };
}

function hop(h: number): ValidationCase {
  return {
    name: `hop-${h}`,
    group,
    title: `hop of a body set in motion on the ground at 5 m/s: u²/(2 g), u = μ (v − μ g h)/(1 + μ²), at h = ${h} s`,
    unit: 'm',
    source: 'one step of the cone program in closed form',
    basis: 'the top of a flight is found to within 0.6 u h',
    formulations: ['ccp'],
    isQuick: h > 1e-3,
    run(formulation) {
      const leave = (MU * (5 - MU * G * h)) / (1 + MU * MU);
      return {
        value: findTop(pointMass(formulation, h, 0, 5)),
        expected: leave ** 2 / (2 * G),
        tolerance: 0.6 * leave * h,
      };
    },
  };
}

function findTop(simulation: Simulation): number {
  let top = 0;
  while (simulation.time < 0.5) {
    takeStep(simulation);
    top = Math.max(top, heightOf(simulation));
  }
  return top;
}

/** One contact with W = 1, q = (−1, 1, 3), μ = 0.1: a point of 1 kg that meets the ground. */
function oneContact(options: SceneOptions): Vec3 {
  const simulation = pointMass('ccp', 1e-3, 0, 0, {
    options: { gravity: [0, 0, 0], ...options, ccp: { recoverySpeed: 0, tolerance: 1e-12, ...options.ccp } },
    shapes: [ground({ friction: 0.1 })],
    bodies: [
      {
        name: 'a',
        position: [0, 0, 0.1],
        joints: [slider([1, 0, 0]), slider([0, 1, 0]), slider([0, 0, 1])],
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, friction: 0.1 }],
      },
    ],
    velocity: [1, 3, -1],
  });
  takeStep(simulation);
  const [x, y, z] = simulation.state.velocity;
  return [x!, y!, z!];
}

const CREEP = 'creep of a body that sticks on a slope of 15°, μ = 0.5';

export const ARTEFACTS: readonly ValidationCase[] = [
  dilation('dilation-ccp', 'ccp', 0.01, 0, {}, true),
  dilation('dilation-ccp-fine', 'ccp', 0.001, 0, {}, true),
  dilation('dilation-ccp-coulomb', 'ccp', 0.01, 0, coulomb, false),
  dilation('dilation-sap', 'sap', 0.01, 0, { sap: { stiffness: 1e8, dissipation: 0 } }, true),
  dilation('dilation-sap-dissipation', 'sap', 0.002, 0.008, { sap: { stiffness: 1e8, dissipation: 0.008 } }, true),
  dilation(
    'dilation-sap-lagged',
    'sap',
    0.01,
    0,
    { sap: { stiffness: 1e8, dissipation: 0, contactModel: 'lagged' } },
    false,
  ),
  hop(1e-2),
  hop(1e-3),
  {
    name: 'hop-coulomb',
    group,
    title: "no hop under Coulomb's law",
    unit: 'm',
    source: 'Signorini: a contact that pushes does not separate',
    basis: 'tolerance of the loop, 1e-8 of the speed over 0.5 s',
    formulations: ['ccp'],
    isQuick: true,
    run: () => ({ value: findTop(pointMass('ccp', 1e-2, 0, 5, { options: coulomb })), expected: 0, tolerance: 1e-7 }),
  },
  {
    name: 'hop-ipc',
    group,
    title: 'no hop of a box set in motion: it stays within d̂',
    unit: 'm',
    source: 'friction of ipc does not act along the normal',
    basis: 'd̂, 1 mm',
    formulations: ['ipc'],
    run(formulation) {
      const simulation = simulate(formulation, {
        shapes: [ground({ friction: MU })],
        bodies: [box('a', [0.2, 0.2, 0.05], 1, MU)],
        position: [0, 0, 0.0509, 1, 0, 0, 0],
        velocity: [5, 0, 0, 0, 0, 0],
      });
      let top = 0;
      while (simulation.time < 0.3) {
        takeStep(simulation);
        top = Math.max(top, placeOf(simulation, 'a')[2] - 0.05);
      }
      return { value: top, expected: 0, tolerance: 1e-3 };
    },
  },
  {
    name: 'first-step',
    group,
    title: 'speed after the first step of a body set in motion on the ground: (v − μ g h)/(1 + μ²)',
    unit: 'm/s',
    source: 'one step of the cone program in closed form',
    basis: 'tolerance of the solver, 1e-10 of the impulse',
    formulations: ['ccp'],
    isQuick: true,
    run(formulation) {
      const simulation = pointMass(formulation, 1e-2, 0, 5);
      takeStep(simulation);
      return { value: simulation.state.velocity[0]!, expected: (5 - MU * G * 1e-2) / (1 + MU * MU), tolerance: 1e-8 };
    },
  },
  {
    name: 'one-contact',
    group,
    title: 'separation speed of one contact, W = 1, q = (−1, 1, 3), μ = 0.1: μ |u_T| = (1 + 0.1 √10)/1.01 − 1',
    unit: 'm/s',
    source: 'Siconos, FC3D_Example1, in closed form',
    basis: 'tolerance of the solver',
    formulations: ['ccp'],
    isQuick: true,
    run: () => ({ value: oneContact({})[2], expected: (1 + 0.1 * Math.sqrt(10)) / 1.01 - 1, tolerance: 1e-9 }),
  },
  {
    name: 'one-contact-coulomb',
    group,
    title: "sliding speed of the same contact under Coulomb's law: √10 − 0.1",
    unit: 'm/s',
    source: 'Siconos, FC3D_Example1, in closed form',
    basis: 'tolerance of the loop',
    formulations: ['ccp'],
    isQuick: true,
    run() {
      const [x, y] = oneContact(coulomb);
      return { value: Math.hypot(x, y), expected: Math.sqrt(10) - 0.1, tolerance: 1e-8 };
    },
  },
  {
    name: 'creep-mujoco',
    group,
    title: `${CREEP}: (1 − d)/(d r) g sin a/B, B = 2/(d t), r = 100 the impedance ratio`,
    unit: 'm/s',
    source: 'MuJoCo documentation, Computation: friction rows have a reference acceleration −B u and no stiffness',
    basis: '1e-3 of the formula: remaining transient after 2 s',
    formulations: ['mujoco'],
    isQuick: true,
    run: (formulation) =>
      creep(formulation, ((1 - IMPEDANCE) / (100 * IMPEDANCE)) * G * Math.sin(Math.PI / 12) * ((IMPEDANCE * 0.02) / 2)),
  },
  {
    name: 'creep-sap',
    group,
    title: `${CREEP}: R_t γ_t = σ w m g sin a h, w = 1/(√3 m)`,
    unit: 'm/s',
    source: 'Castro, Permenter, Han (2022), regularised friction',
    basis: '1e-3 of the formula: remaining transient after 2 s',
    formulations: ['sap'],
    isQuick: true,
    run: (formulation) => creep(formulation, (1e-3 / Math.sqrt(3)) * G * Math.sin(Math.PI / 12) * 1e-3),
  },
  {
    name: 'creep-ccp',
    group,
    title: `${CREEP}: none`,
    unit: 'm/s',
    source: 'exact friction cones',
    basis: 'tolerance of the solver, 1e-10 of g h per step',
    formulations: ['ccp'],
    isQuick: true,
    run: (formulation) => ({ ...creep(formulation, 0), tolerance: 1e-9 }),
  },
  {
    name: 'creep-ipc',
    group,
    title: `${CREEP} (a box): ε_v (1 − √(1 − tan a/μ))`,
    unit: 'm/s',
    source: 'Li et al. (2020), f₁(y) = 2 y − y²',
    basis: '1 %: friction is distributed over the contacts like the normal forces',
    formulations: ['ipc'],
    run(formulation) {
      const angle = Math.PI / 12;
      const simulation = simulate(formulation, {
        options: { gravity: tilt(angle) },
        shapes: [ground({ friction: MU })],
        bodies: [box('a', [0.2, 0.2, 0.02], 1, MU, [0, 0, 0.0209])],
      });
      advance(simulation, 1);
      const expected = 1e-3 * (1 - Math.sqrt(1 - Math.tan(angle) / MU));
      return { value: velocityOf(simulation, 'a')[0], expected, tolerance: 0.01 * expected };
    },
  },
  {
    name: 'recovery',
    group,
    title: 'speed at which a ball that has sunk 1 cm into the ground is pushed out: `recoverySpeed`',
    unit: 'm/s',
    source: 'b_N = max(φ/h, −v_rec)',
    basis: 'tolerance of the solver',
    formulations: ['ccp'],
    isQuick: true,
    run(formulation) {
      const simulation = pointMass(formulation, 1e-3, -0.01, 0);
      // overlaps of the start have a slower rule of their own
      simulation.state.time[0] = 1;
      takeStep(simulation);
      return { value: simulation.state.velocity[2]!, expected: 0.6, tolerance: 1e-8 };
    },
  },
  {
    name: 'pyramid',
    group,
    title: 'deceleration along the diagonal of a friction pyramid: μ g/√2',
    unit: 'm/s²',
    source: 'maximum dissipation over |f₁| + |f₂| ≤ μ f_N for a diagonal slip',
    basis: '1 %: the contact settles first',
    formulations: ['mujoco'],
    run(formulation) {
      const simulation = pointMass(formulation, 1e-3, 0, 0, { options: { mujoco: { cone: 'pyramidal' } } });
      advance(simulation, 1);
      simulation.state.velocity.set([3, 3, 0]);
      advance(simulation, 0.2);
      const before = simulation.state.velocity.slice();
      advance(simulation, 0.2);
      const after = simulation.state.velocity;
      const value = (Math.hypot(before[0]!, before[1]!) - Math.hypot(after[0]!, after[1]!)) / 0.2;
      return { value, expected: (MU * G) / Math.SQRT2, tolerance: (0.01 * MU * G) / Math.SQRT2 };
    },
  },
  {
    name: 'penalty-gap',
    group,
    title: 'gap of a loaded joint that is a pure penalty: g h²/100',
    unit: 'm',
    source: 'balance of ½ m |x − x̃|² and the penalty of weight 100 m/h²',
    basis: '1e-6 of the formula',
    formulations: ['ipc'],
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { timestep: 0.01, ipc: { joints: 'penalty' } },
        bodies: [pointBody('a', 1, [{ kind: 'slide', axis: [1, 0, 0] }], [0, 0, 0], 0.1)],
      });
      advance(simulation, 0.5);
      const expected = (G * 1e-4) / 100;
      return { value: -placeOf(simulation, 'a')[2], expected, tolerance: 1e-6 * expected + 1e-12 };
    },
  },
  ...([4, 8, 16] as const).map((edges) =>
    leastFriction({ cone: 'pyramidal', pyramidEdges: edges }, `pyramid-${edges}`, Math.cos(Math.PI / edges)),
  ),
  leastFriction({ cone: 'elliptic' }, 'pyramid-elliptic', 1),
  {
    name: 'explicit-spring',
    group,
    title:
      'energy of a mass on an explicit spring: largest deviation from the initial energy, s/(1 − s) with s = ω h/2',
    unit: '1',
    source:
      'symplectic Euler keeps ½ m v² + ½ k x² + ½ h k x v; x v is largest at 45°, where the conserved quantity is E (1 − s)',
    basis:
      'a step comes within ω h of the phase of 45°, and the error of the energy is the square of that: (ω h)²; ipc: its tolerance, 1e-6 m/s',
    formulations: ['mujoco', 'sap', 'ccp', 'ipc'],
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { gravity: [0, 0, 0], integrator: 'semiImplicit' },
        bodies: [pointBody('a', 2, [{ kind: 'slide', axis: [1, 0, 0], stiffness: 200 }])],
        position: [0.1],
      });
      let worst = 0;
      for (let n = 0; n < 2000; n++) {
        const before = placeOf(simulation, 'a')[0];
        takeStep(simulation);
        const x = placeOf(simulation, 'a')[0];
        const energy = 0.5 * 2 * ((x - before) / 1e-3) ** 2 + 0.5 * 200 * x * x;
        worst = Math.max(worst, Math.abs(energy - 1));
      }
      const s = (10 * 1e-3) / 2;
      return { value: worst, expected: s / (1 - s), tolerance: 4 * s * s };
    },
  },
];

function creep(
  formulation: ComparedFormulation,
  expected: number,
): { value: number; expected: number; tolerance: number } {
  const simulation = pointMass(formulation, 1e-3, 0, 0, { options: { gravity: tilt(Math.PI / 12) } });
  advance(simulation, 2);
  return { value: simulation.state.velocity[0]!, expected, tolerance: 1e-3 * expected };
}

/** Least friction over the directions of sliding, of the cones of `mujoco`. */
function leastFriction(mujoco: MujocoOptions, name: string, expected: number): ValidationCase {
  const cone =
    mujoco.cone === 'elliptic' ? 'an elliptic cone: μ' : `a pyramid of ${mujoco.pyramidEdges} edges: μ cos(π/n)`;
  return {
    name,
    group,
    title: `smallest friction over all directions of sliding, relative to μ, of ${cone}`,
    unit: '1',
    source: 'the polygon of the pyramid, inscribed in the circle of Coulomb’s law',
    basis: 'nearly rigid contacts leave an error of 1e-3',
    formulations: ['mujoco'],
    isQuick: true,
    run: () => ({ value: measureConeFriction(mujoco).least, expected, tolerance: 1e-3 }),
  };
}
