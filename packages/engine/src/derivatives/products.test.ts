/** Gradients of one step: several of them, and what goes on to the step before. */
import { describe, expect, it } from 'vitest';
import { compileModel, Simulation, scene } from '../index.ts';
import { vjp } from './products.ts';
import { rollout } from './rollout.ts';

/** A crate that slides over a floor, and a ball in the air. */
function createWorld(formulation: 'mujoco' | 'sap' | 'ipc'): Simulation {
  const world = scene('world');
  world.plane('floor', { friction: 0 });
  world
    .body('crate', { position: [0, 0, formulation === 'ipc' ? 0.1004 : 0.1] })
    .free()
    .box('crate', { halfSize: [0.1, 0.1, 0.1], friction: 0.4 });
  world
    .body('ball', { position: [0.5, 0, 1.6] })
    .free()
    .sphere('ball', { radius: 0.1 });
  const simulation = new Simulation(compileModel(world.build(), { formulation }));
  simulation.step(40);
  simulation.setVelocity('crate', { linear: [0.03, 0.01, 0], angular: [0, 0, 0.04] });
  simulation.setVelocity('ball', { linear: [0.3, 0, 1], angular: [1, 2, 0.4] });
  simulation.step(3);
  return simulation;
}

const weights = (n: number, seed: number): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => Math.sin(seed + i));

describe.each(['mujoco', 'sap', 'ipc'] as const)('several gradients of a step of %s', (formulation) => {
  it('are those of a simulation that takes one alone, to the last bit', () => {
    const simulation = createWorld(formulation);
    const alone = (state: Float64Array): ReturnType<typeof vjp> => {
      const other = new Simulation(simulation.model);
      other.restore(simulation.snapshot());
      return vjp(other, { state });
    };
    for (const seed of [1, 2]) {
      const state = weights(24, seed);
      const inputs = ['state', 'appliedForce'];
      const again = vjp(simulation, { state }, { inputs });
      expect(again.report.method).toBe('implicit');
      expect(again.state).toEqual(alone(state).state);
    }
    // the next step, another state, and the step from before
    const before = simulation.snapshot();
    const first = vjp(simulation, { state: weights(24, 1) });
    simulation.step();
    expect(vjp(simulation, { state: weights(24, 1) }).state).toEqual(alone(weights(24, 1)).state);
    simulation.setVelocity('crate', { linear: [0.02, 0, 0] });
    expect(vjp(simulation, { state: weights(24, 1) }).state).toEqual(alone(weights(24, 1)).state);
    simulation.restore(before);
    expect(vjp(simulation, { state: weights(24, 1) }).state).toEqual(first.state);
  });

  it('change with the weight of an energy', () => {
    const simulation = createWorld(formulation);
    const state = weights(24, 4);
    const whole = vjp(simulation, { state }).state;
    simulation.setTermWeight('gravity', 0.5);
    const other = new Simulation(simulation.model);
    other.restore(simulation.snapshot());
    other.setTermWeight('gravity', 0.5);
    const half = vjp(simulation, { state }).state;
    expect(half).toEqual(vjp(other, { state }).state);
    expect(half).not.toEqual(whole);
  });
});

describe('steps that read the one before', () => {
  const steps = 4;
  const loss = weights(24, 3);

  it('chain by `history` as a rollout does', () => {
    const simulation = createWorld('ipc');
    const start = simulation.snapshot();
    const run = rollout(simulation, undefined, { steps });
    const states: Float64Array[] = [];
    run.replay((_, { snapshot }) => states.push(snapshot.call(run.simulation)));
    let bars = { state: loss, history: new Float64Array(0) as Float64Array };
    for (let k = steps - 1; k >= 0; k--) {
      simulation.restore(states[k]);
      const { state, history } = vjp(simulation, bars.history.length > 0 ? bars : { state: bars.state });
      bars = { state, history };
    }
    simulation.restore(start);
    const { state } = run.backward(loss);
    expect(bars.history.length).toBeGreaterThan(0);
    expect(bars.history.some((value) => value !== 0)).toBe(true);
    // both end within 1e-13 m of the minimum, and friction changes within 2e-6 m
    const largest = Math.max(...state.map(Math.abs));
    for (let i = 0; i < state.length; i++) expect(Math.abs(bars.state[i] - state[i])).toBeLessThan(1e-7 * largest);
  });

  it('leave it empty under an integrator of one step, and refuse one of another length', () => {
    const simulation = createWorld('mujoco');
    expect(vjp(simulation, { state: loss }).history).toHaveLength(0);
    expect(() => vjp(simulation, { state: loss, history: new Float64Array(3) })).toThrow('cotangent.history');
  });
});

describe.each(['mujoco', 'ipc'] as const)('a rollout of %s without memory', (formulation) => {
  it('has the same gradient, to the last bit', () => {
    const simulation = createWorld(formulation);
    const loss = weights(24, 5);
    const kept = rollout(simulation, undefined, { steps: 7 });
    const poor = rollout(simulation, undefined, { steps: 7, memory: 0 });
    expect(poor.backward(loss).state).toEqual(kept.backward(loss).state);
    expect(poor.simulation.snapshot()).toEqual(kept.simulation.snapshot());
  });
});
