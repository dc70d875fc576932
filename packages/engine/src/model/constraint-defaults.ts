import type { Solimp, Solref } from '../scene/mujoco-parameters.ts';

/** Time constant (s) and damping ratio of every constraint that does not say otherwise. */
export const DEFAULT_SOLREF: Readonly<Solref> = [0.02, 1];

/** Impedance of every constraint that does not say otherwise. */
export const DEFAULT_SOLIMP: Readonly<Solimp> = [0.9, 0.95, 0.001, 0.5, 2];

/** Sliding coefficient, spinning and rolling friction (m) of shapes without any. */
export const DEFAULT_FRICTION: readonly [number, number, number] = [1, 0.005, 0.0001];

/** Density of shapes without mass, density or material, and of soft bodies without one, kg/m³. */
export const DEFAULT_DENSITY = 1000;

/** Colour of shapes without any. */
export const DEFAULT_COLOR: readonly [number, number, number, number] = [0.5, 0.5, 0.5, 1];
