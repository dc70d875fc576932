import { expect, test } from 'vitest';
import { type CameraAxes, frameBalls } from './framing.ts';

const AXES: CameraAxes = { right: [1, 0, 0], up: [0, 0, 1], back: [0, -1, 0] };

/** Distance of a ball from each side of the pyramid, right, left, top and bottom, less its radius. */
function rooms(eye: readonly number[], center: readonly number[], radius: number, half: readonly number[]): number[] {
  const [x, y, z] = [center[0]! - eye[0]!, center[2]! - eye[2]!, center[1]! - eye[1]!];
  const [nx, ny] = [Math.hypot(1, half[0]!), Math.hypot(1, half[1]!)];
  return [
    (half[0]! * z - x) / nx - radius,
    (half[0]! * z + x) / nx - radius,
    (half[1]! * z - y) / ny - radius,
    (half[1]! * z + y) / ny - radius,
  ];
}

test('a ball alone touches the narrower sides and is in the middle', () => {
  const { position, target, distance } = frameBalls([{ center: [1, 2, 3], radius: 0.5 }], AXES, [1, 0.4]);
  // distance of the centre from the eye: r / sin(atan 0.4)
  expect(distance).toBeCloseTo(0.5 / Math.sin(Math.atan(0.4)), 12);
  expect(target).toEqual([1, 2, 3].map((value) => expect.closeTo(value, 12)));
  expect(position).toEqual([1, 2 - distance, 3].map((value) => expect.closeTo(value, 12)));
});

test('all balls are inside, and two opposite sides are touched', () => {
  const balls = Array.from({ length: 40 }, (_, i) => ({
    center: [3 * Math.sin(7 * i), 2 * Math.cos(5 * i + 1), Math.sin(3 * i + 2)] as [number, number, number],
    radius: 0.2 + 0.2 * Math.sin(i),
  }));
  for (const half of [
    [0.5, 0.3],
    [0.2, 0.6],
  ] as const) {
    const { position } = frameBalls(balls, AXES, half);
    const least = [0, 1, 2, 3].map((side) =>
      Math.min(...balls.map(({ center, radius }) => rooms(position, center, radius, half)[side]!)),
    );
    for (const room of least) expect(room).toBeGreaterThan(-1e-9);
    expect(Math.min(least[0]! + least[1]!, least[2]! + least[3]!)).toBeCloseTo(0, 9);
    // the room that is left is the same on both sides
    expect(least[0]).toBeCloseTo(least[1]!, 9);
    expect(least[2]).toBeCloseTo(least[3]!, 9);
  }
});
