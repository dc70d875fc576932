import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { writeContactFrame } from './contact-frame.ts';

const frame = new Float64Array(9);

function expectOrthonormal(): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let dot = 0;
      for (let k = 0; k < 3; k++) dot += frame[3 * i + k] * frame[3 * j + k];
      expect(dot).toBeCloseTo(i === j ? 1 : 0, 14);
    }
  }
  // right-handed: n × t₁ = t₂
  expect(frame[1] * frame[5] - frame[2] * frame[4]).toBeCloseTo(frame[6], 14);
}

describe('contact frames', () => {
  test('are orthonormal and right-handed for any normal, with and without a direction', () => {
    const random = createRandom(2);
    for (let n = 0; n < 1000; n++) {
      const v = [random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...v);
      const hint = n % 2 ? [0, 0, 0] : [random() - 0.5, random() - 0.5, random() - 0.5];
      writeContactFrame(frame, 0, v[0] / length, v[1] / length, v[2] / length, hint[0], hint[1], hint[2]);
      expectOrthonormal();
    }
  });

  test('of the axes are those of MuJoCo', () => {
    writeContactFrame(frame, 0, 0, 0, 1, 0, 0, 0);
    expect([...frame]).toEqual([0, 0, 1, 0, 1, 0, -1, 0, 0]);
    writeContactFrame(frame, 0, 0, 1, 0, 0, 0, 0);
    expect([...frame.subarray(3, 6)]).toEqual([0, 0, 1]);
  });

  test('a direction along the normal is no direction', () => {
    writeContactFrame(frame, 0, 1, 0, 0, 5, 0, 0);
    expectOrthonormal();
    expect([...frame.subarray(3, 6)]).toEqual([0, 1, 0]);
  });
});
