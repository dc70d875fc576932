/**
 * The step as a map z = (state, control, applied force, parameters) → (state⁺, outputs), evaluated on a twin of the simulation near one
 * state, and its derivative: in reverse (adjoint/), or by differences on the tangent space (step-differences.ts). Where the formulation can hold a solution x, shifted steps take one Newton step from it in place of a solve,
 *   x(z ± ε) ≈ x − H⁻¹ g(x; z ± ε),
 * which is the implicit function theorem with differences of the residual g alone.
 */
import { NexdynError } from '../error.ts';
import type { InputBars } from '../formulation/row-rates.ts';
import { wasTaken } from '../formulation/solve-status.ts';
import { compileModel } from '../model/compile.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { Simulation } from '../simulation.ts';
import { createBars, type EndBars } from './adjoint/input-bars.ts';
import type { ReverseStep } from './adjoint/reverse-step.ts';
import { findAdjoint, findBegun, noteBegun } from './adjoint/twin-adjoint.ts';
import { readModes } from './derivative-report.ts';
import type { DistanceForce } from './distance-force.ts';
import { type Output, type OutputValues, readOutputs } from './outputs.ts';
import type { Parameter } from './parameter.ts';
import { haveSameNumbers } from './same-numbers.ts';
import { listColumns, listParameterColumns, type StepColumn } from './step-columns.ts';
import { type Break, takeCentred, takeNear, takeOneSided } from './step-differences.ts';
import { requireSource, type StepInputs } from './step-inputs.ts';
import { type StateCopy, Tangent } from './tangent.ts';
import { createTightTwin, findTwin } from './twin.ts';

/** Lengths of differences: of positions, velocities, and controls and forces in their units; of parameters as a share. */
const DIFFERENCE = 2e-7;
const VELOCITY_DIFFERENCE = 1e-6;
const FORCE_DIFFERENCE = 2e-5;
const PARAMETER_SHARE = 1e-5;
/** Numbers of a state up to which a kink of contact geometry is left to differences. */
const FEW = 96;

/** Margin of a change of mode up to which differences are taken, which see both sides, m/s or rad/s. */
const NEAR_KINK = 1e-8;

/** Name of the kink where a contact is on the border of two modes. */
const KINK = 'contact modes';

/** Which side of a state differences are taken from; `centred` is the default. */
export type Side = 'centred' | 'forward' | 'backward';

/** A change of the input of a step: of its state, and the simulation that takes it. */
interface Shift {
  /** Simulation that takes the step shifted by a number of lengths. */
  simulationAt(times: number): Simulation;
  apply(simulation: Simulation, times: number): void;
  readonly length: number;
  /** Whether positions stay as they are, and with them the contacts. */
  readonly keepsPositions: boolean;
}

export class StepMap {
  readonly tangent: Tangent;
  readonly twin: Simulation;
  readonly inputs: StepInputs;
  /** A force that acts in derivatives alone. */
  readonly distance: DistanceForce | undefined;
  /** Whether reports of it give the condition of the matrix: of many steps, nobody reads it. */
  wantsCondition = false;
  /** Rows of a Jacobian: the whole tangent vector, then the outputs. */
  rows = 0;
  /** Outputs of the step without shift. */
  outputs: OutputValues = { names: [], values: [] };
  /** Names of columns that lie on a kink, and of those among them where the step jumps. */
  readonly kinks: string[] = [];
  readonly jumps: string[] = [];
  readonly #simulation: Simulation;
  readonly #asked: readonly Output[];
  readonly #parameterTwins: Map<string, Simulation> = new Map();
  #snapshot: Float64Array = new Float64Array(0);
  #outputIndex: Map<string, number> = new Map();
  #unit: Float64Array | undefined;
  /** Unknowns of the step without shift, where shifted steps are one Newton step from them. */
  #held: Float64Array | undefined;
  readonly #usesHeld: boolean;
  #adjoint: ReverseStep | undefined;
  #hasBase = false;
  /** Whether the twin has the contacts of the step without shift, and they do not depend on velocities. */
  #hasBaseContacts = false;
  #base: StateCopy | undefined;

  constructor(
    simulation: Simulation,
    inputs: StepInputs,
    outputs: readonly Output[],
    method: 'implicit' | 'difference',
    distance?: DistanceForce,
  ) {
    this.#usesHeld = method === 'implicit';
    this.distance = distance;
    this.#simulation = simulation;
    this.inputs = inputs;
    this.#asked = outputs;
    this.twin = distance ? createTightTwin(simulation, simulation.model, distance) : findTwin(simulation);
    this.tangent = new Tangent(this.twin.model, this.twin.formulation);
  }

  /** Goes to the step from a snapshot; derivatives are those there from now on. `start`: where its solution is, if that is known. */
  begin(snapshot: Float64Array, side: Side = 'centred', start?: Float64Array): void {
    this.#snapshot = snapshot;
    this.kinks.length = 0;
    this.jumps.length = 0;
    this.#held = undefined;
    this.#hasBase = false;
    this.outputs = { names: [], values: [] };
    this.rows = this.tangent.wholeSize;
    this.#adjoint = undefined;
    if (this.#usesHeld && side === 'centred' && this.#asked.length === 0) this.#adjoint = this.#tryAdjoint(start);
    if (!this.#adjoint) this.#requireBase();
  }

  // where the step is one that can be gone through in reverse, and no kink is near
  #tryAdjoint(start: Float64Array | undefined): ReverseStep | undefined {
    const adjoint = findAdjoint(this.twin);
    if (!adjoint) return undefined;
    if (findBegun(this.twin, this.#snapshot)) return this.#takeAdjoint(adjoint);
    this.#place(this.twin, () => {});
    const { held } = this.twin.formulation;
    held?.beginAt?.(this.distance ? undefined : start);
    const isKnown = adjoint.begin();
    held?.beginAt?.(undefined);
    const isWhole = this.twin.formulation.passesThrough?.() !== true;
    if (!isKnown || !isWhole || !(readModes(this.twin).margin > NEAR_KINK)) return undefined;
    noteBegun(this.twin, this.#snapshot);
    return this.#takeAdjoint(adjoint);
  }

  #takeAdjoint(adjoint: ReverseStep): ReverseStep | undefined {
    if (!adjoint.hasKink) return adjoint;
    // differences look at both sides closely, and cost little in small scenes
    if (this.tangent.wholeSize <= FEW) return undefined;
    this.kinks.push('contact points');
    return adjoint;
  }

  /** The step without shift, from which differences are taken. */
  #requireBase(): void {
    if (this.#hasBase) return;
    this.#hasBase = true;
    this.#step(this.twin, () => {});
    const isKink = !(readModes(this.twin).margin > NEAR_KINK);
    if (isKink) this.kinks.push(KINK);
    if (this.#usesHeld && !isKink && this.#canHold()) this.#held = this.twin.formulation.held?.read();
    this.#hasBaseContacts = this.#held !== undefined && !this.#isAhead();
    this.#base = this.tangent.copy(this.twin.state);
    this.outputs = readOutputs(this.twin, this.#asked);
    this.#outputIndex = new Map(this.outputs.names.map((name, i) => [name, i]));
    this.rows = this.tangent.wholeSize + this.outputs.values.length;
  }

  /** Whether the step is gone through in reverse: `pullBack` then gives all but the derivatives by parameters. */
  get isReversible(): boolean {
    return this.#adjoint !== undefined;
  }

  /** Estimate of the condition of the matrix that derivatives are solved with; undefined where the formulation has none. */
  estimateCondition(): number | undefined {
    if (this.#adjoint) return this.#adjoint.estimateCondition();
    return this.#held && this.twin.formulation.held?.condition;
  }

  /** out = Jᵀ λ over the columns of state, control and applied force, λ over the rows; only of a reversible step. */
  pullBack(cotangent: Float64Array, out: Float64Array): void {
    const bars = createBars(this.twin.model, this.tangent.length.kept);
    if (!this.#adjoint!.pullBack(this.#cutEnd(cotangent), bars)) throw this.#refuseMatrix();
    this.#writeBars(bars, out, 0);
  }

  /** Writes all rows of the Jacobian of a reversible step, but for parameters, to a matrix with so many columns. */
  writeRows(values: Float64Array, columns: number): void {
    let at = 0;
    const isSolved = this.#adjoint!.pullBackRows((bars) => {
      this.#writeBars(bars, values, at);
      at += columns;
    });
    if (!isSolved) throw this.#refuseMatrix();
  }

  #cutEnd(row: Float64Array): EndBars {
    const { start, length } = this.tangent;
    return {
      position: row.slice(start.position, start.position + length.position),
      softPosition: row.slice(start.softPosition, start.softPosition + length.softPosition),
      velocity: row.slice(start.velocity, start.velocity + length.velocity),
      softVelocity: row.slice(start.softVelocity, start.softVelocity + length.softVelocity),
      activation: row.slice(start.activation, start.activation + length.activation),
      kept: row.slice(start.kept),
    };
  }

  #writeBars(bars: InputBars, out: Float64Array, at: number): void {
    const { tangent, inputs } = this;
    const { start } = tangent;
    const control = at + (inputs.hasState ? tangent.wholeSize : 0);
    if (inputs.hasState) {
      out.set(bars.position, at + start.position);
      out.set(bars.softPosition, at + start.softPosition);
      out.set(bars.velocity, at + start.velocity);
      out.set(bars.softVelocity, at + start.softVelocity);
      out.set(bars.activation, at + start.activation);
      out.set(bars.kept, at + start.kept);
    }
    if (inputs.controls > 0) out.set(bars.control, control);
    if (inputs.forces > 0) out.set(bars.force, control + inputs.controls);
  }

  #refuseMatrix(): NexdynError {
    return new NexdynError('invalid-argument', `the matrix of the step at ${this.twin.time} s has no factor`, {
      hint: "take differences: method: 'difference'",
    });
  }

  /** Whether derivatives are those of the implicit function theorem. */
  get isImplicit(): boolean {
    return this.#adjoint !== undefined || this.#held !== undefined;
  }

  /** Why derivatives are differences of whole steps where another method was asked for. */
  get reason(): string | undefined {
    if (!this.#usesHeld || this.isImplicit) return undefined;
    const { formulation, model } = this.twin;
    if (this.kinks.includes(KINK)) return 'a contact is on the border of two modes';
    if (!this.#canHold())
      return 'steps with error control, those that were halved, and those of `midpoint` have more than one solve';
    return formulation.held?.refusal ?? `this step of ${model.options.formulation} is not one solve`;
  }

  /** Steps that are error-controlled, were taken as halves, or solve twice have more than one solution. */
  #canHold(): boolean {
    const { accuracy, integrator } = this.twin.model.options;
    const { stepLength, timestep } = this.twin;
    return accuracy === undefined && integrator !== 'midpoint' && stepLength === timestep;
  }

  // contacts of fast bodies depend on velocities
  #isAhead(): boolean {
    const { ahead, count } = this.twin.solvedContacts;
    return ahead.subarray(0, count).includes(1);
  }

  /** Columns of a Jacobian, in the order state, control, applied force, parameters. */
  listColumns(): StepColumn[] {
    return listColumns(this.inputs, this.tangent, this.twin.model);
  }

  /** The last of these. */
  listParameterColumns(): StepColumn[] {
    return listParameterColumns(this.inputs);
  }

  /** Whether a column leaves positions as they are: these are best taken first, with the contacts of the step without shift. */
  keepsPositions({ kind, index }: StepColumn): boolean {
    const { start } = this.tangent;
    return kind === 'state' ? index >= start.velocity && index < start.kept : kind !== 'parameter';
  }

  /** Writes the derivative by a column to `out`: its rows. Differences have a share of their usual length. */
  differentiate(column: StepColumn, out: Float64Array, side: Side = 'centred', share = 1): void {
    this.#requireBase();
    if (column.kind === 'state' && column.index >= this.tangent.size) {
      this.#place(this.twin, () => {});
      if (!this.tangent.hasKept(this.twin.state, column.index - this.tangent.size)) {
        out.fill(0);
        return;
      }
    }
    const shift = this.#createShift(column, share);
    this.#note(this.#takeDifferences(shift, out, side), column.name);
  }

  /** The same by differences of whole steps, whatever the method. */
  takeWholeDifference(column: StepColumn, out: Float64Array, share = 1): void {
    this.#requireBase();
    const held = this.#held;
    const kinks = this.kinks.length;
    const jumps = this.jumps.length;
    this.#held = undefined;
    this.differentiate(column, out, 'centred', share);
    this.#held = held;
    this.kinks.length = kinks;
    this.jumps.length = jumps;
  }

  /** What rounding leaves of an entry by differences: of positions, over their length, and over h where velocities are differences of positions. */
  measureRoundOff(column: StepColumn): number {
    const { options, constraintJoint } = this.twin.model;
    const { formulation, timestep } = options;
    let largest = 1;
    for (const x of this.#base!.position) largest = Math.max(largest, Math.abs(x));
    // joints as constraints close what positions leave of them in a step
    const isOverStep = findFormulation(formulation).unknown === 'position' || constraintJoint.kind.length > 0;
    const scale = isOverStep ? timestep : 1;
    return (4 * Number.EPSILON * largest) / (scale * this.#createShift(column, 1).length);
  }

  /** Writes the derivative along a direction of all inputs but parameters. */
  differentiateAlong(direction: { state?: Float64Array; control?: Float64Array }, out: Float64Array): void {
    const { state: delta, control } = direction;
    this.#requireBase();
    let largest = 0;
    for (const value of delta ?? []) largest = Math.max(largest, Math.abs(value));
    for (const value of control ?? []) largest = Math.max(largest, Math.abs(value));
    if (largest === 0) {
      out.fill(0);
      return;
    }
    const length = DIFFERENCE / largest;
    const apply = ({ state }: Simulation, times: number): void => {
      if (delta) this.tangent.retract(state, delta, times * length);
      if (control) for (let i = 0; i < control.length; i++) state.control[i] += times * length * control[i];
    };
    const shift = { simulationAt: (): Simulation => this.twin, apply, length, keepsPositions: false };
    this.#note(this.#takeDifferences(shift, out, 'centred'), 'along the direction');
  }

  #note(between: Break, name: string): void {
    if (between !== 'none') this.kinks.push(name);
    if (between === 'jump') this.jumps.push(name);
  }

  #createShift(column: StepColumn, share: number): Shift {
    const { kind, index } = column;
    const twin = this.twin;
    if (kind === 'parameter') return this.#createParameterShift(this.inputs.parameters[index], share);
    const simulationAt = (): Simulation => twin;
    if (kind === 'state') {
      const length = share * (this.keepsPositions(column) ? VELOCITY_DIFFERENCE : DIFFERENCE);
      this.#unit ??= new Float64Array(this.tangent.wholeSize);
      const unit = this.#unit;
      const apply = ({ state }: Simulation, times: number): void => {
        unit[index] = 1;
        this.tangent.retract(state, unit, times * length);
        unit[index] = 0;
      };
      return { simulationAt, apply, length, keepsPositions: this.keepsPositions(column) };
    }
    const field = kind === 'control' ? 'control' : 'appliedForce';
    const length = share * FORCE_DIFFERENCE;
    const apply = ({ state }: Simulation, times: number): void => {
      state[field][index] += times * length;
    };
    return { simulationAt, apply, length, keepsPositions: true };
  }

  #createParameterShift(parameter: Parameter, share: number): Shift {
    const length = share * PARAMETER_SHARE * (Math.abs(parameter.value) || 1);
    return {
      simulationAt: (times) => this.#findParameterTwin(parameter, times * length),
      apply: () => {},
      length,
      keepsPositions: false,
    };
  }

  #findParameterTwin(parameter: Parameter, amount: number): Simulation {
    const key = `${parameter.path} ${amount}`;
    const known = this.#parameterTwins.get(key);
    if (known) return known;
    const { scene, choice } = requireSource(this.#simulation);
    if (this.#parameterTwins.size === 0) this.#checkScene();
    const model = compileModel(parameter.shift(scene, amount), choice);
    const twin = createTightTwin(this.#simulation, model, this.distance);
    this.#parameterTwins.set(key, twin);
    return twin;
  }

  #checkScene(): void {
    const { scene, choice } = requireSource(this.#simulation);
    if (haveSameNumbers(this.#simulation.model, compileModel(scene, choice))) return;
    throw new NexdynError('invalid-argument', 'the scene was changed after it was compiled', {
      hint: 'derivatives by parameters compile it again: leave it as it is, or compile a copy',
    });
  }

  /** What the column lies on. */
  #takeDifferences(shift: Shift, out: Float64Array, side: Side): Break {
    const chosen = side === 'centred' ? this.#chooseSide(shift) : side;
    const at = (times: number): Float64Array => this.#evaluate(shift, times);
    if (chosen !== 'centred') {
      return takeOneSided(at, chosen === 'forward' ? 1 : -1, shift.length, out);
    }
    if (!this.#held) return takeCentred(at, shift.length, out);
    if (takeNear(at, shift.length, out, this.tangent.wholeSize) && !this.#isOverdetermined(out, shift.length))
      return 'none';
    const held = this.#held;
    this.#held = undefined;
    const between = takeCentred(at, shift.length, out);
    this.#held = held;
    return between;
  }

  /**
   * Whether an output changes by more than itself within the length of a difference: rigid constraints that say the same twice contradict
   * each other as soon as one of them moves, and the partition of contacts does not last.
   */
  #isOverdetermined(out: Float64Array, length: number): boolean {
    if (findFormulation(this.twin.model.options.formulation).unknown !== 'impulse') return false;
    return this.outputs.values.some(
      (value, i) => Math.abs(out[this.tangent.wholeSize + i]) * length > Math.max(1, Math.abs(value)),
    );
  }

  /** Parameters at the edge of what a scene allows, such as a friction of 0, have one side. */
  #chooseSide(shift: Shift): Side {
    for (const [times, other] of [
      [-2, 'forward'],
      [2, 'backward'],
    ] as const) {
      try {
        shift.simulationAt(times);
      } catch (error) {
        if (!(error instanceof NexdynError)) throw error;
        return other;
      }
    }
    return 'centred';
  }

  /** f(z + times ε) ⊖ f(z), with the differences of the outputs behind. */
  #evaluate(shift: Shift, times: number): Float64Array {
    const { tangent } = this;
    const simulation = shift.simulationAt(times);
    this.#step(simulation, () => shift.apply(simulation, times), shift.keepsPositions && this.#hasBaseContacts);
    const out = new Float64Array(this.rows);
    const whole = out.subarray(0, tangent.wholeSize);
    tangent.subtract(whole, simulation.state, this.#base!);
    const { names, values } = readOutputs(simulation, this.#asked);
    const base = this.outputs.values;
    // what a shifted step does not have any more is zero there
    for (let i = 0; i < base.length; i++) out[tangent.wholeSize + i] = -base[i];
    names.forEach((name, k) => {
      const i = this.#outputIndex.get(name);
      if (i !== undefined) out[tangent.wholeSize + i] = values[k] - base[i];
    });
    return out;
  }

  /** The state of the snapshot with a change. */
  #place(simulation: Simulation, change: () => void): void {
    const { formulation, state } = simulation;
    if (simulation === this.twin) noteBegun(simulation);
    simulation.restore(this.#snapshot);
    if (formulation.changeState) formulation.changeState(state, change);
    else change();
    formulation.noteState?.(state);
  }

  /** One step from the snapshot with a change; with the contacts of the step without one where positions stay. */
  #step(simulation: Simulation, change: () => void, keepsContacts = false): void {
    const { formulation } = simulation;
    this.#place(simulation, change);
    const { detectContacts, findUnforeseen } = formulation;
    if (keepsContacts) {
      formulation.detectContacts = () => {};
      formulation.findUnforeseen = undefined;
    } else if (simulation === this.twin) this.#hasBaseContacts = false;
    formulation.held?.hold(this.#held);
    const { status } = simulation.step();
    formulation.held?.hold(undefined);
    formulation.detectContacts = detectContacts;
    formulation.findUnforeseen = findUnforeseen;
    if (wasTaken(status)) return;
    throw new NexdynError('invalid-argument', `the step at ${simulation.time} s was not taken: it is ${status}`, {
      hint: 'a derivative needs a step; shorten the time step, or look at report.energyGain and report.nonFinite',
    });
  }
}
