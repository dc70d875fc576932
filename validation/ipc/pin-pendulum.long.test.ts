/** Pendulums on pins for 10 s: contact holds them together all the time, and they keep in step with hinges. */
import { expect, test } from 'vitest';
import { advance, sumEnergy } from './checked-scene.ts';
import { buildDoublePendulum, buildPendulum, readAngle, type Twins } from './pin-pendulum.ts';

/** Largest difference of an angle over 10 s, rad. */
function compare({ pinned, hinged }: Twins, bodies: number[]): number {
  let worst = 0;
  let energy = sumEnergy(pinned);
  advance(pinned, 1000, () => {
    hinged.step();
    for (const b of bodies) worst = Math.max(worst, Math.abs(readAngle(pinned, b) - readAngle(hinged, b)));
    // what falls may be lent by the barrier for a while, never made
    expect(sumEnergy(pinned)).toBeLessThan(energy + 0.02);
    energy = Math.min(energy, sumEnergy(pinned));
  });
  return worst;
}

test('a pendulum', () => expect(compare(buildPendulum(0.5, 0.01), [1])).toBeLessThan(0.02));

test('a double pendulum', () => expect(compare(buildDoublePendulum(0.5, 0.3, 0.01), [1, 2])).toBeLessThan(0.1));
