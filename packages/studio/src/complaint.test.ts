import { expect, test } from 'vitest';
import { sayProblem } from './complaint.ts';

test('what is wrong with a field names the field; whole sentences stay as they are', () => {
  expect(sayProblem({ path: 'options.solver', reason: 'is not a field of SceneOptions' })).toBe(
    'options.solver is not a field of SceneOptions',
  );
  expect(sayProblem({ path: 'shapes[0].radius', reason: 'must be above 0, but is -1' })).toBe(
    'shapes[0].radius must be above 0, but is -1',
  );
  expect(sayProblem({ path: 'bodies[1]', reason: "there are two bodies 'box'" })).toBe("there are two bodies 'box'");
  expect(sayProblem({ path: undefined, reason: 'must be a scene' })).toBe('must be a scene');
});
