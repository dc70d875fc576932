/** One engine with one scene loaded, ready to be timed. */
export interface Contender {
  /** Degrees of freedom. */
  readonly dofs: number;
  /** Back to the initial state of the race; not timed. */
  rewind(): void;
  /** What is timed. */
  advance(count: number): void;
  /** What both engines must agree on: joint positions in the order both share, or the gaps of all contacts, ascending. */
  readResult(): Float64Array;
  /** Gives memory back. */
  dispose(): void;
}

/** A state that both engines can start from. */
export interface StartState {
  position: Float64Array;
  velocity: Float64Array;
  warmStart: Float64Array;
}

/** Speed of dof i at the start of a race, m/s or rad/s: everything moves, and the same way in both engines. */
export function startVelocity(dof: number): number {
  return 0.3 * Math.sin(1 + dof);
}

/** Control i during a race. */
export function startControl(actuator: number): number {
  return 0.1 * Math.sin(1 + actuator);
}
