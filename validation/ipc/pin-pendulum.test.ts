/** A pendulum held by a pin in a hole alone swings as one on a hinge: the play of 1 mm and the corners of the hole are all that differs. */
import { describe, expect, test } from 'vitest';
import { longTest, takeSamples } from '../../scripts/long-run.ts';
import { advance } from './checked-scene.ts';
import { buildDoublePendulum, buildPendulum, readAngle } from './pin-pendulum.ts';

describe('pins in holes', () => {
  const seconds = takeSamples(5, 0.4);

  test(`a pendulum swings with the hinged one for ${seconds} s`, () => {
    const { pinned, hinged } = buildPendulum(0.5, 0.01);
    let swings = 0;
    let last = readAngle(pinned, 1);
    advance(pinned, 100 * seconds, () => {
      hinged.step();
      const angle = readAngle(pinned, 1);
      // play of 1 mm at a centre 0.47 m away is 2 mrad of length and of angle; a phase of three swings adds as much again
      expect(Math.abs(angle - readAngle(hinged, 1))).toBeLessThan(0.01);
      if (last * angle < 0) swings++;
      last = angle;
    });
    expect(swings).toBeGreaterThanOrEqual(seconds);
  });

  longTest('a double pendulum swings with the hinged one for 1.2 s', () => {
    const { pinned, hinged } = buildDoublePendulum(0.5, 0.3, 0.01);
    advance(pinned, 120, () => {
      hinged.step();
      for (const b of [1, 2]) expect(Math.abs(readAngle(pinned, b) - readAngle(hinged, b))).toBeLessThan(0.02);
    });
  });
});
