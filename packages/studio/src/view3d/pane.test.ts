import { expect, test } from 'vitest';
import type { DrawnSoftBody } from '../session/soft-frame.ts';
import { drawnScene } from '../testing/drawn-scene.ts';
import { Pane } from './pane.ts';

test('a state that is shown while the run is paused has the scale of its stress at once', () => {
  const triangle: DrawnSoftBody = {
    name: 'patch',
    firstVertex: 0,
    vertexCount: 3,
    triangles: Int32Array.of(0, 1, 2),
    color: [1, 1, 1, 1],
  };
  const soft = { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), values: Float32Array.of(20, 314, 90) };
  const pane = new Pane(() => {});
  pane.show({ ...drawnScene([], [-1]), softBodies: [triangle] }, Float32Array.of(0, 0, 0, 1, 0, 0, 0), 'dark', soft);
  expect(pane.peakStress).toBe(314);
  pane.dispose();
});
