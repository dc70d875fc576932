/** Pictures show things where cameras see them, in the light that falls on them. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import { readMjcf } from '../mjcf/mjcf.ts';
import { Photographer, type PictureOptions } from './photographer.ts';

const SIZE = 120;

function open(xml: string): Simulation {
  const { scene } = readMjcf('a.xml', { files: memoryFiles({ 'a.xml': `<mujoco>${xml}</mujoco>` }) });
  return start(scene);
}

function start(scene: Scene): Simulation {
  const simulation = new Simulation(compileModel(scene, { formulation: 'mujoco' }));
  simulation.forward();
  return simulation;
}

function take(xml: string, options: PictureOptions): (x: number, y: number) => number[] {
  const simulation = open(xml);
  const pixels = new Photographer(simulation).take(simulation, { width: SIZE, height: SIZE, ...options });
  return (x, y) => [...pixels.subarray(3 * (y * SIZE + x), 3 * (y * SIZE + x) + 3)];
}

/** A black sky, no light but its own. */
const DARK = `<visual><headlight active="0"/></visual><asset><texture type="skybox" builtin="flat" rgb1="0 0 0" rgb2="0 0 0" width="4" height="24"/>
  <material name="white" emission="1" specular="0"/></asset>`;

/** Columns in which the middle row is not black. */
function measureWidth(pixel: (x: number, y: number) => number[]): [number, number] {
  const lit = Array.from({ length: SIZE }, (_, x) => pixel(x, SIZE / 2)[0]!).flatMap((value, x) =>
    value > 127 ? [x] : [],
  );
  return [lit[0]!, lit.at(-1)! + 1];
}

test('a plane mirrors a share of what stands before it, nothing else', () => {
  const floor = (reflectance: number): string => `${DARK.replace(
    '<material',
    `<material name="mirror" rgba="0 0 0 1" reflectance="${reflectance}" specular="0"/><material`,
  )}<worldbody><geom type="plane" size="3 3 1" material="mirror"/><geom size=".3" pos="0 0 1" material="white"/>
    <geom size=".3" pos="1.5 0 -2" material="white"/><camera name="c" pos="0 -4 1" xyaxes="1 0 0 0 0 1" fovy="60"/></worldbody>`;
  const [plain, mirror] = [0, 0.4].map((share) => take(floor(share), { camera: 'c' }));
  // the ball is at the height of the eye; its image at (0, 0, -1) is seen 2 m below, 4 m away
  const down = Math.round(SIZE / 2 + ((2 / 4) * (SIZE / 2)) / Math.tan(Math.PI / 6));
  expect(plain!(SIZE / 2, SIZE / 2)[0]).toBe(255);
  expect(mirror!(SIZE / 2, SIZE / 2)[0]).toBe(255);
  expect(plain!(SIZE / 2, down)[0]).toBe(0);
  expect(mirror!(SIZE / 2, down)[0]).toBe(Math.round(0.4 * 255));
  // beside the image and on the image of the ball behind the plane nothing is seen
  expect(mirror!(SIZE / 2 + 25, down)[0]).toBe(0);
  const aside = Math.round(SIZE / 2 + ((1.5 / 4) * (SIZE / 2)) / Math.tan(Math.PI / 6));
  for (let y = 0; y < SIZE; y++) expect(mirror!(aside, y)[0]).toBe(plain!(aside, y)[0]);
});

describe('cameras', () => {
  const ball = `<geom size=".5" material="white"/>`;
  test('a ball fills the angle under which it is seen', () => {
    const pixel = take(`${DARK}<worldbody>${ball}<camera name="c" pos="0 0 3" fovy="30"/></worldbody>`, {
      camera: 'c',
    });
    // sin a = r/d, and the edge of the picture is at tan 15°; the ball has 32 corners
    const half = (Math.tan(Math.asin(0.5 / 3)) / Math.tan(Math.PI / 12)) * (SIZE / 2);
    const [left, right] = measureWidth(pixel);
    expect(Math.abs(right - left - 2 * half)).toBeLessThan(2);
    expect(Math.abs(left + right - SIZE)).toBeLessThanOrEqual(1);
  });

  test('an orthographic one sees sizes as they are', () => {
    const camera = `<camera name="c" pos="0 0 9" projection="orthographic" fovy="2"/>`;
    const [left, right] = measureWidth(take(`${DARK}<worldbody>${ball}${camera}</worldbody>`, { camera: 0 }));
    expect(Math.abs(right - left - SIZE / 2)).toBeLessThan(2);
  });

  test('a lens off the axis shifts the picture', () => {
    const camera = `<camera name="c" pos="0 0 3" sensorsize=".02 .02" focal=".02 .02" principal=".004 0" resolution="${SIZE} ${SIZE}"/>`;
    const [left, right] = measureWidth(take(`${DARK}<worldbody>${ball}${camera}</worldbody>`, { camera: 'c' }));
    // the axis is a fifth of the sensor off its middle: what is straight ahead moves to the left
    expect(Math.abs((left + right) / 2 - (0.5 - 0.2) * SIZE)).toBeLessThan(1.5);
  });

  test('one that turns keeps its target in the middle', () => {
    const pixel = take(
      `${DARK}<worldbody><camera name="c" pos="3 2 1" mode="targetbody" target="b" fovy="20"/>
        <body name="b" pos="-1 0 2"><geom size=".2" material="white"/></body></worldbody>`,
      { camera: 'c' },
    );
    const [left, right] = measureWidth(pixel);
    expect(Math.abs(left + right - SIZE)).toBeLessThanOrEqual(1);
  });

  test('names that do not exist are told', () => {
    const simulation = open(`<worldbody><camera name="front"/></worldbody>`);
    expect(() => new Photographer(simulation).take(simulation, { camera: 'back' })).toThrow(/no camera 'back'.*front/s);
  });
});

describe('light', () => {
  const above = `<camera name="c" pos="0 0 4" fovy="45"/>`;
  const material = `<asset><texture type="skybox" builtin="flat" rgb1="0 0 0" rgb2="0 0 0" width="4" height="24"/><material name="m" rgba=".5 .6 .8 1" specular="0"/></asset>`;
  const floor = `<geom type="plane" size="3 3 1" material="m"/>`;

  test('falls with the cosine, and adds up', () => {
    const sun = `<light type="directional" dir="0 .6 -.8" ambient=".1 .1 .1" diffuse=".5 .5 .5" castshadow="false"/>`;
    const pixel = take(
      `<visual><headlight active="0"/></visual>${material}<worldbody>${floor}${sun}${above}</worldbody>`,
      { camera: 'c' },
    );
    const wanted = [0.5, 0.6, 0.8].map((color) => Math.round(255 * color * (0.1 + 0.5 * 0.8)));
    expect(pixel(30, 40)).toEqual(wanted);
  });

  test('of a cone ends at its angle and falls towards it', () => {
    const lamp = `<light type="spot" pos="0 0 2" dir="0 0 -1" diffuse="1 1 1" cutoff="20" exponent="4" castshadow="false"/>`;
    const pixel = take(
      `<visual><headlight active="0"/></visual>${material}<worldbody>${floor}${lamp}${above}</worldbody>`,
      { camera: 'c' },
    );
    // a point of the floor at x m: n · l = cos a, brightness cos⁴ a
    const place = (x: number): number => Math.round(SIZE / 2 + ((x / 4 / Math.tan(Math.PI / 8)) * SIZE) / 2 - 0.5);
    const x = 0.4;
    const column = place(x);
    const seen = (((column + 0.5) / SIZE) * 2 - 1) * Math.tan(Math.PI / 8) * 4;
    const cosine = 2 / Math.hypot(seen, 2);
    expect(Math.abs(pixel(column, SIZE / 2)[0]! - 255 * 0.5 * cosine ** 5)).toBeLessThan(2);
    expect(pixel(place(0.85), SIZE / 2)).toEqual([0, 0, 0]);
  });

  test.each([
    ['a sun', 'type="directional"', 1, 0.3],
    // half way between the floor and the lamp: its shadow is twice as far off and twice as large
    ['a cone', 'type="spot" pos="-1 0 2" cutoff="60" exponent="0"', 1, 0.35],
  ])('of %s is missing in the shadow of a box', (_, lamp, middle, half) => {
    const sun = `<light ${lamp} dir="1 0 -1" diffuse="1 1 1"/>`;
    const box = `<geom type="box" size=".2 .2 .05" pos="0 0 1" material="m"/>`;
    const world = `<worldbody>${floor}${box}${sun}${above}</worldbody>`;
    const setting = '<statistic extent="3" center="0 0 0"/><visual><headlight active="0"/></visual>';
    const pixel = take(`${setting}${material}${world}`, { camera: 'c' });
    const brightness = (x: number): number =>
      pixel(Math.round(SIZE / 2 + ((x / 4 / Math.tan(Math.PI / 8)) * SIZE) / 2), SIZE / 2)[0]!;
    expect(brightness(middle)).toBe(0);
    expect(brightness(middle - half - 0.15)).toBeGreaterThan(40);
    expect(brightness(middle + half + 0.15)).toBeGreaterThan(20);
  });
});

describe('textures', () => {
  test('lie on planes from the upper left corner', () => {
    const pixel = take(
      `<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
      <asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/><material name="m" texture="t" texrepeat="1 1"/></asset>
      <worldbody><geom type="plane" size="1 1 1" material="m"/><camera name="c" pos="0 0 4" projection="orthographic" fovy="2"/></worldbody>`,
      { camera: 'c' },
    );
    const [near, far] = [SIZE / 4, (3 * SIZE) / 4];
    expect([pixel(near, near), pixel(far, near), pixel(near, far), pixel(far, far)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
      [0, 0, 255],
      [255, 0, 0],
    ]);
  });

  test('the sky has up above and down below', () => {
    const sky = `<asset><texture type="skybox" builtin="flat" rgb1="0 1 0" rgb2="1 0 0" width="8" height="48"/></asset>`;
    const look = (quaternion: string): number[] =>
      take(`${sky}<worldbody><camera name="c" quat="${quaternion}"/></worldbody>`, { camera: 'c' })(60, 60);
    // a camera without rotation looks down
    expect(look('1 0 0 0')).toEqual([255, 0, 0]);
    expect(look('0 1 0 0')).toEqual([0, 255, 0]);
    expect(look('1 1 0 0')).toEqual([0, 255, 0]);
  });

  test('a mesh has its own places', () => {
    const pixel = take(
      `<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><asset>
      <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/><material name="m" texture="t"/>
      <mesh name="q" vertex="-1 -1 0 1 -1 0 1 1 0 -1 1 0 0 0 -1" face="0 1 2 0 2 3 0 4 1 1 4 2 2 4 3 3 4 0" texcoord="0 1 1 1 1 0 0 0 .5 .5"/></asset>
      <worldbody><geom type="mesh" mesh="q" material="m"/><camera name="c" pos="0 0 4" projection="orthographic" fovy="2"/></worldbody>`,
      { camera: 'c' },
    );
    expect([pixel(30, 30), pixel(90, 30)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
  });
});

describe('what can be seen through', () => {
  test('takes its part of what is behind', () => {
    const pixel = take(
      `<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody><geom type="box" size="1 1 .1" rgba="0 0 1 1"/>
      <geom type="box" size="1 1 .1" pos="0 0 1" rgba="1 0 0 .25"/><camera name="c" pos="0 0 4" projection="orthographic" fovy="1"/></worldbody>`,
      { camera: 'c' },
    );
    expect(pixel(60, 60)).toEqual([64, 0, 191]);
  });
});

describe('skins', () => {
  test('go where their bones take them', () => {
    const simulation =
      open(`${DARK}<deformable><skin name="s" material="white" vertex="-1 -1 0  1 -1 0  1 1 0  -1 1 0" face="0 1 2 0 2 3">
        <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/></skin></deformable>
      <worldbody><camera name="c" pos="0 0 4" projection="orthographic" fovy="8"/><body name="b" mocap="true" pos="2 0 0" quat="1 0 0 1"/></worldbody>`);
    const pixels = new Photographer(simulation).take(simulation, { width: SIZE, height: SIZE, camera: 'c' });
    const lit = Array.from({ length: SIZE }, (_, x) => pixels[3 * (60 * SIZE + x)]!).flatMap((v, x) =>
      v > 127 ? [x] : [],
    );
    // from 1 m to 3 m in a picture of 8 m
    expect([lit[0], lit.at(-1)]).toEqual([75, 104]);
  });
});

describe('haze', () => {
  const scene = (size: string): string =>
    `<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><rgba haze="0 1 0 1"/><map haze=".5"/></visual>
    <asset><texture type="skybox" builtin="flat" rgb1="0 0 1" rgb2="0 0 1" width="4" height="24"/><material name="m" rgba="1 0 0 1" specular="0"/></asset>
    <worldbody><geom type="plane" size="${size}" material="m"/><camera name="c" pos="0 0 1" xyaxes="1 0 0 0 0 1" fovy="20"/></worldbody>`;

  test('covers the end of a floor without end, where there is a sky', () => {
    const pixel = take(scene('0 0 1'), { camera: 'c' });
    // rows from the bottom up: the floor, the floor in more and more haze, the sky
    const column = Array.from({ length: SIZE }, (_, row) => pixel(SIZE / 2, SIZE - 1 - row));
    expect(column[0]).toEqual([255, 0, 0]);
    expect(column.at(-1)).toEqual([0, 0, 255]);
    const hazy = column.filter(([, green]) => green! > 0);
    expect(hazy.length).toBeGreaterThan(3);
    expect(Math.max(...hazy.map(([, green]) => green!))).toBeGreaterThan(150);
    const floor = column.filter(([, , blue]) => blue === 0).map(([, green]) => green!);
    expect(floor.every((green, i) => i === 0 || green >= floor[i - 1]!)).toBe(true);
    // red gives way to green
    expect(floor.every((green, i) => Math.abs(column[i]![0]! + green - 255) <= 1)).toBe(true);
  });

  test('leaves floors with an end as they are', () => {
    const pixel = take(scene('50 50 1'), { camera: 'c' });
    for (let row = 0; row < SIZE; row++) expect(pixel(SIZE / 2, row)[1]).toBe(0);
  });
});
