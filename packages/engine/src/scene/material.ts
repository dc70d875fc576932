/** Physical properties of a surface and of the material behind it; each formulation uses the properties it needs. */
export interface Material {
  /** Unique among materials. */
  name: string;
  /** Sliding friction coefficient. Default: 1. */
  friction?: number;
  /** Spinning friction: torque over normal force, m. Default: 0.005. */
  spinFriction?: number;
  /** Rolling friction: torque over normal force, m. Default: 0.0001. */
  rollFriction?: number;
  /** Stiffness of a contact point, N/m. Default: the formulation's. */
  stiffness?: number;
  /** Pressure at the deepest point in hydroelastic contact, Pa. Default: 1e7. */
  hydroelasticModulus?: number;
  /** Dissipation time of a contact: damping over stiffness, s. Default: the formulation's. */
  dissipation?: number;
  /** Restitution coefficient, 0 to 1; an error under formulations that do not define it. Default: 0. */
  restitution?: number;
  /** Density, kg/m³. Default: 1000. */
  density?: number;
  /** Colour: red, green, blue, opacity, each 0 to 1. */
  color?: [number, number, number, number];
}
