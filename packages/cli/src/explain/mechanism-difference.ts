/** What two files of one robot say differently about its links, joints and shapes. */
import type { Link, LinkJoint, Mechanism } from './mechanism.ts';
import { type MechanismMatch, move } from './mechanism-match.ts';
import type { FieldDifference } from './model-difference.ts';
import { add, type Quaternion, rotate } from './rotation.ts';

/** Differences relative to the scale of a quantity below which numbers are the same: files are written with six digits or more. */
const SAME = 1e-6;

/** A difference, and how large it is beside what is compared, for the order of a report. */
interface Entry extends FieldDifference {
  part: string;
  quantity: string;
  size: number;
}

/** Everything that differs, the largest first; the same difference of several parts is one entry. */
export function listMechanismDifferences(one: Mechanism, two: Mechanism, match: MechanismMatch): FieldDifference[] {
  const entries: Entry[] = [];
  const length = measureReach(one);
  for (const [n, m] of match.links) compareLinks(one.links[n]!, two.links[m]!, match, length, entries);
  for (const [j, k] of match.joints) compareJoints(one.joints[j]!, two.joints[k]!, match, length, entries);
  return [...listLeft(match), ...gather(entries)];
}

function listLeft({ only }: MechanismMatch): FieldDifference[] {
  const list = (things: readonly { name: string }[]): string =>
    things.length === 0 ? 'none' : things.map(({ name }) => name || 'unnamed').join(', ');
  return (['joints', 'links'] as const)
    .filter((kind) => only[kind].some((side) => side.length > 0))
    .map((kind) => ({
      field: `${kind} without a counterpart`,
      first: list(only[kind][0]),
      second: list(only[kind][1]),
    }));
}

function compareLinks(a: Link, b: Link, match: MechanismMatch, length: number, entries: Entry[]): void {
  const part = a.name === b.name ? a.name : `${a.name} (${b.name})`;
  const note = (quantity: string, first: string, second: string, size: number): void => {
    if (first !== second) entries.push({ field: '', part, quantity, first, second, size });
  };
  if (a.isWorld !== b.isWorld) {
    const say = ({ isWorld }: Link): string => (isWorld ? 'fixed to the world' : 'free to move');
    note('base', say(a), say(b), Infinity);
  }
  if (a.mass > 0 || b.mass > 0) {
    const scale = Math.max(a.mass, b.mass);
    const size = Math.abs(a.mass - b.mass) / scale;
    if (size > SAME) note('mass', ...tell([a.mass], [b.mass], 'kg'), size);
    if (a.mass > 0 && b.mass > 0) {
      const center = move(match.place, a.center);
      const far = Math.hypot(...add(center, b.center, -1)) / length;
      if (far > SAME) note('centre of mass', ...tell(center, b.center, 'm'), far);
      const turned = turnInertia(a.inertia, match.place.rotation);
      const largest = Math.max(...b.inertia.map(Math.abs), 1e-15);
      const apart = Math.max(...turned.map((value, k) => Math.abs(value - b.inertia[k]!))) / largest;
      if (apart > SAME) note('inertia (xx yy zz xy xz yz)', ...tell(pack(turned), pack(b.inertia), 'kg m²'), apart);
    }
  }
  note('shapes that can touch', a.shapes.kinds, b.shapes.kinds, Infinity);
  // what shapes are made of says little where they are others
  if (a.shapes.kinds === b.shapes.kinds) note('sizes of shapes', a.shapes.sizes, b.shapes.sizes, 1);
  if (a.shapes.kinds === 'none' || b.shapes.kinds === 'none') return;
  for (const key of ['friction', 'condim', 'solref', 'solimp'] as const) note(key, a.shapes[key], b.shapes[key], 1);
}

function compareJoints(a: LinkJoint, b: LinkJoint, match: MechanismMatch, length: number, entries: Entry[]): void {
  const part = a.name === b.name || a.name === '' ? b.name || 'a joint without a name' : `${a.name} (${b.name})`;
  const note = (quantity: string, first: string, second: string, size: number): void => {
    if (first !== second) entries.push({ field: '', part, quantity, first, second, size });
  };
  note('kind', a.kind, b.kind, Infinity);
  if (a.kind !== b.kind || a.kind === 'free') return;
  const anchor = move(match.place, a.anchor);
  const far = Math.hypot(...add(anchor, b.anchor, -1)) / length;
  if (far > SAME) note('anchor', ...tell(anchor, b.anchor, 'm'), far);
  if (a.kind !== 'ball') {
    const axis = rotate(match.place.rotation, a.axis);
    const apart = Math.hypot(...add(axis, b.axis, -1));
    if (apart > SAME) note('axis', ...tell(axis, b.axis, ''), apart);
  }
  note('limits', a.limits, b.limits, 1);
  const force = a.kind === 'slide' ? 'N' : 'N m';
  const angle = a.kind === 'slide' ? 'm' : 'rad';
  const units = {
    damping: `${force} s/${angle}`,
    stiffness: `${force}/${angle}`,
    armature: a.kind === 'slide' ? 'kg' : 'kg m²',
    frictionLoss: force,
    position: angle,
  };
  const words = {
    damping: 'damping',
    stiffness: 'stiffness',
    armature: 'armature',
    frictionLoss: 'dry friction',
    position: 'initial position',
  };
  for (const key of Object.keys(units) as (keyof typeof units)[]) {
    const size = Math.abs(a[key] - b[key]) / Math.max(Math.abs(a[key]), Math.abs(b[key]), 1e-12);
    if (size > SAME) note(words[key], ...tell([a[key]], [b[key]], units[key]), size);
  }
  note('limit of actuator force', a.effort, b.effort, 1);
  note('actuators', a.actuators, b.actuators, 1);
}

/** The same difference of several parts as one entry; quantities together, large differences first. */
function gather(entries: readonly Entry[]): FieldDifference[] {
  const groups = new Map<string, Entry & { parts: string[] }>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.quantity, entry.first, entry.second]);
    const known = groups.get(key);
    if (known) known.parts.push(entry.part);
    else groups.set(key, { ...entry, parts: [entry.part] });
  }
  const largest = new Map<string, number>();
  for (const { quantity, size } of entries) largest.set(quantity, Math.max(size, largest.get(quantity) ?? 0));
  const weigh = (a: number, b: number): number => (a === b ? 0 : a > b ? -1 : 1);
  const order = [...largest.keys()].sort((a, b) => weigh(largest.get(a)!, largest.get(b)!));
  return [...groups.values()]
    .sort((a, b) => order.indexOf(a.quantity) - order.indexOf(b.quantity) || weigh(a.size, b.size))
    .map(({ quantity, parts, first, second }) => ({ field: `${quantity} of ${nameParts(parts)}`, first, second }));
}

function nameParts(parts: readonly string[]): string {
  if (parts.length <= 3) return parts.join(', ');
  return `${parts.slice(0, 2).join(', ')} and ${parts.length - 2} more`;
}

/** R I Rᵀ. */
function turnInertia(inertia: readonly number[], rotation: Quaternion): number[] {
  const axes = [rotate(rotation, [1, 0, 0]), rotate(rotation, [0, 1, 0]), rotate(rotation, [0, 0, 1])];
  return Array.from({ length: 9 }, (_, n) => {
    const [r, c] = [Math.floor(n / 3), n % 3];
    let sum = 0;
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum += axes[i]![r]! * inertia[3 * i + j]! * axes[j]![c]!;
    return sum;
  });
}

function pack(i: readonly number[]): number[] {
  return [i[0]!, i[4]!, i[8]!, i[1]!, i[2]!, i[5]!];
}

/** Numbers of both sides with as many digits as it takes to see the difference; round-off beside the largest is zero. */
function tell(one: ArrayLike<number>, two: ArrayLike<number>, unit: string): [string, string] {
  const scale = Math.max(...Array.from(one, Math.abs), ...Array.from(two, Math.abs));
  const show = (values: ArrayLike<number>, digits: number): string =>
    `${Array.from(values, (value) => Number((Math.abs(value) > 1e-9 * scale ? value : 0).toPrecision(digits))).join(' ')} ${unit}`.trim();
  for (const digits of [4, 7, 10]) {
    const both: [string, string] = [show(one, digits), show(two, digits)];
    if (both[0] !== both[1]) return both;
  }
  return [show(one, 16), show(two, 16)];
}

/** How far the anchors of a mechanism are apart: the length beside which distances count. */
function measureReach({ joints, links }: Mechanism): number {
  const points = [
    ...joints.map(({ anchor }) => anchor),
    ...links.filter(({ mass }) => mass > 0).map(({ center }) => center),
  ];
  const extent = [0, 1, 2].map((k) => {
    const values = points.map((point) => point[k]!);
    return values.length > 0 ? Math.max(...values) - Math.min(...values) : 0;
  });
  return Math.hypot(...extent) || 1;
}
