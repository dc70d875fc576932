/**
 * Models of the environments of a thread: that of the scene, and those with changes. Changes that can be set into the simulation of the
 * scene are; others have a simulation of their own.
 */
import {
  type CompileOptions,
  compileModel,
  type Model,
  type ModelParameters,
  recompileModel,
  type Scene,
  Simulation,
} from '@nexdyn/engine/core';
import { canSendModel, receiveModel } from '@nexdyn/engine/threads';
import type { SceneChanges } from './environment.ts';
import { changeScene, listValues } from './scene-changes.ts';

/** What every thread needs to know of a model. */
export interface ModelSource {
  scene: Scene;
  compile: CompileOptions;
  /** The model, where it can be sent: threads need not compile it. */
  model?: Model;
}

/** A source with its model, where that can be sent. */
export function withModel(source: ModelSource, model: Model): ModelSource {
  return canSendModel(model) ? { ...source, model } : source;
}

/** A simulation, and the parameters that make it that of an environment. */
export interface Variant {
  readonly simulation: Simulation;
  readonly parameters: ModelParameters | undefined;
}

/** Simulations that are kept for the changes of later environments. */
const MOST_OTHERS = 3;

export class Variants {
  readonly #source: ModelSource;
  #model: Model | undefined;
  #plain: Variant | undefined;
  /** Simulations of environments with other changes, which may take those of the next: the latest first. */
  #others: Simulation[] = [];
  /** What each simulation is set to. */
  readonly #set = new WeakMap<Simulation, ModelParameters>();
  /** The last changes: neighbours often share them. */
  #last: { key: string; variant: Variant } | undefined;
  #alone: { key: string; simulation: Simulation } | undefined;

  /** `model`: where it is compiled already. */
  constructor(source: ModelSource, model?: Model) {
    this.#source = source;
    this.#model = model;
  }

  /** The model of the scene. */
  get model(): Model {
    const { scene, compile, model } = this.#source;
    this.#model ??= model ? receiveModel(model, scene, compile) : compileModel(scene, compile);
    return this.#model;
  }

  /** What an environment with these changes runs on. */
  find(changes?: SceneChanges): Variant {
    this.#plain ??= this.#open(this.model);
    if (!changes) return this.#plain;
    const key = JSON.stringify(changes);
    if (this.#last?.key === key) return this.#last.variant;
    const variant = this.#compute(changes, this.#plain.simulation) ?? this.#compile(changes, this.#plain.simulation);
    this.#last = { key, variant };
    return variant;
  }

  /** Numbers alone, without a model. */
  #compute(changes: SceneChanges, simulation: Simulation): Variant | undefined {
    const parameters = changes.options ? undefined : simulation.computeParameters(listValues(changes));
    return parameters && { simulation, parameters };
  }

  #compile(changes: SceneChanges, plain: Simulation): Variant {
    const model = this.#change(changes);
    for (const simulation of [plain, ...this.#others]) {
      const parameters = simulation.matchParameters(model);
      if (parameters) return { simulation, parameters };
    }
    const variant = this.#open(model);
    this.#others = [variant.simulation, ...this.#others].slice(0, MOST_OTHERS);
    return variant;
  }

  /** The simulation of a variant with its parameters set. */
  enter({ simulation, parameters }: Variant): Simulation {
    if (!parameters || parameters === this.#set.get(simulation)) return simulation;
    simulation.setParameters(parameters);
    this.#set.set(simulation, parameters);
    return simulation;
  }

  /** A simulation without parameters of its own: derivatives need one. */
  findAlone(changes?: SceneChanges): Simulation {
    const key = changes ? JSON.stringify(changes) : '';
    if (this.#alone?.key !== key) {
      const model = changes ? this.#change(changes) : this.model;
      this.#alone = { key, simulation: openModel(model, false) };
    }
    return this.#alone.simulation;
  }

  #change(changes: SceneChanges): Model {
    // environments of a batch have one layout of the state
    return recompileModel(this.model, changeScene(this.#source.scene, changes), this.model.coordinates);
  }

  #open(model: Model): Variant {
    const simulation = openModel(model, true);
    const parameters = simulation.matchParameters(model);
    if (parameters) this.#set.set(simulation, parameters);
    return { simulation, parameters };
  }
}

/** With a clock where steps have a time limit. */
function openModel(model: Model, ownParameters: boolean): Simulation {
  const isLimited = model.options.maxStepTime < Infinity;
  return new Simulation(model, { ownParameters, ...(isLimited && { clock: () => performance.now() }) });
}
