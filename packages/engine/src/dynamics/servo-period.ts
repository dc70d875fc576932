/**
 * A servo whose length is an angle takes the shorter way round: its error is taken modulo one turn, 2π |gear|.
 *
 * That is so for position servos (force = k (input − length) + ...) on a ball joint, or on a site that turns relative to a
 * reference site, without translation. Hinges count their turns and are left alone. Behaviour of MuJoCo 3.14.
 */
import { JOINT, type Model, TRANSMISSION } from '../model/model.ts';

/** Per actuator: the length of one turn, or 0 where length is not an angle or the actuator no position servo. */
export function servoPeriods(model: Model): Float64Array {
  return Float64Array.from({ length: model.size.actuator }, (_, a) =>
    isPositionServo(model, a) ? turnLength(model, a) : 0,
  );
}

function isPositionServo(model: Model, a: number): boolean {
  const { gain, bias } = model.actuator;
  const c = 3 * a;
  return gain[c] !== 0 && gain[c + 1] === 0 && gain[c + 2] === 0 && gain[c] === -bias[c + 1];
}

function turnLength(model: Model, a: number): number {
  const { gear, target, transmission, reference } = model.actuator;
  const g = 6 * a;
  const norm = (from: number): number => Math.sqrt(gear[from] ** 2 + gear[from + 1] ** 2 + gear[from + 2] ** 2);
  switch (transmission[a]) {
    case TRANSMISSION.joint:
    case TRANSMISSION.jointInParent:
      return jointKind(model, target[a]) === JOINT.ball ? 2 * Math.PI * norm(g) : 0;
    case TRANSMISSION.site:
      return reference[a] >= 0 && norm(g) === 0 ? 2 * Math.PI * norm(g + 3) : 0;
    default:
      return 0;
  }
}

// of a joint, or of one that is a constraint
function jointKind({ joint, constraintJoint, size }: Model, j: number): number {
  return j < size.joint ? joint.kind[j] : constraintJoint.kind[j - size.joint];
}
