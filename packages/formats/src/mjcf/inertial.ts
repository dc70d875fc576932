/** <inertial>: mass, centre of mass and inertia of a body. */
import type { Inertia, Quaternion, Vec3 } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { failMissing, locate, readNumber, readVec3, readVector, settingsOf } from './attributes.ts';
import type { Scope } from './body.ts';
import { fail } from './failure.ts';
import { composeFrames, IDENTITY, readOrientation, rotate } from './orientation.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';

type Tensor = [number, number, number, number, number, number];

/** Reads an inertial; its frame is relative to the frames around it. */
export function readInertial(element: XmlElement, scope: Scope, reading: Reading): Inertia {
  checkAttributes(element);
  const settings = settingsOf(element);
  const mass = readNumber(settings, 'mass') ?? failMissing(settings, 'mass');
  if (mass < 0)
    fail('invalid-mass', locate(settings, 'mass'), `the mass is negative: ${mass}`, 'give kilograms, 0 or more');
  const position = readVec3(settings, 'pos') ?? failMissing(settings, 'pos');
  const orientation = readOrientation(settings, reading.compiler);
  const tensor = readVector(settings, 'fullinertia', 6) as Tensor | undefined;
  const moments = readVec3(settings, 'diaginertia');
  if (tensor && (orientation || moments)) {
    const other = moments ? 'diaginertia' : 'an orientation';
    fail(
      'invalid-mass',
      locate(settings, 'fullinertia'),
      `'fullinertia' and ${other} exclude each other`,
      'keep one of them',
    );
  }
  const frame = composeFrames(scope.frame, { position, orientation: orientation ?? IDENTITY.orientation });
  if (tensor) {
    checkDefinite(tensor, () => locate(settings, 'fullinertia'));
    const turned = scope.frame === IDENTITY ? tensor : rotateTensor(frame.orientation, tensor);
    return { kind: 'tensor', mass, center: frame.position, tensor: turned };
  }
  const [a, b, c] = moments ?? [0, 0, 0];
  if (a < 0 || b < 0 || c < 0) {
    fail(
      'invalid-mass',
      locate(settings, 'diaginertia'),
      `a moment of inertia is negative: ${a} ${b} ${c}`,
      'give kg m², 0 or more',
    );
  }
  checkTriangle([a, b, c], reading, () => locate(settings, 'diaginertia'));
  const inertia: Inertia = { kind: 'principal', mass, center: frame.position, moments: [a, b, c] };
  if (frame.orientation.some((value, i) => value !== IDENTITY.orientation[i])) inertia.orientation = frame.orientation;
  return inertia;
}

function checkTriangle([a, b, c]: Vec3, reading: Reading, at: () => XmlElement | ReturnType<typeof locate>): void {
  if (reading.compiler.massRules.balanceInertia) return;
  if (a + b >= c && a + c >= b && b + c >= a) return;
  const hint = 'each moment is at most the sum of the other two; <compiler balanceinertia="true"/> mends it';
  fail('invalid-mass', at(), `no body has the moments of inertia ${a} ${b} ${c}`, hint);
}

/** Throws where a tensor has an eigenvalue that is not positive. */
function checkDefinite([xx, yy, zz, xy, xz, yz]: Tensor, at: () => ReturnType<typeof locate>): void {
  // leading minors of a positive definite matrix are positive
  const second = xx * yy - xy * xy;
  const third = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  if (xx > 0 && second > 0 && third > 0) return;
  const hint = 'the order is xx yy zz xy xz yz';
  fail('invalid-mass', at(), 'the inertia tensor is not positive definite', hint);
}

/** R I Rᵀ for a tensor xx yy zz xy xz yz. */
function rotateTensor(q: Quaternion, [xx, yy, zz, xy, xz, yz]: Tensor): Tensor {
  const columns = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])] as const;
  const inner = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ] as const;
  const entry = (i: number, j: number): number => {
    let sum = 0;
    for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += columns[k]![i]! * inner[k]![l]! * columns[l]![j]!;
    return sum;
  };
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
}
