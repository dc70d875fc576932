/**
 * Parameters that only the `mujoco` formulation reads. Where they are absent, the physical material is mapped to them.
 */

/** Time constant (s) and damping ratio; or, both negative, stiffness and damping. */
export type Solref = [number, number];

/** Impedance at zero, impedance at `width`, width (m or rad), midpoint, power. */
export type Solimp = [number, number, number, number, number];

/** Contact parameters of a shape or of a pair of shapes under `mujoco`. */
export interface MujocoContactParameters {
  /** Dimension of the contact: 1 frictionless, 3 sliding, 4 with spin, 6 with rolling. Default: 3. */
  condim?: 1 | 3 | 4 | 6;
  /** The surface with the higher priority determines the parameters of a contact. Default: 0. */
  priority?: number;
  /** Weight of this shape when the parameters of two shapes are averaged, without unit. Default: 1. */
  solmix?: number;
  /**
   * Time constant (s) and damping ratio of the contact; both negative: stiffness (1/s²) and damping (1/s). Default: 0.02 1, or the value of the material.
   */
  solref?: Solref;
  /** The same for the friction directions; only for explicit pairs with elliptic cones. Default: `solref`. */
  solrefFriction?: Solref;
  /** Impedance of the contact: at zero depth, at the width, width (m), midpoint, power. Default: 0.9 0.95 0.001 0.5 2. */
  solimp?: Solimp;
  /** Adhesion of a contact, N: the contact pulls with up to this force, and friction grows with it; the adhesions of two shapes add. Default: 0. */
  adhesion?: number;
}
