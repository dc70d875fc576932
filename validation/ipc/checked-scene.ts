/**
 * Scenes of the position-level formulation, run with invariant I0: every step converges, surfaces stay apart, and exact arithmetic
 * finds no edge through a triangle in any accepted state.
 */
import {
  type Body,
  compileModel,
  type IpcOptions,
  type Scene,
  type Shape,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { expect } from 'vitest';
import { IntersectionCheck } from '../../packages/engine/src/testing/world-surfaces.ts';

/** m/s². */
export const G = 9.81;

/** A scene of some parts under `ipc` with time step h. */
export function build(parts: Partial<Scene>, h: number, ipc: IpcOptions = {}): Simulation {
  const options = { timestep: h, ...parts.options, ipc: { ...parts.options?.ipc, ...ipc } };
  return new Simulation(
    compileModel({ format: 'nexdyn-scene', version: 1, ...parts, options }, { formulation: 'ipc' }),
  );
}

/** Steps with I0 and convergence asked of each; `look` may ask for more. */
export function advance(simulation: Simulation, steps: number, look: (step: number) => void = () => {}): void {
  const check = new IntersectionCheck(simulation);
  for (let n = 1; n <= steps; n++) {
    expect(simulation.step().status).toBe('converged');
    expect(simulation.report.minimumDistance).toBeGreaterThan(0);
    expect(check.count()).toBe(0);
    look(n);
  }
}

/** A free body with one shape. */
export function body(name: string, position: Vec3, shape: Shape, more: Partial<Body> = {}): Body {
  return { name, position, joints: [{ kind: 'free' }], shapes: [shape], ...more };
}

/** A cube by half its edge, m. */
export function cube(half: number, friction: number = 0.5): Shape {
  return { kind: 'box', halfSize: [half, half, half], friction };
}

/** Where body b (the world is 0) is, m. */
export function place(simulation: Simulation, b: number): Vec3 {
  const [x, y, z] = simulation.bodyPosition.subarray(3 * b, 3 * b + 3);
  return [x!, y!, z!];
}

/** Sum of all normal forces, N. */
export function sumNormalForces(simulation: Simulation): number {
  return simulation.contactForces().reduce((sum, contact) => sum + contact.normalForce, 0);
}

/** Kinetic and potential energy without that of the barrier, J. */
export function sumEnergy(simulation: Simulation): number {
  const { kinetic, potential } = simulation.energy();
  return kinetic + potential;
}

/** Speed of the fastest coordinate, m/s or rad/s. */
export function findFastest(simulation: Simulation): number {
  return simulation.state.velocity.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
