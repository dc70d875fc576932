/** Primitive shapes by name and kind, each in a usual size and in sizes that are thin, long or all alike, m. */
import { SHAPE } from '../geometry/shape-kind.ts';

export const PRIMITIVE_SIZES: [string, number, number[][]][] = [
  ['sphere', SHAPE.sphere, [[0.3], [1e-3], [2]]],
  [
    'capsule',
    SHAPE.capsule,
    [
      [0.1, 0.4],
      [0.5, 0.01],
      [0.02, 1],
    ],
  ],
  [
    'ellipsoid',
    SHAPE.ellipsoid,
    [
      [0.1, 0.2, 0.4],
      [1, 0.01, 0.3],
      [0.2, 0.2, 0.2],
    ],
  ],
  [
    'cylinder',
    SHAPE.cylinder,
    [
      [0.2, 0.3],
      [1, 0.01],
      [0.01, 1],
    ],
  ],
  [
    'box',
    SHAPE.box,
    [
      [0.1, 0.2, 0.3],
      [1, 0.01, 0.5],
      [0.3, 0.3, 0.3],
    ],
  ],
];
