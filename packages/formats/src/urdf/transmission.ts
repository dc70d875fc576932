/**
 * `<transmission>` and `<ros2_control>`: motors. A simple transmission drives one joint by one actuator, whose torque is multiplied by the
 * mechanical reduction; its control is the torque of the actuator, N m (N for prismatic joints). The effort limit of the joint holds.
 */
import type { Actuator } from '@nexdyn/engine';
import type { UnsupportedItem } from '../loaded-scene.ts';
import type { XmlElement } from '../xml/xml.ts';
import { failAt, findChild, placeOf } from './attribute.ts';
import { readJointType } from './joint.ts';
import type { UrdfJoint } from './tree.ts';

/** Motors of a robot; what is not read of them is listed. */
export function readTransmissions(
  robot: XmlElement,
  joints: ReadonlyMap<string, UrdfJoint>,
  unsupported: UnsupportedItem[],
): Actuator[] {
  const actuators: Actuator[] = [];
  const names = new Set<string>();
  const list = (element: XmlElement, message: string): void =>
    void unsupported.push({ ...placeOf(element), element: element.name, affects: 'physics', message });
  const add = (element: XmlElement, wanted: string, joint: string, gear: number): void => {
    const target = joints.get(joint);
    if (!target) {
      list(element, `There is no joint '${joint}' to drive.`);
      return;
    }
    const type = readJointType(target.element);
    if (!['revolute', 'continuous', 'prismatic'].includes(type)) {
      list(element, `A ${type} joint is not driven.`);
      return;
    }
    let name = wanted;
    for (let i = 2; names.has(name); i++) name = `${wanted}_${i}`;
    names.add(name);
    const transmission = { kind: 'joint', joint, ...(gear !== 1 && { gear: [gear] }) } as const;
    actuators.push({ kind: 'motor', name, transmission });
  };
  for (const element of robot.children) {
    if (element.name === 'transmission') readTransmission(element, add, list);
    else if (element.name === 'ros2_control') readControl(element, add, list);
  }
  return actuators;
}

type Add = (element: XmlElement, name: string, joint: string, gear: number) => void;
type List = (element: XmlElement, message: string) => void;

function readTransmission(element: XmlElement, add: Add, list: List): void {
  const type = (element.attributes.get('type')?.value ?? findChild(element, 'type')?.text ?? '').trim();
  const joints = element.children.filter(({ name }) => name === 'joint');
  const actuators = element.children.filter(({ name }) => name === 'actuator');
  const joint = joints[0]?.attributes.get('name')?.value;
  if (!/(^|\/)SimpleTransmission$/.test(type) || joints.length !== 1 || actuators.length > 1 || !joint) {
    list(element, 'Only simple transmissions, of one actuator to one joint, become motors.');
    return;
  }
  const text = [actuators[0], joints[0], element]
    .map((holder) => holder && findChild(holder, 'mechanicalReduction')?.text)
    .find((value) => value !== undefined);
  const gear = text === undefined ? 1 : Number(text);
  if (!Number.isFinite(gear) || gear === 0)
    failAt(element, 'invalid-value', `the reduction '${text}' is no ratio`, 'give a number other than 0');
  add(element, actuators[0]?.attributes.get('name')?.value ?? `${joint}_motor`, joint, gear);
}

/** Joints that are commanded by effort; other commands need gains that the file does not have. */
function readControl(element: XmlElement, add: Add, list: List): void {
  for (const joint of element.children.filter(({ name }) => name === 'joint')) {
    const name = joint.attributes.get('name')?.value ?? '';
    const commands = joint.children
      .filter((child) => child.name === 'command_interface')
      .map((child) => child.attributes.get('name')?.value ?? '');
    if (commands.includes('effort')) add(joint, `${name}_motor`, name, 1);
    else if (commands.length > 0)
      list(joint, `Commands of ${commands.join(' and ')} have no gains in the file; the joint is not driven.`);
  }
}
