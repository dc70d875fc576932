/**
 * Terms of users and soft bodies in reverse under `mujoco`, `sap` and `penalty`: every entry against centred differences of whole steps, and the gradient
 * along itself. Tolerance: what differences of whole steps leave.
 */
import '../../terms.ts';
import { expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { FormulationId } from '../../scene/options.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';
import type { Term } from '../../term/term.ts';
import { linearize } from '../linearize.ts';
import { jvp, vjp } from '../products.ts';
import { findTwin } from '../twin.ts';
import { colorDofs } from './dof-colors.ts';
import { findBegun } from './twin-adjoint.ts';

const FORMULATIONS = ['mujoco', 'sap', 'penalty'] as const;
const BOUND = 1e-6;

/** ψ = ¼ k |x − a|⁴ of the origin of a body. */
function createTerm(body: number, hasHessian: boolean): Term {
  const k = 200;
  const a = [0.1, 0.2, 0.5];
  const measure = (x: Float64Array): { d: number[]; square: number } => {
    const d = a.map((value, c) => x[3 * body + c] - value);
    return { d, square: d.reduce((sum, value) => sum + value * value, 0) };
  };
  return {
    name: 'pull',
    value: ({ bodyPosition }) => 0.25 * k * measure(bodyPosition).square ** 2,
    addGradient({ bodyPosition }, out) {
      const { d, square } = measure(bodyPosition);
      out.addBody(body, k * square * d[0]!, k * square * d[1]!, k * square * d[2]!, 0, 0, 0);
    },
    ...(hasHessian && {
      addHessian({ bodyPosition }, out) {
        const { d, square } = measure(bodyPosition);
        const block = new Float64Array(36);
        for (let r = 0; r < 3; r++)
          for (let c = 0; c < 3; c++) block[6 * r + c] = k * ((r === c ? square : 0) + 2 * d[r]! * d[c]!);
        out.addBlock([body], [], block);
      },
    }),
  };
}

const BOXES = {
  format: 'nexdyn-scene',
  version: 1,
  shapes: [{ kind: 'plane', friction: 0.5 }],
  bodies: [0, 1].map((i) => ({
    name: `box ${i}`,
    position: [0.15 * i, 0.02 * i, 0.099 + 0.199 * i],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.4 }],
  })),
} as unknown as Scene;

function createSoft(elasticity: object, body: object, height: number, bodies: object[] = []): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.005 },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    softBodies: [
      {
        name: 'jelly',
        mesh: { kind: 'box', halfSize: [0.1, 0.06, 0.05], cells: [1, 1, 1] },
        position: [0, 0, height],
        orientation: [0.99, 0.05, 0.03, 0.02],
        elasticity: { model: 'neoHookean', youngsModulus: 3e4, poissonRatio: 0.3, density: 500, ...elasticity },
        ...body,
      },
    ],
    bodies,
  } as unknown as Scene;
}

const LOAD = {
  name: 'load',
  position: [0.01, 0.02, 0.155],
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'box', halfSize: [0.06, 0.05, 0.04], density: 400, friction: 0.5 }],
};
const PATH = [{ vertices: [0, 1], times: [0, 1], displacements: [0, 0, 0, 0.3, 0.1, 0.2] }];
const ALL: readonly FormulationId[] = FORMULATIONS;
/** What a soft body does, and under which formulations its rows depend on its own vertices alone. */
const SOFT: readonly (readonly [string, Scene, readonly FormulationId[]])[] = [
  ['in the air, pinned', createSoft({ stiffnessDamping: 0.01, massDamping: 0.5 }, { pinned: [0, 1] }, 1), ALL],
  ['in the air, driven', createSoft({ stiffnessDamping: 0.01 }, { driven: PATH }, 1), ALL],
  ['on a plane', createSoft({ stiffnessDamping: 0.01 }, {}, 0.06), ['mujoco']],
  ['on a plane, corotated', createSoft({ model: 'corotated' }, {}, 0.06), ['mujoco']],
  ['on a plane, linear', createSoft({ model: 'linear', viscosity: 20 }, {}, 0.06), ALL],
  ['under a box', createSoft({}, {}, 0.06, [LOAD]), ['mujoco']],
];

function settle(scene: Scene, formulation: FormulationId, steps: number, term?: Term): Simulation {
  const simulation = new Simulation(compileModel(scene, { formulation }));
  if (term) simulation.addTerm(term);
  simulation.step(steps);
  const { velocity, softVelocity, softHeld } = simulation.state;
  // nothing is at rest exactly
  for (let i = 0; i < velocity.length; i++) velocity[i] += 0.05 * Math.sin(i + 1);
  for (let i = 0; i < softVelocity.length; i++)
    if (softHeld[Math.floor(i / 3)] === 0) softVelocity[i] += 0.02 * Math.sin(i + 1);
  return simulation;
}

function expectReverse(simulation: Simulation): void {
  const { report, size, A } = linearize(simulation, { check: true });
  expect(report.kinks).toEqual([]);
  expect(report.check!.error).toBeLessThan(BOUND);
  const state = Float64Array.from({ length: size }, (_, i) => Math.cos(i));
  const gradient = vjp(simulation, { state });
  // it was gone through in reverse
  expect(findBegun(findTwin(simulation), simulation.snapshot())).toBeDefined();
  let largest = 0;
  let worst = 0;
  for (let c = 0; c < size; c++) {
    let sum = 0;
    for (let r = 0; r < size; r++) sum += state[r]! * A[r * size + c]!;
    largest = Math.max(largest, Math.abs(sum));
    worst = Math.max(worst, Math.abs(sum - gradient.state[c]!));
  }
  expect(worst / largest).toBeLessThan(1e-10);
  // along the gradient, by whole steps
  const along = jvp(simulation, { state: gradient.state }, { method: 'difference' });
  const slope = along.state.reduce((sum, value, i) => sum + value * state[i]!, 0);
  const square = gradient.state.reduce((sum, value) => sum + value * value, 0);
  expect(Math.abs(slope / square - 1)).toBeLessThan(BOUND);
}

test.each(FORMULATIONS.flatMap((id) => [true, false].map((hasHessian) => [id, hasHessian] as const)))(
  '%s: a term that pulls a box of a stack, with a Hessian: %s',
  (formulation, hasHessian) => {
    expectReverse(settle(BOXES, formulation, 20, createTerm(1, hasHessian)));
  },
);

test.each(SOFT.flatMap(([name, scene, ids]) => ids.map((id) => [id, name, scene] as const)))(
  '%s: a soft body %s',
  (formulation, _name, scene) => {
    expectReverse(settle(scene, formulation, 16));
  },
);

test('dofs that a row has in common are never shifted together', () => {
  const cliques = new Map([
    ['a', [0, 1, 2]],
    ['b', [2, 3]],
    ['c', [4, 5, 3]],
  ]);
  const classes = colorDofs(cliques, 7);
  expect(classes.flat().sort()).toEqual([0, 1, 2, 3, 4, 5]);
  for (const dofs of cliques.values())
    for (const group of classes) expect(group.filter((dof) => dofs.includes(dof)).length).toBeLessThan(2);
  expect(classes.length).toBe(3);
});
