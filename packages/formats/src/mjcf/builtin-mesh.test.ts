/** Built-in meshes against MuJoCo 4.0.0: their vertices in order, masses and inertias, scaled by 1, 0.5, 2. */
import { compileModel } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import type { LoadedScene } from '../loaded-scene.ts';
import { readMjcf } from './mjcf.ts';

function load(builtin: string, params: string): LoadedScene {
  const mesh = `<mesh name="m" builtin="${builtin}" params="${params}" scale="1 .5 2"/>`;
  const world = '<worldbody><body><joint/><geom type="mesh" mesh="m"/></body></worldbody>';
  const text = `<mujoco><asset>${mesh}</asset>${world}</mujoco>`;
  return readMjcf('main.xml', { files: memoryFiles({ 'main.xml': text }) });
}

/** mesh_vertnum, body_mass, body_inertia, and the sum of vertices times their numbers from 1 on. */
const TABLE: [string, string, number, number, number[], number[]][] = [
  ['sphere', '0', 12, 2536.1504726624066, [1835.175608, 1559.899266, 458.7939019], [-2.351141, -1.1755705, -4.702282]],
  [
    'sphere',
    '2',
    162,
    4047.0446616510235,
    [3955.423612, 3362.110064, 988.8559141],
    [1099.5124, -871.95619, -975.48537],
  ],
  ['hemisphere', '0', 6, 666.6666666666665, [166.6666667, 116.6666667, 83.33333333], [-2.0, -1.0, 2.0]],
  [
    'hemisphere',
    '3',
    42,
    1909.7436909829887,
    [792.5195217, 522.9820789, 449.2290713],
    [-17.152983, -33.334097, 322.23571],
  ],
  ['cone', '7 0', 8, 1824.2734394281215, [1333.862197, 1154.388598, 299.1226677], [-3.4999997, -3.6339125, -40.0]],
  ['cone', '5 .4', 10, 2472.746976824322, [3034.092265, 2807.684077, 377.3469831], [-3.4999996, -2.4086684, 49.999996]],
  [
    'supersphere',
    '6 .5 .7',
    32,
    4697.72515274797,
    [5332.463549, 4614.026094, 1233.601475],
    [12.11872, 11.277739, 411.05616],
  ],
  [
    'supertorus',
    '5 .3 .6 1.4',
    25,
    1698.7500745712593,
    [549.9815533, 549.2826777, 222.2262973],
    [-71.148488, -41.454301, -10.914041],
  ],
  [
    'wedge',
    '5 6 40 50 .3',
    30,
    201.07662911477962,
    [14.64445481, 14.49609661, 8.447068118],
    [76.645374, 10.273712, -798.61407],
  ],
];

test.each(TABLE)('%s %s', (builtin, params, count, mass, inertia, sum) => {
  const { scene, unsupported } = load(builtin, params);
  expect(unsupported).toEqual([]);
  const [mesh] = scene.meshes!;
  expect(mesh!.vertices.length).toBe(3 * count);
  const { body } = compileModel(scene, { coordinates: 'joint' });
  // vertices are in single precision there, and points of a sphere are rounded at every split
  expect(body.mass[1]! / mass).toBeCloseTo(1, 7);
  const own = [0, 0, 0];
  mesh!.vertices.forEach((value, i) => {
    own[i % 3]! += value * (Math.floor(i / 3) + 1);
  });
  for (let k = 0; k < 3; k++) {
    expect(body.inertiaMoments[3 + k]! / inertia[k]!).toBeCloseTo(1, 7);
    expect(Math.abs(own[k]! - sum[k]!)).toBeLessThan(2 ** -23 * count * count);
  }
});

test.each([
  ['sphere', '5', /from 0 to 4/],
  ['sphere', '1 2', /'params'/],
  ['cone', '2 .5', /from 3/],
  ['cone', '4 1.5', /from 0 to 1/],
  ['wedge', '4 4 30 30 2', /from 0 to 1/],
  ['spere', '1', /sphere/],
])('refuses %s %s', (builtin, params, message) => {
  expect(() => load(builtin, params)).toThrow(message);
});
