/** The same scene in other coordinates, other formulations, other axes: what must not depend on the choice. */
import type { Body, Coordinates, SceneOptions, Simulation, Vec3 } from '@nexdyn/engine';
import { advance, ball, box, G, ground, placeOf, pointBody, simulate, sumVerticalForces, tilt } from '../case-scene.ts';
import { ALL, CONVEX, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

const H = 1e-3;
const group = 'cross-formulation' as const;

/** An arm of three links on hinges that do not lie in a plane, with a damper and a spring, let go. */
function arm(formulation: ComparedFormulation, coordinates: Coordinates, h: number): Simulation {
  const link = (name: string, axis: Vec3, bodies: Body[] = []): Body => ({
    name,
    position: name === 'one' ? [0, 0, 0] : [0.5, 0, 0],
    joints: [{ kind: 'hinge', axis, damping: 0.05, stiffness: name === 'two' ? 2 : 0 }],
    shapes: [
      {
        kind: 'box',
        halfSize: [0.25, 0.05, 0.03],
        position: [0.25, 0, 0],
        mass: 1,
        collisionGroups: 0,
        collisionMask: 0,
      },
    ],
    bodies,
  });
  const chain = link(
    'one',
    [0, 1, 0],
    [link('two', [0, 0, 1], [link('three', [0, 1, 0], [{ name: 'end', position: [0.5, 0, 0] }])])],
  );
  return simulate(formulation, { options: { timestep: h }, bodies: [chain] }, coordinates);
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Where a ball and a box end that were thrown along the ground with some friction. */
function thrown(formulation: ComparedFormulation, options: SceneOptions = {}): Simulation {
  const simulation = simulate(formulation, {
    options,
    shapes: [ground({ friction: 0.4 })],
    bodies: [box('a', [0.2, 0.2, 0.05], 2, 0.4, [0, 0, 0.0509]), ball('b', 0.1, 1, { friction: 0.4 }, [0, 1, 0.1009])],
    position: [0, 0, 0.0509, 1, 0, 0, 0, 0, 1, 0.1009, 1, 0, 0, 0],
    velocity: [2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
  });
  return advance(simulation, 0.8);
}

export const CROSS_FORMULATION: readonly ValidationCase[] = [
  {
    name: 'coordinates',
    group,
    title: 'distance of the end of an arm in joint and in body coordinates after 0.5 s',
    unit: 'm',
    source: 'the motion does not depend on the coordinates',
    basis: 'both are first order: h a t/2 with a up to 40 m/s², with opposite signs',
    formulations: CONVEX,
    run(formulation) {
      const h = 2.5e-4;
      const ends = (['joint', 'body'] as const).map((coordinates) => {
        const simulation = arm(formulation, coordinates, h);
        advance(simulation, 0.5);
        return placeOf(simulation, 'end');
      });
      return { value: distance(ends[0]!, ends[1]!), expected: 0, tolerance: (h * 40 * 0.5) / 2 };
    },
  },
  {
    name: 'arm-agrees',
    group,
    title: 'distance of the end of the same arm from its position under `mujoco` after 0.5 s',
    unit: 'm',
    source: 'without contact all formulations integrate the same equations',
    basis: 'both are first order: h a t/2 with a up to 40 m/s², with opposite signs',
    formulations: ['sap', 'ccp', 'ipc'],
    run(formulation) {
      const h = 2.5e-4;
      const ends = (['mujoco', formulation] as const).map((id) => {
        const simulation = arm(id, id === 'ipc' || id === 'ccp' ? 'body' : 'joint', h);
        advance(simulation, 0.5);
        return placeOf(simulation, 'end');
      });
      return { value: distance(ends[0]!, ends[1]!), expected: 0, tolerance: (h * 40 * 0.5) / 2 };
    },
  },
  {
    name: 'slide-agrees',
    group,
    title: 'distance at which a box thrown along the ground stops, v²/(2 μ g) under all formulations',
    unit: 'm',
    source: "Coulomb's law",
    basis: 'formulations differ at the first touch: a hop takes up to μ² v²/g/(1 + μ²)² of height and no way; 2 %',
    formulations: ALL,
    run: (formulation) => ({
      value: placeOf(thrown(formulation), 'a')[0],
      expected: 4 / (2 * 0.4 * G),
      tolerance: 0.02 * (4 / (2 * 0.4 * G)),
    }),
  },
  {
    name: 'rigid-limit',
    group,
    title: 'distance of a thrown box and ball under sap near its rigid limit from ccp after 0.8 s',
    unit: 'm',
    source: 'sap with R → 0 and τ = 0 is the cone complementarity problem',
    basis: 'order one in β²: 2 % of the way',
    formulations: ['sap'],
    run(formulation) {
      const options: SceneOptions = {
        sap: { stiffness: 1e12, dissipation: 0, nearRigid: 0.05, frictionRegularization: 1e-5 },
      };
      const [one, two] = [thrown(formulation, options), thrown('ccp')];
      return {
        value: distance(placeOf(one, 'a'), placeOf(two, 'a')),
        expected: 0,
        tolerance: 0.02 * (4 / (2 * 0.4 * G)),
      };
    },
  },
  {
    name: 'frame-turn',
    group,
    title: 'difference in the distance down a slope when the whole scene is turned by 45° about the normal',
    unit: 'm',
    source: 'round cones have no axes',
    basis: 'tolerance of the solvers over 0.5 s: 1e-6 m; ipc: 1e-5 m',
    formulations: ALL,
    run(formulation) {
      const ways = [0, Math.PI / 4].map((turn) => {
        const [x, , z] = tilt(Math.PI / 6);
        const simulation = simulate(formulation, {
          options: { gravity: [x * Math.cos(turn), x * Math.sin(turn), z] },
          shapes: [ground({ friction: 0.3 })],
          bodies: [box('a', [0.2, 0.2, 0.05], 2, 0.3)],
          position: [0, 0, 0.05, Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)],
        });
        advance(simulation, 0.5);
        const [a, b] = placeOf(simulation, 'a');
        return Math.hypot(a, b);
      });
      return { value: ways[1]! - ways[0]!, expected: 0, tolerance: formulation === 'ipc' ? 1e-5 : 1e-6 };
    },
  },
  {
    name: 'scale-of-mass',
    group,
    title:
      'difference in the height of a ball at rest when it is a hundred times heavier, relative to the formula of the formulation',
    unit: '1',
    source: 'rest depths: mujoco none, sap m g/k',
    basis: '1e-6 of the formula',
    formulations: ['mujoco', 'sap'],
    run(formulation) {
      const depths = [0.1, 10].map((mass) => {
        const simulation = simulate(formulation, {
          options: { sap: { stiffness: 1e5, dissipation: 0.02 } },
          shapes: [ground()],
          bodies: [ball('a', 0.1, mass, {})],
        });
        advance(simulation, 3);
        return 0.1 - placeOf(simulation, 'a')[2];
      });
      const expected = formulation === 'sap' ? 100 : 1;
      return { value: depths[1]! / depths[0]!, expected, tolerance: 1e-6 * expected };
    },
  },
  {
    name: 'step-size',
    group,
    title: 'depth of a ball at rest at h = 4 ms over that at 1 ms',
    unit: '1',
    source: 'compliant contact is a spring, whatever the step',
    basis: '1e-6',
    formulations: ['sap', 'mujoco'],
    run(formulation) {
      const depths = [4 * H, H].map((timestep) => {
        const simulation = simulate(formulation, {
          options: { timestep, sap: { stiffness: 1e4, dissipation: 0.05 } },
          shapes: [ground()],
          bodies: [ball('a', 0.1, 3, {})],
        });
        advance(simulation, 3);
        return 0.1 - placeOf(simulation, 'a')[2];
      });
      return { value: depths[0]! / depths[1]!, expected: 1, tolerance: 1e-6 };
    },
  },
  {
    name: 'pile-weight',
    group,
    title: 'force of the ground under ten boxes and balls heaped on it: their weight',
    unit: 'N',
    source: 'balance of forces',
    basis: 'a heap settles slowly: the mean of the last 0.2 s to 1 %',
    formulations: ALL,
    run(formulation) {
      const bodies = Array.from({ length: 10 }, (_, k) => {
        const place: Vec3 = [0.03 * ((k % 3) - 1), 0.03 * ((k % 2) - 0.5), 0.15 + 0.22 * k];
        return k % 2 === 0
          ? box(`b${k}`, [0.1, 0.1, 0.1], 1, 0.5, place)
          : ball(`b${k}`, 0.1, 1, { friction: 0.5 }, place);
      });
      const simulation = simulate(formulation, {
        options: {
          timestep: 2e-3,
          ccp: { tolerance: 1e-6, iterations: 1000 },
          ipc: { tolerance: 1e-4, frictionPasses: 1 },
        },
        shapes: [ground({ friction: 0.5 })],
        bodies,
      });
      advance(simulation, 2.5);
      let sum = 0;
      for (let n = 0; n < 100; n++) {
        simulation.step();
        sum += sumVerticalForces(simulation) / 100;
      }
      return { value: sum, expected: 10 * G, tolerance: 0.1 * G };
    },
  },
  {
    name: 'free-chain',
    group,
    title: 'change of the momentum of a free chain of five links after 1 s',
    unit: 'kg m/s',
    source: "joint forces cancel: Newton's third law",
    basis:
      'body coordinates: tolerance of the solvers, 1e-6 of 5 kg × 2 m/s; joint coordinates: first order, h/2 Σ m ω³ r = 43 h/2',
    formulations: ALL,
    run(formulation) {
      const link = (k: number): Body => ({
        name: `l${k}`,
        position: k === 0 ? [0, 0, 0] : [0.3, 0, 0],
        joints: k === 0 ? [{ kind: 'free' }] : [{ kind: 'ball' }],
        inertia: { kind: 'principal', mass: 1, moments: [0.01, 0.02, 0.02], center: [0.15, 0, 0] },
        bodies: k < 4 ? [link(k + 1)] : [],
      });
      const simulation = simulate(formulation, { options: { gravity: [0, 0, 0] }, bodies: [link(0)] });
      simulation.state.velocity.set([1, 0, 0, 0.3, 2, 1]);
      const before = simulation.momentum().linear;
      advance(simulation, 1);
      const after = simulation.momentum().linear;
      const tolerance = formulation === 'ccp' || formulation === 'ipc' ? 1e-5 : (43 * H) / 2;
      return { value: distance(after as Vec3, before as Vec3), expected: 0, tolerance };
    },
  },
  {
    name: 'point-on-both',
    group,
    title: 'height of a mass hung on a spring: −m g/k in both coordinates',
    unit: 'm',
    source: 'balance of forces',
    basis: 'remaining initial transient, e^(−5 t) after 5 s',
    formulations: CONVEX,
    run(formulation) {
      const joints = [{ kind: 'slide' as const, axis: [0, 0, 1] as Vec3, stiffness: 100, damping: 20 }];
      const heights = (['joint', 'body'] as const).map((coordinates) => {
        const simulation = simulate(formulation, { bodies: [pointBody('a', 2, joints)] }, coordinates);
        advance(simulation, 5);
        return placeOf(simulation, 'a')[2];
      });
      return { value: Math.max(...heights), expected: (-2 * G) / 100, tolerance: 1e-6 };
    },
  },
];
