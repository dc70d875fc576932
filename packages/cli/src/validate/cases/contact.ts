/** Normal contact: weights, depths, falls, collisions. */
import type { Body, Vec3 } from '@nexdyn/engine';
import {
  advance,
  ball,
  box,
  FREE,
  G,
  ground,
  placeOf,
  type SceneParts,
  simulate,
  sumVerticalForces,
  takeStep,
  tilt,
  velocityOf,
} from '../case-scene.ts';
import { ALL, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

const H = 1e-3;
const group = 'contact' as const;
const HALF: Vec3 = [0.1, 0.1, 0.1];
const IMPEDANCE = 0.9;
/** Contact of `mujoco` whose depth at rest is known whatever the mass. */
const SURFACE = {
  mujoco: {
    solref: [0.02, 1] as [number, number],
    solimp: [IMPEDANCE, IMPEDANCE, 1e-3, 0.5, 2] as [number, number, number, number, number],
  },
};

/** Where a force that falls from ∞ at 0 to 0 at d̂ has a value, by halving. */
function findGap(push: (gap: number) => number, load: number, dhat: number): number {
  let [low, high] = [0, dhat];
  for (let n = 0; n < 60; n++) {
    const middle = (low + high) / 2;
    if (push(middle) > load) low = middle;
    else high = middle;
  }
  return low;
}

/** Two balls that meet on a line, in space. */
function collide(
  formulation: ComparedFormulation,
  masses: [number, number],
  speeds: [number, number],
  restitution?: number,
): [number, number] {
  const surface = restitution === undefined ? {} : { material: 'm' };
  const at = (name: string, x: number, mass: number): Body => ({
    name,
    position: [x, 0, 0],
    joints: FREE,
    shapes: [{ kind: 'sphere', radius: 0.1, mass, friction: 0, ...surface }],
  });
  const simulation = simulate(formulation, {
    options: { gravity: [0, 0, 0] },
    ...(restitution !== undefined && { materials: [{ name: 'm', restitution, friction: 0 }] }),
    bodies: [at('a', -0.15, masses[0]), at('b', 0.15, masses[1])],
    position: [-0.15, 0, 0, 1, 0, 0, 0, 0.15, 0, 0, 1, 0, 0, 0],
    velocity: [speeds[0], 0, 0, 0, 0, 0, speeds[1], 0, 0, 0, 0, 0],
  });
  advance(simulation, 0.4);
  return [simulation.state.velocity[0]!, simulation.state.velocity[6]!];
}

/** Height of the highest place after the first bounce of a ball of radius 0.1 m from 0.5 m above the ground, m. */
function bounceHeight(restitution: number): number {
  const simulation = simulate('ccp', {
    materials: [{ name: 'm', restitution }],
    shapes: [ground({ material: 'm' })],
    bodies: [ball('a', 0.1, 1, { material: 'm' }, [0, 0, 0.6])],
  });
  let [top, hasBounced] = [0, false];
  for (let n = 0; n < 900; n++) {
    takeStep(simulation);
    const speed = simulation.state.velocity[2]!;
    if (speed > 0) hasBounced = true;
    if (hasBounced && speed < 0) break;
    if (hasBounced) top = placeOf(simulation, 'a')[2] - 0.1;
  }
  return top;
}

/** A box on the ground, at rest. */
function restBox(formulation: ComparedFormulation, parts: SceneParts = {}): ReturnType<typeof simulate> {
  const simulation = simulate(formulation, { shapes: [ground()], bodies: [box('a', HALF, 2, 1)], ...parts });
  return advance(simulation, 1);
}

export const CONTACT: readonly ValidationCase[] = [
  {
    name: 'weight',
    group,
    title: 'force of the ground under a box at rest: m g',
    unit: 'N',
    source: 'balance of forces',
    basis: 'remaining transient after 1 s and the tolerance of the solvers: 1e-4 of the weight',
    formulations: ALL,
    isQuick: true,
    run: (formulation) => ({
      value: sumVerticalForces(restBox(formulation)),
      expected: 2 * G,
      tolerance: 1e-4 * 2 * G,
    }),
  },
  {
    name: 'stack-weight',
    group,
    title: 'force of the ground under five boxes: 5 m g',
    unit: 'N',
    source: 'balance of forces',
    basis: 'a stack settles more slowly than a box: 1e-3 of the weight after 2 s',
    formulations: ALL,
    run(formulation) {
      const bodies = Array.from({ length: 5 }, (_, k) => box(`b${k}`, HALF, 2, 0.5, [0, 0, 0.1 + 0.2 * k]));
      const simulation = simulate(formulation, { shapes: [ground({ friction: 0.5 })], bodies });
      advance(simulation, 2);
      return { value: sumVerticalForces(simulation), expected: 10 * G, tolerance: 1e-2 * G };
    },
  },
  {
    name: 'rest-depth',
    group,
    title: 'depth of a ball at rest: mujoco g (1 − d)(t ζ)², whatever its mass; sap m g/k; ccp 0',
    unit: 'm',
    source: 'balance of the contact: docs of each formulation',
    basis: '1e-6 of the formula; ccp: its tolerance, 1e-9 m',
    formulations: ['mujoco', 'sap', 'ccp'],
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { sap: { stiffness: 1e4, dissipation: 0.06 } },
        shapes: [ground(SURFACE)],
        bodies: [ball('a', 0.1, 3, SURFACE)],
      });
      advance(simulation, 3);
      const expected = { mujoco: G * (1 - IMPEDANCE) * 0.02 ** 2, sap: (3 * G) / 1e4, ccp: 0, ipc: 0 }[formulation];
      return {
        value: 0.1 - placeOf(simulation, 'a')[2],
        expected,
        tolerance: formulation === 'ccp' ? 1e-9 : 1e-6 * expected,
      };
    },
  },
  {
    name: 'material-depth',
    group,
    title: 'depth of a ball at rest on a material of stiffness k: m g/k',
    unit: 'm',
    source: 'one material, used in the same way by the compliant formulations',
    basis: '1e-6 of the formula: mujoco comes to rest at 3.7/s, e^(−18) after 5 s',
    formulations: ['mujoco', 'sap', 'ccp'],
    run(formulation) {
      const simulation = simulate(formulation, {
        materials: [{ name: 'm', stiffness: 1e4, dissipation: 0.02 }],
        shapes: [ground({ material: 'm' })],
        bodies: [ball('a', 0.1, 3, { material: 'm' })],
      });
      advance(simulation, 5);
      // two equal materials in series are as soft as half of one
      const [contact] = simulation.contactForces();
      const stiffness = simulation.solvedContacts.stiffness[0]!;
      if (!contact) throw new Error('the ball touches nothing');
      return {
        value: 0.1 - placeOf(simulation, 'a')[2],
        expected: (3 * G) / stiffness,
        tolerance: (1e-6 * 3 * G) / stiffness,
      };
    },
  },
  {
    name: 'near-rigid-depth',
    group,
    title: 'depth of a ball on ground too stiff for the step: φ = R m g h (h + τ), R = β²/(4π²) w',
    unit: 'm',
    source: 'Castro, Permenter, Han (2022), near-rigid regime; w = |J A⁻¹ Jᵀ|/3 = √(1 + (7/2)² + (7/2)²)/(3 m)',
    basis: '1e-4 of the formula: the arm of the contact is half the depth shorter than the radius',
    formulations: ['sap'],
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { sap: { stiffness: 1e12, dissipation: 0.01 } },
        shapes: [ground()],
        bodies: [ball('a', 0.1, 3, {})],
      });
      advance(simulation, 2);
      const { nearRigid } = simulation.model.options.sap;
      const w = Math.sqrt(1 + 2 * 3.5 ** 2) / 3 / 3;
      const expected = (nearRigid ** 2 / (4 * Math.PI ** 2)) * w * 3 * G * H * (H + 0.01);
      return { value: 0.1 - placeOf(simulation, 'a')[2], expected, tolerance: 1e-4 * expected };
    },
  },
  {
    name: 'barrier-gap',
    group,
    title:
      'gap d of a cube of side a and 1 kg at rest: κ W d̂ (1 − y)(1/y − 1 − 2 ln y) 2 d/d̂² = m g, y = (d/d̂)², W = 3 a² for its four corners, κ = 1e4 Pa',
    unit: 'm',
    source:
      'Li et al., Incremental Potential Contact (2020): slope of −(1 − y)² ln y; a corner stands for a quarter of each of its three faces',
    basis: 'remaining transient after 1 s and the tolerance of the solver: 1e-4 of d̂',
    formulations: ['ipc'],
    isQuick: true,
    run(formulation) {
      const [kappa, dhat, area, mass] = [1e4, 1e-3, 3 * 0.2 ** 2, 1];
      const simulation = simulate(formulation, {
        options: { ipc: { barrierStiffness: kappa, barrierDistance: dhat } },
        shapes: [ground()],
        bodies: [box('a', HALF, mass, 0.5, [0, 0, 0.1 + 0.9 * dhat])],
      });
      advance(simulation, 1);
      const push = (d: number): number => {
        const y = (d / dhat) ** 2;
        return kappa * area * dhat * (1 - y) * (1 / y - 1 - 2 * Math.log(y)) * ((2 * d) / dhat ** 2);
      };
      return {
        value: placeOf(simulation, 'a')[2] - 0.1,
        expected: findGap(push, mass * G, dhat),
        tolerance: 1e-4 * dhat,
      };
    },
  },
  {
    name: 'fall-time',
    group,
    title: 'time at which a ball dropped from 0.5 m reaches the ground: √(2 H/g)',
    unit: 's',
    source: 'free fall',
    basis: 'two steps; ipc: the barrier begins 1 mm above, 1e-3/(g t)',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, { shapes: [ground()], bodies: [ball('a', 0.1, 1, {}, [0, 0, 0.6])] });
      while (simulation.time < 1 && !(sumVerticalForces(simulation) > 0)) takeStep(simulation);
      const expected = Math.sqrt(1 / G);
      return {
        value: simulation.time,
        expected,
        tolerance: 2 * H + (formulation === 'ipc' ? 1e-3 / (G * expected) : 0),
      };
    },
  },
  {
    name: 'no-bounce',
    group,
    title: 'speed after a fall of 0.5 m without restitution: 0',
    unit: 'm/s',
    source: 'perfectly inelastic impact; backward Euler under ipc',
    basis:
      'ccp: its tolerance; ipc: a step that begins and ends within the barrier is no faster than d̂/h, and beyond it nothing pushes',
    formulations: ['ccp', 'ipc'],
    run(formulation) {
      const simulation = simulate(formulation, { shapes: [ground()], bodies: [ball('a', 0.1, 1, {}, [0, 0, 0.6])] });
      let rise = 0;
      while (simulation.time < 0.6) rise = Math.max(rise, velocityOf(simulation, 'a')[2]);
      return { value: rise, expected: 0, tolerance: formulation === 'ccp' ? 1e-6 : 1e-3 / H };
    },
  },
  ...[0.3, 0.6, 0.9].map(
    (restitution): ValidationCase => ({
      name: `bounce-${restitution}`,
      group,
      title: `height of the bounce after a fall of 0.5 m, e = ${restitution}: e² H`,
      unit: 'm',
      source: "Newton's law of impact",
      basis:
        'the speed at the ground is known to g h, that of the bounce to e g h: 2 e² v h, and half a step of flight',
      formulations: ['ccp'],
      run: () => ({
        value: bounceHeight(restitution),
        expected: restitution ** 2 * 0.5,
        tolerance: 3 * restitution * Math.sqrt(G) * H,
      }),
    }),
  ),
  {
    name: 'head-on-restitution',
    group,
    title: 'speed after over speed before of two balls, e = 0.5',
    unit: '1',
    source: 'project Chrono, test of restitution',
    basis: 'that of its test, 1e-3',
    formulations: ['ccp'],
    run(formulation) {
      const [a, b] = collide(formulation, [1, 1], [1, -1], 0.5);
      return { value: (b - a) / 2, expected: 0.5, tolerance: 1e-3 };
    },
  },
  {
    name: 'momentum',
    group,
    title: 'momentum of two balls of 1 and 3 kg after a collision at 2 and −1 m/s: −1 kg m/s',
    unit: 'kg m/s',
    source: "Newton's third law",
    basis: 'tolerance of the solvers: 1e-6 of the momenta',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const [a, b] = collide(formulation, [1, 3], [2, -1]);
      return { value: a + 3 * b, expected: -1, tolerance: 5e-6 };
    },
  },
  {
    name: 'inelastic',
    group,
    title: 'speed of the first of two balls of 1 and 3 kg that meet at 2 and 0 m/s and stay together: m₁ v/(m₁ + m₂)',
    unit: 'm/s',
    source: 'conservation of momentum',
    basis: 'tolerance of the solver, 1e-6 m/s',
    formulations: ['ccp'],
    run(formulation) {
      const [a] = collide(formulation, [1, 3], [2, 0]);
      return { value: a, expected: 0.5, tolerance: 1e-6 };
    },
  },
  {
    name: 'elastic-exchange',
    group,
    title: 'speed of a ball that another of the same mass has hit at 2 m/s, e = 1',
    unit: 'm/s',
    source: 'conservation of momentum and energy',
    basis: 'tolerance of the solver, 1e-6 m/s',
    formulations: ['ccp'],
    run(formulation) {
      const [, b] = collide(formulation, [1, 1], [2, 0], 1);
      return { value: b, expected: 2, tolerance: 1e-6 };
    },
  },
  {
    name: 'smooth-slope',
    group,
    title: 'acceleration of a box on a slope of 20° without friction: g sin a',
    unit: 'm/s²',
    source: 'balance of forces',
    basis: 'tolerance of the solvers: 1e-4 of the acceleration',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const angle = Math.PI / 9;
      const simulation = simulate(formulation, {
        options: { gravity: tilt(angle) },
        shapes: [ground({ friction: 0 })],
        bodies: [box('a', HALF, 2, 0)],
      });
      advance(simulation, 0.3);
      const before = velocityOf(simulation, 'a')[0];
      advance(simulation, 0.299);
      const expected = G * Math.sin(angle);
      return { value: (velocityOf(simulation, 'a')[0] - before) / 0.3, expected, tolerance: 1e-4 * expected };
    },
  },
  {
    name: 'groove',
    group,
    title: 'force of each side of a groove of 90° on a ball: m g/(2 cos 45°)',
    unit: 'N',
    source: 'balance of forces',
    basis: 'remaining transient after 2 s: 1e-4 of the force',
    formulations: ALL,
    run(formulation) {
      const [c, s] = [Math.cos(Math.PI / 8), Math.sin(Math.PI / 8)];
      const simulation = simulate(formulation, {
        shapes: [
          ground({ orientation: [c, 0, s, 0], friction: 0 }),
          ground({ orientation: [c, 0, -s, 0], friction: 0 }),
        ],
        bodies: [ball('a', 0.1, 2, { friction: 0 }, [0, 0, 0.1 * Math.SQRT2])],
      });
      advance(simulation, 2);
      const forces = simulation.contactForces().map(({ normalForce }) => normalForce);
      const expected = (2 * G) / Math.SQRT2;
      return { value: Math.max(...forces), expected, tolerance: 1e-4 * expected };
    },
  },
  {
    name: 'compliance',
    group,
    title: 'depth of a ball on a contact of compliance C: C m g',
    unit: 'm',
    source: 'project Chrono, compliant contact of its impulse solvers',
    basis: '1e-6 of the formula',
    formulations: ['ccp'],
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { ccp: { compliance: 1e-5, relaxation: 0.02 } },
        shapes: [ground()],
        bodies: [ball('a', 0.1, 10, {})],
      });
      advance(simulation, 2);
      return { value: 0.1 - placeOf(simulation, 'a')[2], expected: 98.1e-5, tolerance: 98.1e-11 };
    },
  },
  {
    name: 'adhesion',
    group,
    title: 'force with which a ceiling holds a ball, up to its adhesion: −m g',
    unit: 'N',
    source: 'balance of forces; project Chrono, test of cohesion',
    basis: '1e-3 of the weight',
    formulations: ['ccp'],
    run(formulation) {
      const simulation = simulate(formulation, {
        bodies: [
          { name: 'ceiling', position: [0, 0, 1], shapes: [{ kind: 'box', halfSize: [1, 1, 0.1] }] },
          ball('a', 0.1, 1, { mujoco: { adhesion: 12 } }, [0, 0, 0.8]),
        ],
      });
      advance(simulation, 1);
      return { value: simulation.contactForces()[0]?.normalForce ?? Number.NaN, expected: -G, tolerance: 1e-3 * G };
    },
  },
];
