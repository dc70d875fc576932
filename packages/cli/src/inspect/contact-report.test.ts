import type { Contact } from '@nexdyn/engine';
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
};

describe('contact report', () => {
  test('one line per contact: names, gap in mm, position, normal', () => {
    const lines = formatContacts([CONTACT, { ...CONTACT, gap: 0.01, bodyName2: 'ball' }], 'up').split('\n');
    expect(lines[0]).toBe('2 contacts at keyframe "up", the deepest 2.5 mm');
    expect(lines[2]!.split(/ {2,}/)).toEqual(['shape 1', 'shape 2', 'gap [mm]', 'position [m]', 'normal']);
    expect(lines[3]).toBe('world/floor  crate/#3    -2.500    0.2500  -1.5000   0.0000    0.0000   0.0000   1.0000');
    expect(lines[4]!.split(/ {2,}/).slice(1, 3)).toEqual(['ball/#3', '10.000']);
  });

  test('says where nothing touches, and where nothing penetrates', () => {
    expect(formatContacts([], null)).toBe('No contacts in the initial pose.\n');
    expect(formatContacts([{ ...CONTACT, gap: 0.001 }], 0)).toMatch(/^1 contact at keyframe 0, none penetrates\n/);
  });
});
