/** A contact formulation: how constraints turn the free motion of a step into its motion. */
import type { ContactSet } from '../collision/contact-set.ts';
import type { CollisionWorkspace } from '../collision/detect-contacts.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ConeProgram } from '../minimize/cone/cone-program.ts';
import { OUTCOME, SolveTrace } from '../minimize/solve-trace.ts';
import type { Model } from '../model/model.ts';
import type { ConvexObjective } from '../objective/convex-objective.ts';
import type { ConvexProblem } from '../objective/convex-problem.ts';
import type { FormulationId } from '../scene/options.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { State } from '../state/state.ts';
import type { PositionAdjoint } from './position-adjoint.ts';
import type { ConeSolve } from './reverse-solve.ts';
import type { RateParts, RowRates } from './row-rates.ts';
import type { SolveStatus } from './solve-status.ts';
import type { SolverReadout } from './solver-readout.ts';

/** What a step reports; solvers never throw for non-convergence. The object is reused by the next step. */
export interface StepReport {
  /** How the solve ended; the worst of all islands. */
  status: SolveStatus;
  /** Iterations of the solver, the most that an island took. */
  iterations: number;
  /** Residual of the solver when it stopped, in its own measure; the worst of all islands. */
  residual: number;
  /** Largest share of the load on a soft body that the linear step has left out, in the norm of its matrix, where the formulation takes one. */
  softResidual?: number;
  /** Islands that were solved: cost, residual and step length of every iteration. */
  readonly trace: SolveTrace;
  /** Least distance of surfaces beyond the separation asked for, m, where the formulation looks at it; Infinity where none are near. */
  minimumDistance?: number;
  /** Collision-free part of the last step of the solver, up to 1, if the formulation measures it. */
  collisionFreeStep?: number;
  /** Stiffness of the barrier at the end of the step, Pa, where the formulation has one. */
  barrierStiffness?: number;
  /**
   * Longest time step at which the contacts of the step are stable, s, where the formulation takes their springs explicitly; Infinity where
   * nothing touches.
   */
  stableStep?: number;
  /** Work of friction between rigid bodies in the step, J, if the formulation measures it; negative where friction dissipates. */
  frictionWork?: number;
  /** The steps of the last output interval, where they are error-controlled. */
  steps?: StepHistory;
  /** The first number that was not finite, where the status is `diverged`. */
  nonFinite: NonFinite | undefined;
  /** Energy that nothing explains and where it is, where the status is `unstable`. */
  energyGain: EnergyGain | undefined;
  /** Joints, equalities, limits and contacts that contradict each other, in words, where the status is `infeasible`. */
  contradiction: string[] | undefined;
  /** Joints, equalities and limits that the step has left open, in words, where the status is `stalled` for them. */
  open?: string[] | undefined;
  /** Attachments of soft bodies that broke in the last call of `step`, by name or place in the scene; undefined where none did. */
  broken?: string[] | undefined;
  /** What the step was doing when its time was up, where the status is `timed-out`. */
  timeout: Timeout | undefined;
}

/** Error-controlled steps of an output interval. */
export interface StepHistory {
  /** Lengths of the steps whose error was estimated, each taken as two halves, s. */
  lengths: number[];
  /** Their error estimates, m or rad. */
  errors: number[];
  /** Steps that were too long and taken back. */
  rejected: number;
  /** The largest of the estimates, m or rad. */
  error: number;
  /** Whether all are within the accuracy; false where the shortest step was still too long. */
  isMet: boolean;
}

/** Energy that appeared without a cause. */
export interface EnergyGain {
  /** Name of the joint or body that moves with most of it. */
  name: string;
  /** What no force, motor, spring or weight accounts for, J. */
  created: number;
  /** The energy that the motion had before, and that sources have supplied since, J. */
  reference: number;
}

/** A step that took longer than it was allowed to. */
export interface Timeout {
  /** What it was doing, as in `line search`. */
  activity: string;
  /** How long it had taken, s. */
  elapsed: number;
}

/** A number that is not finite, by name. */
export interface NonFinite {
  /** The array it is in, as in `velocity` or `control`. */
  quantity: string;
  /** Place in that array, from 0. */
  index: number;
  /** Name of the joint, body or actuator. */
  name: string;
}

/** How positions were brought onto constraints after a step. */
export interface Projection {
  /** Whether positions have changed. */
  hasMoved: boolean;
  /** Whether constraints contradict each other. */
  isContradiction: boolean;
  /** Largest residual of joints and equalities that is left, m or rad. */
  drift: number;
  /** Whether the step has opened what was closed before and is now too far to be closed: it was too long. */
  isTorn: boolean;
}

/** Numbers that a step leaves in the state for the next one besides positions, velocities and activations. */
export interface KeptNumbers {
  /** How many there are at most. */
  readonly size: number;
  /** Whether the state has number i. */
  has(state: State, i: number): boolean;
  /** Writes them to `out` from a place on, those that the state does not have as 0. */
  read(state: State, out: Float64Array, start: number): void;
  /** Adds s times a vector, from a place on, to those that the state has. */
  add(state: State, delta: Float64Array, start: number, s: number): void;
}

/**
 * Solves near a solution, for derivatives: one Newton step from it, x − H⁻¹ g(x; z), which is the solution for another z but for terms of
 * second order in the change of z, the same for ±z.
 */
export interface HeldSolution {
  /** A copy of the unknowns of the last solve; undefined where it was not one that a Newton step describes. */
  read(): Float64Array | undefined;
  /** Takes one Newton step from these unknowns in every solve from now on; undefined: solves again. */
  hold(solution: Float64Array | undefined): void;
  /** Least change of velocity that changes a mode of the last solve, m/s or rad/s, where rows do not tell it. */
  readonly margin?: number | undefined;
  /** Least change of velocity beyond which steps near the solution follow another rule than those that start from it, m/s or rad/s. */
  readonly sideMargin?: number | undefined;
  /** Estimate of the condition of the matrix of the last solve. */
  readonly condition?: number | undefined;
  /** Why `read` gives nothing for the last solve, in words, where that is known. */
  readonly refusal?: string | undefined;
  /**
   * Whether every solve ends with Newton steps down to round-off from now on, where it does not by itself; `like`: the model whose tolerances are
   * enough before them.
   */
  polish?(isPolished: boolean, like?: Model): void;
  /** A copy of the unknowns of the last solve, from which another simulation may begin the same one; undefined where it may not. */
  readStart?(): Float64Array | undefined;
  /** Begins every solve there from now on, where that leads to a solution; undefined: where steps do. */
  beginAt?(start: Float64Array | undefined): void;
}

/** The parts of a convex solve, for derivatives of what it has found. */
export interface ConvexSolve {
  /** What was minimised, at its minimum. */
  readonly objective: ConvexObjective;
  /** Where its arrays are. */
  readonly memory: Memory;
  /** How its rows depend on the state; undefined where that is not known, as with moving surfaces. */
  createRates(parts: RateParts): RowRates | undefined;
  /** Builds the problem of a step and does not solve it; columns of its rows are dofs. */
  assemble(state: State, work: Workspace, contacts: ContactSet, h: number): void;
  /** Soft bodies, whose vertices are unknowns behind the dofs. */
  readonly soft: SoftBodies;
}

/** A contact formulation: how constraints turn the free motion of a step into its motion. */
export interface Formulation {
  /** Its name. */
  readonly id: FormulationId;
  /** Whether the step resolves contacts and gives their forces. */
  readonly usesContacts: boolean;
  /** To which configuration the contact set of a step belongs: where bodies were before it, or where it has brought them. */
  readonly contactsAre: 'before' | 'after';
  /**
   * Adds contacts of the state, whose poses are in the workspace, that act at a gap and that detection by the margins of the scene has not
   * found; changes nothing else. Default: there are none.
   */
  addNearContacts?(out: ContactSet, state: State, work: Workspace): void;
  /** What the model has and this formulation does not resolve, in words. */
  readonly unresolved: readonly string[];
  /** Pairs of shapes that have no contact until they have come apart, in words; known once a state is prepared. */
  listLeftOut?(): string[];
  /** The constraints of the last solve, where the formulation has them as rows. */
  readonly problem?: ConvexProblem;
  /** Energies that the formulation keeps, such as barriers, at the end of the last solve. */
  listTermEnergies?(): { name: string; energy: number }[];
  /** Writes the forces of the last solve along the rows of equalities, six numbers per equality, N and N m; none where it is left out. */
  readEqualityForces?(out: Float64Array): void;
  /**
   * Writes the forces of limits of the last solve, ≥ 0, N or N m: one number per joint, those that are constraints after the others, then per
   * tendon.
   */
  readLimitForces?(out: Float64Array): void;
  /** Writes the dry friction along tendons in the last solve, N; none where it is left out. */
  readTendonFriction?(out: Float64Array): void;
  /**
   * Writes what attachments of soft bodies did in the last solve: three numbers per vertex that is fixed, then tied, N on the vertex, and one
   * per clamped edge, N m. Vertices that are held, or are points of a body, have zeros.
   */
  readAttachmentForces?(out: Float64Array): void;
  /** The last solve as one program over impulses, in the units of its rows, where that is how the formulation sees it. */
  captureProgram?(): ConeProgram;
  /**
   * Makes a state one that a step can start from, where the formulation needs that: called before the other phases of a step. Writes
   * positions alone; whether it may have. The phases below only read the state.
   */
  prepareState?(model: Model, state: State, work: Workspace, h: number): boolean;
  /** Before the first of some steps: looks for bodies that the user has put elsewhere since `noteState`. */
  noticeMoves?(state: State): void;
  /** After steps, or where a state was restored: nobody has moved the bodies of this state by hand. */
  noteState?(state: State): void;
  /** Solves near a solution, where the formulation has them. */
  readonly held?: HeldSolution;
  /** The reverse of the last solve, where it is one over positions. */
  readonly reverse?: PositionAdjoint;
  /** The last solve, where it is one convex problem over the dofs. */
  readonly convex?: ConvexSolve;
  /** The last solve, where it is one over impulses. */
  readonly cone?: ConeSolve;
  /** What the next step reads of the last one besides positions and velocities, where its integrator has two steps. */
  readonly kept?: KeptNumbers;
  /** Changes a state a little, as if the last step had led there, if it has led to the state before. Writes marks in its impulses. */
  changeState?(state: State, apply: () => void): void;
  /** Takes changed parameters of the model; absent where a simulation must be made anew for them. */
  readParameters?(): void;
  /** v* of soft bodies: how they would move without contact. Empty where the solve moves them. */
  predictSoftBodies(model: Model, state: State, work: Workspace, h: number): void;
  /** The contact set where the step of length h begins. Empty where contacts are found at every iterate of the solve. */
  detectContacts(model: Model, work: Workspace, collision: CollisionWorkspace, h: number): void;
  /**
   * After the solve: adds contacts that the step makes itself, of bodies that it throws or stops beside others, but not at the last look; whether there
   * are such, and the solve is to be repeated with them.
   */
  findUnforeseen?:
    | ((
        model: Model,
        state: State,
        work: Workspace,
        collision: CollisionWorkspace,
        h: number,
        isLast: boolean,
      ) => boolean)
    | undefined;
  /** After these looks: whether bodies still pass through each other, and the step is too long. */
  passesThrough?(): boolean;
  /** With the contacts of the step: v* and A of soft bodies about where these and attachments leave them. */
  linearizeSoftBodies?(model: Model, state: State, work: Workspace, contacts: ContactSet, h: number): void;
  /**
   * After the solve: takes them about its solution where they bend on the way there, but not the last time, and reports what the linear step leaves
   * out; whether the solve has to be repeated.
   */
  relinearizeSoftBodies?(work: Workspace, h: number, isLast: boolean, report: StepReport): boolean;
  /** Writes the residual of the optimality condition of the last solve, if the formulation has one; `h` is the length of that step. */
  readSolution?(out: SolverReadout, work: Workspace, h: number): void;
  /** Reads M, the smooth forces and the contacts; writes constraint forces, the acceleration of the step and contact forces. */
  solve(model: Model, state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void;
  /** After the state has advanced by the step: what the next one starts from, into the impulses of the workspace. */
  endStep?(state: State, work: Workspace, h: number): void;
  /** After a step of length h: closes what the solve leaves open at the positions, and says how; undefined where there is nothing to close. */
  closePositions?(state: State, readKinematics: () => Workspace, h: number): Projection | undefined;
}

/** Status, iterations and residual of a step from the trace of its islands. */
export function summarizeTrace(report: StepReport): void {
  const { trace } = report;
  report.status = 'converged';
  report.iterations = 0;
  report.residual = 0;
  for (let n = 0; n < trace.solveCount; n++) {
    report.iterations = Math.max(report.iterations, trace.start[n + 1] - trace.start[n]);
    report.residual = Math.max(report.residual, trace.finalResidual[n]);
    if (trace.outcome[n] === OUTCOME.stalled) report.status = 'stalled';
    else if (trace.outcome[n] === OUTCOME.infeasible) {
      if (report.status !== 'stalled') report.status = 'infeasible';
    } else if (trace.outcome[n] === OUTCOME.iterationLimit && report.status === 'converged')
      report.status = 'iteration-limit';
  }
  doubtResidual(report, Infinity);
}

/** A step whose residual is above a bound, or no number, has not converged, whatever ended its solver. */
export function doubtResidual(report: StepReport, bound: number): void {
  if (report.status === 'converged' && !(report.residual <= bound && report.residual < Infinity))
    report.status = 'stalled';
}

/** An empty report. */
export function createReport(): StepReport {
  return {
    status: 'converged',
    iterations: 0,
    residual: 0,
    trace: new SolveTrace(),
    nonFinite: undefined,
    energyGain: undefined,
    timeout: undefined,
    contradiction: undefined,
    open: undefined,
    broken: undefined,
  };
}
