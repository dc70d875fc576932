/**
 * Order of convergence by Richardson: with q(h) where a run ends by steps of h,
 *   p = log₂ (|q(h) − q(h/2)| / |q(h/2) − q(h/4)|)
 * on motions without contact. Solvers run to 1e-7 and below, so that their tolerance is no part of the differences.
 */
import type { Body, SceneOptions, Simulation } from '@nexdyn/engine';
import { FREE, simulate } from './case-scene.ts';
import type { Choice } from './integrator-table.ts';

/** Tolerances of solvers below the errors of steps. */
export const FINE: Pick<SceneOptions, 'sap' | 'ccp' | 'ipc'> = {
  sap: { relativeTolerance: 1e-13, absoluteTolerance: 1e-16 },
  ccp: { tolerance: 1e-12 },
  ipc: { tolerance: 1e-7, jointTolerance: 1e-8, jointAngleTolerance: 1e-8 },
};

export type OrderScene = 'pendulum' | 'double-pendulum' | 'torque-free' | 'spring' | 'drag' | 'soft-bar';

interface Motion {
  /** What it is, in words. */
  readonly title: string;
  /** Longest step, s. */
  readonly h: number;
  run(choice: Choice, h: number): readonly number[];
}

function link(name: string, bodies: Body[] = []): Body {
  const inertia: NonNullable<Body['inertia']> = {
    kind: 'principal',
    mass: 1,
    center: [0.25, 0, 0],
    moments: [0.001, 0.02, 0.02],
  };
  const position: [number, number, number] = name === 'a' ? [0, 0, 0] : [0.5, 0, 0];
  return { name, position, joints: [{ kind: 'hinge', name, axis: [0, 1, 0] }], inertia, bodies };
}

function finish(simulation: Simulation, duration: number, h: number): Simulation {
  simulation.step(Math.round(duration / h));
  return simulation;
}

function open(
  [formulation, coordinates, integrator]: Choice,
  h: number,
  options: SceneOptions,
  bodies: Body[],
): Simulation {
  return simulate(formulation, { options: { ...FINE, ...options, timestep: h, integrator }, bodies }, coordinates);
}

export const MOTIONS: Readonly<Record<OrderScene, Motion>> = {
  pendulum: {
    title: 'a bar on a hinge, let go at rest, 0.4 s',
    h: 0.01,
    run: (choice, h) => [finish(open(choice, h, { gravity: [5, 0, -8] }, [link('a')]), 0.4, h).jointPosition('a')],
  },
  'double-pendulum': {
    title: 'two bars on hinges, let go level, 0.3 s',
    h: 0.005,
    run(choice, h) {
      const simulation = finish(open(choice, h, {}, [link('a', [link('b')])]), 0.3, h);
      return [simulation.jointPosition('a'), simulation.jointPosition('b')];
    },
  },
  'torque-free': {
    title: 'a box spun about its middle axis, 0.4 s',
    h: 0.02,
    run(choice, h) {
      const shape = { kind: 'box' as const, halfSize: [0.1, 0.2, 0.3] as [number, number, number], mass: 1 };
      const simulation = open(choice, h, { gravity: [0, 0, 0] }, [{ name: 'a', joints: FREE, shapes: [shape] }]);
      simulation.setVelocity('a', { angular: [1, 5, 1] });
      return [...finish(simulation, 0.4, h).pose('a').orientation];
    },
  },
  spring: {
    title: 'a mass on a damped spring, 0.4 s',
    h: 0.01,
    run(choice, h) {
      const inertia = { kind: 'principal', mass: 1, moments: [0.01, 0.01, 0.01] } as NonNullable<Body['inertia']>;
      const joint = { kind: 'slide' as const, name: 'a', axis: [1, 0, 0] as [number, number, number] };
      const body: Body = { name: 'a', joints: [{ ...joint, stiffness: 30, damping: 0.5 }], inertia };
      const simulation = open(choice, h, { gravity: [3, 0, 0] }, [body]);
      return [finish(simulation, 0.4, h).jointPosition('a')];
    },
  },
  drag: {
    title: 'a ball thrown through a fluid, 0.4 s',
    h: 0.02,
    run(choice, h) {
      const shape = { kind: 'sphere' as const, radius: 0.3, mass: 1 };
      const medium = { density: 1.2, viscosity: 0.2 };
      const simulation = open(choice, h, { medium }, [{ name: 'a', joints: FREE, shapes: [shape] }]);
      simulation.setVelocity('a', { linear: [10, 0, 5] });
      return [...finish(simulation, 0.4, h).pose('a').position];
    },
  },
  'soft-bar': {
    title: 'a soft bar held at one end, let go straight, 0.2 s',
    h: 0.005,
    run([formulation, , integrator], h) {
      const elasticity = { model: 'neoHookean', youngsModulus: 2e4, poissonRatio: 0.3, density: 1000 } as const;
      const simulation = simulate(formulation, {
        options: { ...FINE, timestep: h, integrator },
        softBodies: [
          {
            mesh: { kind: 'box', halfSize: [0.3, 0.05, 0.05], cells: [4, 1, 1] },
            elasticity,
            pinned: [0, 5, 10, 15],
          },
        ],
      });
      return Array.from(finish(simulation, 0.2, h).state.softPosition);
    },
  },
};

export function observeOrder(scene: OrderScene, choice: Choice): number {
  const { h, run } = MOTIONS[scene];
  const [coarse, middle, fine] = [h, h / 2, h / 4].map((step) => run(choice, step)) as [number[], number[], number[]];
  const distance = (a: readonly number[], b: readonly number[]): number =>
    Math.hypot(...a.map((value, k) => value - b[k]!));
  return Math.log2(distance(coarse, middle) / distance(middle, fine));
}
