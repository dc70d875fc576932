/**
 * How deep a ball sinks at rest under `mujoco`. Its contact pushes m g = D a_ref with R = (1 − d)/d / m and a_ref = K d δ, so
 *   δ = g (1 − d)/(−s₀)   for solref (s₀, s₁) with both negative,   δ = g (1 − d) (t ζ)²   for (t, ζ)
 * whatever the mass. The rate of approach is at least 1/s: nothing of the start is left after 50 s. A tolerance of 1e-8 would let
 * accelerations be wrong by 1e-9 of g.
 */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';

const G = 9.81;
const IMPEDANCES = [0.3, 0.9, 0.99];
const REFERENCES = [
  { solref: [-100, -10], depth: (d: number) => (G * (1 - d)) / 100 },
  { solref: [-10, -10], depth: (d: number) => (G * (1 - d)) / 10 },
  { solref: [0.1, 0.8], depth: (d: number) => G * (1 - d) * (0.1 * 0.8) ** 2 },
  { solref: [0.01, 0.8], depth: (d: number) => G * (1 - d) * (0.01 * 0.8) ** 2 },
];
const CONES = [
  { name: 'frictionless', condim: 1, cone: 'pyramidal' },
  { name: 'elliptic', condim: 3, cone: 'elliptic' },
] as const;

function ballOnSlide(solref: number[], d: number, { condim, cone }: (typeof CONES)[number]): Scene {
  const surface = {
    condim,
    solref: solref as [number, number],
    solimp: [d, d, 0.001, 0.5, 2] as [number, number, number, number, number],
  };
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { mujoco: { cone, tolerance: 1e-12 } },
    shapes: [{ kind: 'plane', mujoco: surface }],
    bodies: [
      {
        position: [0, 0, 0.2],
        joints: [{ kind: 'slide', axis: [0, 0, 1] }],
        shapes: [{ kind: 'sphere', radius: 0.2, mass: 3, mujoco: surface }],
      },
    ],
  };
}

describe('penetration at rest', () => {
  const cases = CONES.flatMap((shape) =>
    REFERENCES.flatMap((reference) => IMPEDANCES.map((d) => ({ ...reference, d, shape, name: shape.name }))),
  );
  test.each(takeCases(cases, 11))('$name, solref $solref, impedance $d', ({ solref, depth, d, shape }) => {
    const simulation = new Simulation(compileModel(ballOnSlide(solref, d, shape)));
    simulation.step(25_000);
    expect(simulation.time).toBeCloseTo(50, 9);
    expect(Math.abs(-simulation.state.position[0] / depth(d) - 1)).toBeLessThan(1e-10);
  });
});
