/** The soft bodies of a simulation as its step and the formulations see them. */
import type { Energy, Momentum } from '../dynamics/energy.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import type { DrivenVertices } from '../scene/soft-body.ts';
import type { State } from '../state/state.ts';
import type { TermWeights } from '../term/term-weights.ts';
import type { PlasticFlow } from './plastic-flow.ts';
import type { SoftBoundary } from './soft-boundary.ts';
import type { SoftMesh } from './soft-mesh.ts';
import type { SoftWorkspace } from './soft-workspace.ts';
import type { StressReadout } from './stress-readout.ts';

/** Largest share of the load on a soft body that its linear step may leave out, see loaded-motion.ts. */
export const LEFT_OUT = 0.01;

/** One soft body. */
export interface SoftPart {
  /** Its first vertex among those of all bodies. */
  readonly first: number;
  readonly mesh: SoftMesh;
  readonly boundary: SoftBoundary;
  readonly work: SoftWorkspace;
  readonly driven: readonly DrivenVertices[];
  /** Views on the state. */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly force: Float64Array;
  readonly held: Float64Array;
  /** Rest shape where the body is at the start, m. */
  readonly rest: Float64Array;
  /** Of a body that flows. */
  readonly plastic: PlasticFlow | undefined;
  /** Whether `work.hessian` is A of this step, and `work.inverseDiagonal` the inverses of its diagonal blocks. */
  isAssembled: boolean;
  /** Whether v* and A are those about another place than the motion without contact, see loaded-motion.ts. */
  isLinear: boolean;
}

export interface SoftBodies {
  readonly parts: readonly SoftPart[];
  /** Per vertex of all bodies: v*, m/s. */
  readonly freeVelocity: Float64Array;
  /** Worst outcome of the last phase, see OUTCOME of minimize/solve-trace.ts; most iterations; largest residual over its scale. */
  readonly outcome: number;
  readonly iterations: number;
  readonly residual: number;
  /** Largest share of the load on a body that the last linear step has left out, see loaded-motion.ts. */
  readonly leftOut: number;
  /** The phase: v* of all soft bodies, also as their velocity at the end of the step, where nothing touches them. */
  computeMotion(model: Model, state: State, work: Workspace, h: number): void;
  /** v* and A of bodies with touched vertices, one number per vertex, where these go on as they are: after `computeMotion` and before A is asked for. */
  linearizeUnderLoad(work: Workspace, isTouched: Uint8Array, h: number): void;
  /**
   * After the solve: measures what its linear step leaves out of the bodies that it moves, and takes v* and A anew where that is too much,
   * but not the last time; whether the solve has to be repeated with them.
   */
  relinearize(work: Workspace, h: number, isLast: boolean): boolean;
  /** For derivatives: whether v* is found to round-off from now on, and A there. */
  tighten(isTight: boolean): void;
  /** A copy of the positions that v* leads to; undefined where the last phase has found no minimum to round-off. */
  readHeld(): Float64Array | undefined;
  /** Takes Newton steps from such positions in every phase from now on; undefined: minimises again. */
  hold(positions: Float64Array | undefined): void;
  /** Takes what the elements have in the state along to its positions, where a step has moved these. */
  followStep(): void;
  /** Which vertices of body n are held now, and the targets of held and pulled vertices at the end of the step. */
  updateHolds(n: number, model: Model, state: State, work: Workspace, h: number): void;
  /** A of body n. */
  requireMetric(n: number): BlockSparseMatrix;
  /** Inverses of the diagonal blocks of A of a body, nine numbers per vertex. */
  invertedDiagonal(n: number): Float64Array;
  /** x ← A⁻¹ x of a body, whose numbers begin at a place of x. Vertices that are held are not to be pushed. */
  solveMetric(n: number, x: Float64Array, at: number): void;
  /** Whether a body is small enough for factors of its matrix. */
  usesFactor(n: number): boolean;
  /** A of a body that moves as one, kg. */
  measureWhole(n: number): number;
  /** What follows a step at its end, with the state there: plastic flow. */
  endStep(): void;
  /** Strain and stress of a body where it is now. */
  readStress(n: number): StressReadout;
  /** ∂W/∂x of a body where it is now, N: an array of its own. */
  readElasticGradient(n: number): Float64Array;
  /** Takes changed elasticities of the model. */
  readParameters(model: Model, weights: TermWeights): void;
  /** Takes the weights of springs and elasticity from the next step on. */
  setWeights(weights: TermWeights): void;
  /**
   * Adds the force that each vertex needed in the last step, of length h, beyond elasticity, damping, weight and applied forces, three
   * numbers per vertex, N: that of contacts and attachments. `before` and `after` are velocities at its start and end, m/s.
   */
  addReactions(out: Float64Array, before: Float64Array, after: Float64Array, gravity: Float64Array, h: number): void;
  /** Length of the elastic forces on all vertices, N. */
  measureElasticForce(): number;
  /** Their contribution to the energy, momentum and centre of mass of the system. */
  addEnergy(energy: Energy, work: Workspace): Energy;
  addMomentum(momentum: Momentum): Momentum;
  addCenter(rigid: [number, number, number], model: Model): [number, number, number];
}

/** Of models that have none: nothing asks for one by its number. */
export const NO_SOFT_BODIES: SoftBodies = {
  parts: [],
  freeVelocity: /* @__PURE__ */ new Float64Array(0),
  outcome: 0,
  iterations: 0,
  residual: 0,
  leftOut: 0,
  computeMotion: () => {},
  linearizeUnderLoad: () => {},
  relinearize: () => false,
  tighten: () => {},
  readHeld: () => undefined,
  hold: () => {},
  followStep: () => {},
  updateHolds: refuse,
  requireMetric: refuse,
  invertedDiagonal: refuse,
  solveMetric: refuse,
  usesFactor: refuse,
  measureWhole: refuse,
  endStep: () => {},
  readStress: refuse,
  readElasticGradient: refuse,
  readParameters: () => {},
  setWeights: () => {},
  addReactions: () => {},
  measureElasticForce: () => 0,
  addEnergy: (energy) => energy,
  addMomentum: (momentum) => momentum,
  addCenter: (rigid) => rigid,
};

function refuse(n: number): never {
  throw new RangeError(`there is no soft body ${n}`);
}

/** Comes with '@nexdyn/engine/compliance'. */
export const SOFT_BODIES: LazyModule<(model: Model, state: State, memory: Memory) => SoftBodies> = new LazyModule(
  'compliance',
  'soft bodies',
);

export function createSoftBodies(model: Model, state: State, memory: Memory): SoftBodies {
  return model.size.softBody === 0 ? NO_SOFT_BODIES : SOFT_BODIES.require()(model, state, memory);
}
