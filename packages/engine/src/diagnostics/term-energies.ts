/**
 * The energy of a state term by term, J, and the size of the force of each, N:
 *   kinetic ½ vᵀ M v     gravity −Σ m g·x     springs of joints, tendons and soft vertices ½ k s²     elastic W of soft bodies
 *   then the terms of the formulation that it keeps as energies, and the user's
 * The force is the length of the gradient by all translations: of bodies, or of soft vertices.
 */
import { type Energy, measureGravity, measureSprings } from '../dynamics/energy.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Formulation } from '../formulation/formulation.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import { addJointSpringEnergy } from '../joint/spring-energy.ts';
import type { Model } from '../model/model.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { State } from '../state/state.ts';
import type { StepContext } from '../term/term.ts';
import { TermGradient } from '../term/term-gradient.ts';
import { addWeighted, type TermList, weigh } from '../term/term-list.ts';

/** Energy and force of one term. */
export interface TermEnergy {
  /** `kinetic`, `gravity`, `springs`, `elastic`, what the formulation has, or the name of a term that was added. */
  name: string;
  /** J. */
  energy: number;
  /** Length of the forces it exerts, N; undefined where it has none to show. */
  force: number | undefined;
  /** Whether it stands for an outside influence and is not part of the total energy. */
  external: boolean;
}

/** What a simulation is made of, for its read-outs. */
export interface EnergySource {
  readonly model: Model;
  readonly state: State;
  readonly work: Workspace;
  readonly joints: JointWorkspace;
  readonly soft: SoftBodies;
  readonly formulation: Formulation;
  readonly h: number;
}

/** A step that would begin in the current state. */
export function createStepContext({
  model,
  state,
  work,
  h,
}: Pick<EnergySource, 'model' | 'state' | 'work' | 'h'>): StepContext {
  return { model, h, time: state.time[0], start: work };
}

/** Adds the potentials of the user's terms to an energy and hands it back. */
export function addTermEnergy(energy: Energy, terms: TermList, step: StepContext): Energy {
  if (terms.isEmpty) return energy;
  terms.begin(step);
  for (const term of terms.items) {
    if (term.external) continue;
    const value = weigh(term, term.value(step.start));
    energy.potential += value;
    energy.total += value;
  }
  return energy;
}

/** All terms of the current state; `energy` is that of the whole system. */
export function listTermEnergies(source: EnergySource, energy: Energy): TermEnergy[] {
  const { model, state, work, joints, soft, formulation } = source;
  const { gravity } = work.plan;
  const free = Math.hypot(gravity[0], gravity[1], gravity[2]);
  let gravityEnergy = measureGravity(model, work);
  let springs = measureSprings(model, state, work);
  springs += addJointSpringEnergy(
    { kinetic: 0, potential: 0, elastic: 0, total: 0 },
    model,
    joints,
    work.weights.springs,
  ).potential;
  let weight = 0;
  for (let b = 1; b < model.size.body; b++) weight += (model.body.mass[b] * free) ** 2;
  for (const { mesh, boundary, position, rest } of soft.parts) {
    for (let v = 0; v < mesh.vertexCount; v++) {
      weight += (mesh.mass[v] * free) ** 2;
      for (let i = 3 * v; i < 3 * v + 3; i++) {
        gravityEnergy -= mesh.mass[v] * gravity[i % 3] * position[i];
        springs += 0.5 * boundary.springStiffness[v] * (position[i] - rest[i]) ** 2;
      }
    }
  }
  const list: TermEnergy[] = [
    { name: 'kinetic', energy: energy.kinetic, force: undefined, external: false },
    { name: 'gravity', energy: gravityEnergy, force: Math.sqrt(weight), external: false },
    { name: 'springs', energy: springs, force: undefined, external: false },
    { name: 'elastic', energy: energy.elastic, force: undefined, external: false },
    ...(formulation.listTermEnergies?.() ?? []),
  ];
  const step = createStepContext(source);
  work.terms.begin(step);
  const gradient = new TermGradient(model.size);
  for (const term of work.terms.items) {
    gradient.clear();
    addWeighted(term, work, gradient);
    const value = weigh(term, term.value(work));
    list.push({ name: term.name, energy: value, force: gradient.measureForce(), external: term.external === true });
  }
  return list;
}
