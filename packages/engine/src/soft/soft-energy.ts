/**
 * Contribution of soft bodies to the energy, momentum and centre of mass of a system, with lumped masses m:
 *   kinetic Σ ½ m |v|²    elastic W(x)    potential W − Σ m g·x + Σ ½ k |x − t|²    momentum Σ m v, Σ m x × v
 */
import type { Energy, Momentum } from '../dynamics/energy.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';
import { evaluateElasticEnergy } from './elastic-energy.ts';
import type { SoftPart } from './soft-bodies.ts';

/** Adds to an energy and hands it back. */
export function addSoftEnergy(energy: Energy, parts: readonly SoftPart[], { plan }: Workspace): Energy {
  const { gravity } = plan;
  for (const { mesh, boundary, position, velocity, rest } of parts) {
    for (const family of mesh.families) family.takeStart?.(position);
    const elastic = evaluateElasticEnergy(mesh, position);
    energy.elastic += elastic;
    energy.potential += elastic;
    for (let v = 0; v < mesh.vertexCount; v++) {
      const m = mesh.mass[v];
      const k = boundary.springStiffness[v];
      for (let c = 0; c < 3; c++) {
        const i = 3 * v + c;
        energy.kinetic += 0.5 * m * velocity[i] * velocity[i];
        if (v < mesh.pointCount) energy.potential -= m * gravity[c] * position[i];
        energy.potential += 0.5 * k * (position[i] - rest[i]) ** 2;
      }
    }
  }
  energy.total = energy.kinetic + energy.potential;
  return energy;
}

/** Adds to a momentum and hands it back. */
export function addSoftMomentum(momentum: Momentum, parts: readonly SoftPart[]): Momentum {
  const { linear, angular } = momentum;
  for (const { mesh, position: x, velocity } of parts) {
    for (let v = 0; v < mesh.pointCount; v++) {
      for (let c = 0; c < 3; c++) {
        const l = 3 * v + ((c + 1) % 3);
        const m = 3 * v + ((c + 2) % 3);
        linear[c] += mesh.mass[v] * velocity[3 * v + c];
        angular[c] += mesh.mass[v] * (x[l] * velocity[m] - x[m] * velocity[l]);
      }
    }
  }
  return momentum;
}

/** The centre of mass with soft bodies, from that of the rigid bodies that move. */
export function addSoftCenter(
  rigid: [number, number, number],
  { size, body }: Model,
  parts: readonly SoftPart[],
): [number, number, number] {
  let total = 0;
  for (let b = 1; b < size.body; b++) if (body.lastDof[b] >= 0) total += body.mass[b];
  const sum: [number, number, number] = [total * rigid[0], total * rigid[1], total * rigid[2]];
  for (const { mesh, position } of parts) {
    for (let v = 0; v < mesh.pointCount; v++) {
      total += mesh.mass[v];
      for (let c = 0; c < 3; c++) sum[c] += mesh.mass[v] * position[3 * v + c];
    }
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}
