import { expect, test } from 'vitest';
import { measureDifference } from './pose-difference.ts';

test('the body or vertex that is farthest from its twin counts, turns do not', () => {
  const poses = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0);
  const moved = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 2, 3.5, 0, 1, 0, 0);
  expect(measureDifference({ poses }, { poses })).toBe(0);
  expect(measureDifference({ poses }, { poses: moved })).toBe(0.5);
  const soft = { positions: Float32Array.of(0, 0, 0, 1, 1, 1), stress: new Float32Array(2) };
  const bent = { positions: Float32Array.of(0, 0, 0, 1, 4, 5), stress: new Float32Array(2) };
  expect(measureDifference({ poses, soft }, { poses: moved, soft: bent })).toBe(5);
});
