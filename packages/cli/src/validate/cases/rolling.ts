/** Spheres and cylinders that roll, spin and slide. */
import type { Simulation, Vec3 } from '@nexdyn/engine';
import {
  advance,
  ball,
  FREE,
  G,
  ground,
  placeOf,
  type SceneParts,
  simulate,
  takeStep,
  tilt,
  velocityOf,
} from '../case-scene.ts';
import { ALL, CONVEX, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

const H = 1e-3;
const R = 0.1;
const group = 'rolling' as const;

/** A ball of 1 kg and radius 0.1 m on the ground. */
function onGround(formulation: ComparedFormulation, surface: object, parts: SceneParts = {}): Simulation {
  return simulate(formulation, { shapes: [ground(surface)], bodies: [ball('a', R, 1, surface)], ...parts });
}

/** Friction of the ball that is thrown. */
const SLIDING = 0.3;

/** A ball that starts at 1 m/s along the ground without turning, at the height at which it slides. */
function throwAlong(formulation: ComparedFormulation): Simulation {
  const dilation = { mujoco: 0, sap: 0, ccp: SLIDING * H, ipc: 9e-4 }[formulation];
  return onGround(
    formulation,
    { friction: SLIDING },
    {
      options: { sap: { dissipation: 0 } },
      position: [0, 0, R + dilation, 1, 0, 0, 0],
      velocity: [1, 0, 0, 0, 0, 0],
    },
  );
}

function accelerationOf(simulation: Simulation, from: number, to: number): number {
  advance(simulation, from);
  const before = velocityOf(simulation, 'a')[0];
  advance(simulation, to - from - H);
  return (velocityOf(simulation, 'a')[0] - before) / (to - from);
}

/** A ball pulled by a thread that leaves its spool of radius 0.05 m at an angle. */
function spool(degrees: number): ValidationCase {
  const angle = (degrees * Math.PI) / 180;
  const inner = R / 2;
  const force = 0.5;
  return {
    name: `spool-${degrees}`,
    group,
    title: `acceleration of a spool pulled at ${degrees}°: F (R cos a − r) R/(1.4 m R²); towards the pull below 60°, away above`,
    unit: 'm/s²',
    source: 'moments about the point of contact',
    basis: 'it rolls except for the creep of the formulation: 1 %; friction of ipc acts on the surface of the ball',
    formulations: ALL,
    run(formulation) {
      const simulation = onGround(formulation, { friction: 0.8 });
      simulation.applyForce('a', {
        force: [force * Math.cos(angle), 0, force * Math.sin(angle)],
        torque: [0, -force * inner, 0],
      });
      const expected = (force * (R * Math.cos(angle) - inner) * R) / (1.4 * R * R);
      return {
        value: accelerationOf(simulation, 0.2, 0.6),
        expected,
        tolerance: 0.01 * Math.abs(expected),
      };
    },
  };
}

export const ROLLING: readonly ValidationCase[] = [
  {
    name: 'roll-down',
    group,
    title: 'acceleration of a ball that rolls down a slope of 15°: (5/7) g sin a',
    unit: 'm/s²',
    source: 'moments about the point of contact',
    basis: 'it rolls except for the creep of the formulation: 1 %; friction of ipc acts on the surface of the ball',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const angle = Math.PI / 12;
      const simulation = onGround(formulation, { friction: 0.8 }, { options: { gravity: tilt(angle) } });
      const expected = (5 / 7) * G * Math.sin(angle);
      return {
        value: accelerationOf(simulation, 0.2, 0.6),
        expected,
        tolerance: 0.01 * expected,
      };
    },
  },
  {
    name: 'cylinder-down',
    group,
    title: 'acceleration of a cylinder that rolls down a slope of 10°: (2/3) g sin a',
    unit: 'm/s²',
    source: 'moments about the line of contact',
    basis: 'it rolls except for the creep of the formulation: 1 %',
    formulations: CONVEX,
    run(formulation) {
      const angle = Math.PI / 18;
      const quarter = Math.SQRT1_2;
      const simulation = simulate(formulation, {
        options: { gravity: tilt(angle) },
        shapes: [ground({ friction: 0.8 })],
        bodies: [
          {
            name: 'a',
            position: [0, 0, R] as Vec3,
            joints: FREE,
            shapes: [
              {
                kind: 'cylinder',
                radius: R,
                halfLength: 0.1,
                mass: 1,
                friction: 0.8,
                orientation: [quarter, quarter, 0, 0],
              },
            ],
          },
        ],
      });
      const expected = (2 / 3) * G * Math.sin(angle);
      return { value: accelerationOf(simulation, 0.2, 0.6), expected, tolerance: 0.01 * expected };
    },
  },
  {
    name: 'slide-to-roll',
    group,
    title: 'final rolling speed of a ball that slides at 1 m/s: 5/7 of it',
    unit: 'm/s',
    source: 'angular momentum about a point of the ground',
    basis: 'the line of friction lies on the ground except for penetration or gap: 1 mm/R = 1 %',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const simulation = throwAlong(formulation);
      advance(simulation, 0.8);
      return { value: velocityOf(simulation, 'a')[0], expected: 5 / 7, tolerance: 0.01 * (5 / 7) };
    },
  },
  {
    name: 'roll-time',
    group,
    title: 'time until it rolls: 2 v/(7 μ g)',
    unit: 's',
    source: "Coulomb's law and the moment of inertia",
    basis: 'rolling is a slip below 1 % of v, 1 % of the time; the contact settles within 0.02 s',
    formulations: ALL,
    run(formulation) {
      const simulation = throwAlong(formulation);
      const slip = (): number => simulation.state.velocity[0]! - R * simulation.state.velocity[4]!;
      while (simulation.time < 1 && slip() > 0.01) takeStep(simulation);
      const expected = 2 / (7 * SLIDING * G);
      return { value: simulation.time, expected, tolerance: 0.02 * expected + 0.02 };
    },
  },
  {
    name: 'spin-stop',
    group,
    title: 'deceleration of a ball that spins on a spot, ρ = 0.02 m: ρ N/(0.4 m r²)',
    unit: 'rad/s²',
    source: 'project Chrono, test of spinning friction',
    basis: 'N is the mean over the time, m (g + Δu_z/Δt), hops included: 0.5 %, as for sliding',
    formulations: CONVEX,
    run(formulation) {
      const surface = {
        friction: 0.3,
        spinFriction: 0.02,
        margin: formulation === 'sap' ? 0.02 : 0,
        mujoco: { condim: 4 as const },
      };
      const simulation = onGround(formulation, surface, {
        options: { sap: { dissipation: 0 } },
        position: [0, 0, R, 1, 0, 0, 0],
        velocity: [0, 0, 0, 0, 0, 60],
      });
      advance(simulation, 0.2);
      const [rise, spin] = [simulation.state.velocity[2]!, simulation.state.velocity[5]!];
      advance(simulation, 0.6);
      const weight = G + (simulation.state.velocity[2]! - rise) / 0.6;
      const expected = (0.02 * weight) / (0.4 * R * R);
      return { value: (spin - simulation.state.velocity[5]!) / 0.6, expected, tolerance: 5e-3 * expected };
    },
  },
  {
    name: 'roll-resistance',
    group,
    title: 'deceleration of a ball by rolling friction, ρ = 0.005 m: (5/7) ρ g/r',
    unit: 'm/s²',
    source: 'moments about the point of contact',
    basis: 'the contact settles to 1e-3; softness of mujoco: 2 %',
    formulations: ['mujoco', 'ccp'],
    run(formulation) {
      const surface = { friction: 0.8, rollFriction: 0.005, mujoco: { condim: 6 as const } };
      const simulation = onGround(formulation, surface, {
        velocity: [2, 0, 0, 0, 20, 0],
        position: [0, 0, R, 1, 0, 0, 0],
      });
      const expected = ((5 / 7) * 0.005 * G) / R;
      return { value: -accelerationOf(simulation, 0.5, 1.5), expected, tolerance: 0.02 * expected };
    },
  },
  spool(40),
  spool(80),
  {
    name: 'roll-kept',
    group,
    title: 'speed of a ball that rolls on level ground at 1 m/s after 1 s: the same',
    unit: 'm/s',
    source: 'nothing slips',
    basis: 'creep and the gap of ipc take 1 %',
    formulations: ALL,
    run(formulation) {
      const simulation = onGround(
        formulation,
        { friction: 0.5 },
        {
          velocity: [1, 0, 0, 0, 10, 0],
          position: [0, 0, R, 1, 0, 0, 0],
        },
      );
      advance(simulation, 1);
      return { value: velocityOf(simulation, 'a')[0], expected: 1, tolerance: 0.01 };
    },
  },
  {
    name: 'hill',
    group,
    title: 'distance that a ball rolls without slip up a slope of 10° from 1 m/s: 0.7 v²/(g sin a)',
    unit: 'm',
    source: 'conservation of energy, 1.4 times the kinetic energy of a point',
    basis: 'order one in h, creep and gap: 2 %',
    formulations: ALL,
    run(formulation) {
      const angle = Math.PI / 18;
      const simulation = onGround(
        formulation,
        { friction: 0.8 },
        {
          options: { gravity: tilt(angle) },
          velocity: [-1, 0, 0, 0, -10, 0],
          position: [0, 0, R, 1, 0, 0, 0],
        },
      );
      let far = 0;
      while (simulation.time < 1) {
        takeStep(simulation);
        far = Math.max(far, -placeOf(simulation, 'a')[0]);
      }
      const expected = 0.7 / (G * Math.sin(angle));
      return { value: far, expected, tolerance: 0.02 * expected };
    },
  },
];
