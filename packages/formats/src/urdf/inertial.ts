/**
 * `<inertial>`: mass, centre of mass and the tensor I about it, given in the axes of its own origin, which are turned by
 * R against the link: in the link's axes it is R I Rᵀ. A link without it has no mass.
 */
import type { Inertia } from '@nexdyn/engine';
import type { UnsupportedItem } from '../loaded-scene.ts';
import type { XmlElement } from '../xml/xml.ts';
import { failAt, findChild, placeOf, readNumber, readOrigin, requireChild } from './attribute.ts';
import { rotateTensor, type Tensor } from './rotation.ts';
import type { UrdfLink } from './tree.ts';

/** Inertia of a link. */
export function readInertial(link: XmlElement): Inertia {
  const [inertial] = listInertials(link);
  if (!inertial) return { kind: 'principal', mass: 0, moments: [0, 0, 0] };
  const massElement = requireChild(inertial, 'mass');
  const mass = readNumber(massElement, 'value');
  if (mass < 0) failAt(massElement, 'invalid-mass', `the mass ${mass} is negative`, 'masses are in kg', 'value');

  const { position, orientation } = readOrigin(inertial);
  const element = findChild(inertial, 'inertia');
  const given = element ? readTensor(element) : ([0, 0, 0, 0, 0, 0] as Tensor);
  const tensor = orientation ? rotateTensor(orientation, given) : given;
  return { kind: 'tensor', mass, ...(position && { center: position }), tensor };
}

/** The first one counts, as in the parser of ROS. */
function listInertials({ children }: XmlElement): XmlElement[] {
  return children.filter(({ name }) => name === 'inertial');
}

/** xx, yy, zz, xy, xz, yz; where a principal moment is negative, the mean of the three, which no turn changes. */
function readTensor(element: XmlElement): Tensor {
  const tensor = readWritten(element);
  if (isPositive(tensor)) return tensor;
  const mean = (tensor[0] + tensor[1] + tensor[2]) / 3;
  if (mean < 0)
    failAt(element, 'invalid-mass', 'no body has this inertia: its moments are negative', 'check the signs');
  return [mean, mean, mean, 0, 0, 0];
}

function readWritten(element: XmlElement): Tensor {
  const names = ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'];
  return names.map((name, i) => readNumber(element, name, i < 3 ? undefined : 0)) as Tensor;
}

/** Links with a second inertia, or with a negative principal moment: they are listed. */
export function listDoubtful(links: readonly UrdfLink[], unsupported: UnsupportedItem[]): void {
  for (const { name, element: link } of links) {
    const [first, ...others] = listInertials(link);
    const list = (element: XmlElement, message: string): void =>
      void unsupported.push({ ...placeOf(element), element: element.name, affects: 'physics', message });
    for (const other of others) list(other, `The link '${name}' has another <inertial> before this one, which counts.`);
    const inertia = first && findChild(first, 'inertia');
    if (inertia && !isPositive(readWritten(inertia))) {
      const reason = 'a principal moment is negative. The mean of the three is used for all.';
      list(inertia, `No body has the inertia of '${name}': ${reason}`);
    }
  }
}

/**
 * Links with one principal moment above the sum of the other two, which no body has: they are listed. With the rule `balanceInertia` their mean
 * takes the place of all three.
 */
export function listUnbalanced(links: readonly UrdfLink[], unsupported: UnsupportedItem[]): boolean {
  const before = unsupported.length;
  for (const { name, element: link } of links) {
    const [inertial] = listInertials(link);
    const element = inertial && findChild(inertial, 'inertia');
    if (!element) continue;
    const [xx, yy, zz, xy, xz, yz] = readTensor(element);
    const half = (xx + yy + zz) / 2;
    // ∫ ρ x xᵀ, which has no negative eigenvalue
    if (isPositive([half - xx, half - yy, half - zz, -xy, -xz, -yz])) continue;
    const message = `No body has the moments of inertia of '${name}': one exceeds the sum of the other two. Their mean is used for all three.`;
    unsupported.push({ ...placeOf(element), element: 'inertia', affects: 'physics', message });
  }
  return unsupported.length > before;
}

/** Whether all principal minors are non-negative, up to round-off in the numbers of the file. */
function isPositive([xx, yy, zz, xy, xz, yz]: Tensor): boolean {
  const scale = Math.max(xx, yy, zz, 0);
  const minors = [
    ...[xx, yy, zz].map((minor) => minor + 1e-9 * scale),
    ...[xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz].map((minor) => minor + 1e-9 * scale ** 2),
    xx * yy * zz + 2 * xy * xz * yz - xx * yz * yz - yy * xz * xz - zz * xy * xy + 1e-9 * scale ** 3,
  ];
  return minors.every((minor) => minor >= 0);
}
