/** A second simulation of the same model, with the energies and weights of the first. */
import type { Model } from '../model/model.ts';
import { Simulation } from '../simulation.ts';

/** Energies of every scene that take a weight. */
const WEIGHTED = ['gravity', 'springs', 'elastic'];

/** A simulation that steps as `simulation` does, with its added energies and weights, on a model of the same layout. */
export function createTwin(simulation: Simulation, model: Model): Simulation {
  const twin = new Simulation(model, { checkEnergy: false });
  const own = new Set(twin.terms.map(({ name }) => name));
  for (const term of simulation.terms) if (!own.has(term.name)) twin.addTerm(term);
  copyWeights(simulation, twin);
  return twin;
}

/** Gives a twin the weights of the energies of its simulation; whether some were others. */
export function copyWeights(from: Simulation, to: Simulation): boolean {
  let hasChanged = false;
  const copy = (name: string): void => {
    const weight = from.termWeight(name);
    if (to.termWeight(name) === weight) return;
    to.setTermWeight(name, weight);
    hasChanged = true;
  };
  for (const name of WEIGHTED) copy(name);
  for (const { name } of from.terms) copy(name);
  return hasChanged;
}
