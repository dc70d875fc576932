/**
 * How far a body is from a goal, and the gradient of half the square of that distance by the state, for throws and reaches:
 *   L = ½ |p − g|²      ∂L/∂δq = Jᵀ (p − g)
 * p is a point of the body in world axes, m, g the goal, J the Jacobian of p by the dofs: on the tangent space positions move as velocities do.
 */
import type { Vec3 } from '../scene/pose.ts';
import type { Simulation } from '../simulation.ts';
import { findIndex } from '../state/inputs.ts';
import { Tangent } from './tangent.ts';

/** Where a body is to be. */
export interface Goal {
  /** Name or number of the body; its origin is what counts. */
  readonly body: string | number;
  /** World, m. */
  readonly position: Vec3;
}

/** How far a body is from its goal. */
export interface Miss {
  /** |p − g|, m. */
  readonly distance: number;
  /** p − g, world, m. */
  readonly offset: Vec3;
  /** Gradient of ½ |p − g|² by the state, on its tangent space, m. */
  readonly gradient: Float64Array;
}

/** The miss of a simulation in its current state. */
export function measureMiss(simulation: Simulation, goal: Goal): Miss {
  const { model, derived: work } = simulation;
  const b = findIndex(model.body.name, goal.body, 'body');
  const p = [0, 1, 2].map((k) => work.bodyPosition[3 * b + k]) as Vec3;
  const offset = p.map((x, k) => x - goal.position[k]) as Vec3;
  const gradient = new Float64Array(new Tangent(model, simulation.formulation).size);
  const c = 3 * model.body.root[b];
  const [dx, dy, dz] = p.map((x, k) => x - work.treeCenter[c + k]);
  const s = work.motionSubspace;
  for (let i = model.body.lastDof[b]; i >= 0; i = model.dof.parent[i]) {
    const [wx, wy, wz] = s.subarray(6 * i, 6 * i + 3);
    gradient[i] =
      offset[0] * (s[6 * i + 3] + wy * dz - wz * dy) +
      offset[1] * (s[6 * i + 4] + wz * dx - wx * dz) +
      offset[2] * (s[6 * i + 5] + wx * dy - wy * dx);
  }
  return { distance: Math.hypot(...offset), offset, gradient };
}
