/**
 * An energy of the step, written by a user: ψ(x) in joules, a function of where bodies and soft vertices are.
 *
 *   unknowns   per body (dx, dθ): translation of the origin of its frame, m, and a rotation vector in world axes, rad,
 *              about that origin: x ← x + dx, R ← exp(dθ) R.    Per soft vertex dx, m.
 *   gradient   ∂ψ/∂dx in N, ∂ψ/∂dθ in N m: minus the force and the torque that act on the body
 *   Hessian    second derivatives by the same unknowns, in dense blocks over few bodies and vertices
 *
 * `ipc` minimises ψ with everything else: it acts exactly. `mujoco`, `sap` and `ccp` take it linearised at the start of the
 * step, ψ(x + h v) ≈ ψ + h g·v + ½ h² vᵀ H v with H projected to be positive semidefinite: stiff terms are stable at any
 * time step. A term without a Hessian is an explicit force there.
 *
 * Dissipation is a term as well: with x₀ from `begin`, (x − x₀)/h is the velocity, and ψ = ½ c |x − x₀|²/h is a damper.
 */
import type { Model } from '../model/model.ts';

/** Where everything is. Body 0 is the world. `simulation.derived` is a configuration. */
export interface Configuration {
  /** Three numbers per body: origin of its frame, m. */
  readonly bodyPosition: Float64Array;
  /** Nine numbers per body: rotation matrix, row by row. */
  readonly bodyRotation: Float64Array;
  /** Three numbers per vertex of all soft bodies, m. */
  readonly softPosition: Float64Array;
}

/** What is known when a step begins. */
export interface StepContext {
  /** What is simulated. */
  readonly model: Model;
  /** Time step, s. */
  readonly h: number;
  /** Time at the start, s. */
  readonly time: number;
  /** Where everything is at the start. The arrays are overwritten later: copy what you keep. */
  readonly start: Configuration;
}

/** Where a term adds its gradient. */
export interface GradientSink {
  /** Adds ∂ψ/∂dx (N) and ∂ψ/∂dθ (N m) of a body. */
  addBody(body: number, x: number, y: number, z: number, rx: number, ry: number, rz: number): void;
  /** Adds ∂ψ/∂dx (N) of a soft vertex. */
  addVertex(vertex: number, x: number, y: number, z: number): void;
}

/** Where a term adds its Hessian. */
export interface HessianSink {
  /**
   * Adds a symmetric block, row by row, over six unknowns per body (dx, dθ) and then three per vertex, in the order of the
   * lists. At most 48 unknowns; the world may be among the bodies.
   */
  addBlock(bodies: ArrayLike<number>, vertices: ArrayLike<number>, block: ArrayLike<number>): void;
}

/** A step of the solver: where a configuration is about to go. */
export interface Direction {
  /** Six numbers per body: dx, m, and dθ, rad. */
  readonly body: Float64Array;
  /** Three numbers per soft vertex, m. */
  readonly vertex: Float64Array;
}

/** An energy of the step. */
export interface Term {
  /** What it is called in read-outs and recordings; no two terms of a simulation have the same name. */
  readonly name: string;
  /** Factor on value, gradient and Hessian. Default: 1. */
  weight?: number;
  /**
   * Whether the term stands for an outside influence, such as wind or a drive, that may bring energy in. Its value is then
   * not part of `energy()`, and the ruler counts the work of its force. Default: false.
   */
  readonly external?: boolean;
  /** A step begins. Also called before read-outs, with the current configuration as the start. */
  begin?(step: StepContext): void;
  /** ψ, J. Infinity where a configuration is not allowed. */
  value(x: Configuration): number;
  /** Adds ∂ψ/∂x. */
  addGradient(x: Configuration, out: GradientSink): void;
  /**
   * Adds ∂²ψ/∂x². With `projected` the solver needs blocks that are positive semidefinite; it projects them itself, but a term
   * that knows a better approximation may give it then.
   */
  addHessian?(x: Configuration, out: HessianSink, projected: boolean): void;
  /** Part of a step that is allowed, in (0, 1]; read by `ipc`, at every iterate. */
  maxStep?(x: Configuration, direction: Direction): number;
  /** Takes what stays fixed during a minimisation (lagged quantities) from a configuration. Called after `begin`, and by `ipc` again before each pass. */
  lag?(x: Configuration): void;
}
