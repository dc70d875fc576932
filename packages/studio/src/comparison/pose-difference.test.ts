import { compileModel, type Scene } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { describeDrawing } from '../session/scene-drawing.ts';
import { measureDifference } from './pose-difference.ts';

/** The world, and a body whose centre of mass is 0.5 m along its x axis, with a radius of gyration of 0.2 m. */
const drawing = { gyration: Float32Array.of(0, 0, 0, 0, 0.5, 0, 0, 0.2) };
const poses = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0);

test('the body or vertex that is farthest from its twin counts', () => {
  const moved = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 2, 3.5, 1, 0, 0, 0);
  expect(measureDifference(drawing, { poses }, { poses })).toBe(0);
  expect(measureDifference(drawing, { poses }, { poses: moved })).toBeCloseTo(0.5, 6);
  const soft = { positions: Float32Array.of(0, 0, 0, 1, 1, 1), values: new Float32Array(2) };
  const bent = { positions: Float32Array.of(0, 0, 0, 1, 4, 5), values: new Float32Array(2) };
  expect(measureDifference(drawing, { poses, soft }, { poses: moved, soft: bent })).toBe(5);
});

test('a body that only turns about its origin is elsewhere too: the mark farthest from the axis moves along a chord', () => {
  const angle = 0.4;
  const turned = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 2, 3, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2));
  expect(measureDifference(drawing, { poses }, { poses: turned })).toBeCloseTo(2 * 0.7 * Math.sin(angle / 2), 6);
  // about its own axis through the centre of mass: the marks beside it
  const rolled = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 2, 3, Math.cos(angle / 2), Math.sin(angle / 2), 0, 0);
  expect(measureDifference(drawing, { poses }, { poses: rolled })).toBeCloseTo(2 * 0.2 * Math.sin(angle / 2), 6);
});

test('marks come from the inertia of a body: a box of 0.6 m by 0.4 m by 0.2 m, beside its origin', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [
      {
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', position: [0.5, 0, 0], halfSize: [0.3, 0.2, 0.1], mass: 2 }],
      },
    ],
  };
  const { gyration } = describeDrawing(compileModel(scene));
  // I/m of a box about its shortest side: (a² + b²)/3 with half sides a and b
  const wanted = [0.5, 0, 0, Math.sqrt((0.3 ** 2 + 0.2 ** 2) / 3)];
  wanted.forEach((value, i) => void expect(gyration[4 + i]).toBeCloseTo(value, 6));
});
