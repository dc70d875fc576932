/** Ranges of lengths of muscles whose file gives none. */
import type { Actuator, Scene } from '@nexdyn/engine';
import { indexTargets } from './check.ts';
import { measureLengthRanges } from './length-range.ts';
import type { Reading } from './reading.ts';

export type Muscle = Extract<Actuator, { kind: 'muscle' }>;

/** Gives muscles their ranges; tells whether some had to be left out. */
export function findMuscleRanges(scene: Scene, muscles: readonly Muscle[], reading: Reading): boolean {
  const { part, compiler, origins, unsupported, lostActuators } = reading;
  const { lengthRange } = compiler;
  if (muscles.length === 0) return false;
  const findTarget = indexTargets(part);
  const findLimit = ({ transmission }: Muscle): readonly [number, number] | undefined => {
    const target = findTarget(transmission);
    return target && 'limit' in target ? target.limit?.range : undefined;
  };
  const pulled = muscles.filter((muscle) => lengthRange.isOn && !(lengthRange.usesLimits && findLimit(muscle)));
  const ranges = measureLengthRanges(scene, pulled, lengthRange);
  const lost = new Set<Actuator>();
  for (const muscle of muscles) {
    const limit = findLimit(muscle);
    // limits are taken as they are, whatever the gear
    const range = lengthRange.isOn ? (ranges[pulled.indexOf(muscle)] ?? limit) : 'ranges of lengths are switched off';
    if (typeof range === 'object') {
      muscle.lengthRange = [...range];
      continue;
    }
    const element = origins.get(muscle)!;
    const outcome = limit ? 'limits of what it drives take its place' : 'it is left out';
    unsupported.add(element, { affects: 'physics', message: `it needs 'lengthrange': ${range}; ${outcome}` });
    if (limit) continue;
    lost.add(muscle);
    lostActuators.push(element);
  }
  part.actuators = part.actuators.filter((actuator) => !lost.has(actuator));
  return lost.size > 0;
}
