/**
 * A second simulation of the same model on which derivatives are taken, so that the user's own is never touched: its steps are the same
 * bytes whether derivatives are used or not. The solver of the twin goes down to round-off, because the error of a derivative is of the
 * order of what the solve leaves, over the length of a difference.
 */
import { hasJumpingPoints } from '../collision/mujoco-points.ts';
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { Simulation } from '../simulation.ts';
import type { Term } from '../term/term.ts';
import { noteBegun } from './adjoint/twin-adjoint.ts';
import { createDistanceTerm, type DistanceForce } from './distance-force.ts';
import { copyWeights, createTwin } from './twin-copy.ts';

/** The model with the tolerances of its formulation at round-off. */
function tightenModel(model: Model): Model {
  const { options } = model;
  const id = options.formulation;
  const { tighten, elasticStep } = findFormulation(id);
  const hasExactEllipsoids = options.contactPoints !== 'spread' && model.shape.kind.some(hasJumpingPoints);
  if (!tighten) return { ...model, options: { ...options, hasExactEllipsoids } };
  const own = tighten(options.formulations[id]);
  const tight = {
    ...options,
    hasExactEllipsoids,
    formulations: { ...options.formulations, [id]: own },
    [id]: own,
    elasticStep: { ...elasticStep?.(own) },
  };
  return { ...model, options: tight };
}

/** A second simulation, solved to round-off; with a force from a distance, where derivatives ask for it. */
export function createTightTwin(simulation: Simulation, model: Model, distance?: DistanceForce): Simulation {
  const twin = createTwin(simulation, tightenModel(model));
  if (distance) twin.addTerm(createDistanceTerm(model, distance));
  twin.formulation.held?.polish?.(true, model);
  return twin;
}

const twins = new WeakMap<Simulation, { twin: Simulation; terms: readonly Term[] }>();

/** The twin of a simulation, made when first asked for, and again when its energies have changed. */
export function findTwin(simulation: Simulation): Simulation {
  const { terms } = simulation;
  if (simulation.hasOwnParameters) {
    const hint = 'make a simulation of the changed model for them';
    throw new NexdynError('invalid-argument', 'a simulation with `ownParameters` has no derivatives', { hint });
  }
  const known = twins.get(simulation);
  if (known && known.terms.length === terms.length && known.terms.every((term, i) => term === terms[i])) {
    if (copyWeights(simulation, known.twin)) noteBegun(known.twin);
    return known.twin;
  }
  const twin = createTightTwin(simulation, simulation.model);
  twins.set(simulation, { twin, terms: [...terms] });
  return twin;
}
