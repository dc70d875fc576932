/** Whether what was read from a link or a file is the record of a run. It may be damaged, or written by hand. */
import { NexdynError } from '@nexdyn/engine';
import type { RunRecord } from './session/protocol.ts';

type Check = (value: unknown) => boolean;

/** A run with more steps is not repeated: a link can claim any number of them. */
const MOST_STEPS = 10_000_000;

const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isVector: Check = (value) => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
const isBody: Check = (value) => Number.isSafeInteger(value) && (value as number) >= -1;
const isAbsentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const hasParts =
  (parts: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(parts).every(([name, check]) => check((value as Record<string, unknown>)[name]));
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const isGrip = isAbsentOr(hasParts({ body: isCount, firstVertex: isCount, vertices: isListOf(isCount) }));
const PARTS: Readonly<Record<keyof RunRecord, Check>> = {
  choice: isObject,
  keyframe: isAbsentOr(isCount),
  steps: (value) => isCount(value) && (value as number) <= MOST_STEPS,
  pulls: isListOf(hasParts({ step: isCount, body: isBody, soft: isGrip, force: isVector, point: isVector })),
  hands: isAbsentOr(
    isListOf(
      hasParts({
        step: isCount,
        grab: isAbsentOr(hasParts({ body: isBody, soft: isGrip, point: isVector, target: isVector })),
      }),
    ),
  ),
  drives: isAbsentOr(
    isListOf(
      hasParts({
        step: isCount,
        kind: (value) => value === 'control' || value === 'joint',
        index: isCount,
        value: Number.isFinite,
      }),
    ),
  ),
  writes: isAbsentOr(isListOf(isObject)),
  changes: isListOf(hasParts({ step: isCount, choice: isObject })),
  hash: (value) => /^[0-9a-f]{16}$/.test(String(value)),
};

const HINT = 'the link or file is damaged; copy or save it again';

/** The record; an error names missing fields. */
export function checkRunRecord(value: unknown): RunRecord {
  const fail = (reason: string, path: string, hint: string): never => {
    throw new NexdynError('invalid-value', reason, { path, hint });
  };
  if (!isObject(value)) return fail('there is no record of a run in it', 'run', HINT);
  const damaged = Object.entries(PARTS).find(([name, check]) => !check((value as Record<string, unknown>)[name]));
  if (damaged) {
    const [name] = damaged;
    const steps = (value as Record<string, unknown>)[name];
    if (name === 'steps' && isCount(steps)) {
      const hint = `only runs of up to ${MOST_STEPS} steps can be replayed`;
      return fail(`the recorded run has ${String(steps)} steps`, 'run.steps', hint);
    }
    return fail(`the ${name} of the recorded run cannot be read`, `run.${name}`, HINT);
  }
  return value as RunRecord;
}
