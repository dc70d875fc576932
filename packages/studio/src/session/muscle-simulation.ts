/** In place of the module of the same name in the formats: the engine stays in the script of the worker, which gives it here. */
import type { Scene, Simulation } from '@nexdyn/engine';

let create: ((scene: Scene) => Simulation) | undefined;

export function provideSimulation(created: (scene: Scene) => Simulation): void {
  create = created;
}

export function createSimulation(scene: Scene): Simulation {
  return create!(scene);
}
