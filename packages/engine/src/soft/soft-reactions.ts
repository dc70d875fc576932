/**
 * The force that each vertex needs beyond elasticity, damping, weight and what users apply, so that it moves as it did in a step:
 *   f = m (v⁺ − v)/h − m g − f_applied + ∂W/∂x + (αM + βK + C) v⁺ + springs
 * Contacts and attachments gave it. At held vertices, and at those that are points of a body, no solver has that force.
 */
import { multiplyBlockSparse } from '../linear-algebra/block-sparse-matrix.ts';
import { addElasticGradient } from './elastic-energy.ts';
import type { SoftPart } from './soft-bodies.ts';

/** Adds f of a body to `out`, three numbers per vertex, N; velocities at the start and at the end of the step are over all bodies, m/s. */
export function addReactions(
  out: Float64Array,
  { mesh, boundary, work, position, force, first, plastic }: SoftPart,
  before: Float64Array,
  after: Float64Array,
  gravity: Float64Array,
  h: number,
): void {
  const { vertexCount, pointCount, mass, massDamping, stiffnessDamping } = mesh;
  const { springStiffness, springDamping, target } = boundary;
  plastic?.load();
  for (const family of mesh.families) family.takeStart?.(position);
  const needed = new Float64Array(3 * vertexCount);
  addElasticGradient(needed, mesh, position);
  const velocity = after.subarray(3 * first, 3 * (first + vertexCount));
  const product = new Float64Array(3 * vertexCount);
  if (work.startStiffness) {
    multiplyBlockSparse(product, work.startStiffness, velocity);
    for (let i = 0; i < product.length; i++) needed[i] += stiffnessDamping * product[i];
  }
  if (work.viscous) {
    multiplyBlockSparse(product, work.viscous, velocity);
    for (let i = 0; i < product.length; i++) needed[i] += product[i];
  }
  for (let v = 0; v < vertexCount; v++) {
    for (let c = 0; c < 3; c++) {
      const i = 3 * v + c;
      const acceleration = (velocity[i] - before[3 * first + i]) / h - (v < pointCount ? gravity[c] : 0);
      needed[i] += mass[v] * (acceleration + massDamping * velocity[i]) - force[i];
      needed[i] += springStiffness[v] * (position[i] - target[i]) + springDamping[v] * velocity[i];
      out[3 * first + i] += needed[i];
    }
  }
}
