import type { MujocoContactParameters } from './mujoco-parameters.ts';

/** Two shapes with individual contact parameters; they are tested regardless of groups. */
export interface ContactPair {
  /** Unique among pairs. */
  name?: string;
  /** Name of the first shape. */
  shape1: string;
  /** Name of the second shape. */
  shape2: string;
  /** Friction: two sliding coefficients, spin (m), two rolling (m). Default: mixed from the shapes. */
  friction?: [number, number, number, number, number];
  /** Gap below which the contact acts, m. Default: mixed from the shapes. */
  margin?: number;
  /** Further gap within which contacts are detected without force, m. Default: mixed from the shapes. */
  gap?: number;
  /** Contact stiffness, N/m. Default: mixed from the materials. */
  stiffness?: number;
  /** Dissipation time, s. Default: mixed from the materials. */
  dissipation?: number;
  /** Restitution, 0 to 1. Default: mixed from the materials. */
  restitution?: number;
  /** Contact parameters of `mujoco`. */
  mujoco?: MujocoContactParameters;
}

/** Two bodies whose shapes never touch each other. */
export interface ContactExclude {
  /** Unique among excludes. */
  name?: string;
  /** Name of the first body; `world` is the world. */
  body1: string;
  /** Name of the second body; `world` is the world. */
  body2: string;
}
