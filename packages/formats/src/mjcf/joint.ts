/** <joint> and <freejoint>. */
import type { FreeJoint, Joint, JointLimit } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import {
  locate,
  readBoolean,
  readKeyword,
  readNumber,
  readPair,
  readSize,
  readText,
  readVec3,
  type Settings,
  settingsOf,
} from './attributes.ts';
import type { Scope } from './body.ts';
import { findClass, withDefaults } from './defaults.ts';
import { fail } from './failure.ts';
import { rotate, toRadians, transformPoint } from './orientation.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';
import { readLimit, readLimitSoftness, readPolynomials, settleLimit } from './solver-parameters.ts';
import { listUnused } from './unsupported.ts';

/** Reads a joint; frames around it move its anchor and axis. */
export function readJoint(element: XmlElement, scope: Scope, reading: Reading): Joint {
  checkAttributes(element);
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, scope.defaults));
  const kind = readKeyword(settings, 'type', ['free', 'ball', 'slide', 'hinge']) ?? 'hinge';
  const joint = { kind } as Joint;
  reading.origins.set(joint, element);
  readCommon(joint, settings, reading);
  if (joint.kind === 'free') {
    checkFree(element, scope);
    if (reading.compiler.alignFree) reading.access.aligned.add(element);
    return joint;
  }
  const anchor = transformPoint(scope.frame, readVec3(settings, 'pos') ?? [0, 0, 0]);
  if (anchor.some((value) => value !== 0)) joint.anchor = anchor;
  const limit = readJointLimit(joint.kind, settings, reading);
  if (limit) joint.limit = limit;
  if (joint.kind === 'ball') return joint;

  const axis = readVec3(settings, 'axis') ?? [0, 0, 1];
  if (Math.hypot(...axis) < 1e-14)
    fail('invalid-joint', locate(settings, 'axis'), 'the axis of the joint is zero', 'give a direction, as in 0 0 1');
  joint.axis = rotate(scope.frame.orientation, axis);
  // lengths stay as they are, angles are in the units of the file
  const convert = (value: number): number => (joint.kind === 'hinge' ? toRadians(value, reading.compiler) : value);
  const reference = readNumber(settings, 'ref');
  if (reference) joint.reference = convert(reference);
  const springReference = readNumber(settings, 'springref');
  if (springReference) joint.springReference = convert(springReference);
  return joint;
}

/** Reads a free joint, to which no defaults apply. */
export function readFreeJoint(element: XmlElement, scope: Scope, reading: Reading): FreeJoint {
  checkAttributes(element);
  checkFree(element, scope);
  const settings = settingsOf(element);
  const joint: FreeJoint = { kind: 'free' };
  reading.origins.set(joint, element);
  const name = readText(settings, 'name');
  if (name) joint.name = name;
  const align = readKeyword(settings, 'align', ['false', 'true', 'auto']) ?? 'auto';
  if (align === 'true' || (align === 'auto' && reading.compiler.alignFree)) reading.access.aligned.add(element);
  return joint;
}

function checkFree(element: XmlElement, scope: Scope): void {
  if (!scope.topLevel) {
    fail('invalid-joint', element, 'only a child of the world can have a free joint', 'use a ball joint and slides');
  }
  if (scope.body.joints.length > 0)
    fail('invalid-joint', element, 'a free joint must be the only joint of its body', 'remove the other joints');
}

function readCommon(joint: Joint, settings: Settings, reading: Reading): void {
  const { unsupported, compiler } = reading;
  const name = readText(settings, 'name');
  if (name) joint.name = name;
  readPolynomials(joint, settings);
  listUnused(settings, 'springyield', { affects: 'physics', message: 'springs do not yield' }, unsupported);
  const armature = readSize(settings, 'armature');
  if (armature) joint.armature = armature;
  const frictionLoss = readSize(settings, 'frictionloss');
  if (frictionLoss) joint.frictionLoss = frictionLoss;
  const springDamper = readPair(settings, 'springdamper');
  if (springDamper && springDamper[0] > 0 && springDamper[1] > 0) {
    joint.springDamper = springDamper;
    // it replaces the damping of the joint, to which only actuators add
    delete joint.damping;
  }
  if (joint.kind === 'hinge' || joint.kind === 'slide') {
    const forceRange = readLimit(settings, 'actuatorfrc', compiler);
    if (forceRange) joint.actuatorForceRange = forceRange;
  }
  if (readBoolean(settings, 'actuatorgravcomp')) joint.actuatorGravityCompensation = true;
  const softness = readLimitSoftness(settings, unsupported);
  if (softness) joint.mujoco = softness;
}

function readJointLimit(
  kind: 'ball' | 'slide' | 'hinge',
  settings: Settings,
  { compiler }: Reading,
): JointLimit | undefined {
  const written: [number, number] = [...(readPair(settings, 'range') ?? [0, 0])];
  const isBall = kind === 'ball';
  if (isBall && readKeyword(settings, 'limited', ['false', 'true', 'auto']) === 'true') {
    // a ball whose limit is zero or less is held where it begins, as in MuJoCo
    written[1] = Math.max(written[1], 1e-300);
  }
  const range = settleLimit(settings, '', { range: written, autoLimits: compiler.autoLimits });
  if (!range) return undefined;
  if (isBall && range[0] !== 0) {
    fail('invalid-joint', locate(settings, 'range'), 'the range of a ball joint begins at 0', 'write range="0 angle"');
  }
  const convert = (value: number): number => (kind === 'slide' ? value : toRadians(value, compiler));
  const limit: JointLimit = { range: [convert(range[0]), convert(range[1])] };
  const margin = readNumber(settings, 'margin');
  if (margin) limit.margin = margin;
  return limit;
}
