/** Sliding and sticking. */
import type { Simulation, Vec3 } from '@nexdyn/engine';
import {
  advance,
  box,
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
const group = 'friction' as const;
/** Low and wide, so that friction hardly tips it. */
const HALF: Vec3 = [0.2, 0.2, 0.05];
const DILATION =
  'the dilation gap under the sliding body forms first: 0.5 %, as in the tests of project Chrono; N is the mean over the time, m (g + Δu_z/Δt), hops included';

/** A box of 2 kg on ground of some friction. The dilation gap of `sap` is larger than its contact margin, so the margin is 2 cm. */
function onGround(formulation: ComparedFormulation, friction: number, parts: SceneParts = {}): Simulation {
  const margin = formulation === 'sap' ? 0.02 : 0;
  return simulate(formulation, {
    shapes: [ground({ friction, margin })],
    bodies: [box('a', HALF, 2, friction)],
    ...parts,
  });
}

/** Change of the velocity between two times, m/s, and the time between them, s. */
function changeOf(
  simulation: Simulation,
  from: number,
  to: number,
): { x: number; z: number; speed: number; time: number } {
  advance(simulation, from);
  const before = velocityOf(simulation, 'a');
  advance(simulation, to - from - H);
  const after = velocityOf(simulation, 'a');
  const speed = Math.hypot(after[0], after[1]) - Math.hypot(before[0], before[1]);
  return { x: after[0] - before[0], z: after[2] - before[2], speed, time: to - from };
}

/** A sliding box starts at its dilation gap, so that it does not hop. */
function slide(formulation: ComparedFormulation, speed: number, friction: number): Simulation {
  const tau = 0.01;
  const dilation = { mujoco: 0, sap: (H + tau) * friction * speed, ccp: H * friction * speed, ipc: 9e-4 }[formulation];
  return onGround(formulation, friction, {
    options: { sap: { dissipation: tau } },
    position: [0, 0, HALF[2] + dilation, 1, 0, 0, 0],
    velocity: [speed, 0, 0, 0, 0, 0],
  });
}

export const FRICTION: readonly ValidationCase[] = [
  {
    name: 'slope-slide',
    group,
    title: 'acceleration of a box on a slope of 30°, μ = 0.3: g sin a − μ N/m, N = m g cos a',
    unit: 'm/s²',
    source: "Coulomb's law",
    basis: DILATION,
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const angle = Math.PI / 6;
      const simulation = onGround(formulation, 0.3, { options: { gravity: tilt(angle) } });
      const { x, z, time } = changeOf(simulation, 0.5, 1);
      const expected = G * Math.sin(angle) - 0.3 * (G * Math.cos(angle) + z / time);
      return { value: x / time, expected, tolerance: 5e-3 * expected };
    },
  },
  {
    name: 'slope-stick',
    group,
    title: 'distance that a box moves on a slope of 15°, μ = 0.4, from 1 s to 2 s: only the creep of the formulation',
    unit: 'm',
    source: "Coulomb's law; creep: cases creep-*",
    basis: 'mujoco: R m g sin a/B = 2.8e-3 m/s at d = 0.9; sap: μ σ g h; ccp: 1e-6 m/s; ipc: its ε_v, 1e-3 m/s',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const angle = Math.PI / 12;
      const simulation = onGround(formulation, 0.4, { options: { gravity: tilt(angle) } });
      advance(simulation, 1);
      const before = placeOf(simulation, 'a')[0];
      advance(simulation, 1);
      const creep = { mujoco: (0.1 / 0.9) * G * Math.sin(angle) * 0.01, sap: 0.4 * 1e-3 * G * H, ccp: 1e-6, ipc: 1e-3 };
      return { value: placeOf(simulation, 'a')[0] - before, expected: 0, tolerance: creep[formulation] };
    },
  },
  {
    name: 'push-stick',
    group,
    title: 'friction force on a box pushed with half of what would move it: −F',
    unit: 'N',
    source: 'balance of forces',
    basis: 'remaining transient after 1 s: 1e-3 of the force',
    formulations: ALL,
    run(formulation) {
      const simulation = onGround(formulation, 0.5);
      const force = 0.5 * 0.5 * 2 * G;
      simulation.applyForce('a', { force: [force, 0, 0] });
      advance(simulation, 1);
      const friction = simulation.contactForces().reduce((sum, contact) => sum + contact.force[0], 0);
      return { value: friction, expected: -force, tolerance: 1e-3 * force };
    },
  },
  {
    name: 'push-slide',
    group,
    title: 'acceleration of a box pushed with 1.4 times its friction: (1.4 μ m g − μ N)/m',
    unit: 'm/s²',
    source: "Coulomb's law",
    basis: DILATION,
    formulations: ALL,
    run(formulation) {
      const simulation = onGround(formulation, 0.5);
      simulation.applyForce('a', { force: [1.4 * 0.5 * 2 * G, 0, 0] });
      const { x, z, time } = changeOf(simulation, 0.5, 1);
      const expected = 1.4 * 0.5 * G - 0.5 * (G + z / time);
      return { value: x / time, expected, tolerance: 5e-3 * 0.5 * G };
    },
  },
  {
    name: 'stop-way',
    group,
    title: 'stopping distance of a box that slides at 3 m/s, μ = 0.5: v²/(2 μ g)',
    unit: 'm',
    source: 'project Chrono, test of the sliding block',
    basis: 'that of its test, 0.5 %, plus one step at the start, v h',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const simulation = slide(formulation, 3, 0.5);
      advance(simulation, 1);
      const expected = 9 / (2 * 0.5 * G);
      return { value: placeOf(simulation, 'a')[0], expected, tolerance: 5e-3 * expected + 3 * H };
    },
  },
  {
    name: 'stop-time',
    group,
    title: 'time until it stops: v/(μ g)',
    unit: 's',
    source: "Coulomb's law",
    basis: '0.5 % and two steps; a box slower than 0.01 m/s counts as stopped, 2e-3 s earlier',
    formulations: ALL,
    run(formulation) {
      const simulation = slide(formulation, 3, 0.5);
      while (simulation.time < 1 && Math.abs(simulation.state.velocity[0]!) > 0.01) takeStep(simulation);
      const expected = 3 / (0.5 * G);
      return { value: simulation.time, expected, tolerance: 5e-3 * expected + 2 * H + 2e-3 };
    },
  },
  {
    name: 'diagonal',
    group,
    title: 'deceleration of a box that slides along a diagonal of its contact frames: μ N/m, as along an axis',
    unit: 'm/s²',
    source: 'round friction cones',
    basis: DILATION,
    formulations: ALL,
    run(formulation) {
      const simulation = slide(formulation, 0, 0.5);
      const part = 3 / Math.SQRT2;
      simulation.state.velocity.set([part, part, 0]);
      simulation.state.position[2] = slide(formulation, 3, 0.5).state.position[2]!;
      const { speed, z, time } = changeOf(simulation, 0.2, 0.4);
      return { value: -speed / time, expected: 0.5 * (G + z / time), tolerance: 5e-3 * 0.5 * G };
    },
  },
  {
    name: 'belt-speed',
    group,
    title: 'speed of a box carried along by a belt at 1 m/s',
    unit: 'm/s',
    source: "Coulomb's law",
    basis: 'creep of the formulations at rest on the belt, below 1e-4 m/s',
    formulations: ['mujoco', 'sap', 'ccp'],
    run(formulation) {
      const simulation = onGround(formulation, 0.5, {
        shapes: [ground({ friction: 0.5, margin: 0.02, surfaceVelocity: [1, 0, 0] })],
      });
      advance(simulation, 1);
      return { value: velocityOf(simulation, 'a')[0], expected: 1, tolerance: 1e-4 };
    },
  },
  {
    name: 'belt-time',
    group,
    title: 'time at which it reaches 90 % of that speed: 0.9 v/(μ g)',
    unit: 's',
    source: "Coulomb's law",
    basis: 'the first touch: mujoco and sap sink in for up to 0.02 s; ccp hops at first by up to 2 μ v/(1 + μ²)/g',
    formulations: ['mujoco', 'sap'],
    run(formulation) {
      const simulation = onGround(formulation, 0.5, {
        shapes: [ground({ friction: 0.5, margin: 0.02, surfaceVelocity: [1, 0, 0] })],
      });
      while (simulation.time < 1 && simulation.state.velocity[0]! < 0.9) takeStep(simulation);
      return { value: simulation.time, expected: 0.9 / (0.5 * G), tolerance: 0.02 };
    },
  },
  {
    name: 'tip-stands',
    group,
    title: 'tilt of a box of 1 : 2 on a slope of 0.9 of the angle at which it tips, tan a = 1/2: none',
    unit: 'rad',
    source: 'its weight acts within its base',
    basis: 'softness: mujoco sinks by up to 1 mm over 0.1 m; the others less',
    formulations: ALL,
    run: (formulation) => ({ value: tiltOf(formulation, 0.9 * Math.atan(0.5)), expected: 0, tolerance: 0.01 }),
  },
  {
    name: 'tip-falls',
    group,
    title: 'tilt of the same box at 1.1 of that angle, after 2 s: it lies on its side, π/2',
    unit: 'rad',
    source: 'its weight acts beside its base',
    basis: 'it lies flat to the softness of its contacts, 0.02 rad',
    formulations: ALL,
    run: (formulation) => ({
      value: tiltOf(formulation, 1.1 * Math.atan(0.5)),
      expected: Math.PI / 2,
      tolerance: 0.02,
    }),
  },
  {
    name: 'two-box-pull',
    group,
    title: 'acceleration of a box on a cart that is pulled below the limit of friction: F/(m₁ + m₂)',
    unit: 'm/s²',
    source: "Newton's second law",
    basis: 'the box sticks except for the creep of the formulation: 1 %',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        shapes: [ground({ friction: 0 })],
        bodies: [{ ...box('cart', [0.4, 0.4, 0.05], 3, 0) }, box('a', [0.1, 0.1, 0.05], 1, 0.8, [0, 0, 0.15])],
      });
      // friction of the pair is the larger of the two
      simulation.applyForce('cart', { force: [8, 0, 0] });
      const { x, time } = changeOf(simulation, 0.3, 0.6);
      return { value: x / time, expected: 2, tolerance: 0.02 };
    },
  },
  {
    name: 'cone-limit',
    group,
    title: 'friction of a sliding box over its weight: μ',
    unit: '1',
    source: "Coulomb's law",
    basis: 'ipc: friction follows the normal force of the pass before; all: normal forces settle to 1e-3',
    formulations: ALL,
    run(formulation) {
      const simulation = slide(formulation, 3, 0.5);
      advance(simulation, 0.3);
      let [across, along] = [0, 0];
      for (let n = 0; n < 100; n++) {
        takeStep(simulation);
        along += sumVerticalForces(simulation);
        across -= simulation.contactForces().reduce((sum, contact) => sum + contact.force[0], 0);
      }
      return { value: across / along, expected: 0.5, tolerance: 1e-3 };
    },
  },
];

/** Tilt about the y axis of a box of half sizes 0.1 and 0.2 m on a rough slope, after 2 s. */
function tiltOf(formulation: ComparedFormulation, angle: number): number {
  const simulation = simulate(formulation, {
    options: { gravity: tilt(angle) },
    shapes: [ground({ friction: 1.5 })],
    bodies: [box('a', [0.1, 0.1, 0.2], 2, 1.5)],
  });
  advance(simulation, 2);
  const [w, x, y, z] = simulation.bodyOrientation.subarray(4, 8);
  // the angle between its long axis and the normal of the slope
  const upright = w! * w! - x! * x! - y! * y! + z! * z!;
  return Math.acos(Math.min(1, upright));
}
