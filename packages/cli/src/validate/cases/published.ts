/** Scenes that others have published as tests of their engines and papers, with closed forms. */
import type { SceneOptions, Shape, Vec3 } from '@nexdyn/engine';
import {
  advance,
  box,
  FREE,
  G,
  ground,
  placeOf,
  pointBody,
  simulate,
  sumVerticalForces,
  takeStep,
  velocityOf,
} from '../case-scene.ts';
import { ALL, CONVEX, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

const group = 'published tests' as const;
const HALF: Vec3 = [0.5, 0.5, 0.5];

/** A free body of the inertia of a box, spun about an axis that is not a principal one, over 500 steps: energy at the end over that at the start. */
function tumble(integrator: 'euler' | 'implicitfast'): number {
  const [a, b, c] = [0.1, 0.2, 0.3];
  const moment = (p: number, q: number): number => (p * p + q * q) / 3;
  const simulation = simulate('mujoco', {
    options: { gravity: [0, 0, 0], timestep: 0.01, integrator },
    bodies: [
      {
        name: 'a',
        joints: FREE,
        inertia: { kind: 'principal', mass: 1, moments: [moment(b, c), moment(a, c), moment(a, b)] },
      },
    ],
    velocity: [0, 0, 0, 1, 2, 3],
  });
  const start = simulation.energy().kinetic;
  advance(simulation, 5);
  return simulation.energy().kinetic / start;
}

/** Speed of a ball of 1 kg after it met a spring with Hunt-Crossley dissipation at 1 m/s. */
function rebound(d: number): number {
  const left = 1 - Math.log(1 + d) / d;
  let [low, high] = [0, Math.min(1, 1 / d)];
  for (let n = 0; n < 60; n++) {
    const v = (low + high) / 2;
    if (-v - Math.log(1 - d * v) / d < left) low = v;
    else high = v;
  }
  return low;
}

function bounce(d: number): ValidationCase {
  return {
    name: `hunt-crossley-${d}`,
    group,
    title: `rebound of a ball at 1 m/s from a spring with dissipation d = ${d} s/m: v₀ − ln(1 + d v₀)/d = −v − ln(1 − d v)/d`,
    unit: 'm/s',
    source: 'Castro et al., Irrotational contact fields (2023): the model; energy of the continuous bounce',
    basis: 'order one: h ω with ω² = k/m, 1e-5 s · 316/s = 0.3 %, and twice that for two turns of it',
    formulations: ['sap'],
    run(formulation) {
      const simulation = simulate(formulation, {
        options: {
          timestep: 1e-5,
          gravity: [0, 0, 0],
          sap: { contactModel: 'lagged', huntCrossley: d, stiffness: 1e5 },
        },
        shapes: [ground()],
        bodies: [
          {
            name: 'a',
            position: [0, 0, 0.1],
            joints: [{ kind: 'slide', axis: [0, 0, 1] }],
            shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
          },
        ],
        velocity: [-1],
      });
      advance(simulation, 0.03);
      return { value: simulation.state.velocity[0]!, expected: rebound(d), tolerance: 2e-5 * Math.sqrt(1e5) };
    },
  };
}

/** A ball pressed into rigid ground by a given depth, by pressure: force of the contact at the start, N. */
function pressBall(depth: number): number {
  const surface = { contact: 'hydroelastic', hydroelastic: { modulus: 1e5, resolution: 0.004 } } as Partial<Shape>;
  const simulation = simulate('sap', {
    options: { gravity: [0, 0, 0] },
    shapes: [ground()],
    bodies: [
      {
        name: 'a',
        position: [0, 0, 0.05 - depth],
        joints: FREE,
        shapes: [{ kind: 'sphere', radius: 0.05, mass: 1, ...surface } as Shape],
      },
    ],
  });
  const { count, area, pressure, frame } = simulation.contactSet();
  let force = 0;
  for (let i = 0; i < count; i++) force += area[i]! * pressure[i]! * Math.abs(frame[9 * i + 2]!);
  return force;
}

const onGround = (formulation: ComparedFormulation, friction: number, velocity: Vec3, options: SceneOptions = {}) =>
  simulate(formulation, {
    options: { timestep: 0.01, ...options },
    shapes: [ground({ friction, ...(formulation === 'sap' && { margin: 0.02 }) })],
    bodies: [box('a', HALF, 1000, friction)],
    position: [0, 0, formulation === 'ipc' ? 0.5009 : 0.5, 1, 0, 0, 0],
    velocity: [...velocity, 0, 0, 0],
  });

export const PUBLISHED: readonly ValidationCase[] = [
  {
    name: 'long-slide',
    group,
    title: 'distance that a cube slides from 10 m/s, μ = 0.05, in 2.5 s, steps of 10 ms: v t − μ g t²/2',
    unit: 'm',
    source: 'Ferguson et al., Intersection-free rigid body dynamics (2021), friction tests',
    basis: 'one step at the start, v h μ, and 0.1 %',
    formulations: ALL,
    run(formulation) {
      const simulation = onGround(formulation, 0.05, [10, 0, 0]);
      advance(simulation, 2.5);
      const expected = 25 - 0.5 * 0.05 * G * 2.5 ** 2;
      return { value: placeOf(simulation, 'a')[0], expected, tolerance: 10 * 0.01 * 0.05 + 1e-3 * expected };
    },
  },
  {
    name: 'smooth-slide',
    group,
    title:
      'speed of a cube that slides without friction at 1 m/s, after 2 s: the same; mujoco, whose friction is never below 1e-5: 1e-5 g t less',
    unit: 'm/s',
    source: 'Ferguson et al. (2021), friction tests',
    basis: 'no force acts along the ground: tolerance of the solvers, 1e-6 m/s',
    formulations: ALL,
    isQuick: true,
    run(formulation) {
      const simulation = onGround(formulation, 0, [1, 0, 0]);
      advance(simulation, 2);
      const value = velocityOf(simulation, 'a')[0];
      const lost = formulation === 'mujoco' ? 1e-5 * G * simulation.time : 0;
      return { value, expected: 1 - lost, tolerance: 1e-6 };
    },
  },
  {
    name: 'no-tunnel',
    group,
    title:
      'height of a cube after it flew at 1000 m/s at a sheet without thickness: above it, within d̂ of touching at first',
    unit: 'm',
    source: 'Ferguson et al. (2021), tunnelling test',
    basis: 'the cube stays on its side: its centre is at 0.5 m or above; it may rebound by d̂/h = 0.1 m/s over 0.1 s',
    formulations: ['ipc'],
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { timestep: 0.01, gravity: [0, 0, 0], ipc: { tolerance: 1e-5 } },
        meshes: [{ name: 'sheet', vertices: [-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0], faces: [0, 1, 2, 0, 2, 3] }],
        shapes: [{ kind: 'triangleMesh', mesh: 'sheet' }],
        bodies: [box('a', HALF, 1000, 0.5, [0, 0, 3])],
        position: [0, 0, 3, 1, 0, 0, 0],
        velocity: [0, 0, -1000, 0, 0, 0],
      });
      advance(simulation, 0.1);
      return { value: placeOf(simulation, 'a')[2], expected: 0.5 + 0.0055, tolerance: 0.0055 };
    },
  },
  {
    name: 'turntable',
    group,
    title: 'angular speed of a box carried along by a turntable at 1 rad/s',
    unit: 'rad/s',
    source: 'MuJoCo, test of surface velocities (turntable)',
    basis: 'that of its test, 1e-3',
    formulations: CONVEX,
    run(formulation) {
      const simulation = simulate(formulation, {
        options: { timestep: 2e-3 },
        shapes: [ground({ friction: 1, surfaceSpin: [0, 0, 1] })],
        bodies: [box('a', [0.1, 0.1, 0.05], 1, 1)],
      });
      advance(simulation, 3);
      return { value: simulation.state.velocity[5]!, expected: 1, tolerance: 1e-3 };
    },
  },
  {
    name: 'gyroscopic-euler',
    group,
    title: 'energy of a body that tumbles for 5 s at 10 ms, explicit Euler, over that at the start: it grows',
    unit: '1',
    source: 'MuJoCo, test FreeBodyEulerGainsImplicitfastDissipates: 1.09',
    basis: 'two digits are published: 0.005',
    formulations: ['mujoco'],
    isQuick: true,
    run: () => ({ value: tumble('euler'), expected: 1.09, tolerance: 5e-3 }),
  },
  {
    name: 'gyroscopic-implicitfast',
    group,
    title: 'the same under implicitfast: it falls',
    unit: '1',
    source: 'MuJoCo, test FreeBodyEulerGainsImplicitfastDissipates: 0.93',
    basis: 'two digits are published: 0.005',
    formulations: ['mujoco'],
    isQuick: true,
    run: () => ({ value: tumble('implicitfast'), expected: 0.93, tolerance: 5e-3 }),
  },
  {
    name: 'gravity-compensation',
    group,
    title: 'fall in 1 s of a body with half of its weight compensated: g t²/4, in steps',
    unit: 'm',
    source: 'MuJoCo, test of gravity compensation',
    basis: 'round-off',
    formulations: CONVEX,
    isQuick: true,
    run(formulation) {
      const simulation = simulate(formulation, {
        bodies: [{ ...pointBody('a', 1, FREE), gravityCompensation: 0.5 }],
      });
      advance(simulation, 1);
      return { value: -placeOf(simulation, 'a')[2], expected: (0.5 * G * 1e-6 * 1000 * 1001) / 2, tolerance: 1e-9 };
    },
  },
  {
    name: 'armature',
    group,
    title: 'acceleration of a mass of 2 kg on a rail with a drive of 3 kg seen there, pushed with 10 N: F/(m + a)',
    unit: 'm/s²',
    source: 'MuJoCo, test ArmatureEquivalence; Newton',
    basis: 'tolerance of the solvers, 1e-6',
    formulations: ALL,
    run(formulation) {
      const simulation = simulate(formulation, {
        // the velocity is that by which it moves in a step
        options: { integrator: 'semiImplicit' },
        bodies: [pointBody('a', 2, [{ kind: 'slide', axis: [1, 0, 0], armature: 3 }])],
      });
      simulation.applyForce('a', { force: [10, 0, 0] });
      advance(simulation, 0.999);
      return { value: velocityOf(simulation, 'a')[0], expected: 2, tolerance: 2e-6 };
    },
  },
  bounce(0.2),
  bounce(2),
  ...[0.01, 0.02].map(
    (depth): ValidationCase => ({
      name: `pressed-ball-${depth}`,
      group,
      title: `force of a ball with a pressure field pressed ${1000 * depth} mm into rigid ground: (π/3) E d² (3 − 2 d/R)`,
      unit: 'N',
      source: 'pressure E (1 − r/R) over the disc of the cut; Drake, test of hydroelastic spheres',
      basis:
        'triangles of 4 mm inside a ball of 50 mm: the surface lies up to e²/(8 R) = 0.04 mm inside, 2 × 0.04/d of the force',
      formulations: ['sap'],
      run() {
        const expected = (Math.PI / 3) * 1e5 * depth ** 2 * (3 - (2 * depth) / 0.05);
        return { value: pressBall(depth), expected, tolerance: ((2 * 4e-5) / depth + 0.01) * expected };
      },
    }),
  ),
  {
    name: 'pressure-plate',
    group,
    title:
      'depth δ of a box of side L = 0.2 m and 10 kg by pressure on rigid ground: (E/D) δ (L − 2 δ)² = m g, D = L/2',
    unit: 'm',
    source:
      'Elandt et al., A pressure field model (2019): pressure E δ/D over the part that is closer to the lower face than to the sides',
    basis: '1e-4 of the formula: remaining transient',
    formulations: CONVEX,
    run(formulation) {
      const shape: Shape = {
        kind: 'box',
        halfSize: [0.1, 0.1, 0.1],
        mass: 10,
        material: 'm',
        contact: 'hydroelastic',
        hydroelastic: { modulus: 1e5 },
      };
      const simulation = simulate(formulation, {
        options: { timestep: 2e-3, ccp: { tolerance: 1e-9 } },
        materials: [{ name: 'm', dissipation: 0.05 }],
        shapes: [ground()],
        bodies: [{ name: 'a', position: [0, 0, 0.1], joints: FREE, shapes: [shape] }],
      });
      advance(simulation, 4);
      if (!(sumVerticalForces(simulation) > 0)) throw new Error('nothing touches');
      let expected = 0;
      for (let n = 0; n < 50; n++) expected = (10 * G * 0.1) / (1e5 * (0.2 - 2 * expected) ** 2);
      return { value: 0.1 - placeOf(simulation, 'a')[2], expected, tolerance: 1e-4 * expected };
    },
  },
  {
    name: 'tower-stands',
    group,
    title: 'speed of 20 boxes of 10 cm stacked with gaps of 1 mm, after 2 s',
    unit: 'm/s',
    source: 'MuJoCo, test AlignedTowerStands: below 1e-6 m/s',
    basis: 'mujoco: that of its test; sap: the same; ccp: its tolerance times the weight above, 2e-6 m/s',
    formulations: ['mujoco', 'sap'],
    run(formulation) {
      const bodies = Array.from({ length: 20 }, (_, k) =>
        box(`b${k}`, [0.05, 0.05, 0.05], 1, 1, [0, 0, 0.051 + 0.101 * k]),
      );
      const simulation = simulate(formulation, {
        options: { timestep: 2e-3 },
        shapes: [ground({ friction: 1 })],
        bodies,
      });
      advance(simulation, 2);
      takeStep(simulation);
      const fastest = simulation.state.velocity.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
      return { value: fastest, expected: 0, tolerance: 1e-6 };
    },
  },
];
