import type { Coordinates, FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import type { ModelOptions } from './model.ts';

/** What a caller may choose when compiling; each replaces what the scene says. */
export interface CompileOptions {
  /** Default: the scene's, then that of the formulation: `joint` for mujoco and sap, `body` for ccp and ipc. */
  coordinates?: Coordinates;
  /** Default: the scene's, then 'mujoco'. */
  formulation?: FormulationId;
  /** s. Default: the scene's, then 0.002. */
  timestep?: number;
}

/** Coordinates of each formulation where neither the caller nor the scene chooses. */
const COORDINATES: Readonly<Record<FormulationId, Coordinates>> = {
  mujoco: 'joint',
  sap: 'joint',
  ccp: 'body',
  ipc: 'body',
};

/** Scene options with every default filled in. */
export function compileOptions(scene: Scene, choice: CompileOptions): ModelOptions {
  const options = scene.options ?? {};
  const medium = options.medium ?? {};
  return {
    timestep: choice.timestep ?? options.timestep ?? 0.002,
    gravity: Float64Array.from(options.gravity ?? [0, 0, -9.81]),
    integrator: options.integrator ?? 'euler',
    formulation: choice.formulation ?? options.formulation ?? 'mujoco',
    medium: Object.freeze({
      density: medium.density ?? 0,
      viscosity: medium.viscosity ?? 0,
      wind: Float64Array.from(medium.wind ?? [0, 0, 0]),
    }),
    disabled: new Set(options.disable ?? []),
  };
}

/** The coordinates to compile for. */
export function chooseCoordinates(scene: Scene, choice: CompileOptions, formulation: FormulationId): Coordinates {
  return choice.coordinates ?? scene.options?.coordinates ?? COORDINATES[formulation];
}
