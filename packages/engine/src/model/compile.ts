import { createMassProperties } from '../geometry/mass-properties.ts';
import type { Scene } from '../scene/scene.ts';
import { compileActuators, countActivations } from './actuators.ts';
import { compileBodies, placeBodies } from './bodies.ts';
import { checkMovingInertias, computeBodyInertias } from './body-inertia.ts';
import { compileJoints } from './joints.ts';
import type { Model } from './model.ts';
import { type CompileOptions, chooseCoordinates, compileOptions } from './options.ts';
import { indexScene } from './scene-index.ts';
import { checkPlanes, compileShapes } from './shapes.ts';
import { compileSites } from './sites.ts';
import { buildTreeSparsity } from './tree-sparsity.ts';

export type { CompileOptions } from './options.ts';

/** Compile a scene. */
export function compileModel(scene: Scene, choice: CompileOptions = {}): Model {
  const options = compileOptions(scene, choice);
  const coordinates = chooseCoordinates(scene, choice, options.formulation);
  const index = indexScene(scene);
  const tree = placeBodies(index);
  const shape = compileShapes(index);
  checkPlanes(index, shape, tree.lastDof);
  const inertias = computeBodyInertias(index, shape, createMassProperties);
  checkMovingInertias(index, inertias, tree.weld);
  const body = compileBodies(index, tree, inertias);
  const { joint, dof, initialPosition, springPosition } = compileJoints(index, tree, body);
  const massMatrix = buildTreeSparsity(dof.parent);
  const site = compileSites(index);
  const actuator = compileActuators(index);
  const activation = countActivations(actuator);
  const f64 = () => new Float64Array(0);
  const i32 = () => new Int32Array(0);
  const u8 = () => new Uint8Array(0);
  const model = {
    name: scene.name ?? '',
    coordinates,
    scene,
    options,
    size: {
      body: index.bodies.length,
      joint: index.joints.length,
      position: initialPosition.length,
      velocity: dof.body.length,
      shape: index.shapes.length,
      mesh: 0,
      site: index.sites.length,
      tendon: 0,
      actuator: actuator.name.length,
      activation,
      equality: 0,
      mocap: tree.mocap.reduce((n, m) => (m >= 0 ? n + 1 : n), 0),
      keyframe: 0,
      massMatrix: massMatrix.column.length,
    },
    body,
    joint,
    dof,
    massMatrix,
    shape,
    mesh: {
      name: [],
      vertexStart: i32(),
      vertexCount: i32(),
      faceStart: i32(),
      faceCount: i32(),
      vertices: f64(),
      faces: i32(),
    },
    heightField: {
      name: [],
      rows: i32(),
      columns: i32(),
      halfSize: f64(),
      baseDepth: f64(),
      dataStart: i32(),
      heights: f64(),
    },
    site,
    tendon: {
      name: [],
      stationStart: i32(),
      stationCount: i32(),
      stationKind: u8(),
      stationObject: i32(),
      stationParameter: f64(),
      stiffness: f64(),
      damping: f64(),
      armature: f64(),
      frictionLoss: f64(),
      springLength: f64(),
      limited: u8(),
      range: f64(),
      margin: f64(),
      solrefLimit: f64(),
      solimpLimit: f64(),
      solrefFriction: f64(),
      solimpFriction: f64(),
      actuatorForceLimited: u8(),
      actuatorForceRange: f64(),
    },
    actuator,
    equality: {
      name: [],
      kind: u8(),
      object1: i32(),
      object2: i32(),
      data: f64(),
      active: u8(),
      solref: f64(),
      solimp: f64(),
    },
    contactFilter: { pairShapes: i32(), excludedBodies: i32() },
    keyframe: {
      name: [],
      time: f64(),
      position: f64(),
      velocity: f64(),
      activation: f64(),
      control: f64(),
      mocapPosition: f64(),
      mocapOrientation: f64(),
    },
    initialPosition,
    springPosition,
    constraintJoint: {
      name: [],
      kind: u8(),
      body1: i32(),
      body2: i32(),
      anchor1: f64(),
      anchor2: f64(),
      axis1: f64(),
      axis2: f64(),
      orientation: f64(),
      reference: f64(),
      stiffness: f64(),
      damping: f64(),
      springReference: f64(),
      limited: u8(),
      range: f64(),
    },
  };
  return Object.freeze(model);
}
