/** A file's own look in the page, beside the same picture by the software rasteriser. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, Photographer, readPng } from '@nexdyn/formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** Floor, solid, cube texture, skin and sky in pure colours, under a light of the file. */
const MODEL = `<mujoco model="looks">
  <visual><headlight ambient=".5 .5 .5" diffuse=".3 .3 .3" specular="0 0 0"/></visual>
  <asset>
    <texture name="squares" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
    <texture name="sides" type="cube" builtin="flat" rgb1="0 1 0" rgb2="0 1 0" width="8" height="48"/>
    <texture type="skybox" builtin="flat" rgb1="0 0 1" rgb2="0 0 1" width="8" height="48"/>
    <material name="squares" texture="squares" texrepeat="1 1" texuniform="true" specular="0"/>
    <material name="sides" texture="sides" specular="0"/>
    <material name="red" rgba="1 0 0 1" specular="0"/>
  </asset>
  <worldbody>
    <light pos="0 0 4" dir="0 0 -1" directional="true" castshadow="false" diffuse=".2 .2 .2" specular="0 0 0"/>
    <camera name="above" pos="0 0 5" projection="orthographic" fovy="5"/>
    <camera name="side" pos="0 -6 .2" xyaxes="1 0 0 0 -.342 .94" fovy="40"/>
    <geom type="plane" size="60 60 .1" material="squares"/>
    <body pos=".5 .5 1"><geom type="box" size=".4 .4 .4" material="sides"/></body>
    <body name="bone" pos="-1.5 0 1"><geom size=".01" group="4"/></body>
  </worldbody>
  <deformable><skin material="red" vertex="-.5 0 -.5  .5 0 -.5  .5 0 .5  -.5 0 .5" face="0 1 2 0 2 3">
    <bone body="bone" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/></skin></deformable>
</mujoco>`;

/** A muscle whose lengths the file does not give. */
const ARM = `<mujoco><compiler><lengthrange inttotal="1" interval=".1" accel="100"/></compiler>
  <worldbody><body><joint name="j" axis="0 1 0" range="-60 90"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/></body></worldbody>
  <actuator><muscle joint="j"/></actuator><keyframe><key ctrl=".7"/></keyframe></mujoco>`;

const [WIDTH, HEIGHT] = [120, 90];

/** The strongest of red, green and blue of every pixel. */
function listHues(pixels: Uint8Array, channels: number): number[] {
  return Array.from({ length: pixels.length / channels }, (_, i) => {
    const color = [...pixels.subarray(channels * i, channels * i + 3)];
    return color.indexOf(Math.max(...color));
  });
}

describe.skipIf(!hasChromium)('the look of a file in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#double-pendulum');
    await studio.runUntil(0.01);
    await studio.page.evaluate((model) => window.nexdyn.open({ 'looks.xml': model }, 'looks.xml'), MODEL);
  });
  afterAll(async () => {
    expect(studio.errors).toEqual([]);
    await host.stop();
  });

  test('cameras are offered by name', async () => {
    expect(await studio.page.evaluate(() => window.nexdyn.cameras())).toEqual(['above', 'side']);
    const chooser = studio.page.locator('[data-role=camera]');
    await expect.poll(() => chooser.locator('option').allTextContents()).toEqual(['free', 'above', 'side']);
    await chooser.selectOption('side');
    expect(await chooser.inputValue()).toBe('1');
    await chooser.selectOption('');
  });

  test.each([0, 1])(
    'through camera %i floor and solid, or solid, skin and sky, have the colours of the file',
    async (camera) => {
      const encoded = await studio.page.evaluate(
        ([number, width, height]) => {
          window.nexdyn.useCamera(number);
          return window.nexdyn.picture({ time: 0, width: width!, height: height!, isTransparent: false });
        },
        [camera, WIDTH, HEIGHT],
      );
      const drawn = readPng('drawn.png', new Uint8Array(Buffer.from(encoded, 'base64')));
      const channels = drawn.data.length / (WIDTH * HEIGHT);
      const { scene } = loadScene('looks.xml', { files: { read: () => new TextEncoder().encode(MODEL) } });
      const simulation = new Simulation(compileModel(scene));
      simulation.forward();
      const taken = new Photographer(simulation).take(simulation, { camera, width: WIDTH, height: HEIGHT });
      const [shown, wanted] = [listHues(drawn.data, channels), listHues(taken, 3)];
      // all three colours are there; pixels on edges may differ
      expect([0, 1, 2].map((hue) => wanted.filter((other) => other === hue).length > 100)).toEqual([true, true, true]);
      const differing = wanted.filter((hue, i) => hue !== shown[i]).length;
      expect(differing).toBeLessThan(0.05 * WIDTH * HEIGHT);
    },
  );

  test('a muscle is measured as on the command line', async () => {
    const { scene } = loadScene('arm.xml', { files: { read: () => new TextEncoder().encode(ARM) } });
    expect(scene.actuators).toMatchObject([{ kind: 'muscle', lengthRange: [expect.any(Number), expect.any(Number)] }]);
    const simulation = new Simulation(compileModel(scene));
    simulation.reset();
    simulation.step(20);
    const hash = await studio.page.evaluate((arm) => window.nexdyn.hashAfter({ 'arm.xml': arm }, 'arm.xml', 20), ARM);
    expect(hash).toBe(simulation.hash());
  });
});
