/** Robots with servos, springs and dampers under each formulation, against `mujoco` in joint coordinates with MuJoCo's integrator. */
import { type Coordinates, compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import type { Robot } from './robots.ts';
import { folderFiles } from './shared-data.ts';

/** A robot that touches nothing. */
export function loadWithoutContact({ folder, path }: Robot): Scene {
  const { scene } = loadScene(path, { files: folderFiles(folder) });
  return { ...scene, options: { ...scene.options, disable: [...(scene.options?.disable ?? []), 'contact'] } };
}

export interface ServoMotion {
  /** Largest distance of a body from where it is under `mujoco`, m. */
  distance: number;
  /** Steps that did not converge. */
  open: number;
}

/** Runs a scene for some seconds under formulations, in the coordinates that each has by default or in others. */
export function compareServoMotion(
  scene: Scene,
  seconds: number,
  formulations: readonly FormulationId[],
  coordinates?: Coordinates,
): Map<FormulationId, ServoMotion> {
  const reference = new Simulation(compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' }));
  const steps = Math.round(seconds / reference.timestep);
  reference.step(steps);
  const out = new Map<FormulationId, ServoMotion>();
  for (const formulation of formulations) {
    const simulation = new Simulation(compileModel(scene, { formulation, ...(coordinates && { coordinates }) }));
    let open = 0;
    for (let n = 0; n < steps; n++) if (simulation.step().status !== 'converged') open++;
    const distance = simulation.bodyPosition.reduce(
      (worst, x, i) => Math.max(worst, Math.abs(x - reference.bodyPosition[i])),
      0,
    );
    out.set(formulation, { distance, open });
  }
  return out;
}
