import { expect, test } from 'vitest';
import { describeRefusal } from './refusal-report.ts';

test('what diverged is named in quotes, with a time that people can read', () => {
  const time = Array.from({ length: 90 }).reduce<number>((sum) => sum + 0.05, 0);
  expect(time).not.toBe(4.5);
  const knee = { quantity: 'acceleration', index: 3, name: 'knee' } as const;
  expect(describeRefusal({ nonFinite: knee }, time)).toBe("the acceleration of 'knee' is not finite at 4.5 s");
  expect(describeRefusal({ nonFinite: { ...knee, name: '' } }, 0)).toBe(
    'the acceleration of number 3 is not finite at 0 s',
  );
  expect(describeRefusal({}, 1)).toBe('numbers are not finite at 1 s');
  const energyGain = { name: 'knee', created: 1234.5, reference: 2 };
  expect(describeRefusal({ energyGain }, 1)).toMatch(
    /'knee' at 1 s: 1230 J appeared where 2 J can be explained; try a smaller/,
  );
  const timeout = { activity: 'line search', elapsed: 1.5 };
  expect(describeRefusal({ timeout }, 1)).toMatch(/the step at 1 s was given up after 1.5 s \(line search\)/);
});
