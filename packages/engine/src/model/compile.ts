import type { ContentCache } from '../geometry/convex/cached-polyhedron.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { Scene } from '../scene/scene.ts';
import { validateScene } from '../scene/validate.ts';
import { validateParameters } from '../scene/validation/parameters.ts';
import { compileActuators, countActivations, countControlHistory } from './actuators.ts';
import { compileBodies, placeBodies } from './bodies.ts';
import { convertToBodyCoordinates } from './body-coordinates.ts';
import { checkMovingInertias, computeBodyInertias } from './body-inertia.ts';
import { buildCollisionGeometry } from './collision-geometry.ts';
import { compilePressure, compileSoftBodies } from './compliance.ts';
import { createConstraintJoints } from './constraint-joints.ts';
import { compileContactFilter } from './contact-filter.ts';
import { resolveDampingRatios } from './damping-ratio.ts';
import { countElementPoints } from './element-points.ts';
import { compileEqualities } from './equalities.ts';
import { compileHeightFields } from './height-fields.ts';
import { computeInitialPoses } from './initial-pose.ts';
import { computeInverseWeights, createInverseWeights, reweighFreedBodies } from './inverse-weight.ts';
import { compileJoints } from './joints.ts';
import { compileKeyframes } from './keyframes.ts';
import { compileLook } from './look-access.ts';
import { compileMaterials, describeSignedDistanceFields } from './materials.ts';
import { compileMeshes, createMeshMass } from './meshes.ts';
import type { Model, ModelSizes } from './model.ts';
import type { ModelSoftBodies } from './model-soft-bodies.ts';
import { findSource, noteSource } from './model-source.ts';
import { resolveMuscleForces } from './muscle-force.ts';
import { listOpenSolids } from './open-solids.ts';
import { type CompileOptions, chooseCoordinates, compileOptions } from './options.ts';
import { prepareRestDynamics } from './rest-dynamics.ts';
import { hasSameAssets, hasSameGeometry } from './same-assets.ts';
import { indexScene, type SceneIndex } from './scene-index.ts';
import { compileSensors, countHistory, countReadings } from './sensors.ts';
import { compileShapes, inflateShapes } from './shapes.ts';
import { compileSites } from './sites.ts';
import { resolveSpringDampers } from './spring-damper.ts';
import { compileSurfaces } from './surface-materials.ts';
import { fillTendonRestLengths } from './tendon-rest-length.ts';
import { compileTendons } from './tendons.ts';
import { buildTreeSparsity, checkTreeOperations } from './tree-sparsity.ts';
import { boundVibrations } from './vibration.ts';

export type { ContentCache } from '../geometry/convex/cached-polyhedron.ts';
export type { CompileOptions } from './options.ts';

const NONE = /* @__PURE__ */ new Float64Array(0);

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
 * model must not have been changed since.
 */
export function recompileModel(model: Model, scene: Scene): Model {
  const source = findSource(model);
  if (!source || !hasSameAssets(source.scene, scene)) return compileModel(scene, source?.choice);
  validateParameters(scene, source.choice.limits);
  return compileValid(scene, source.choice, { model, scene: source.scene });
}

/** A model and its scene, whose meshes and fields are taken over. */
interface Before {
  model: Model;
  scene: Scene;
}

function compileValid(scene: Scene, choice: CompileOptions, before?: Before, cache?: ContentCache): Model {
  const index = indexScene(scene);
  const mechanism = compileJointModel(index, choice, before, cache);

  // what depends on the mechanism as it stands
  fillTendonRestLengths(mechanism, prepareRestDynamics(mechanism, mechanism.springPosition));
  const dynamics = prepareRestDynamics(mechanism, mechanism.initialPosition);
  const weighed = { ...mechanism, inverseWeight: computeInverseWeights(mechanism, dynamics()) };
  resolveSpringDampers(weighed, index.joints);
  resolveDampingRatios(weighed, scene.actuators ?? [], dynamics);
  resolveMuscleForces(weighed, dynamics);
  const model = { ...weighed, vibration: boundVibrations(weighed, dynamics) };

  const coordinates = chooseCoordinates(scene, choice, model.options.formulation);
  const frozen = freezeModel(coordinates === 'joint' ? model : reweighFreedBodies(convertToBodyCoordinates(model)));
  noteSource(frozen, { scene, choice });
  return frozen;
}

function compileJointModel(
  index: SceneIndex,
  choice: CompileOptions,
  before: Before | undefined,
  cache: ContentCache | undefined,
): Model {
  const { scene } = index;
  // geometry and mass
  const tree = placeBodies(index);
  const mesh = before?.model.mesh ?? compileMeshes(scene);
  const heightField = before?.model.heightField ?? compileHeightFields(scene);
  const shape = compileShapes(index);
  const options = compileOptions(scene, choice);
  const traits = findFormulation(options.formulation);
  if (traits.detectionGap) inflateShapes(shape, traits.detectionGap(options.formulations[traits.id]));
  const inertias = computeBodyInertias(index, shape, createMeshMass(scene, mesh));
  checkMovingInertias(index, inertias, tree.weld);
  // the tree
  const body = compileBodies(index, tree, inertias);
  const { joint, dof, initialPosition, springPosition } = compileJoints(index, tree, body);
  checkTreeOperations(dof.parent, choice.limits);
  const massMatrix = buildTreeSparsity(dof.parent);
  // what refers to it
  const site = compileSites(index);
  const tendon = compileTendons(index);
  const actuator = compileActuators(index, options.timestep);
  const sensor = compileSensors(index, options.timestep);
  const initialPoses = computeInitialPoses(body);
  const equality = compileEqualities(index, site, initialPoses);
  const soft = compileSoftBodies(index, initialPoses, body.lastDof);
  const contactFilter = compileContactFilter(index);
  const size: ModelSizes = {
    body: index.bodies.length,
    joint: index.joints.length,
    constraintJoint: 0,
    position: initialPosition.length,
    velocity: dof.body.length,
    shape: index.shapes.length,
    mesh: mesh.name.length,
    softBody: soft.name.length,
    softVertex: soft.rest.length / 3,
    softEdge: soft.edge.length / 2,
    plasticPoint: countPlastic(soft),
    breakableAttachment: soft.attachments.filter(({ breakIndex }) => breakIndex >= 0).length,
    site: index.sites.length,
    tendon: tendon.name.length,
    actuator: actuator.name.length,
    activation: countActivations(actuator),
    sensor: sensor.name.length,
    reading: countReadings(sensor),
    sensorHistory: countHistory(sensor),
    controlHistory: countControlHistory(actuator),
    sleepTree: options.sleep ? dof.parent.filter((parent) => parent < 0).length : 0,
    equality: equality.name.length,
    mocap: body.mocap.reduce((count, mocap) => Math.max(count, mocap + 1), 0),
    keyframe: scene.keyframes?.length ?? 0,
    stepControl: options.accuracy === undefined ? 0 : 1,
    massMatrix: massMatrix.column.length,
  };
  const isSameGeometry =
    before?.model.options.formulation === options.formulation &&
    hasSameGeometry(before.model, index, shape, before.scene);
  const geometry = isSameGeometry
    ? before.model.geometry
    : buildCollisionGeometry(index, shape, mesh, heightField, options, cache);
  return {
    name: scene.name ?? '',
    coordinates: 'joint',
    description: scene.description ?? '',
    options,
    size,
    body,
    joint,
    dof,
    massMatrix,
    shape,
    mesh,
    material: compileMaterials(scene),
    heightField,
    signedDistanceField: describeSignedDistanceFields(scene),
    openSolids: listOpenSolids(index, shape.asset, body, geometry),
    geometry,
    pressure: compilePressure(index, options, shape, geometry, soft),
    soft,
    site,
    tendon,
    actuator,
    sensor,
    look: compileLook(index, body, initialPoses),
    equality,
    contactFilter,
    surface: compileSurfaces(scene, shape, soft),
    terms: JSON.parse(JSON.stringify(scene.terms ?? [])),
    keyframe: compileKeyframes(scene.keyframes ?? [], { size, joint, body, initialPosition }),
    initialPosition,
    springPosition,
    constraintJoint: createConstraintJoints([]),
    inverseWeight: createInverseWeights(size),
    vibration: { joint: NONE, constraintJoint: NONE, tendon: NONE, actuator: NONE },
  };
}

/** Freezes a model and all plain objects and arrays in it; typed arrays cannot be frozen, sets are read-only by type. */
function freezeModel<T>(part: T): T {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || Object.isFrozen(part)) return part;
  const prototype = Object.getPrototypeOf(part);
  // geometry holds objects with methods and inner state
  if (prototype !== Object.prototype && prototype !== Array.prototype) return part;
  Object.freeze(part);
  for (const inner of Object.values(part)) freezeModel(inner);
  return part;
}

/** Points of bodies that flow. */
function countPlastic(soft: ModelSoftBodies): number {
  let count = 0;
  soft.elasticity.forEach(({ plasticity }, n) => {
    if (plasticity) count += countElementPoints(soft, n);
  });
  return count;
}
