/**
 * <composite type="cable">, which MuJoCo had until 4.0: a chain of rigid bodies with ball joints. Here it is a rod. With
 * the plugin mujoco.elasticity.cable it bends with E I and twists with G J, E and G its `bend` and `twist`; without, it is limp. Bodies
 * of MuJoCo's cable do not stretch; the rod stretches by one part in 10⁴ under its own weight.
 *   points x(s) = offset + size · curve(s),  s = i/(count − 1)
 */
import type { Elasticity, Quaternion, Vec3 } from '@nexdyn/engine';
import type { XmlElement } from '../../xml/xml.ts';
import {
  locate,
  readKeyword,
  readList,
  readNumber,
  readPartial,
  readSize,
  readText,
  readVec3,
  readVector,
  type Settings,
  settingsOf,
} from '../attributes.ts';
import { type Scope, setPose } from '../body.ts';
import { readColor } from '../color.ts';
import { withDefaults } from '../defaults.ts';
import { fail } from '../failure.ts';
import { composeFrames, normalizeQuaternion } from '../orientation.ts';
import type { Reading } from '../reading.ts';
import { checkAttributes } from '../schema.ts';
import { twistOfBox } from './flex-properties.ts';
import type { OpenSoft } from './open-soft.ts';

/** Stretch of a cable under its own weight, hanging. */
const STRETCH = 1e-4;
const GRAVITY = 9.81;

/** Reads a cable; other composites are listed. */
export function readComposite(element: XmlElement, scope: Scope, reading: Reading): void {
  const settings = settingsOf(element);
  const lost = (at: XmlElement, message: string, attribute?: string): void =>
    reading.unsupported.add(at, { affects: 'physics', message, ...(attribute && { attribute }) });
  if (readText(settings, 'type') !== 'cable') {
    lost(element, 'of composite bodies only cables are supported');
    return;
  }
  checkAttributes(element, 'composite');
  const points = readCurve(settings);
  const count = points.length / 3;
  const geom = element.children.find(({ name }) => name === 'geom') ?? element;
  const shape = geom === element ? settingsOf(element) : withDefaults(geom, scope.defaults, 'geom');
  const section = readSection(shape);
  const length = measure(points);
  const edgeLength = length / (count - 1);
  const mass = readMass(shape, section, edgeLength);
  const moduli = readPlugin(element, lost);
  const elasticity: Elasticity = {
    youngsModulus: moduli.bend || 1,
    poissonRatio: 0,
    density: mass / (Math.PI * section.radius ** 2 * edgeLength),
    bendingStiffness: moduli.bend * section.bend,
    twistStiffness: moduli.twist * section.twist,
  };
  const weight = mass * (count - 1) * GRAVITY;
  elasticity.stretchStiffness = Math.max(moduli.bend * Math.PI * section.radius ** 2, weight / STRETCH);
  readJointDamping(element, elasticity, edgeLength, lost);
  const prefix = readText(settings, 'prefix') ?? '';
  const color = readColor(shape, reading);
  const last = count - 1;
  const vertexNames: Record<string, number[]> = {};
  for (let i = 0; i < last; i++)
    vertexNames[`${prefix}B_${i === 0 ? 'first' : i === last - 1 ? 'last' : i}`] = [i, i + 1];
  for (const [end, vertex] of [
    ['first', 0],
    ['last', last],
  ] as const)
    vertexNames[`${prefix}S_${end}`] = [vertex];
  const initial = readKeyword(settings, 'initial', ['free', 'ball', 'none']) ?? 'none';
  const open: OpenSoft = {
    name: `${prefix}cable`,
    soft: {
      mesh: { kind: 'polyline', points, radius: section.radius },
      elasticity,
      contact: 'point',
      selfContact: true,
      ...(color && { color }),
    },
    pinned: initial === 'none' ? [0, 1] : initial === 'ball' ? [0] : [],
    attachments: [],
    vertexNames,
    edgeLength,
    edge: { stiffness: 0, damping: 0 },
  };
  const friction = readPartial<Vec3>(shape, 'friction', [1, 0.005, 0.0001]);
  if (readText(shape, 'condim') === '1') open.friction = [0, 0.005, 0.0001];
  else if (friction) open.friction = friction;
  const turn = readVector(settings, 'quat', 4) as Quaternion | undefined;
  const frame = {
    position: readVec3(settings, 'offset') ?? ([0, 0, 0] as Vec3),
    orientation: turn ? normalizeQuaternion(turn) : ([1, 0, 0, 0] as Quaternion),
  };
  setPose(open, composeFrames(scope.frame, frame));
  reading.origins.set(open, element);
  scope.body.softBodies.push(open);
  if (moduli.isFlat) lost(element, 'a flat cable rests in the shape that is given, not straight');
}

/** Points along the curve, in the frame of the composite. */
function readCurve(settings: Settings): number[] {
  const given = readList(settings, 'vertex');
  if (given) {
    if (given.length < 6 || given.length % 3 !== 0)
      fail('invalid-value', locate(settings, 'vertex'), 'a cable needs x, y and z of two points or more', 'add points');
    return given;
  }
  const count = readList(settings, 'count')?.[0] ?? 0;
  if (!Number.isInteger(count) || count < 2)
    fail('invalid-value', locate(settings, 'count'), 'a cable has two points or more', 'as in count="21 1 1"');
  const words = (readText(settings, 'curve') ?? '').trim().split(/\s+/).filter(Boolean);
  const size = readPartial<Vec3>(settings, 'size', [1, 0, 0]) ?? [1, 0, 0];
  const points: number[] = [];
  for (let i = 0; i < count; i++)
    for (let c = 0; c < 3; c++) points.push(followCurve(words[c] ?? '0', i / (count - 1), size, settings));
  return points;
}

/** MuJoCo: s runs along size[0]; circles have the radius size[1] and size[2] turns of π. */
function followCurve(word: string, s: number, size: Vec3, settings: Settings): number {
  switch (word) {
    case 's':
      return size[0] * s;
    case 'cos(s)':
      return size[1] * Math.cos(Math.PI * size[2] * s);
    case 'sin(s)':
      return size[1] * Math.sin(Math.PI * size[2] * s);
    case '0':
      return 0;
    default:
      return fail('invalid-value', locate(settings, 'curve'), `'${word}' is no curve`, 'one of: s, cos(s), sin(s), 0');
  }
}

function measure(points: readonly number[]): number {
  let length = 0;
  for (let i = 3; i < points.length; i += 3)
    length += Math.hypot(points[i]! - points[i - 3]!, points[i + 1]! - points[i - 2]!, points[i + 2]! - points[i - 1]!);
  return length;
}

interface Section {
  kind: 'capsule' | 'cylinder' | 'box';
  /** Of a round rod in contact, m. */
  radius: number;
  /** I and J, m⁴. */
  bend: number;
  twist: number;
  area: number;
}

function readSection(shape: Settings): Section {
  const kind = readKeyword(shape, 'type', ['capsule', 'cylinder', 'box']) ?? 'capsule';
  const size = readPartial<Vec3>(shape, 'size', [0, 0, 0]) ?? [0, 0, 0];
  if (kind === 'box') {
    // the first size is along the cable, which has its own length
    const [a, b] = [Math.max(size[1], size[2]), Math.min(size[1], size[2])];
    return {
      kind,
      radius: b,
      bend: (2 / 3) * (a * b ** 3 + b * a ** 3),
      twist: twistOfBox(a, b),
      area: 4 * a * b,
    };
  }
  const r = size[0];
  if (!(r > 0))
    fail('missing-value', locate(shape, 'size'), 'the geom of a cable needs a radius', 'as in size="0.005"');
  return { kind, radius: r, bend: (Math.PI * r ** 4) / 4, twist: (Math.PI * r ** 4) / 2, area: Math.PI * r * r };
}

/** Of one body of the chain, kg. */
function readMass(shape: Settings, { kind, radius, area }: Section, length: number): number {
  const given = readSize(shape, 'mass');
  if (given !== undefined) return given;
  const caps = kind === 'capsule' ? (4 / 3) * Math.PI * radius ** 3 : 0;
  return (readNumber(shape, 'density') ?? 1000) * (area * length + caps);
}

type Lost = (at: XmlElement, message: string, attribute?: string) => void;

function readPlugin(element: XmlElement, lost: Lost): { bend: number; twist: number; isFlat: boolean } {
  const plugin = element.children.find(({ name }) => name === 'plugin');
  const found = { bend: 0, twist: 0, isFlat: false };
  if (!plugin) return found;
  const kind = plugin.attributes.get('plugin')?.value;
  if (kind !== 'mujoco.elasticity.cable') {
    lost(plugin, `the plugin '${kind ?? 'instance'}' is not supported; the cable is limp`);
    return found;
  }
  for (const config of plugin.children) {
    const key = config.attributes.get('key')?.value;
    const value = config.attributes.get('value')?.value ?? '';
    if (key === 'bend') found.bend = Number(value);
    else if (key === 'twist') found.twist = Number(value);
    else if (key === 'flat') found.isFlat = value === 'true';
    else if (key !== 'vmax') lost(config, `the setting '${key}' of a cable is not supported`);
  }
  if (!(found.bend >= 0) || !(found.twist >= 0))
    fail('invalid-value', plugin, 'bend and twist of a cable are numbers in Pa', 'give 0 or more');
  return found;
}

/** Damping of the ball joints, N m s/rad, as Rayleigh damping of the bending stiffness E I/l of a joint. */
function readJointDamping(element: XmlElement, elasticity: Elasticity, length: number, lost: Lost): void {
  for (const child of element.children) {
    if (child.name === 'joint') {
      const settings = settingsOf(child);
      const damping = readSize(settings, 'damping') ?? 0;
      const stiffness = elasticity.bendingStiffness! / length;
      if (damping > 0 && stiffness > 0) elasticity.stiffnessDamping = damping / stiffness;
      else if (damping > 0) lost(child, 'a limp cable has no damping in its joints', 'damping');
      for (const name of ['armature', 'frictionloss', 'stiffness'])
        if (readSize(settings, name)) lost(child, `a rod has no '${name}'`, name);
    } else if (child.name === 'skin' || child.name === 'site') {
      lost(child, `<${child.name}> of a composite is not supported`);
    }
  }
}
