import { describe, expect, test } from 'vitest';
import { NexdynError } from '../error.ts';
import { Arena } from '../kernels/arena.ts';
import { applyBoundary, createSoftBoundary, driveVertices, releaseVertices } from './soft-boundary.ts';

const X = Float64Array.from({ length: 12 }, (_, i) => i);

describe('the boundary of a soft body', () => {
  test('driven vertices follow straight pieces and stand still before and after', () => {
    const driven = [{ vertices: [1], times: [1, 2, 4], displacements: [0, 0, 0, 1, 0, 0, 1, 2, 0] }];
    const boundary = createSoftBoundary(4, new Arena());
    applyBoundary(boundary, { driven }, X);
    expect([...boundary.isPrescribed]).toEqual([0, 1, 0, 0]);
    const at = (time: number): number[] => {
      driveVertices(boundary, driven, X, time);
      return [...boundary.target.subarray(3, 6)];
    };
    expect(at(0)).toEqual([3, 4, 5]);
    expect(at(1.25)).toEqual([3.25, 4, 5]);
    expect(at(2)).toEqual([4, 4, 5]);
    expect(at(3.5)).toEqual([4, 5.5, 5]);
    expect(at(9)).toEqual([4, 6, 5]);
    releaseVertices(boundary, [1]);
    expect(boundary.isPrescribed[1]).toBe(0);
  });

  test('springs on one vertex add up', () => {
    const boundary = createSoftBoundary(4, new Arena());
    const springs = [
      { vertices: [0, 3], stiffness: 2, damping: 1 },
      { vertices: [3], stiffness: 5 },
    ];
    applyBoundary(boundary, { springs, pinned: [2] }, X);
    expect([...boundary.springStiffness]).toEqual([2, 0, 0, 7]);
    expect([...boundary.springDamping]).toEqual([1, 0, 0, 1]);
    expect([...boundary.target]).toEqual([0, 1, 2, 0, 0, 0, 6, 7, 8, 9, 10, 11]);
  });

  test.each([
    ['a missing vertex', { pinned: [0, 4] }, 'softBody.pinned[1]'],
    ['half a vertex', { pinned: [0.5] }, 'softBody.pinned[0]'],
    [
      'a spring on a missing vertex',
      { springs: [{ vertices: [-1], stiffness: 1 }] },
      'softBody.springs[0].vertices[0]',
    ],
    ['negative stiffness', { springs: [{ vertices: [1], stiffness: -1 }] }, 'softBody.springs[0]'],
    [
      'times that fall',
      { driven: [{ vertices: [1], times: [1, 0], displacements: [0, 0, 0, 0, 0, 0] }] },
      'softBody.driven[0]',
    ],
    ['a short path', { driven: [{ vertices: [1], times: [0, 1], displacements: [0, 0, 0] }] }, 'softBody.driven[0]'],
  ])('%s is an error that names the place', (_, body, place) => {
    const attempt = (): void => applyBoundary(createSoftBoundary(4, new Arena()), body, X);
    expect(attempt).toThrow(NexdynError);
    expect(attempt).toThrow(place);
  });
});
