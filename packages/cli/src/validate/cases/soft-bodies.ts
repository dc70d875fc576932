/** Soft bodies: free flight, rest, stretch under weight and load, friction, rigid bodies on them. */
import type { Simulation, SoftBody, Vec3 } from '@nexdyn/engine';
import { advance, box, G, ground, placeOf, type SceneParts, simulate } from '../case-scene.ts';
import type { ComparedFormulation, ValidationCase } from '../validation-case.ts';

const H = 2e-3;
const group = 'soft bodies' as const;
const SOFT: readonly ComparedFormulation[] = ['mujoco', 'sap', 'ccp', 'ipc'];
const HALF: Vec3 = [0.05, 0.05, 0.2];
const YOUNG = 1e5;
const DENSITY = 1000;

/** A soft box of cells; without the Poisson effect it stretches as a row of springs. */
function softBox(
  half: Vec3,
  cells: [number, number, number],
  more: Partial<SoftBody> & { young?: number; damping?: number } = {},
): SoftBody {
  const { young = YOUNG, damping = 0, ...rest } = more;
  return {
    name: 'soft',
    mesh: { kind: 'box', halfSize: half, cells },
    elasticity: { model: 'linear', youngsModulus: young, poissonRatio: 0, density: DENSITY, massDamping: damping },
    contact: 'none',
    ...rest,
  };
}

function open(formulation: ComparedFormulation, parts: SceneParts): Simulation {
  return simulate(formulation, { ...parts, options: { timestep: H, ...parts.options } });
}

/** Vertices of the first soft body at rest whose height is that of its top. */
function listTop(body: SoftBody): number[] {
  const { rest } = simulate('sap', { softBodies: [body] }).model.soft;
  const heights = rest.filter((_, i) => i % 3 === 2);
  const top = heights.reduce((most, z) => Math.max(most, z), -Infinity);
  return [...heights.keys()].filter((v) => heights[v]! > top - 1e-9);
}

/** Mean of a coordinate over the vertices, m. */
function meanOf(simulation: Simulation, axis: number): number {
  const x = simulation.softPosition('soft');
  let sum = 0;
  for (let i = axis; i < x.length; i += 3) sum += x[i]!;
  return (3 * sum) / x.length;
}

/** Sum of contact forces on whatever is on the ground, along an axis, N. */
function groundForce(simulation: Simulation, axis: number): number {
  return simulation
    .contactForces()
    .reduce((sum, { bodyName1, force }) => sum + (bodyName1 === 'world' ? 1 : -1) * force[axis]!, 0);
}

export const SOFT_BODIES: readonly ValidationCase[] = [
  {
    name: 'soft-fall',
    group,
    title: 'height that a soft cube loses in 0.2 s, Σ of steps: g h² n(n + 1)/2',
    unit: 'm',
    source: 'sum of v⁺ = v − g h, x⁺ = x + h v⁺; a shape at rest has no elastic force',
    basis: 'tolerance of the solvers: 1e-6 m/s over 0.2 s',
    formulations: SOFT,
    isQuick: true,
    run(formulation) {
      const simulation = open(formulation, {
        options: { integrator: 'semiImplicit' },
        softBodies: [softBox([0.05, 0.05, 0.05], [2, 2, 2])],
      });
      advance(simulation, 0.2);
      return { value: -meanOf(simulation, 2), expected: (G * H * H * 100 * 101) / 2, tolerance: 2e-7 };
    },
  },
  {
    name: 'soft-hanging',
    group,
    title: 'mean drop of a bar under its own weight: ρ g L²/(3 E)',
    unit: 'm',
    source:
      'Timoshenko and Goodier, Theory of Elasticity, 97; without the Poisson effect a row of springs gives the same',
    basis:
      'its work m g ū is that of the best displacement that is linear in each of n = 8 layers, or better: 1/4n² too little at most; damping leaves e^(−20 t), 1.5 s',
    formulations: SOFT,
    run(formulation) {
      const layers = 8;
      const bar = softBox(HALF, [2, 2, layers], { damping: 40 });
      const simulation = open(formulation, { softBodies: [{ ...bar, pinned: listTop(bar) }] });
      const before = simulation.energy().potential;
      advance(simulation, 1.5);
      const expected = (DENSITY * G * 0.4 ** 2) / (3 * YOUNG);
      // at rest the elastic energy is half of what the weight has lost
      const mass = DENSITY * 4 * HALF[0] * HALF[1] * 2 * HALF[2];
      const value = (2 * (before - simulation.energy().potential)) / (mass * G);
      return { value, expected, tolerance: expected / (4 * layers ** 2) };
    },
  },
  {
    name: 'soft-pull',
    group,
    title: 'length that a bar gains under a force at its end: F L/(E A)',
    unit: 'm',
    source: "Hooke's law",
    basis: 'the same strain everywhere is exact for linear tetrahedra; damping leaves e^(−20 t), 1.5 s: 1e-5',
    formulations: SOFT,
    run(formulation) {
      const bar = softBox(HALF, [2, 2, 4], { damping: 40 });
      const simulation = open(formulation, {
        options: { gravity: [0, 0, 0] },
        softBodies: [{ ...bar, pinned: listTop(bar) }],
      });
      // a pressure on the lower face: a third of that on each triangle for each of its corners
      const { rest, triangle } = simulation.model.soft;
      const isLow = (v: number): boolean => rest[3 * v + 2]! < -HALF[2] + 1e-9;
      const force = 10;
      const pressure = force / (4 * HALF[0] * HALF[1]);
      const low = new Set<number>();
      for (let t = 0; t < triangle.length; t += 3) {
        const [a, b, c] = triangle.slice(t, t + 3) as unknown as [number, number, number];
        if (![a, b, c].every(isLow)) continue;
        const [ux, uy] = [rest[3 * b]! - rest[3 * a]!, rest[3 * b + 1]! - rest[3 * a + 1]!];
        const [wx, wy] = [rest[3 * c]! - rest[3 * a]!, rest[3 * c + 1]! - rest[3 * a + 1]!];
        for (const v of [a, b, c]) {
          low.add(v);
          simulation.state.softForce[3 * v + 2]! -= (pressure * Math.abs(ux * wy - uy * wx)) / 6;
        }
      }
      advance(simulation, 1.5);
      let lowest = 0;
      for (const v of low) lowest += simulation.state.softPosition[3 * v + 2]! / low.size;
      const expected = (force * 0.4) / (YOUNG * 0.01);
      return { value: -HALF[2] - lowest, expected, tolerance: 1e-5 * expected };
    },
  },
  {
    name: 'soft-weight',
    group,
    title: 'force of the ground under a soft cube at rest: m g',
    unit: 'N',
    source: 'balance of forces',
    basis: 'tolerance of the solvers: 1e-6 of the weight; the transient is gone after 2 s',
    formulations: SOFT,
    run(formulation) {
      const cube = softBox([0.05, 0.05, 0.05], [2, 2, 2], { contact: 'point', position: [0, 0, 0.051], damping: 10 });
      const simulation = open(formulation, { shapes: [ground()], softBodies: [cube] });
      advance(simulation, 2);
      const expected = DENSITY * 1e-3 * G;
      return { value: groundForce(simulation, 2), expected, tolerance: 1e-6 * expected };
    },
  },
  {
    name: 'soft-slide',
    group,
    title: 'friction over weight of a soft cube that slides, μ = 0.3',
    unit: '1',
    source: "Coulomb's law",
    basis: 'friction over normal force of every contact; 1 % as its corners lift and land',
    formulations: SOFT,
    run(formulation) {
      const cube = softBox([0.05, 0.05, 0.025], [2, 2, 1], {
        contact: 'point',
        position: [0, 0, 0.0259],
        young: 1e6,
        damping: 0,
        velocity: [2, 0, 0],
        material: 'm',
        // the dilation gap of sap and ccp; mujoco would push as soon as the margin is reached
        margin: formulation === 'mujoco' ? 0 : 0.01,
      });
      const simulation = open(formulation, {
        options: { timestep: 1e-3 },
        materials: [{ name: 'm', friction: 0.3 }],
        shapes: [ground({ material: 'm' })],
        softBodies: [cube],
      });
      advance(simulation, 0.1);
      let [across, along] = [0, 0];
      for (let n = 0; n < 150; n++) {
        simulation.step();
        across -= groundForce(simulation, 0);
        along += groundForce(simulation, 2);
      }
      return { value: across / along, expected: 0.3, tolerance: 3e-3 };
    },
  },
  {
    name: 'soft-under-box',
    group,
    title: 'force of the ground under a soft block with a rigid box on it: both weights',
    unit: 'N',
    source: 'balance of forces',
    basis: 'tolerance of the solvers: 1e-6 of the weight; the transient is gone after 2 s',
    formulations: SOFT,
    run(formulation) {
      const block = softBox([0.1, 0.1, 0.05], [4, 4, 2], { contact: 'point', position: [0, 0, 0.051], damping: 10 });
      const simulation = open(formulation, {
        shapes: [ground()],
        bodies: [box('a', [0.2, 0.2, 0.05], 3, 0.5, [0, 0, 0.153])],
        softBodies: [block],
      });
      advance(simulation, 2);
      const total = simulation
        .contactForces()
        .filter(({ bodyName1, bodyName2 }) => bodyName1 === 'world' || bodyName2 === 'world')
        .filter(({ bodyName1, bodyName2 }) => bodyName1 !== 'a' && bodyName2 !== 'a')
        .reduce((sum, { bodyName1, force }) => sum + (bodyName1 === 'world' ? 1 : -1) * force[2], 0);
      if (!(placeOf(simulation, 'a')[2] > 0.1)) throw new Error('the box is not on the block');
      const expected = (3 + DENSITY * 0.004) * G;
      return { value: total, expected, tolerance: 1e-6 * expected };
    },
  },
  {
    name: 'soft-collision',
    group,
    title: 'momentum after a rigid box of 0.5 kg at 2 m/s has hit a soft cube in flight: that before, 1 kg m/s',
    unit: 'kg m/s',
    source: 'conservation of momentum',
    basis: 'forces of contacts act on both sides: round-off, 1e-9',
    formulations: SOFT,
    isQuick: true,
    run(formulation) {
      const simulation = open(formulation, {
        options: { gravity: [0, 0, 0] },
        bodies: [box('a', [0.05, 0.05, 0.05], 0.5, 0.5, [-0.12, 0, 0.01])],
        softBodies: [softBox([0.05, 0.05, 0.05], [2, 2, 2], { contact: 'point' })],
      });
      simulation.state.velocity[0] = 2;
      simulation.step(60);
      if (!(simulation.state.velocity[0]! < 1)) throw new Error('they have not met');
      return { value: simulation.momentum().linear[0], expected: 1, tolerance: 1e-9 };
    },
  },
];
