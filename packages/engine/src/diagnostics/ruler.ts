/**
 * The ruler: the same numbers for every formulation, measured from outside. It reads the state before and after a step and the
 * contact forces that the step reports, but not how they were found. metrics.ts defines the numbers.
 *
 *   const ruler = new Ruler(simulation);
 *   for (...) { simulation.step(); ruler.measure(); }
 *   ruler.summarize().metrics.penetration.max
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { SurfaceMotion } from '../contact/surface-motion.ts';
import { updateTwists } from '../dynamics/bias-force.ts';
import type { Energy } from '../dynamics/energy.ts';
import { updateKinematics } from '../dynamics/kinematics.ts';
import { createWorkspace, type Workspace } from '../dynamics/workspace.ts';
import type { Formulation, StepReport } from '../formulation/formulation.ts';
import { type SolveStatus, wasTaken } from '../formulation/solve-status.ts';
import { JointDrift } from '../joint/joint-drift.ts';
import { createJointWorkspace } from '../joint/joint-workspace.ts';
import { Arena } from '../kernels/arena.ts';
import type { Model } from '../model/model.ts';
import { createState, type State } from '../state/state.ts';
import { measureContactLaws, measurePenetration } from './contact-laws.ts';
import { writeContactVelocities } from './contact-motion.ts';
import { createMeasurement, METRIC_NAMES, METRICS, type Measurement, type MetricName } from './metrics.ts';
import { MomentumBalance } from './momentum-balance.ts';
import { PHASES, type Phase } from './phase-clock.ts';

/** What the ruler needs of a simulation; `Simulation` has it. */
export interface MeasuredSimulation {
  /** What is simulated. */
  readonly model: Model;
  /** Where it is. */
  readonly state: State;
  /** What solves its steps. */
  readonly formulation: Formulation;
  /** How the last step went. */
  readonly report: StepReport;
  /** Length of the last step, s. */
  readonly stepLength: number;
  /** Brought up to the current state; forces are those of the last step. */
  readonly derived: Workspace;
  /** Contacts of the last step with their forces. */
  readonly solvedContacts: ContactSet;
  /** Where shapes are within their margins now. */
  touchingSet(): ContactSet;
  /** Energy of the current state, J. */
  energy(): Energy;
  /** Milliseconds per phase since the start; all 0 without a clock. */
  phaseTimes(): Record<Phase, number>;
}

/** A metric over the steps that were measured. */
export interface MetricSummary {
  /** Unit of the numbers, as in `METRICS`. */
  unit: string;
  /** The largest; NaN, as the others, where the metric has no meaning in any step. */
  max: number;
  /** Mean over the steps in which the metric has a meaning. */
  mean: number;
  /** Of the last step. */
  last: number;
}

/** What the ruler found over a run. */
export interface RulerSummary {
  /** Steps that were measured. */
  steps: number;
  /** Steps by how their solve ended. */
  statuses: Record<SolveStatus, number>;
  /** Largest, mean and last value of every metric. */
  metrics: Record<MetricName, MetricSummary>;
  /** Energy created and lost over all steps together, J. */
  energyDrift: number;
  /** Milliseconds per step and phase, where the simulation has a clock. */
  phases: Record<Phase, number>;
}

/**
 * Measures the steps of a simulation by the same definitions for every formulation: `measure()` after each step,
 * `summarize()` at the end.
 */
export class Ruler {
  /** The numbers of the last measured step; overwritten by the next. */
  readonly last: Measurement = createMeasurement();
  readonly #simulation: MeasuredSimulation;
  readonly #before: State;
  readonly #work: Workspace;
  readonly #surfaces: SurfaceMotion;
  readonly #momentum: MomentumBalance;
  readonly #joints: JointDrift;
  #velocity = new Float64Array(192);
  /** Where the simulation stood when its energy was last read. */
  readonly #motion: Float64Array;
  #energy = 0;
  // over all steps
  readonly #most = new Float64Array(METRIC_NAMES.length);
  readonly #sum = new Float64Array(METRIC_NAMES.length);
  readonly #count = new Float64Array(METRIC_NAMES.length);
  readonly #statuses: Record<SolveStatus, number> = createStatusCounts();
  #steps = 0;
  #drift = 0;
  #phases: Record<Phase, number>;

  constructor(simulation: MeasuredSimulation) {
    const { model } = simulation;
    const arena = new Arena({ initialBytes: 1_310_720, maximumBytes: 536_870_912 });
    this.#simulation = simulation;
    this.#before = createState(model, arena);
    this.#work = createWorkspace(model, arena, 0);
    this.#surfaces = new SurfaceMotion(model);
    this.#momentum = new MomentumBalance(model);
    this.#joints = new JointDrift(model, createJointWorkspace(model, arena), arena);
    this.#motion = new Float64Array(simulation.state.motion.length);
    this.#phases = simulation.phaseTimes();
    this.restart();
  }

  /** Forgets what was measured and begins with the current state. */
  restart(): void {
    this.#most.fill(Number.NEGATIVE_INFINITY);
    this.#sum.fill(0);
    this.#count.fill(0);
    for (const status of Object.keys(this.#statuses) as SolveStatus[]) this.#statuses[status] = 0;
    this.#steps = 0;
    this.#drift = 0;
    this.#phases = this.#simulation.phaseTimes();
    this.#joints.update(this.#simulation.model, this.#simulation.state, this.#simulation.derived);
    this.#readEnergy();
  }

  /** Measures the last step. Energy needs the step before to have been measured as well, and is NaN where it was not. */
  measure(): Measurement {
    const { model, state, report } = this.#simulation;
    const out = this.last;
    this.#statuses[report.status]++;
    if (!wasTaken(report.status)) return out;
    const work = this.#simulation.derived;
    this.#joints.update(model, state, work);
    this.#measureForces(out, work);
    out.penetration = measurePenetration(this.#simulation.touchingSet());
    out.jointDrift = this.#joints.measureDrift(model, state, work);
    out.limitViolation = this.#joints.measureLimits(model, state, work);
    out.softResidual = report.softResidual ?? Number.NaN;
    out.iterations = report.iterations;
    out.residual = report.residual;
    this.#steps++;
    this.#accumulate();
    return out;
  }

  /** The largest and the mean of every metric, and the cost. */
  summarize(): RulerSummary {
    const metrics = {} as Record<MetricName, MetricSummary>;
    METRIC_NAMES.forEach((name, k) => {
      const count = this.#count[k];
      metrics[name] = {
        unit: METRICS[name].unit,
        max: count > 0 ? this.#most[k] : Number.NaN,
        mean: this.#sum[k] / count,
        last: this.#steps > 0 ? this.last[name] : Number.NaN,
      };
    });
    const phases = this.#simulation.phaseTimes();
    for (const phase of PHASES) phases[phase] = (phases[phase] - this.#phases[phase]) / Math.max(1, this.#steps);
    return { steps: this.#steps, statuses: { ...this.#statuses }, metrics, energyDrift: this.#drift, phases };
  }

  // contacts, momentum, energy
  #measureForces(out: Measurement, derived: Workspace): void {
    const { model, state, formulation, stepLength: h, solvedContacts: contacts } = this.#simulation;
    const before = this.#before;
    const work = this.#work;
    before.all.set(derived.stateBefore);
    updateKinematics(model, before, work);
    // where the contacts were found: before the step, or after it
    const isAfter = formulation.contactsAre === 'after';
    const poses = isAfter ? derived : work;
    const step = { contacts, poses, work: derived, usesMassAlone: isAfter };
    out.momentumResidual = this.#momentum.measure(model, before, work, state.velocity, h, step);
    before.velocity.set(state.velocity);
    updateTwists(model, before, work);
    if (3 * contacts.count > this.#velocity.length) this.#velocity = new Float64Array(6 * contacts.count);
    const power = writeContactVelocities(this.#velocity, model, poses, state.softVelocity, contacts, this.#surfaces);
    measureContactLaws(out, { contacts, velocity: this.#velocity, isAfter, h });
    out.energyCreated = this.#measureEnergy(derived, h, power);
  }

  // E⁺ − E − W
  #measureEnergy(derived: Workspace, h: number, power: number): number {
    const { state } = this.#simulation;
    const { stateBefore, actuatorJointForce, externalForce, gravityCompensationForce } = derived;
    let isKnown = true;
    for (let i = 0; i < this.#motion.length && isKnown; i++) isKnown = stateBefore[i] === this.#motion[i];
    const energy = this.#energy;
    let work = h * power;
    for (let i = 0; i < state.velocity.length; i++)
      work += h * (actuatorJointForce[i] + externalForce[i] + gravityCompensationForce[i]) * state.velocity[i];
    for (let i = 0; i < state.softForce.length; i++) work += h * state.softForce[i] * state.softVelocity[i];
    this.#readEnergy();
    return isKnown ? this.#energy - energy - work : Number.NaN;
  }

  #readEnergy(): void {
    this.#energy = this.#simulation.energy().total;
    this.#motion.set(this.#simulation.state.motion);
  }

  #accumulate(): void {
    for (let k = 0; k < METRIC_NAMES.length; k++) {
      const value = this.last[METRIC_NAMES[k]];
      if (Number.isNaN(value)) continue;
      this.#most[k] = Math.max(this.#most[k], value);
      this.#sum[k] += value;
      this.#count[k]++;
    }
    if (!Number.isNaN(this.last.energyCreated)) this.#drift += this.last.energyCreated;
  }
}

function createStatusCounts(): Record<SolveStatus, number> {
  return {
    converged: 0,
    'iteration-limit': 0,
    stalled: 0,
    infeasible: 0,
    diverged: 0,
    unstable: 0,
    'timed-out': 0,
  };
}
