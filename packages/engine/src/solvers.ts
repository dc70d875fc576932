/**
 * The solvers alone, for problems of one's own: cone programs and Coulomb friction, Newton and conjugate gradients for smooth convex
 * functions, line searches, and the trace that all of them leave. `ConvexProblem` is the problem of a step under `mujoco` and `sap`; its `data` varies with the unknown.
 */

import './compiled.ts';

// what a formulation from outside is built of
export { solveAcceleration } from './dynamics/integrate.ts';
export { addWrench } from './dynamics/wrench.ts';
export { listUnresolved } from './formulation/unresolved.ts';
export { createVelocityPhases, type VelocityPhases } from './formulation/velocity-phases.ts';
export { Arena } from './kernels/arena.ts';
export { ARMIJO, type BacktrackingLine, backtrack } from './minimize/armijo-line-search.ts';
export { type Complementarity, measureComplementarity } from './minimize/cone/complementarity.ts';
export type { BlockProgram, ConeProgram, FactorableProgram } from './minimize/cone/cone-program.ts';
export { CONE_DEFAULTS, type ConeOptions } from './minimize/cone/cone-run.ts';
export { CONE, type ConeSet, ConeTable } from './minimize/cone/cone-set.ts';
export { type ConeMethodName, type ConeReport, ConeSolver } from './minimize/cone/cone-solver.ts';
export {
  COULOMB_DEFAULTS,
  CoulombLoop,
  type CoulombOptions,
  type CoulombReport,
} from './minimize/cone/coulomb-loop.ts';
export { findCoulombShift } from './minimize/cone/coulomb-shift.ts';
export { projectCones } from './minimize/cone/projection.ts';
export { type MatrixEntries, StoredProgram } from './minimize/cone/stored-program.ts';
export { type Line, type LineSearchOptions, searchLine } from './minimize/exact-line-search.ts';
export {
  type IterationTrace,
  type LineSearch,
  minimizeByNewton,
  type NewtonDirection,
  type NewtonObjective,
  type NewtonParts,
} from './minimize/newton.ts';
export type { LinearSolver, Objective, StoppingRule } from './minimize/objective.ts';
export { ConjugateGradients, type Preconditioner, type Product } from './minimize/preconditioned-cg.ts';
export { OUTCOME, SolveTrace } from './minimize/solve-trace.ts';
export type { ConvexData } from './objective/convex-data.ts';
export { CONSTRAINT_LAW, type ConvexProblem, SOURCE, ZONE } from './objective/convex-problem.ts';
