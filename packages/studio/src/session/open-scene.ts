import { compileModel, type Model, Simulation } from '@nexdyn/engine';
import { loadScene, type UnsupportedItem } from '@nexdyn/formats';
import { droppedSource } from './dropped-source.ts';
import type { SceneFacts, SceneFiles } from './protocol.ts';
import { labelShapes } from './shape-label.ts';

export interface OpenScene {
  simulation: Simulation;
  unsupported: UnsupportedItem[];
}

/** Read and compile a scene, and stand it in its initial state. */
export function openScene(files: SceneFiles, path: string): OpenScene {
  // a page has nothing outside of what it was given, so no reference can leave the folder
  const { scene, unsupported } = loadScene(path, { files: droppedSource(files), allowOutside: true });
  const simulation = new Simulation(compileModel(scene));
  simulation.reset();
  simulation.forward();
  return { simulation, unsupported };
}

export function gatherFacts(model: Model, path: string): SceneFacts {
  const { size, options } = model;
  return {
    name: model.name || path.slice(path.lastIndexOf('/') + 1),
    description: model.scene.description ?? '',
    bodies: size.body - 1,
    joints: size.joint,
    dofs: size.velocity,
    shapes: size.shape,
    actuators: size.actuator,
    mass: model.body.mass.reduce((sum, mass) => sum + mass, 0),
    timestep: options.timestep,
    formulation: options.formulation,
    coordinates: model.coordinates,
    integrator: options.integrator,
    isContactOff: options.disabled.has('contact') || options.disabled.has('constraint'),
    shapeLabels: labelShapes(model),
    keyframes: model.keyframe.name.map((name, index) => name || `keyframe ${index}`),
  };
}
