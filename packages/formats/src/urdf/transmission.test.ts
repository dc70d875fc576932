import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import type { LoadedScene } from '../loaded-scene.ts';
import { readUrdf } from './urdf.ts';

const INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>';
const link = (name: string): string => `<link name="${name}">${INERTIAL}</link>`;
const joint = (name: string, parent: string, child: string, rest = ''): string =>
  `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><limit lower="-1" upper="1" effort="9" velocity="0"/>${rest}</joint>`;
const CHAIN = (rests: readonly string[] = []): string =>
  `${link('a')}${link('b')}${link('c')}${link('d')}${joint('j1', 'a', 'b', rests[0])}${joint('j2', 'b', 'c', rests[1])}${joint('j3', 'c', 'd', rests[2])}`;

function read(content: string): LoadedScene {
  return readUrdf('r.urdf', { files: memoryFiles({ 'r.urdf': `<robot name="r">${content}</robot>` }) });
}

const messages = ({ unsupported }: LoadedScene): string[] =>
  unsupported.filter(({ attribute }) => attribute !== 'velocity').map(({ message }) => message);

describe('transmissions', () => {
  test('a simple one is a motor with its reduction as gear; the effort limit of the joint holds', () => {
    const loaded = read(`${CHAIN()}<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
      <joint name="j1"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
      <actuator name="m1"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>`);
    expect(loaded.scene.actuators).toEqual([
      { kind: 'motor', name: 'm1', transmission: { kind: 'joint', joint: 'j1', gear: [50] } },
    ]);
    expect(loaded.scene.bodies![0]!.bodies![0]!.joints![0]).toMatchObject({ actuatorForceRange: [-9, 9] });
    expect(messages(loaded)).toEqual([]);
  });

  test('efforts of ros2_control are motors; other commands are listed', () => {
    const loaded = read(`${CHAIN()}<ros2_control name="x" type="system">
      <joint name="j1"><command_interface name="effort"/></joint>
      <joint name="j2"><command_interface name="position"/></joint></ros2_control>`);
    expect(loaded.scene.actuators!.map(({ name }) => name)).toEqual(['j1_motor']);
    expect(messages(loaded)).toEqual([expect.stringContaining('Commands of position')]);
  });

  test('others are listed, and those of joints that are not there', () => {
    const loaded = read(`${CHAIN()}<transmission name="t" type="DifferentialTransmission"/>`);
    expect(loaded.scene.actuators).toBeUndefined();
    expect(messages(loaded)).toEqual([expect.stringContaining('Only simple transmissions')]);
    const simple = '<transmission name="t" type="SimpleTransmission"><joint name="none"/></transmission>';
    const none = read(CHAIN() + simple);
    expect(none.scene.actuators).toBeUndefined();
    expect(messages(none)).toEqual([expect.stringContaining("no joint 'none'")]);
  });
});

describe('mimic', () => {
  test('a chain follows its leader', () => {
    const { scene } = read(
      CHAIN([
        '',
        '<mimic joint="j1" multiplier="2" offset="0.1"/>',
        '<mimic joint="j2" multiplier="-3" offset="0.5"/>',
      ]),
    );
    const [second, third] = scene.equalities!;
    expect(second).toMatchObject({ joint1: 'j2', joint2: 'j1', coefficients: [0.1, 2, 0, 0, 0] });
    expect(third).toMatchObject({ joint1: 'j3', joint2: 'j1' });
    // −3 (2 q + 0.1) + 0.5
    const { coefficients } = third as { coefficients: number[] };
    expect(coefficients[0]).toBeCloseTo(0.2, 14);
    expect(coefficients[1]).toBe(-6);
  });

  test('a circle is an error', () => {
    const circle = CHAIN(['', '<mimic joint="j3"/>', '<mimic joint="j2"/>']);
    expect(() => read(circle)).toThrow(/mimics itself through others/);
  });
});
