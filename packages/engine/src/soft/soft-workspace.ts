/** Workspace of the implicit step of one soft body; only the ordering and the factor of its matrix outlive a step. */
import { BlockCholesky } from '../linear-algebra/block-cholesky/block-cholesky.ts';
import { type BlockSparseMatrix, createTwin } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { createGradientVectors, type GradientVectors } from '../linear-algebra/sparse-gradients.ts';
import { TwoLevel } from '../linear-algebra/two-level/two-level.ts';
import type { ElasticNewton } from './elastic-newton.ts';
import type { SoftMesh } from './soft-mesh.ts';

export interface SoftWorkspace {
  /** Positions at the start of the step; where vertices would go without elasticity; at the iterate; on the line, m. */
  readonly start: Float64Array;
  readonly predicted: Float64Array;
  /** `predicted` while some vertices are held for the time being. */
  readonly freePrediction: Float64Array;
  /** h vₙ, m. */
  readonly coasting: Float64Array;
  readonly x: Float64Array;
  readonly trial: Float64Array;
  /** Gradient of the step's objective at the iterate and on the line, kg m; elastic part alone, N. */
  readonly gradient: Float64Array;
  readonly trialGradient: Float64Array;
  readonly elastic: Float64Array;
  readonly direction: Float64Array;
  /** Displacement in the step and the damping matrix times it. */
  readonly shift: Float64Array;
  readonly dampingProduct: Float64Array;
  /** Hessian of the objective, kg; stiffness at the start of the step, N/m, where the body has stiffness damping. */
  readonly hessian: BlockSparseMatrix;
  readonly startStiffness: BlockSparseMatrix | undefined;
  hasStartStiffness: boolean;
  /** C of viscosity.ts at the start of the step, N s/m, where the body has viscosity. */
  readonly viscous: BlockSparseMatrix | undefined;
  hasViscous: boolean;
  /** Values of a matrix like `hessian`, made when first used. */
  mixed: Float64Array | undefined;
  readonly inverseDiagonal: Float64Array;
  readonly vectors: GradientVectors;
  /** Made when first used. */
  cholesky: BlockCholesky | undefined;
  levels: SoftLevels | undefined;
  /** Whether all blocks are points: the angles of rods have no rigid motions of their own. */
  readonly hasPointsOnly: boolean;
  /** Step length and holds for which `hessian` and its factor stand; only the linear law keeps them from step to step. */
  readonly kept: KeptHessian;
  readonly memory: Memory;
  /** Whether the last step left a Hessian that a factorisation has shown to be positive definite. */
  hasMetric: boolean;
  /** Newton's method on the step of this body, made when first used. */
  newton: ElasticNewton | undefined;
  /** Iterations of conjugate gradients in the last step, and of Newton's method. */
  gradientIterations: number;
  iterations: number;
  /** What the last step left: residual beyond ε_a over its scale, to be at most ε_r. */
  residual: number;
}

/** The preconditioner of conjugate gradients, and whether it is that of this step. */
export interface SoftLevels {
  readonly solver: TwoLevel;
  isFresh: boolean;
}

export interface KeptHessian {
  h: number;
  /** Whether the factor, and the inverse of the diagonal, are those of `hessian`. */
  isFactored: boolean;
  isInverted: boolean;
  readonly isPrescribed: Int32Array;
  readonly springStiffness: Float64Array;
  readonly springDamping: Float64Array;
}

export function createSoftWorkspace(mesh: SoftMesh, memory: Memory): SoftWorkspace {
  const n = 3 * mesh.vertexCount;
  return {
    start: memory.f64(n),
    predicted: memory.f64(n),
    freePrediction: memory.f64(n),
    coasting: memory.f64(n),
    x: memory.f64(n),
    trial: memory.f64(n),
    gradient: memory.f64(n),
    trialGradient: memory.f64(n),
    elastic: memory.f64(n),
    direction: memory.f64(n),
    shift: memory.f64(n),
    dampingProduct: memory.f64(n),
    hessian: createTwin(mesh.pattern, memory),
    startStiffness: mesh.stiffnessDamping > 0 ? createTwin(mesh.pattern, memory) : undefined,
    hasStartStiffness: false,
    viscous: mesh.viscosity ? createTwin(mesh.pattern, memory) : undefined,
    hasViscous: false,
    mixed: undefined,
    inverseDiagonal: memory.f64(3 * n),
    vectors: createGradientVectors(n, memory),
    cholesky: undefined,
    levels: undefined,
    hasPointsOnly: mesh.pointCount === mesh.vertexCount,
    kept: {
      h: 0,
      isFactored: false,
      isInverted: false,
      isPrescribed: memory.i32(mesh.vertexCount),
      springStiffness: memory.f64(mesh.vertexCount),
      springDamping: memory.f64(mesh.vertexCount),
    },
    memory,
    hasMetric: false,
    newton: undefined,
    gradientIterations: 0,
    iterations: 0,
    residual: 0,
  };
}

/** The Cholesky solver of a workspace, its order and fill taken from the pattern when first asked for. */
export function prepareCholesky(work: SoftWorkspace): BlockCholesky {
  if (work.cholesky) return work.cholesky;
  const { count, low, high, pairCount } = work.hessian;
  const cholesky = new BlockCholesky(work.memory);
  cholesky.analyze(new Int32Array(count).fill(3), count, low, high, pairCount);
  work.cholesky = cholesky;
  return cholesky;
}

/** The preconditioner of a workspace, made when first asked for; undefined where it has none. */
export function prepareTwoLevel(work: SoftWorkspace): SoftLevels | undefined {
  if (!work.hasPointsOnly) return undefined;
  work.levels ??= { solver: new TwoLevel(work.hessian, work.memory), isFresh: false };
  return work.levels;
}
