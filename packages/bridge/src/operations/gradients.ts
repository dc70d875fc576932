/** Derivatives of steps and rollouts. */
import {
  type FitOptions,
  fit,
  jvp,
  type LinearizeOptions,
  linearize,
  type RolloutOptions,
  rollout,
  vjp,
} from '@nexdyn/engine/derivatives';
import { Shaped } from '../message.ts';
import type { Session } from '../session.ts';
import type { Operation } from './operations.ts';
import { enter, type StateRequest } from './steps.ts';

interface Options extends StateRequest {
  readonly options?: LinearizeOptions;
}

function linearizeStep(session: Session, request: Options): object {
  const { simulation } = enter(session, request);
  const { A, B, P, F, C, D, E, size, ...rest } = linearize(simulation, request.options);
  const outputs = rest.outputs.length;
  const matrix = (array: Float64Array, rows: number): Shaped =>
    new Shaped(array, [rows, rows > 0 ? array.length / rows : 0]);
  return {
    A: matrix(A, size),
    B: matrix(B, size),
    P: matrix(P, size),
    F: matrix(F, size),
    C: matrix(C, outputs),
    D: matrix(D, outputs),
    E: matrix(E, outputs),
    outputs: rest.outputs,
    names: rest.names,
    parameters: rest.parameters,
    report: rest.report,
  };
}

interface RolloutRequest extends StateRequest {
  readonly controls?: Float64Array;
  readonly options: RolloutOptions;
}

/** Runs forward and keeps the run for `backward`; the states after each step, the first before any. */
function runForward(session: Session, request: RolloutRequest): object {
  const { simulation } = enter(session, request);
  const controls = request.controls && Float64Array.from(request.controls);
  const run = rollout(simulation, controls, request.options);
  const { position, velocity } = simulation.state;
  const q = new Float64Array((run.steps + 1) * position.length);
  const v = new Float64Array((run.steps + 1) * velocity.length);
  run.replay((k, { state }) => {
    q.set(state.position, k * position.length);
    v.set(state.velocity, k * velocity.length);
  });
  return {
    rollout: session.add({ kind: 'rollout', rollout: run }),
    steps: run.steps,
    position: new Shaped(q, [run.steps + 1, position.length]),
    velocity: new Shaped(v, [run.steps + 1, velocity.length]),
    end: run.simulation.snapshot(),
  };
}

/** Gradient of a loss whose gradient is given by the last state, or by every state, row by row. */
function runBackward(
  session: Session,
  request: { rollout: number; gradient: Float64Array; isByStep: boolean },
): object {
  const { rollout: run } = session.get('rollout', request.rollout);
  const gradient = Float64Array.from(request.gradient);
  const width = gradient.length / (run.steps + 1);
  const { controls, ...rest } = run.backward(
    request.isByStep ? (k) => gradient.subarray(k * width, (k + 1) * width) : gradient,
  );
  return { ...rest, controls: new Shaped(controls, [run.steps, controls.length / run.steps]) };
}

export const DERIVATIVE_OPERATIONS: Readonly<Record<string, Operation>> = {
  linearize: linearizeStep,
  jvp: (session, request: Options & { direction: object }) =>
    jvp(enter(session, request).simulation, request.direction, request.options),
  vjp: (session, request: Options & { cotangent: object }) =>
    vjp(enter(session, request).simulation, request.cotangent, request.options),
  fit: (session, request: StateRequest & { options: FitOptions }) =>
    fit(enter(session, request).simulation, request.options),
  rollout: runForward,
  backward: runBackward,
};
