import { expect, test } from 'vitest';
import type { UnsupportedItem } from './loaded-scene.ts';
import { groupUnsupported } from './unsupported-groups.ts';

const item = (affects: UnsupportedItem['affects'], element: string, line: number): UnsupportedItem => ({
  affects,
  element,
  file: 'robot.xml',
  line,
  column: 3,
  message: `${element} is not read`,
});

test('what is said of several elements comes once, the motion first', () => {
  const items = [
    item('visual', 'light', 2),
    item('sensor', 'gyro', 9),
    item('physics', 'plugin', 12),
    item('sensor', 'gyro', 7),
  ];
  const groups = groupUnsupported(items).map((group) => group.map(({ element, line }) => `${element}:${line}`));
  expect(groups).toEqual([['plugin:12'], ['gyro:9', 'gyro:7'], ['light:2']]);
});
