/** What the last step found: forces of joints and contacts, and the rate of momentum of bodies and soft vertices. */
import { type JointForce, JointForces } from '../diagnostics/joint-forces.ts';
import type { SolvedForces } from '../diagnostics/term-energies.ts';
import type { ForceSize } from '../diagnostics/term-forces.ts';
import type { SimulationData } from './simulation-data.ts';

/** Forces of joints and of inertia in the last step or `forward`. */
export function measureJoints(data: SimulationData): { list: JointForce[]; inertia: ForceSize } {
  const { model, formulation } = data;
  const { acceleration, stateBefore: before, terms, plan, coriolis } = data.work;
  data.jointForces ??= new JointForces(model);
  const equalityForce = new Float64Array(6 * model.size.equality);
  formulation.readEqualityForces?.(equalityForce);
  const list = data.jointForces.measure({
    before,
    acceleration,
    contacts: data.collision.contacts,
    equalityForce,
    terms,
    gravity: plan.gravity,
    h: data.h,
    coriolisForce: coriolis.force,
  });
  return { list, inertia: data.jointForces.inertia };
}

/** All of it; undefined where no step has been solved since the state was set. */
export function readSolvedForces(data: SimulationData): SolvedForces | undefined {
  if (!data.hasSolved) return undefined;
  const { list: joints, inertia } = measureJoints(data);
  const force = Math.hypot(inertia.force, measureSoftInertia(data));
  return { contacts: data.collision.contacts, joints, inertia: { force, torque: inertia.torque } };
}

// m (v⁺ − v)/h of soft vertices
function measureSoftInertia({ h, state, work, soft }: SimulationData): number {
  if (soft.parts.length === 0) return 0;
  const before = work.stateBefore.subarray((state.softVelocity.byteOffset - state.all.byteOffset) / 8);
  let square = 0;
  for (const { mesh, first } of soft.parts) {
    for (let i = 0; i < 3 * mesh.vertexCount; i++) {
      const n = 3 * first + i;
      square += ((mesh.mass[Math.trunc(i / 3)] * (work.softVelocity[n] - before[n])) / h) ** 2;
    }
  }
  return Math.sqrt(square);
}
