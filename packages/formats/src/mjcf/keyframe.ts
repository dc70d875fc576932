/** <keyframe>: stored states, kept by the objects they speak of until the layout of the whole model is known. */
import type { Actuator, Body, Joint, Keyframe } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { locate, readList, readNumber, readText, type Settings, settingsOf } from './attributes.ts';
import { fail } from './failure.ts';
import { hasSoftBodies } from './flex/place-soft-bodies.ts';
import type { OpenBody, Part, Reading, StoredState } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { listUnused } from './unsupported.ts';

/** What a state vector is made of, in order. */
interface Layout {
  joints: Joint[];
  actuators: Actuator[];
  mocaps: Body[];
}

const POSITIONS = { free: 7, ball: 4, slide: 1, hinge: 1 } as const;
const VELOCITIES = { free: 6, ball: 3, slide: 1, hinge: 1 } as const;

/** Reads the keyframes of a file; those of attached models come after them. */
export function readKeyframes(sections: readonly XmlElement[], reading: Reading): void {
  const layout = listLayout(reading.part);
  const own = ownLayout(layout, reading);
  const states: StoredState[] = [];
  for (const section of sections) {
    for (const element of section.children) {
      if (element.name === 'key') states.push(readState(element, layout, own, reading));
      else failUnknownElement(element, 'keyframe');
    }
  }
  const names = new Set<string>();
  reading.part.keyframes = [...states, ...reading.part.keyframes];
  for (const state of reading.part.keyframes) {
    if (state.name === undefined) continue;
    if (names.has(state.name)) {
      const element = sections
        .flatMap((section) => section.children)
        .findLast((key) => key.attributes.get('name')?.value === state.name);
      fail(
        'duplicate-name',
        element ?? { file: reading.path, line: 1, column: 1 },
        `there are two keyframes '${state.name}'`,
        'rename one of them',
      );
    }
    names.add(state.name);
  }
}

function readState(element: XmlElement, layout: Layout, own: Layout, reading: Reading): StoredState {
  checkAttributes(element);
  const settings = settingsOf(element);
  const hasActivation = (actuator: Actuator): boolean => countActivations(actuator) > 0;
  const state: StoredState = {
    name: readText(settings, 'name') || undefined,
    time: readNumber(settings, 'time'),
    positions: deal(reading, settings, 'qpos', [layout.joints, own.joints], (joint) => POSITIONS[joint.kind]),
    velocities: deal(reading, settings, 'qvel', [layout.joints, own.joints], (joint) => VELOCITIES[joint.kind]),
    mocapPositions: deal(reading, settings, 'mpos', [layout.mocaps, own.mocaps], () => 3),
    mocapOrientations: deal(reading, settings, 'mquat', [layout.mocaps, own.mocaps], () => 4),
    activations: new Map(),
    controls: new Map(),
  };
  const plastic = { affects: 'physics', message: 'states of springs that yield are not kept' } as const;
  listUnused(settings, 'plastic', plastic, reading.unsupported);
  if (reading.lostActuators.length > 0) {
    // with actuators left out the numbers cannot be assigned
    for (const attribute of ['act', 'ctrl']) {
      if (!element.attributes.has(attribute)) continue;
      const message = `'${attribute}' is left out: it counts actuators that are not supported`;
      reading.unsupported.add(element, { attribute, affects: 'physics', message });
    }
    return state;
  }
  const actuators = [layout.actuators, own.actuators] as const;
  const controls = deal(reading, settings, 'ctrl', actuators, () => 1);
  for (const [actuator, [value]] of controls) state.controls.set(actuator, value!);
  const active = [layout.actuators.filter(hasActivation), own.actuators.filter(hasActivation)] as const;
  state.activations = deal(reading, settings, 'act', active, countActivations);
  return state;
}

/** Deals the numbers of an attribute out to objects: to all of the model, or to those of this file alone. */
function deal<T>(
  reading: Reading,
  settings: Settings,
  name: string,
  candidates: readonly [readonly T[], readonly T[]],
  width: (object: T) => number,
): Map<T, number[]> {
  const result = new Map<T, number[]>();
  const numbers = readList(settings, name);
  if (!numbers) return result;
  const sizes = candidates.map((objects) => objects.reduce((sum, object) => sum + width(object), 0));
  // fewer numbers than the model has are those of its first objects, as in MuJoCo
  const isShort = numbers.length < sizes[0]!;
  const chosen = candidates[sizes.indexOf(numbers.length)] ?? (isShort ? candidates[0] : undefined);
  if ((!chosen || isShort) && numbers.length !== sizes[1] && hasSoftBodies(reading.part.world)) {
    const message = `'${name}' is left out: it counts the points of soft bodies, which keyframes do not hold`;
    reading.unsupported.add(settings.element, { attribute: name, affects: 'physics', message });
    return result;
  }
  if (!chosen) {
    fail(
      'invalid-keyframe',
      locate(settings, name),
      `'${name}' needs ${sizes[0]} numbers, got ${numbers.length}`,
      'the numbers are those of the joints, actuators or bodies of the model',
    );
  }
  let start = 0;
  for (const object of chosen!) {
    const given = numbers.slice(start, start + width(object));
    start += width(object);
    if (given.length > 0) result.set(object, given);
  }
  return result;
}

/** Numbers of activation of an actuator. */
export function countActivations(actuator: Actuator): number {
  if (actuator.kind === 'general') return actuator.activation ? 1 : 0;
  if (actuator.kind === 'muscle') return 1;
  if (actuator.kind === 'dcMotor') {
    const { thermal, bristles, inductance = 0, controller } = actuator;
    return (
      (controller?.slewRate ? 1 : 0) +
      (controller?.integral ? 1 : 0) +
      (thermal ? 1 : 0) +
      (bristles ? 1 : 0) +
      (inductance > 0 ? 1 : 0)
    );
  }
  if (actuator.kind === 'pid') return (actuator.slewRate ? 1 : 0) + (actuator.integral ? 1 : 0);
  return actuator.kind === 'position' && actuator.timeConstant ? 1 : 0;
}

function listLayout(part: Part): Layout {
  const layout: Layout = { joints: [], actuators: part.actuators, mocaps: [] };
  const visit = (body: OpenBody): void => {
    layout.joints.push(...body.joints);
    if (body.mocap) layout.mocaps.push(body);
    body.bodies.forEach(visit);
  };
  visit(part.world);
  return layout;
}

function ownLayout(layout: Layout, { attached }: Reading): Layout {
  const isOwn = (object: object): boolean => !attached.has(object);
  return {
    joints: layout.joints.filter(isOwn),
    actuators: layout.actuators.filter(isOwn),
    mocaps: layout.mocaps.filter(isOwn),
  };
}

/** Stored states as keyframes of the scene; what a state does not say is as at the start. */
export function buildKeyframes(part: Part): Keyframe[] {
  const layout = listLayout(part);
  const starts = listStarts(part);
  return part.keyframes.map((state) => {
    const keyframe: Keyframe = {};
    if (state.name !== undefined) keyframe.name = state.name;
    if (state.time) keyframe.time = state.time;
    const zeros = (length: number): number[] => new Array<number>(length).fill(0);
    if (state.positions.size > 0) {
      keyframe.position = layout.joints.flatMap((joint) => {
        const start = starts.get(joint)!;
        return settleQuaternion(joint, fill(state.positions.get(joint), start));
      });
    }
    if (state.velocities.size > 0) {
      keyframe.velocity = layout.joints.flatMap((joint) =>
        fill(state.velocities.get(joint), zeros(VELOCITIES[joint.kind])),
      );
    }
    if (state.activations.size > 0) {
      const active = layout.actuators.filter((actuator) => countActivations(actuator) > 0);
      keyframe.activation = active.flatMap((actuator) =>
        fill(state.activations.get(actuator), zeros(countActivations(actuator))),
      );
    }
    if (state.controls.size > 0) {
      keyframe.control = layout.actuators.map((actuator) => state.controls.get(actuator) ?? 0);
    }
    if (state.mocapPositions.size > 0) {
      const position = (body: Body): number[] => fill(state.mocapPositions.get(body), body.position ?? [0, 0, 0]);
      keyframe.mocapPosition = layout.mocaps.flatMap(position);
    }
    if (state.mocapOrientations.size > 0) {
      const turn = (body: Body): number[] =>
        turnSomehow(fill(state.mocapOrientations.get(body), body.orientation ?? [1, 0, 0, 0]));
      keyframe.mocapOrientation = layout.mocaps.flatMap(turn);
    }
    return keyframe;
  });
}

/** Numbers that may be cut short, completed. */
function fill(given: readonly number[] | undefined, rest: readonly number[]): number[] {
  return [...(given ?? []), ...rest.slice(given?.length ?? 0)];
}

/** A quaternion of zeros does not turn, as in MuJoCo. */
function turnSomehow(quaternion: number[]): number[] {
  return quaternion.every((value) => value === 0) ? [1, 0, 0, 0] : quaternion;
}

function settleQuaternion({ kind }: Joint, position: number[]): number[] {
  if (kind === 'free') return [...position.slice(0, 3), ...turnSomehow(position.slice(3))];
  return kind === 'ball' ? turnSomehow(position) : position;
}

/** The position of each joint in the initial pose of the model. */
function listStarts(part: Part): Map<Joint, number[]> {
  const starts = new Map<Joint, number[]>();
  const visit = (body: OpenBody): void => {
    for (const joint of body.joints) {
      if (joint.kind === 'free') {
        starts.set(joint, [...(body.position ?? [0, 0, 0]), ...(body.orientation ?? [1, 0, 0, 0])]);
      } else if (joint.kind === 'ball') starts.set(joint, [1, 0, 0, 0]);
      else starts.set(joint, [joint.reference ?? 0]);
    }
    body.bodies.forEach(visit);
  };
  visit(part.world);
  return starts;
}
