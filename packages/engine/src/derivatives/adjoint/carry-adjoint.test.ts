/** The reverse of the end of a step of trees of joints against centred differences of that end, gradient by gradient. */
import { expect, test } from 'vitest';
import { CarryRate } from '../../dynamics/carry-rate.ts';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import type { Joint } from '../../scene/joint.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';
import { CarryAdjoint } from './carry-adjoint.ts';

const inertia: Body['inertia'] = { kind: 'principal', mass: 2, center: [0.1, 0.02, -0.3], moments: [0.05, 0.06, 0.04] };
const link = (name: string, joint: object, bodies: Body[] = []): Body => ({
  name,
  position: [0.1, 0, -0.5],
  joints: [{ name, ...joint } as Joint],
  inertia,
  bodies,
});
const hinge = { kind: 'hinge', axis: [0.2, 1, 0.1] };
const limbs = [link('left', hinge, [link('hand', { kind: 'ball' })]), link('right', { ...hinge, armature: 0.05 })];

const TREES: Readonly<Record<string, Body[]>> = {
  'two hinges': [link('upper', hinge, [link('lower', { ...hinge, axis: [1, 0.3, 0.2] })])],
  'with armature': [link('upper', { ...hinge, armature: 0.1 }, [link('lower', hinge)])],
  'a ball and a slide': [link('upper', { kind: 'ball' }, [link('lower', { kind: 'slide', axis: [0, 0.3, 1] })])],
  'a branched tree that floats': [link('trunk', { kind: 'free' }, limbs)],
  'two trees': [link('upper', hinge, [link('lower', hinge)]), link('trunk', { kind: 'free' }, limbs)],
};

test.each(Object.entries(TREES))('%s', (name, bodies) => {
  const options = { timestep: 0.005, integrator: 'semiImplicit' } as const;
  const model = compileModel({ format: 'nexdyn-scene', version: 1, name, bodies, options } as Scene, {
    formulation: 'sap',
  });
  const simulation = new Simulation(model);
  const { state } = simulation;
  state.velocity.forEach((_, i, v) => {
    v[i] = 2 * Math.sin(3 * i + 1);
  });
  simulation.step(3);
  simulation.forward();
  const work = simulation.derived;
  const u = state.velocity.slice();
  // as if something touched what floats: it is not turned then
  work.constraintForce.fill(1e-6);
  const h = model.options.timestep;
  const adjoint = new CarryAdjoint(model, work);
  const twin = new CarryRate(model, work);
  expect(work.coriolis.isCarried).toContain(1);
  expect(adjoint.begin(state, work, u, h) && twin.begin(state, work, u, h)).toBe(true);
  expect(adjoint.takesDifferences).toBe(false);
  const zero = new Float64Array(u.length);
  for (let seed = 0; seed < 3; seed++) {
    const ends = [0, 1].map(() => Float64Array.from(u, (_, i) => Math.sin(5 * i + seed)));
    const starts = ends.map((end) => new Float64Array(end.length));
    adjoint.reverse(ends[0]!, starts[0]!, zero);
    twin.reverse(ends[1]!, starts[1]!, zero);
    // what is compared is not zero
    expect(Math.max(...starts[1]!.map(Math.abs))).toBeGreaterThan(1e-4);
    // centred differences of length 1e-6 and 1e-5 leave round-off of 1e-16/1e-6, times the numbers of a tree
    for (let i = 0; i < u.length; i++) {
      expect(Math.abs(ends[0]![i]! - ends[1]![i]!)).toBeLessThan(1e-8);
      expect(Math.abs(starts[0]![i]! - starts[1]![i]!)).toBeLessThan(1e-7);
    }
  }
});
