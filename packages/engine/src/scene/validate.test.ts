import { describe, expect, test } from 'vitest';
import { validateScene } from './validate.ts';

describe('validateScene', () => {
  test('returns the very scene it was given', () => {
    const scene = { format: 'nexdyn-scene', version: 1 };
    expect(validateScene(scene)).toBe(scene);
  });
});
