/** Fifth part of a simulation: energy and momentum of its state, whole and term by term, and the terms that users add. */
import { addTermEnergy, createStepContext, listTermEnergies, type TermEnergy } from '../diagnostics/term-energies.ts';
import { type Energy, type Momentum, measureCenterOfMass, measureEnergy, measureMomentum } from '../dynamics/energy.ts';
import { addJointSpringEnergy } from '../joint/spring-energy.ts';
import type { Vec3 } from '../scene/pose.ts';
import { findIndex } from '../state/inputs.ts';
import type { StepContext, Term } from '../term/term.ts';
import { TermGradient } from '../term/term-gradient.ts';
import { addWeighted } from '../term/term-list.ts';
import { ForceReadout } from './force-readout.ts';
import type { SimulationData } from './simulation-data.ts';
import { readSolvedForces } from './solved-forces.ts';
import { readTermWeight, setTermWeight } from './term-weights.ts';

export abstract class EnergyReadout extends ForceReadout {
  readonly #data: SimulationData;

  constructor(data: SimulationData) {
    super(data);
    this.#data = data;
  }

  /** J. */
  energy(): Energy {
    const rigid = measureEnergy(this.model, this.state, this.derived);
    const { soft, joints, work } = this.#data;
    const whole = soft.addEnergy(addJointSpringEnergy(rigid, this.model, joints, work.weights.springs), work);
    return work.terms.isEmpty ? whole : addTermEnergy(whole, work.terms, this.#stepContext());
  }

  /** kg m/s and kg m²/s about the origin of the world. */
  momentum(): Momentum {
    return this.#data.soft.addMomentum(measureMomentum(this.model, this.derived));
  }

  /** Centre of mass of all moving bodies, soft ones included, m. */
  centerOfMass(): [number, number, number] {
    return this.#data.soft.addCenter(measureCenterOfMass(this.model, this.derived), this.model);
  }

  /**
   * Energy, force and torque of every term: motion, weight, springs, elasticity, contacts, friction, joints, and what was added. Energies
   * and the forces of potentials are those of the current state; what contacts, friction, joints and inertia do is that of the last step.
   */
  termEnergies(): TermEnergy[] {
    const { model, state, formulation, timestep: h, derived: work } = this;
    const { joints, soft } = this.#data;
    return listTermEnergies(
      { model, state, work, joints, soft, formulation, h },
      this.energy(),
      readSolvedForces(this.#data),
    );
  }

  /** Force (N) and torque about the origin of its frame (N m) that an added term exerts on a body in the current state. */
  termForce(name: string, body: string | number): { force: Vec3; torque: Vec3 } {
    const term =
      this.terms[
        findIndex(
          this.terms.map((item) => item.name),
          name,
          'term',
        )
      ];
    const b = findIndex(this.model.body.name, body, 'body');
    const gradient = new TermGradient(this.model.size);
    term.begin?.(this.#stepContext());
    addWeighted(term, this.derived, gradient);
    const [fx, fy, fz, tx, ty, tz] = gradient.body.subarray(6 * b, 6 * b + 6).map((value) => -value);
    return { force: [fx, fy, fz], torque: [tx, ty, tz] };
  }

  /** The energies that were added, those of the scene first. */
  get terms(): readonly Term[] {
    return this.#data.work.terms.items;
  }

  /** Adds an energy to the steps from now on. Bodies that it names are looked up at once. */
  addTerm(term: Term): void {
    const { terms } = this.#data.work;
    terms.add(term);
    try {
      term.begin?.(this.#stepContext());
    } catch (error) {
      terms.remove(term.name);
      throw error;
    }
  }

  /** Takes an energy out of the steps from now on; false where there is none of that name. */
  removeTerm(name: string): boolean {
    return this.#data.work.terms.remove(name);
  }

  /**
   * Multiplies the energy of a term, and with it force and stiffness, from the next step on: `gravity`, `springs`, `elastic`, or a term
   * that was added. 1 is what the scene says. Other energies take no weight, and an error says why.
   */
  setTermWeight(name: string, weight: number): void {
    setTermWeight(this.#data, name, weight);
  }

  /** The factor on the energy of a term, 1 where none was set. */
  termWeight(name: string): number {
    return readTermWeight(this.#data, name);
  }

  #stepContext(): StepContext {
    return createStepContext({ model: this.model, state: this.state, work: this.derived, h: this.timestep });
  }
}
