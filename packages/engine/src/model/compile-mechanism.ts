/** From the lists of a scene to its mechanism in joint coordinates, and from there to the model in the coordinates that were chosen. */
import type { ContentCache } from '../geometry/convex/cached-polyhedron.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { Coordinates } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
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
import { findFluidMeshes } from './fluid-meshes.ts';
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
import { resolveMuscleForces } from './muscle-force.ts';
import { listOpenSolids } from './open-solids.ts';
import { type CompileOptions, compileOptions } from './options.ts';
import { prepareRestDynamics, type RestDynamics } from './rest-dynamics.ts';
import { hasSameGeometry } from './same-assets.ts';
import type { SceneIndex } from './scene-index.ts';
import { compileSensors, countHistory, countReadings } from './sensors.ts';
import { compileShapes, inflateShapes } from './shapes.ts';
import { compileSites } from './sites.ts';
import { resolveSpringDampers } from './spring-damper.ts';
import { compileSurfaces } from './surface-materials.ts';
import { fillTendonRestLengths } from './tendon-rest-length.ts';
import { compileTendons } from './tendons.ts';
import { buildTreeSparsity, checkTreeOperations } from './tree-sparsity.ts';
import { boundVibrations } from './vibration.ts';

const NONE = /* @__PURE__ */ new Float64Array(0);

/** A model and its scene, whose meshes and fields are taken over. */
export interface Before {
  model: Model;
  scene: Scene;
}

/** The mechanism of a scene, not yet weighed; its arrays are the caller's, meshes and fields those of the model before. */
export function compileMechanism(
  index: SceneIndex,
  choice: CompileOptions,
  before: Before | undefined,
  cache?: ContentCache,
): Model {
  const mechanism = compileJointModel(index, choice, before, cache);
  fillTendonRestLengths(mechanism, prepareRestDynamics(mechanism, mechanism.springPosition));
  return mechanism;
}

/** A mechanism with all that depends on how heavy it is as it stands; `dynamics` has its kinematics in the initial pose. */
export function weighMechanism(mechanism: Model, { scene, joints }: SceneIndex, dynamics: RestDynamics): Model {
  const weighed = { ...mechanism, inverseWeight: computeInverseWeights(mechanism, dynamics()) };
  resolveSpringDampers(weighed, joints);
  resolveDampingRatios(weighed, scene.actuators ?? [], dynamics);
  resolveMuscleForces(weighed, dynamics);
  return { ...weighed, vibration: boundVibrations(weighed, dynamics) };
}

/** A model in the coordinates that were chosen. */
export function chooseModel(mechanism: Model, coordinates: Coordinates): Model {
  return coordinates === 'joint' ? mechanism : reweighFreedBodies(convertToBodyCoordinates(mechanism));
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
  const meshMass = createMeshMass(scene, mesh);
  const inertias = computeBodyInertias(index, shape, meshMass);
  findFluidMeshes(index, shape, mesh, meshMass);
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
  const sensor = compileSensors(index, options.timestep, meshMass);
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
    tautLink: 0,
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

/** Points of bodies that flow. */
function countPlastic(soft: ModelSoftBodies): number {
  let count = 0;
  soft.elasticity.forEach(({ plasticity }, n) => {
    if (plasticity) count += countElementPoints(soft, n);
  });
  return count;
}
