/** Boxes of different size and pose that fall on a heap. */
import type { Body, Scene, SceneOptions } from '@nexdyn/engine';

/** Numbers between −1 and 1, the same in every run. */
function createRandom(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2147483648;
  };
}

/** Layers of `width` × `width` boxes of about 0.2 m, turned at random, a little apart. */
export function heap(count: number, width: number, options: SceneOptions): Scene {
  const random = createRandom();
  const bodies = Array.from({ length: count }, (_, i): Body => {
    const layer = Math.floor(i / (width * width));
    const place = i % (width * width);
    const half = (): number => 0.1 + 0.02 * random();
    const [w, x, y, z] = [1, 0.3 * random(), 0.3 * random(), random()];
    const length = Math.hypot(w, x, y, z);
    return {
      position: [
        0.3 * (place % width) + 0.05 * random(),
        0.3 * Math.floor(place / width) + 0.05 * random(),
        0.2 + 0.3 * layer,
      ],
      orientation: [w / length, x / length, y / length, z / length],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [half(), half(), half()], density: 1000, friction: 0.6 }],
    };
  });
  return { format: 'nexdyn-scene', version: 1, options, shapes: [{ kind: 'plane', friction: 0.6 }], bodies };
}
