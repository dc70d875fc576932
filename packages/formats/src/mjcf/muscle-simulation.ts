/** The simulation with which muscles are pulled at. Pages put theirs in its place, so that the script of the reader does not hold the engine. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';

export function createSimulation(scene: Scene): Simulation {
  return new Simulation(compileModel(scene));
}
