/** Factors on the potentials that every simulation has. Those of added terms are `term.weight`. */
export interface TermWeights {
  /** On the acceleration of gravity, compensation of weight included. */
  gravity: number;
  /** On the stiffness of springs: of joints, tendons and soft vertices. */
  springs: number;
  /** On the elastic constants of soft bodies. */
  elastic: number;
}

/** Everything as the scene has it. */
export function createTermWeights(): TermWeights {
  return { gravity: 1, springs: 1, elastic: 1 };
}
