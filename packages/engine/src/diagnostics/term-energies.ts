/**
 * The energy of a state term by term, J, with the size of the forces of each (term-forces.ts):
 *   kinetic ½ vᵀ M v     gravity −Σ m g·x     springs of joints, tendons and soft vertices ½ k s²     elastic W of soft bodies
 *   contacts, friction and joints: energies under a formulation that has them as such, else 0, as constraints store none
 *   then the terms that were added
 * Kinetic energy and all potentials are those of the current state; what contacts, friction and joints do, and the force of inertia, are
 * those of the last step.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { type Energy, measureGravity, measureSprings } from '../dynamics/energy.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Formulation } from '../formulation/formulation.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import { addJointSpringEnergy } from '../joint/spring-energy.ts';
import type { Model } from '../model/model.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { State } from '../state/state.ts';
import type { StepContext } from '../term/term.ts';
import { TermGradient } from '../term/term-gradient.ts';
import { addWeighted, type TermList, weigh } from '../term/term-list.ts';
import { nameSceneTerms } from '../term/term-registry.ts';
import type { JointForce } from './joint-forces.ts';
import {
  type ForceSize,
  measureContactForces,
  measureGradient,
  measureSpringForces,
  measureTransmitted,
  measureWeight,
} from './term-forces.ts';

/** Energy and force of one term. */
export interface TermEnergy {
  /**
   * `kinetic`, `gravity`, `springs`, `elastic`; `contacts` (`barrier` under a formulation that has one), `friction`, `joints`; or the name
   * of a term that was added.
   */
  name: string;
  /** J; 0 for contacts, friction and joints where the formulation has them as constraints: those store no energy. */
  energy: number;
  /**
   * Length √Σ|f|² of its forces on bodies that move and on soft vertices, N; of springs along slides and tendons; of joints what they
   * transmit. Undefined for what a step finds (`kinetic`, contacts, friction, joints) as long as there was none since the state was set.
   */
  force: number | undefined;
  /** The same of its torques about centres of mass, N m; of springs about hinges and balls; of joints about their anchors. */
  torque: number | undefined;
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

/** What the last step found. */
export interface SolvedForces {
  readonly contacts: ContactSet;
  readonly joints: readonly JointForce[];
  readonly inertia: ForceSize;
}

const STATE_TERMS = ['kinetic', 'gravity', 'springs', 'elastic'];
const CONSTRAINTS = ['contacts', 'friction', 'joints'];
const UNKNOWN = { force: undefined, torque: undefined };

/** Names of all terms of a simulation of the model, in the order of `termEnergies`; those that are added later are not among them. */
export function nameTerms({ options, terms }: Model): string[] {
  return [...STATE_TERMS, ...(findFormulation(options.formulation).terms ?? CONSTRAINTS), ...nameSceneTerms(terms)];
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

/** All terms of the current state; `energy` is that of the whole system, `solved` what the last step found, where there was one. */
export function listTermEnergies(source: EnergySource, energy: Energy, solved: SolvedForces | undefined): TermEnergy[] {
  const { model, state, work, joints, soft } = source;
  const elastic = { force: soft.measureElasticForce(), torque: 0 };
  const springs = measureSpringForces(model, state, work, joints, soft);
  return [
    { name: 'kinetic', energy: energy.kinetic, ...(solved?.inertia ?? UNKNOWN), external: false },
    { name: 'gravity', energy: measureAllGravity(source), ...measureWeight(model, work, soft), external: false },
    { name: 'springs', energy: measureAllSprings(source), ...springs, external: false },
    { name: 'elastic', energy: energy.elastic, ...elastic, external: false },
    ...listConstraints(source, solved),
    ...listAdded(source),
  ];
}

function listConstraints({ model, work, formulation }: EnergySource, solved: SolvedForces | undefined): TermEnergy[] {
  const kept = formulation.listTermEnergies?.() ?? CONSTRAINTS.map((name) => ({ name, energy: 0 }));
  const sum = new TermGradient(model.size);
  return kept.map(({ name, energy }) => {
    let size: ForceSize | typeof UNKNOWN = UNKNOWN;
    if (solved && name === 'joints') size = measureTransmitted(solved.joints);
    else if (solved) {
      const part = name === 'friction' ? 'friction' : 'normal';
      size = measureContactForces(sum, part, solved.contacts, model, work);
    }
    return { name, energy, ...size, external: false };
  });
}

function listAdded(source: EnergySource): TermEnergy[] {
  const { model, work } = source;
  const gradient = new TermGradient(model.size);
  work.terms.begin(createStepContext(source));
  return work.terms.items.map((term) => {
    gradient.clear();
    addWeighted(term, work, gradient);
    const size = measureGradient(gradient, model, work);
    return { name: term.name, energy: weigh(term, term.value(work)), ...size, external: term.external === true };
  });
}

function measureAllGravity({ model, work, soft }: EnergySource): number {
  let sum = measureGravity(model, work);
  for (const { mesh, position } of soft.parts) {
    for (let i = 0; i < 3 * mesh.pointCount; i++)
      sum -= mesh.mass[Math.trunc(i / 3)] * work.plan.gravity[i % 3] * position[i];
  }
  return sum;
}

function measureAllSprings({ model, state, work, joints, soft }: EnergySource): number {
  const none = { kinetic: 0, potential: 0, elastic: 0, total: 0 };
  let sum = measureSprings(model, state, work);
  sum += addJointSpringEnergy(none, model, joints, work.weights.springs).potential;
  for (const { boundary, position, rest } of soft.parts) {
    for (let i = 0; i < position.length; i++)
      sum += 0.5 * boundary.springStiffness[Math.trunc(i / 3)] * (position[i] - rest[i]) ** 2;
  }
  return sum;
}
