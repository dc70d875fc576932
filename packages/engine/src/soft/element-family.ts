/**
 * One kind of elastic element of a soft body: all its elements of that kind, which together have the energy W(x), J, of the
 * vertex positions x, m. A body adds up its families: solids have one of tetrahedra, other bodies may have several, such as
 * membrane and bending. Calls are per family; loops over elements stay inside.
 *
 * Vertices are numbered within the body. Hessians are added to matrices that have the pattern of the body (soft-mesh.ts), at the
 * places handed over once by `takePlaces`, one for every pair of `listPairs`. A block of a pair has the rows of the vertex
 * with the higher number; diagonal blocks are at nine times the number of their vertex.
 */
import type { BlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import type { StressReadout } from './stress-readout.ts';

export interface ElementFamily {
  /** Name of the kind of element, for messages. */
  readonly kind: string;
  /** Elements. */
  readonly count: number;
  /** Whether W is quadratic: its Hessian is the same at all x. */
  readonly isQuadratic: boolean;
  /** Pairs of different vertices whose blocks the Hessian has; pairs may repeat. */
  listPairs(): VertexPairs;
  /** Per pair of `listPairs`, in that order: the place of its block in the values of a matrix. */
  takePlaces(place: Int32Array): void;
  /** Adds its lumped masses, kg, which are positive at every vertex of the family. */
  addMass(mass: Float64Array): void;
  /** W at x, J. */
  evaluate(x: Float64Array): number;
  /** Adds ∂W/∂x, N; gives W, J, the same number as `evaluate`. */
  addGradient(gradient: Float64Array, x: Float64Array): number;
  /** Adds scale · ∂²W/∂x², N/m. `isProjected`: made positive semidefinite, element by element. */
  addHessian(matrix: BlockSparseMatrix, x: Float64Array, scale: number, isProjected: boolean): void;
  /**
   * Adds scale · ∂(aᵀ K(x) b)/∂x, N, of the projected Hessian K; absent where it is not known. For derivatives: K at the start of a step damps.
   */
  addStiffnessRate?(out: Float64Array, x: Float64Array, a: Float64Array, b: Float64Array, scale: number): void;
  /** Takes x as the start of a step, where its energy depends on that. */
  takeStart?(x: Float64Array): void;
  /** Takes what belongs to it in the state along to x, the end of a step. */
  follow?(x: Float64Array): void;
  /** Elastic moduli are those of the scene times this from now on. */
  setWeight(weight: number): void;
  /** Takes densities and moduli from elements of the same mesh and law, without weight. */
  takeConstants(other: ElementFamily): void;
  /** Modulus times volume, J: energies are differences of numbers of this size, which decides about their rounding. */
  measureStiffness(): number;
  /** Elements that a read-out of stress lists; 0 for families without stress. */
  readonly stressCount: number;
  /** Writes strain, stress and volume ratio from element `first` of the read-out on; adds stress times volume to vertices. */
  readStress(out: StressReadout, first: number, x: Float64Array): void;
}

export interface VertexPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
}
