/** Soft bodies and ccp, against closed forms, whole steps and differences of the same run. */
import { describe, expect, test } from 'vitest';
import { longTest, takeCases } from '../../../../scripts/long-run.ts';
import { linearize, rollout } from '../derivatives.ts';
import { compileModel, type Scene, Simulation, type SoftBody } from '../index.ts';

const beam = (formulation: string): Simulation => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    // one step: of two, the derivative needs the state before too
    options: { timestep: 0.02, integrator: 'semiImplicit' },
    softBodies: [
      {
        name: 'beam',
        mesh: { kind: 'box', halfSize: [0.2, 0.05, 0.05], cells: [2, 1, 1] },
        elasticity: { model: 'linear', youngsModulus: 1e6, poissonRatio: 0.3, massDamping: 20 },
        contact: 'none',
        pinned: [0, 3, 6, 9],
      },
    ],
  };
  return new Simulation(compileModel(scene, { formulation }));
};

describe.each(['sap', 'ipc'])('%s: a beam that hangs from its end', (formulation) => {
  test('sinks by 1/E less per pascal, and by 1/ρ more per kg/m³', () => {
    const simulation = beam(formulation);
    // the vertices of the plane x = −0.2 hold it
    const rest = simulation.state.softPosition.slice();
    const held = Array.from({ length: rest.length / 3 }, (_, v) => v).filter((v) => rest[3 * v]! < -0.199);
    simulation.holdVertices('beam', held);
    simulation.step(150);
    const tip = rest.findIndex((value, i) => i % 3 === 0 && value > 0.199) + 2;
    const sag = rest[tip]! - simulation.state.softPosition[tip]!;
    expect(sag).toBeGreaterThan(1e-4);
    // a rest state x of x⁺ = f(x, θ) has (1 − A) dx/dθ = P; over many steps the velocity dies out
    const { A, P, size, report } = linearize(simulation, {
      inputs: ['state', 'softBodies.beam.E', 'softBodies.beam.density'],
    });
    expect(report.withoutEffect).toEqual([]);
    const change = (column: number): number => {
      let x = new Float64Array(size);
      for (let k = 0; k < 400; k++)
        x = Float64Array.from({ length: size }, (_, i) => {
          let sum = P[2 * i + column]!;
          for (let j = 0; j < size; j++) sum += A[i * size + j]! * x[j]!;
          return sum;
        });
      return x[tip]!;
    };
    expect(change(0) / (sag / 1e6)).toBeCloseTo(1, 2);
    expect(change(1) / (-sag / 1000)).toBeCloseTo(1, 2);
  });
});

describe.each(takeCases(['mujoco', 'sap', 'ccp', 'ipc', 'penalty'], 2))(
  '%s: implicit, against whole steps',
  (formulation) => {
    const block = (parts: Partial<SoftBody>): SoftBody => ({
      name: 'block',
      mesh: { kind: 'box', halfSize: [0.1, 0.05, 0.05], cells: [1, 1, 1] },
      elasticity: { model: 'neoHookean', youngsModulus: 2e4, poissonRatio: 0.3, stiffnessDamping: 0.01, density: 500 },
      position: [0, 0, 0.0502],
      material: 'rubber',
      ...parts,
    });
    const check = (softBody: SoftBody, steps: number): void => {
      const scene: Scene = {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 0.004 },
        materials: [{ name: 'rubber', friction: 0.5 }],
        shapes: [{ kind: 'plane', material: 'rubber' }],
        softBodies: [softBody],
      };
      const simulation = new Simulation(compileModel(scene, { formulation }));
      const { softVelocity } = simulation.state;
      for (let i = 0; i < softVelocity.length; i++) softVelocity[i] = 0.05 * Math.sin(i) - (i % 3 === 2 ? 0.1 : 0);
      simulation.step(steps);
      const { report } = linearize(simulation, {
        check: true,
        inputs: ['state', 'softBodies.block.E', 'softBodies.block.nu', 'softBodies.block.density'],
      });
      expect(report.method).toBe('implicit');
      expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(1e-6);
    };

    test('a block on the ground', () => check(block({ contact: 'point' }), 8));

    const testSome = ['sap', 'ipc'].includes(formulation) ? test : longTest;
    testSome('a block whose vertices are pinned and driven', () =>
      check(
        block({
          position: [0, 0, 1],
          contact: 'none',
          pinned: [0, 1],
          driven: [
            {
              vertices: [4, 5],
              times: [0, 1],
              displacements: [0, 0, 0, 0.1, 0.05, 0],
            },
          ],
        }),
        2,
      ),
    );
  },
);

test('ccp: a sliding ball, against differences of the same run', () => {
  const scene = (): Scene => ({
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.005, ccp: { tolerance: 1e-12, iterations: 30_000 } },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      {
        name: 'ball',
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: 0.1, friction: 0.5 }],
      },
    ],
  });
  const open = (): Simulation => new Simulation(compileModel(scene(), { formulation: 'ccp' }));
  const simulation = open();
  simulation.step(20);
  simulation.state.velocity[0] = 1;
  const steps = 8;
  const { state } = rollout(simulation, undefined, { steps }).backward(
    Float64Array.of(1, ...new Array<number>(11).fill(0)),
  );
  const measure = (shift: number): number => {
    const copy = open();
    copy.restore(simulation.snapshot());
    copy.state.velocity[0]! += shift;
    copy.step(steps);
    return copy.state.position[0]!;
  };
  const d = 1e-5;
  expect(state[6]).toBeCloseTo((measure(d) - measure(-d)) / (2 * d), 6);
});
