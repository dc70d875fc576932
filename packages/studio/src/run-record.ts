/** Whether what was read from a link or a file is the record of a run. It may be damaged, or written by hand. */
import type { RunRecord } from './session/protocol.ts';

type Check = (value: unknown) => boolean;

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
  steps: isCount,
  pulls: isListOf(hasParts({ step: isCount, body: isBody, soft: isGrip, force: isVector, point: isVector })),
  hands: isAbsentOr(
    isListOf(
      hasParts({
        step: isCount,
        grab: isAbsentOr(hasParts({ body: isBody, soft: isGrip, point: isVector, target: isVector })),
      }),
    ),
  ),
  changes: isListOf(hasParts({ step: isCount, choice: isObject })),
  hash: (value) => /^[0-9a-f]{16}$/.test(String(value)),
};

/** The record; an error names missing fields. */
export function checkRunRecord(value: unknown): RunRecord {
  if (!isObject(value)) throw new Error('there is no record of a run in it');
  const damaged = Object.entries(PARTS).find(([name, check]) => !check((value as Record<string, unknown>)[name]));
  if (damaged) throw new Error(`the ${damaged[0]} of the recorded run cannot be read`);
  return value as RunRecord;
}
