import type { Contact, ContactForce } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { formatContacts } from './contact-report.ts';

const CONTACT: Contact = {
  shape1: 0,
  shape2: 3,
  shapeName1: 'floor',
  shapeName2: '',
  bodyName1: 'world',
  bodyName2: 'crate',
  position: [0.25, -1.5, -1e-9],
  normal: [0, 0, 1],
  gap: -0.0025,
  margin: 0,
  friction: [1, 1, 0.005, 0.0001, 0.0001],
  area: 0,
};

const FORCE: ContactForce = {
  ...CONTACT,
  force: [3, 4, 20],
  torque: [0, 0, 0],
  normalForce: 20,
  pressure: 0,
  mode: 'slide',
};

describe('contact report', () => {
  test('one line per contact: names, mode, gap in mm, normal force and friction, position, normal', () => {
    const open: ContactForce = {
      ...FORCE,
      gap: 0.01,
      bodyName2: 'ball',
      force: [0, 0, 0],
      normalForce: 0,
      mode: 'open',
    };
    const lines = formatContacts([FORCE, open], { keyframe: 'up', formulation: 'mujoco' }).split('\n');
    expect(lines[0]).toBe('2 contacts at keyframe "up", the deepest 2.5 mm; normal forces of 20 N in all under mujoco');
    expect(lines[2]!.split(/ {2,}/)).toEqual([
      'shape 1',
      'shape 2',
      'mode',
      'gap [mm]',
      'normal [N]',
      'friction [N]',
      'position [m]',
      'normal direction',
    ]);
    expect(lines[3]!.split(/ {2,}/).slice(0, 6)).toEqual([
      'world/floor',
      'crate/#3',
      'slide',
      '-2.500',
      '20.000',
      '5.000',
    ]);
    expect(lines[3]).toMatch(/0\.2500 {2}-1\.5000 {3}0\.0000 {4}0\.0000 {3}0\.0000 {3}1\.0000$/);
    expect(lines[4]!.split(/ {2,}/).slice(1, 6)).toEqual(['ball/#3', 'open', '10.000', '0.000', '0.000']);
  });

  test('rounding leaves no negative zero', () => {
    const text = formatContacts([{ ...FORCE, gap: -1e-9 }], { keyframe: null, formulation: 'mujoco' });
    expect(text.split('\n')[3]!.split(/ {2,}/)[3]).toBe('0.000');
  });

  test('a formulation that does not resolve contacts says so and shows no forces', () => {
    const text = formatContacts([CONTACT], { keyframe: null, formulation: 'ipc' });
    expect(text).toMatch(/^1 contact in the initial pose, the deepest 2\.5 mm; ipc does not resolve contacts yet\n/);
    expect(text.split('\n')[3]!.split(/ {2,}/).slice(2, 6)).toEqual(['-', '-2.500', '-', '-']);
  });

  test('says where nothing touches, and where nothing penetrates', () => {
    const under = { keyframe: null, formulation: 'mujoco' };
    expect(formatContacts([], under)).toBe('No contacts in the initial pose.\n');
    expect(formatContacts([{ ...FORCE, gap: 0.001 }], { ...under, keyframe: 0 })).toMatch(
      /^1 contact at keyframe 0, none penetrates; /,
    );
  });
});
