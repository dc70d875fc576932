/**
 * Poses in MJCF: position and one of five forms of orientation.
 *
 * Quaternions are w x y z; a pose (p, q) maps a point x of its frame to p + q x q⁻¹ in the parent's frame.
 * Euler angles: lower-case letters of `eulerseq` turn about moving axes (post-multiply), upper-case about fixed ones.
 */
import type { Quaternion, Vec3 } from '@nexdyn/engine';
import { countSettings, findNumbers, locate, readVec3, readVector, type Settings } from './attributes.ts';
import type { CompilerSettings } from './compiler-settings.ts';
import { fail } from './failure.ts';

/** Where a frame sits in its parent. */
export interface Frame {
  position: Vec3;
  orientation: Quaternion;
}

export const IDENTITY: Frame = { position: [0, 0, 0], orientation: [1, 0, 0, 0] };

const FORMS = ['axisangle', 'xyaxes', 'zaxis', 'euler'] as const;
const SMALLEST_CHANGE = 1e-15;
const SMALL = 1e-14;

/** Position and orientation of an element, in its parent's frame. */
export function readFrame(settings: Settings, compiler: CompilerSettings): Frame {
  return {
    position: readVec3(settings, 'pos') ?? [0, 0, 0],
    orientation: readOrientation(settings, compiler) ?? [1, 0, 0, 0],
  };
}

/** Orientation of an element, or undefined where none is given. */
export function readOrientation(settings: Settings, compiler: CompilerSettings): Quaternion | undefined {
  checkSingleForm(settings);
  // the last written form other than a quaternion holds, even over a quaternion of the element itself
  const { element } = settings;
  const own = FORMS.find((form) => element.attributes.get(form)?.value.trim());
  const inherited = FORMS.filter((form) => findNumbers(settings, form) !== undefined);
  const form = own ?? latestForm(settings, inherited);
  if (form === undefined) {
    const quat = readVector(settings, 'quat', 4) as Quaternion | undefined;
    if (quat && Math.hypot(...quat) < SMALL)
      fail('invalid-value', locate(settings, 'quat'), 'the quaternion is zero', 'no rotation is 1 0 0 0');
    return quat && normalizeQuaternion(quat);
  }
  if (form === 'axisangle') {
    const [x, y, z, angle] = readVector(settings, form, 4) as [number, number, number, number];
    return rotationAbout(unit([x, y, z], settings, form), toRadians(angle, compiler));
  }
  if (form === 'zaxis') return rotationFromZ(unit(readVec3(settings, form)!, settings, form));
  if (form === 'xyaxes') return rotationFromAxes(settings);
  return rotationFromEuler(readVec3(settings, 'euler')!, compiler);
}

/** The form whose innermost setting is in the innermost class; forms of one class exclude each other. */
function latestForm(settings: Settings, forms: readonly (typeof FORMS)[number][]): (typeof FORMS)[number] | undefined {
  // longer chains are set nearer to the element; between equals the order of the table decides
  let best: (typeof FORMS)[number] | undefined;
  for (const form of forms) {
    if (!best || countSettings(settings, form) > countSettings(settings, best)) best = form;
  }
  return best;
}

function checkSingleForm({ element }: Settings): void {
  const forms = new Set<string>(['quat', ...FORMS]);
  const given = [...element.attributes.keys()].filter((name) => forms.has(name));
  const second = given[1];
  if (second === undefined) return;
  const at = { ...element.attributes.get(second)!, file: element.file };
  fail('invalid-value', at, `the orientation is given twice, as '${given[0]}' and as '${second}'`, 'keep one of them');
}

/** Euler angles, in the units and the order of the compiler settings, to a quaternion. */
export function rotationFromEuler(angles: Vec3, compiler: CompilerSettings): Quaternion {
  let result: Quaternion = [1, 0, 0, 0];
  for (let i = 0; i < 3; i++) {
    const letter = compiler.eulerSequence[i]!;
    const axis: Vec3 = [0, 0, 0];
    axis['xyz'.indexOf(letter.toLowerCase())] = 1;
    const turn = rotationAbout(axis, toRadians(angles[i]!, compiler));
    const moving = letter === letter.toLowerCase();
    result = moving ? multiplyQuaternions(result, turn) : multiplyQuaternions(turn, result);
  }
  return normalizeQuaternion(result);
}

function rotationFromAxes(settings: Settings): Quaternion {
  const [a, b, c, d, e, f] = readVector(settings, 'xyaxes', 6) as number[] as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const x = unit([a, b, c], settings, 'xyaxes');
  // the second axis gives up its part along the first
  const along = x[0] * d + x[1] * e + x[2] * f;
  const y = unit([d - x[0] * along, e - x[1] * along, f - x[2] * along], settings, 'xyaxes');
  return quaternionFromAxes(x, y, cross(x, y));
}

/** The shortest rotation that takes z to a unit vector. */
export function rotationFromZ(direction: Vec3): Quaternion {
  const axis: Vec3 = [-direction[1], direction[0], 0];
  const sine = Math.hypot(axis[0], axis[1]);
  if (sine < 1e-10) return direction[2] > 0 ? [1, 0, 0, 0] : [0, 1, 0, 0];
  const angle = Math.atan2(sine, direction[2]);
  return rotationAbout([axis[0] / sine, axis[1] / sine, 0], angle);
}

/** Quaternion of the rotation whose matrix has the three unit vectors as columns. */
export function quaternionFromAxes(x: Vec3, y: Vec3, z: Vec3): Quaternion {
  // of the four squares 4w², 4x², 4y², 4z² take the largest, the others follow by division
  const squares = [1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2]];
  const largest = squares.indexOf(Math.max(...squares));
  const s = 2 * Math.sqrt(squares[largest]!);
  const q: Quaternion =
    largest === 0
      ? [s / 4, (y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s]
      : largest === 1
        ? [(y[2] - z[1]) / s, s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s]
        : largest === 2
          ? [(z[0] - x[2]) / s, (y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s]
          : [(x[1] - y[0]) / s, (z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4];
  return normalizeQuaternion(q);
}

/** A frame given in another frame, seen from the parent of that one. */
export function composeFrames(outer: Frame, inner: Frame): Frame {
  if (outer === IDENTITY) return inner;
  return {
    position: transformPoint(outer, inner.position),
    orientation: multiplyQuaternions(outer.orientation, inner.orientation),
  };
}

/** A point of a frame, seen from its parent. */
export function transformPoint(frame: Frame, point: Vec3): Vec3 {
  const turned = rotate(frame.orientation, point);
  return [frame.position[0] + turned[0], frame.position[1] + turned[1], frame.position[2] + turned[2]];
}

/** q v q⁻¹. */
export function rotate(q: Quaternion, v: Vec3): Vec3 {
  if (q[0] === 1) return v;
  const u: Vec3 = [q[1], q[2], q[3]];
  const t = cross(u, v);
  const uxt = cross(u, t);
  return [v[0] + 2 * (q[0] * t[0] + uxt[0]), v[1] + 2 * (q[0] * t[1] + uxt[1]), v[2] + 2 * (q[0] * t[2] + uxt[2])];
}

/** Hamilton product: the rotation b followed by a. */
export function multiplyQuaternions(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** The inverse rotation of a unit quaternion. */
export function conjugate(q: Quaternion): Quaternion {
  return [q[0], -q[1], -q[2], -q[3]];
}

/** Cross product. */
export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Angles in files are degrees unless the compiler settings say radians. */
export function toRadians(angle: number, compiler: CompilerSettings): number {
  return compiler.degrees ? (angle / 180) * Math.PI : angle;
}

function rotationAbout(axis: Vec3, angle: number): Quaternion {
  const sine = Math.sin(angle / 2);
  return [Math.cos(angle / 2), sine * axis[0], sine * axis[1], sine * axis[2]];
}

export function normalizeQuaternion(q: Quaternion): Quaternion {
  const norm = Math.hypot(...q);
  // a unit quaternion stays as it is, to the last bit, as in MuJoCo
  return Math.abs(norm - 1) <= SMALLEST_CHANGE ? q : [q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm];
}

function unit(v: Vec3, settings: Settings, name: string): Vec3 {
  const norm = Math.hypot(...v);
  if (norm < SMALL)
    fail(
      'invalid-value',
      locate(settings, name),
      `'${name}' has no direction: an axis is zero`,
      'give axes that are not zero',
    );
  return [v[0] / norm, v[1] / norm, v[2] / norm];
}
