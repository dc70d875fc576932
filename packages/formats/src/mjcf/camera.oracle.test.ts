/** Cameras and lights stand where MuJoCo has them, in every mode, and survive being written. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import { compileModel, type ModelViews, placeView, type Scene, Simulation } from '@nexdyn/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import { readMjcf } from './mjcf.ts';
import { writeMjcf } from './write/write-mjcf.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await loadMujoco({ print: () => {}, printErr: () => {} });
});

const MODES = ['fixed', 'track', 'trackcom', 'targetbody', 'targetbodycom'];

/** Every mode in the world, on a moving body, on a body below it and inside a frame. */
function listViews(place: string): string {
  return MODES.map((mode) => {
    const target = mode.startsWith('target') ? 'target="hand"' : '';
    return `<camera name="c-${place}-${mode}" mode="${mode}" ${target} pos=".3 -1 .7" euler="20 30 40" fovy="50"/>
      <light name="l-${place}-${mode}" mode="${mode}" ${target} pos="-.4 .2 1.5" dir=".1 .7 -1"/>`;
  }).join('\n');
}

const ARM = `<mujoco>
  <compiler eulerseq="zyx"/>
  <option timestep=".002" gravity=".3 .2 -9.81"/>
  <asset><texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0"/>
    <texture type="skybox" builtin="gradient" width="16" height="16" mark="random" random=".05"/>
    <material name="m" texture="t" texrepeat="2 3" texuniform="true" reflectance=".2" rgba=".5 .6 .7 .8"/></asset>
  <statistic center="1 2 3" extent="4" meansize=".1"/>
  <visual><global fovy="60" azimuth="120" elevation="-20" offwidth="1280" offheight="720"/><map znear=".02" zfar="30"/>
    <headlight ambient=".2 .2 .2" active="0"/><rgba haze=".1 .2 .3 1"/></visual>
  <worldbody>
    ${listViews('world')}
    <camera name="above" pos="0 0 3" mode="targetbody" target="base"/>
    <camera name="lens" pos="1 0 3" sensorsize=".03 .02" focal=".05 .05" principal=".001 0" resolution="300 200"/>
    <camera name="flat" projection="orthographic" fovy="2" ipd=".07"/>
    <frame pos="1 2 3" euler="10 20 30">${listViews('frame')}</frame>
    <body name="base" pos=".1 .2 1" euler="30 0 20">
      <freejoint/><geom type="box" size=".2 .1 .05" material="m"/>${listViews('base')}
      <body name="upper" pos="0 0 .2" euler="0 25 0">
        <joint axis="0 1 0" ref=".4"/><geom type="capsule" fromto="0 0 0 0 .3 .2" size=".03"/>${listViews('upper')}
        <body name="hand" pos="0 .3 .2"><joint type="ball"/><geom size=".07" pos=".05 0 .1"/></body>
      </body>
    </body>
    <body name="mark" mocap="true" pos="1 1 1">${listViews('mocap')}</body>
  </worldbody>
  <keyframe><key qpos="0 0 2 1 0 0 0 .3 1 0 0 0"/></keyframe>
</mujoco>`;

const read = (text: string): Scene => readMjcf('a.xml', { files: memoryFiles({ 'a.xml': text }) }).scene;

const places = (simulation: Simulation, views: ModelViews): { position: number[]; rotation: number[] }[] =>
  views.name.map((_, v) => {
    const pose = { position: new Float64Array(3), rotation: new Float64Array(9) };
    placeView(pose, views, v, simulation.derived);
    return { position: [...pose.position], rotation: [...pose.rotation] };
  });

/** Largest difference of cam_xpos, cam_xmat, light_xpos and light_xdir. */
function compareViews(text: string, scene: Scene, steps: number): number {
  const simulation = new Simulation(compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' }));
  const peer = mujoco.MjModel.from_xml_string(text);
  const data = new mujoco.MjData(peer);
  simulation.forward();
  // MuJoCo places cameras before it moves: both at the same positions
  simulation.step(steps);
  for (let i = 0; i < data.qpos.length; i++) (data.qpos as Float64Array)[i] = simulation.state.position[i]!;
  mujoco.mj_forward(peer, data);
  simulation.forward();
  const { camera, light } = simulation.model.look;
  expect(camera.name).toHaveLength(peer.ncam);
  expect(light.name).toHaveLength(peer.nlight);
  let worst = 0;
  const compare = (own: readonly number[], theirs: ArrayLike<number>, at: number): void => {
    own.forEach((value, k) => {
      worst = Math.max(worst, Math.abs(value - theirs[at + k]!));
    });
  };
  places(simulation, camera).forEach(({ position, rotation }, c) => {
    compare(position, data.cam_xpos, 3 * c);
    compare(rotation, data.cam_xmat, 9 * c);
  });
  places(simulation, light).forEach(({ position, rotation }, l) => {
    compare(position, data.light_xpos, 3 * l);
    compare([-rotation[2]!, -rotation[5]!, -rotation[8]!], data.light_xdir, 3 * l);
  });
  peer.delete();
  data.delete();
  return worst;
}

describe('cameras and lights', () => {
  test.each([0, 150])('are where MuJoCo has them after %i steps', (steps) => {
    expect(compareViews(ARM, read(ARM), steps)).toBeLessThan(1e-9);
  });

  test('are the same in body coordinates', () => {
    const scene = read(ARM);
    const [joint, body] = (['joint', 'body'] as const).map((coordinates) => {
      const simulation = new Simulation(compileModel(scene, { formulation: 'sap', coordinates }));
      simulation.forward();
      return places(simulation, simulation.model.look.camera).flatMap(({ position, rotation }) => [
        ...position,
        ...rotation,
      ]);
    });
    body!.forEach((value, i) => {
      expect(value).toBeCloseTo(joint![i]!, 9);
    });
  });

  test('are written, with textures, materials and view', () => {
    const scene = read(ARM);
    const { text, unwritten } = writeMjcf(scene);
    expect(unwritten).toEqual([]);
    // rotations are scaled to length one when they are read: the second time they are
    const once = read(text);
    expect(read(writeMjcf(once).text)).toEqual(once);
    expect(once.view).toEqual(scene.view);
    expect(once.lights).toEqual(scene.lights);
    expect([once.textures, once.appearances]).toEqual([scene.textures, scene.appearances]);
    expect(compareViews(text, scene, 100)).toBeLessThan(1e-9);
  });

  test('copies face their own targets', () => {
    const text = `<mujoco><worldbody><replicate count="3" offset="1 .2 0" euler="0 0 30"><body name="b" pos="0 0 1">
      <joint/><geom size=".1"/><camera mode="targetbody" target="t" pos="0 1 0"/><light pos="0 0 1" dir="0 1 -1"/>
      <body name="t" pos=".3 0 0"><geom size=".05"/></body></body></replicate></worldbody></mujoco>`;
    expect(compareViews(text, read(text), 50)).toBeLessThan(1e-9);
  });
});

test('a camera that faces nothing stays as it is', () => {
  const text = `<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/>
    <camera mode="targetbodycom" pos="1 -1 2" euler="20 30 0"/></body></worldbody></mujoco>`;
  expect(compareViews(text, read(text), 50)).toBeLessThan(1e-9);
});

describe('sensors of cameras', () => {
  const seen = ['world-fixed', 'base-track', 'upper-trackcom', 'frame-targetbody', 'mocap-targetbodycom'];
  const frames = ['framepos', 'framequat', 'framexaxis', 'framezaxis', 'framelinvel', 'frameangvel'];
  const sensors = seen
    .flatMap((name) => [
      `<camprojection camera="c-${name}" site="tip"/>`,
      ...frames.map((frame) => `<${frame} objtype="camera" objname="c-${name}"/>`),
      `<framepos objtype="site" objname="tip" reftype="camera" refname="c-${name}"/>`,
    ])
    .join('');
  const text = ARM.replaceAll('fovy="50"', 'fovy="50" resolution="640 480"')
    .replace('<geom size=".07" pos=".05 0 .1"/>', '<geom size=".07" pos=".05 0 .1"/><site name="tip" pos=".1 .1 .1"/>')
    .replace('<keyframe>', `<sensor>${sensors}<camprojection camera="lens" site="tip"/></sensor><keyframe>`);

  test('read what MuJoCo reads, and are written', () => {
    const scene = read(text);
    const simulation = new Simulation(compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' }));
    const peer = mujoco.MjModel.from_xml_string(text);
    const data = new mujoco.MjData(peer);
    simulation.step(60);
    for (let i = 0; i < data.qpos.length; i++) (data.qpos as Float64Array)[i] = simulation.state.position[i]!;
    for (let i = 0; i < data.qvel.length; i++) (data.qvel as Float64Array)[i] = simulation.state.velocity[i]!;
    mujoco.mj_forward(peer, data);
    simulation.forward();
    const theirs = Array.from(data.sensordata as Float64Array);
    expect(simulation.sensorData).toHaveLength(theirs.length);
    simulation.sensorData.forEach((value, i) => {
      expect(Math.abs(value - theirs[i]!)).toBeLessThan(1e-9 * Math.max(1, Math.abs(theirs[i]!)));
    });
    const { text: written, unwritten } = writeMjcf(scene);
    expect(unwritten).toEqual([]);
    expect(read(written).sensors).toEqual(scene.sensors);
    peer.delete();
    data.delete();
  });
});
