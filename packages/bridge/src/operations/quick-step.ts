/**
 * One step without JSON: for loops that step once per call, where writing and reading text would take longer than the step.
 *
 * A request without header is such a step. Its bytes are float64: number of the simulation, then the state, if the client has changed it.
 * The answer has no header either: status (place in QUICK_STATUS), iterations, residual, state. Where the report holds more, or the step
 * could not be taken, the answer is that of the operation `step`.
 */
import { type StepReport, wasTaken } from '@nexdyn/engine';
import { encodeMessage, type Frame } from '../message.ts';
import type { Session } from '../session.ts';
import { describeStep, enter } from './steps.ts';

/** Statuses by number, as the client counts them. */
export const QUICK_STATUS = ['converged', 'iteration-limit', 'stalled', 'infeasible'] as const;

/** Numbers before the state in an answer. */
const HEAD = 3;

const NO_HEADER = Buffer.alloc(0);
const PLAIN = new Set<string>(['status', 'iterations', 'residual', 'trace']);

/** Takes a step; the frame of the answer. */
export function stepQuickly(session: Session, bytes: Uint8Array): Frame {
  const numbers = new Float64Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length / 8);
  const state = numbers.length > 1 ? numbers.subarray(1) : undefined;
  const { simulation, ruler } = enter(session, { sim: numbers[0]!, ...(state && { state }) });
  const report = simulation.step();
  ruler?.measure();
  const { all } = simulation.state;
  if (!isPlain(report)) return encodeMessage({ ok: describeStep(report, 1, all) });
  const out = new Float64Array(HEAD + all.length);
  out[0] = (QUICK_STATUS as readonly string[]).indexOf(report.status);
  out[1] = report.iterations;
  out[2] = report.residual;
  out.set(all, HEAD);
  return { header: NO_HEADER, arrays: [new Uint8Array(out.buffer)], size: out.byteLength };
}

/** Whether three numbers say it all. */
function isPlain(report: StepReport): boolean {
  if (!wasTaken(report.status)) return false;
  for (const key in report) {
    if (report[key as keyof StepReport] !== undefined && !PLAIN.has(key)) return false;
  }
  return true;
}
