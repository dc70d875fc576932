import type { ContentCache } from '../geometry/convex/cached-polyhedron.ts';
import type { Coordinates } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { validateScene } from '../scene/validate.ts';
import { validateParameters } from '../scene/validation/parameters.ts';
import { type Before, chooseModel, compileMechanism, weighMechanism } from './compile-mechanism.ts';
import { freezeModel } from './frozen-copy.ts';
import type { Model } from './model.ts';
import { findSource, noteSource } from './model-source.ts';
import { type CompileOptions, chooseCoordinates, mayGiveWay } from './options.ts';
import { prepareRestDynamics } from './rest-dynamics.ts';
import { hasSameAssets } from './same-assets.ts';
import { indexScene } from './scene-index.ts';
import { findTautLink } from './taut-links.ts';

export type { ContentCache } from '../geometry/convex/cached-polyhedron.ts';
export type { CompileOptions } from './options.ts';

/**
 * Compile a scene for one choice of coordinates. Scenes that make no sense raise a `NexdynError` with path and hint. Convex hulls are taken
 * from a cache, and kept there, where one is given: the model is the same.
 */
export function compileModel(scene: Scene, choice: CompileOptions = {}, cache?: ContentCache): Model {
  validateScene(scene, choice.limits);
  return compileValid(scene, choice, undefined, cache);
}

/**
 * Compile a scene that differs from that of a model in its parameters, with the same choices. Gives what `compileModel` gives, in a
 * fraction of the time where there are meshes: what the model has built from them is taken over if they are the same. The scene of the
 * model must not have been changed since. Where `coordinates` are said, they are those.
 */
export function recompileModel(model: Model, scene: Scene, coordinates?: Coordinates): Model {
  const source = findSource(model);
  const choice = { ...source?.choice, ...(coordinates && { coordinates }) };
  if (!source || !hasSameAssets(source.scene, scene)) return compileModel(scene, choice);
  validateParameters(scene, choice.limits);
  return compileValid(scene, choice, { model, scene: source.scene });
}

function compileValid(scene: Scene, choice: CompileOptions, before?: Before, cache?: ContentCache): Model {
  const index = indexScene(scene);
  const mechanism = compileMechanism(index, choice, before, cache);
  const rest = prepareRestDynamics(mechanism, mechanism.initialPosition);
  const weighed = weighMechanism(mechanism, index, rest);
  const { formulation } = weighed.options;
  const tautLink = mayGiveWay(scene, choice, formulation) ? findTautLink(weighed, rest) : 0;
  const coordinates = tautLink > 0 ? 'joint' : chooseCoordinates(scene, choice, formulation);
  const frozen = freezeModel(chooseModel({ ...weighed, tautLink }, coordinates));
  noteSource(frozen, { scene, choice });
  return frozen;
}
