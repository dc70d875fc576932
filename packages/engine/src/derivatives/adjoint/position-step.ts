/** The reverse of a step whose solve is over positions: its end as in step-end.ts, the solve by the formulation (PositionAdjoint). */
import type { PositionAdjoint } from '../../formulation/position-adjoint.ts';
import type { InputBars } from '../../formulation/row-rates.ts';
import { wasTaken } from '../../formulation/solve-status.ts';
import { ACTIVATION } from '../../model/model-couplings.ts';
import type { Simulation } from '../../simulation.ts';
import type { EndBars } from './input-bars.ts';
import { JointPart } from './joint-part.ts';
import { pullBackRowByRow, type ReverseStep } from './reverse-step.ts';
import { StepEnd } from './step-end.ts';

export class PositionStep implements ReverseStep {
  readonly #twin: Simulation;
  readonly #solve: PositionAdjoint;
  readonly #end: StepEnd;
  /** Of activations; forces are part of the solve. */
  readonly #joints: JointPart;
  readonly #isRow: Uint8Array;

  /** Undefined where the formulation has another solve, and where motors and servos have states of their own: a current, an integral. */
  static create(twin: Simulation): PositionStep | undefined {
    const { reverse } = twin.formulation;
    const { activation, activationStart, adds } = twin.model.actuator;
    const hasOwnStates = (a: number): boolean =>
      activation[a] === ACTIVATION.dcMotor || activation[a] === ACTIVATION.pid;
    const hasMotorStates = activationStart.some((slot, a) => slot >= 0 && hasOwnStates(a));
    // further controls have no force of their own to differentiate
    return reverse && !hasMotorStates && !adds.some(Boolean) ? new PositionStep(twin, reverse) : undefined;
  }

  private constructor(twin: Simulation, solve: PositionAdjoint) {
    this.#twin = twin;
    this.#solve = solve;
    this.#end = new StepEnd(twin, true);
    this.#joints = new JointPart(twin.model, twin.derived);
    this.#isRow = new Uint8Array(twin.model.size.actuator).fill(1);
  }

  begin(): boolean {
    const twin = this.#twin;
    const { state, model } = twin;
    const h = model.options.timestep;
    // where a step begins depends on where the state has its bodies
    if (twin.prepareState()) return false;
    twin.forward();
    if (!wasTaken(twin.report.status) || state.bodyWrench.some((value) => value !== 0)) return false;
    const work = twin.derived;
    const acceleration = work.acceleration.slice();
    if (!this.#solve.begin(state, work, h)) return false;
    this.#joints.begin(state, h, this.#isRow);
    return this.#end.begin(acceleration, h);
  }

  get hasKink(): boolean {
    return this.#solve.hasKink;
  }

  estimateCondition(): number {
    return this.#solve.condition;
  }

  pullBack(end: EndBars, out: InputBars): boolean {
    const spin = this.#end.createSpinBars();
    const led = { ...end, velocity: end.velocity.slice() };
    const velocity = end.velocity.slice();
    for (let i = 0; i < velocity.length; i++) (this.#solve.givesVelocity(i) ? led.velocity : velocity)[i] = 0;
    this.#joints.addActivations(out, end.activation);
    const way = this.#end.reverse(led, out, spin);
    const flight = this.#solve.pullBack({ ...end, velocity, way, push: spin.push }, out);
    // free flight has Δ and s
    for (let i = 0; i < flight.length; i++) {
      spin.change[i] += flight[i];
      spin.shift[i] += flight[i];
    }
    this.#end.reverseSpins(out, spin);
    return true;
  }

  pullBackRows(take: (row: InputBars) => void): boolean {
    const { model, formulation } = this.#twin;
    return pullBackRowByRow(this, model, formulation.kept?.size ?? 0, take);
  }
}
