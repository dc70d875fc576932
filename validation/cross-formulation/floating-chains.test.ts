/**
 * Chains that float without weight: their angular momentum stays, as nothing touches them. Links are thin, so that momentum off by a little
 * could only be had by a fast spin about their axis. A step of first order may miss the share (h ω)² of a turn by h ω: over a time t
 * that is t h ω², here 16 % in 0.6 s at 1/60 s where errors add up; the step keeps the momentum itself, up to what energy allows, a
 * tenth of that. Their centre of mass falls like a stone, to round-off.
 */
import { type Body, compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const SPEED = 4;
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;

function createChain(count: number, kind: 'hinge' | 'ball', n = 0): Body {
  const joint = kind === 'ball' ? { kind } : { kind, axis: [...AXES[n % 3]!] };
  return {
    name: `link${n}`,
    position: n === 0 ? [0, 0, 3] : [0, 0, -0.3],
    joints: [n === 0 ? { kind: 'free' } : joint],
    shapes: [{ kind: 'capsule', radius: 0.04, halfLength: 0.1, position: [0, 0, -0.15], mass: 1 }],
    bodies: n + 1 < count ? [createChain(count, kind, n + 1)] : [],
  } as Body;
}

const CASES: readonly [FormulationId, number, 'hinge' | 'ball'][] = [
  ['sap', 2, 'hinge'],
  ['ccp', 4, 'hinge'],
  ['mujoco', 4, 'ball'],
  ['sap', 8, 'ball'],
];

test.each(CASES)('%s: a chain of %d links on %ss keeps its angular momentum', (formulation, count, kind) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1 / 60, formulation, coordinates: 'joint', gravity: [0, 0, 0] },
    bodies: [createChain(count, kind)],
    sensors: [{ kind: 'subtreeAngularMomentum', name: 'spin', body: 'link0' }],
  };
  const simulation = new Simulation(compileModel(scene));
  const { velocity } = simulation.state;
  for (let i = 3; i < velocity.length; i++) velocity[i] = SPEED * Math.sin(3 * i);
  const measure = (): Float64Array => {
    simulation.forward();
    return simulation.sensor('spin').slice();
  };
  const start = measure();
  const energy = simulation.energy().kinetic;
  simulation.step(36);
  expect(simulation.report.status).toBe('converged');
  const end = measure();
  const miss = Math.hypot(...end.map((value, k) => value - start[k]!));
  expect(miss / Math.hypot(...start)).toBeLessThan(0.016);
  const gain = simulation.energy().kinetic / energy - 1;
  expect(gain).toBeLessThan(1e-3);
  expect(gain).toBeGreaterThan(-0.016);
});

test.each(CASES)('%s: the centre of mass of a chain of %d links on %ss falls freely', (formulation, count, kind) => {
  const h = 1 / 60;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: h, formulation, coordinates: 'joint' },
    bodies: [createChain(count, kind)],
    sensors: [{ kind: 'subtreeCenter', name: 'centre', body: 'link0' }],
  };
  const simulation = new Simulation(compileModel(scene));
  const { velocity } = simulation.state;
  for (let i = 3; i < velocity.length; i++) velocity[i] = SPEED * Math.sin(3 * i);
  simulation.forward();
  const start = simulation.sensor('centre').slice();
  const { linear } = simulation.momentum();
  const steps = 36;
  simulation.step(steps);
  simulation.forward();
  // x + n h p/m + h² g n (n + 1)/2, as semi-implicit steps fall
  const fall = [0, 0, -0.5 * 9.81 * h * h * steps * (steps + 1)];
  const end = start.map((x, k) => x + (steps * h * linear[k]!) / count + fall[k]!);
  simulation.sensor('centre').forEach((x, k) => void expect(Math.abs(x - end[k]!)).toBeLessThan(1e-12));
});

/** Share of the speed of a tree that a step may miss which begins slowly: links turn by less than this in it, rad. */
const LEAP = 1e-3;

const SERVOS: readonly [FormulationId, number, number][] = [
  ['mujoco', 1e3, 10],
  ['sap', 1e4, 0],
  ['ccp', 1e6, 0],
];

test.each(SERVOS)(
  '%s: servos of %d N m/rad and %d N m s/rad do not move what floats',
  (formulation, stiffness, damping) => {
    const chain = createChain(3, 'hinge', 0);
    const named = (body: Body): Body => ({
      ...body,
      joints: body.joints!.map((joint) =>
        joint.kind === 'hinge' ? { ...joint, name: body.name!, damping: 1 } : joint,
      ),
      bodies: body.bodies!.map(named),
    });
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.004, formulation, coordinates: 'joint', gravity: [0, 0, 0] },
      bodies: [named(chain)],
      actuators: ['link1', 'link2'].map((joint) => ({
        kind: 'position',
        transmission: { kind: 'joint', joint },
        stiffness,
        damping,
      })),
    };
    const simulation = new Simulation(compileModel(scene));
    simulation.state.control.set([0.3, -0.4]);
    let energy = 0;
    for (let n = 0; n < 50; n++) {
      expect(simulation.step().status).toBe('converged');
      energy = Math.max(energy, simulation.energy().kinetic);
    }
    const { linear } = simulation.momentum();
    // of the momentum that 3 kg have with the most energy on the way
    expect(Math.hypot(...linear)).toBeLessThan(LEAP * Math.sqrt(2 * 3 * energy));
  },
);
