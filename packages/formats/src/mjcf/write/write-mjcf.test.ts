/** Scenes as MJCF: MuJoCo makes the same masses and motion of them, and the reader the same scene. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeCases } from '../../../../../scripts/long-run.ts';
import { memoryFiles } from '../../file-source.ts';
import { loadScene } from '../../load-scene.ts';
import { readMjcf } from '../mjcf.ts';
import { writeMjcf } from './write-mjcf.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await loadMujoco({ print: () => {}, printErr: () => {} });
});

const read = (text: string): Scene => readMjcf('a.xml', { files: memoryFiles({ 'a.xml': text }) }).scene;

/** Everything that is written, in one file. */
const ALL = `<mujoco model="all &amp; sundry">
  <compiler angle="radian" boundmass=".01" balanceinertia="true"/>
  <option timestep=".001" gravity="0 1 -9" integrator="implicitfast" cone="elliptic" impratio="5" density="1.2" wind="1 0 0" solver="CG" iterations="50">
    <flag eulerdamp="disable" override="enable"/>
  </option>
  <asset>
    <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" inertia="exact" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
    <hfield name="hills" nrow="2" ncol="3" size="2 3 .5 .1" elevation="0 .5 1 .25 0 .75"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 4 1" friction=".7 .01 .002" condim="4"/>
    <geom type="hfield" hfield="hills" pos="9 0 0"/>
    <site name="s0" pos="0 0 3" type="box" size=".1 .2 .3" rgba="1 0 0 .5"/>
    <body name="m" mocap="true" pos="3 3 3"><geom size=".1" contype="0" conaffinity="0" group="4"/></body>
    <body name="a" pos="0 0 2" quat="0 1 0 0" gravcomp=".5">
      <inertial pos="0 .1 0" mass="2" fullinertia="1 1.2 1.4 .01 .02 .03"/>
      <joint name="j1" axis="0 1 0" range="-1 1" margin=".01" ref=".1" springref=".2" stiffness="3" damping=".1" armature=".01" frictionloss=".05" actuatorfrcrange="-9 9"/>
      <joint name="j2" type="slide" pos="0 0 .1" solreflimit=".03 1" range="0 2" springdamper=".1 1"/>
      <geom name="c" type="capsule" size=".1 .3" density="500" mass="2" solref=".01 1" solimp=".8 .9 .01 .4 3" priority="2" margin=".02" gap=".01" surfacevel="1 0 0 0 0 2"/>
      <site name="s1" pos="0 .1 .3"/>
      <body name="b" pos="0 0 .5">
        <joint name="j3" type="ball" range="0 1.5"/>
        <geom name="w" type="cylinder" size=".05 .1" mass="1" fluidshape="ellipsoid"/>
        <geom type="ellipsoid" size=".1 .2 .3" shellinertia="true"/>
        <site name="s2"/>
      </body>
    </body>
    <body name="d" pos="2 0 1"><freejoint name="f"/><geom name="e" type="mesh" mesh="tet"/><geom type="box" size=".1 .1 .1" pos="0 0 .2"/></body>
  </worldbody>
  <contact><pair name="p" geom1="c" geom2="floor" friction=".5 .5 .01 .001 .001"/><exclude body1="a" body2="d"/></contact>
  <equality>
    <connect body1="d" anchor="0 0 .1" active="false"/>
    <weld body1="a" body2="d" relpose="0 0 1 1 0 0 0" anchor="0 .1 0" torquescale=".5" active="false"/>
    <joint joint1="j1" joint2="j2" polycoef="0 .5 0 0 0" solref=".05 1"/>
  </equality>
  <tendon>
    <fixed name="t1" range="-1 1"><joint joint="j1" coef="1"/><joint joint="j2" coef="-2"/></fixed>
    <spatial name="t2" stiffness="10" springlength=".1 .5" width=".01"><site site="s0"/><geom geom="w" sidesite="s1"/><site site="s2"/><pulley divisor="2"/><site site="s0"/><site site="s1"/></spatial>
  </tendon>
  <actuator>
    <motor name="u1" joint="j1" gear="3" ctrlrange="-1 1"/>
    <position tendon="t1" kp="20" kv="1" forcerange="-5 5"/>
    <velocity joint="j2" kv="4"/>
    <general site="s2" refsite="s0" gear="0 0 1 0 0 0" dyntype="filter" dynprm=".1" gainprm="2" biastype="affine" biasprm="0 -1 -2" actrange="-1 1" actlimited="true"/>
  </actuator>
  <keyframe><key name="k" time="1" qpos=".2 .1 1 0 0 0 2 0 1 1 0 0 0" ctrl=".1 .2 .3 .4" act=".5"/></keyframe>
</mujoco>`;

function compareWithMujoco(scene: Scene, text: string, tolerance: number): void {
  const own = compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' });
  const peer = mujoco.MjModel.from_xml_string(text);
  Array.from(peer.body_mass as Float64Array).forEach((mass, b) => {
    expect(own.body.mass[b]).toBeCloseTo(mass, 8);
  });
  const data = new mujoco.MjData(peer);
  if (peer.nkey > 0) mujoco.mj_resetDataKeyframe(peer, data, 0);
  const simulation = new Simulation(own);
  for (let k = Math.round(0.1 / own.options.timestep); k > 0; k--) {
    mujoco.mj_step(peer, data);
    simulation.step();
  }
  const theirs = Array.from(data.qpos as Float64Array);
  expect(theirs).toHaveLength(simulation.state.position.length);
  theirs.forEach((q, i) => {
    expect(Math.abs(simulation.state.position[i]! - q)).toBeLessThanOrEqual(tolerance);
  });
  data.delete();
  peer.delete();
}

describe('MJCF to a scene to MJCF', () => {
  test('gives the same scene, and MuJoCo moves it alike', () => {
    const scene = read(ALL);
    const { text, unwritten } = writeMjcf(scene);
    expect(unwritten).toEqual([]);
    expect(read(text)).toEqual(scene);
    // CG stops where its tolerance allows
    compareWithMujoco(scene, text, 1e-5);
  });

  test('sensors of all kinds come back', () => {
    const text = `<mujoco><asset><mesh name="m" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
      <worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="b" pos="0 0 1"><joint name="j"/>
      <camera name="eye" resolution="4 3"/><geom name="skin" type="mesh" mesh="m" contype="0" conaffinity="0"/>
      <geom name="g" size=".1" pos=".1 0 0"/><site name="s"/></body></worldbody>
      <sensor><rangefinder camera="eye" data="depth"/><tactile geom="skin" mesh="m"/><touch site="s" cutoff="2" noise=".1"/>
      <rangefinder site="s" data="dist normal"/><insidesite objtype="geom" objname="g" site="s"/><distance geom1="g" geom2="floor" cutoff="1"/>
      <normal body1="b" geom2="floor"/><fromto geom1="g" body2="world"/><user dim="3"/><clock nsample="4" interval=".02 -.005"/><clock nsample="4" delay=".01" interp="linear"/>
      <contact geom1="g" subtree2="world" num="2" data="found force dist" reduce="mindist"/><framepos objtype="body" objname="b" reftype="site" refname="s"/></sensor></mujoco>`;
    const scene = read(text);
    expect(scene.sensors).toHaveLength(13);
    const { text: written, unwritten } = writeMjcf(scene);
    expect(unwritten).toEqual([]);
    expect(read(written).sensors).toEqual(scene.sensors);
  });

  test.each(['0.001 0.001 0.001', '0.0254 1 -0.5', '1.2 0.0375 0.02'])('vertices scaled by %s come back', (scale) => {
    const text = `<mujoco><asset><mesh name="m" scale="${scale}" vertex="29.1 33.7 -27.3 1 0 0.123 0 1.7 0 0.3 0 1"/></asset>
      <worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;
    const scene = read(text);
    expect(read(writeMjcf(scene).text).meshes).toEqual(scene.meshes);
  });

  test('actuators of disabled groups make no force, keep their activation, and come back', () => {
    const text = `<mujoco><option actuatorgroupdisable="1 3" gravity="0 0 0"/><default><default class="off"><general group="3"/></default></default>
      <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator><motor joint="j" group="1"/>
      <general joint="j" class="off" dyntype="filter" dynprm=".1"/><motor joint="j" group="2"/></actuator>
      <keyframe><key ctrl="5 5 .1" act=".3"/></keyframe></mujoco>`;
    const scene = read(text);
    expect(scene.actuators!.map(({ active }) => active)).toEqual([false, false, undefined]);
    const written = writeMjcf(scene);
    expect(written.unwritten).toEqual([]);
    expect(read(written.text)).toEqual(scene);
    compareWithMujoco(scene, text, 1e-12);
    compareWithMujoco(scene, written.text, 1e-12);
    const simulation = new Simulation(compileModel(scene));
    simulation.step(10);
    expect([...simulation.state.activation]).toEqual([0.3]);
  });

  test('copied lights shine where they did', () => {
    const scene = read(`<mujoco><worldbody><replicate count="2" offset="1 0 0"><light pos="0 0 3"/></replicate>
      <frame euler="90 0 0"><light/></frame><geom size="1"/></worldbody></mujoco>`);
    expect(scene.lights!.slice(0, 2).map(({ direction }) => direction)).toEqual([undefined, undefined]);
    expect(read(writeMjcf(scene).text)).toEqual(scene);
  });

  test('the text is the same once it was written', () => {
    const { text } = writeMjcf(read(ALL));
    expect(writeMjcf(read(text)).text).toBe(text);
  });
});

describe('scenes of the gallery', () => {
  const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../../../scenes');
  const scenes = readdirSync(folder).filter((name) => name.endsWith('.json'));

  // turns of unit length keep their last bits
  test.each(takeCases(['box-stack.json', 'domino-row.json', ...scenes], 4))(
    '%s is the same when it is written and read again',
    (name) => {
      const files = {
        read: (path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : undefined),
      };
      const first = read(writeMjcf(loadScene(name, { files }).scene).text);
      expect(JSON.stringify(read(writeMjcf(first).text))).toBe(JSON.stringify(first));
    },
  );

  test.each(takeCases(scenes, 2))('%s opens in MuJoCo', (name) => {
    const files = {
      read: (path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : undefined),
    };
    const { scene } = loadScene(name, { files });
    // MuJoCo's WebAssembly has no plugins: bodies and masses are compared without their geoms
    const text = writeMjcf(scene)
      .text.replace(/<extension>[\s\S]*<\/extension>/, '')
      .replace(/<mesh [^>]*>\s*<plugin [^>]*>\s*<\/mesh>/g, '')
      .replace(/<geom [^>]*type="sdf"[^>]*>\s*<plugin [^>]*>\s*<\/geom>/g, '');
    const peer = mujoco.MjModel.from_xml_string(text);
    const { size, body } = compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' });
    expect([peer.nq, peer.nv, peer.nbody, peer.nu]).toEqual([size.position, size.velocity, size.body, size.actuator]);
    Array.from(peer.body_mass as Float64Array).forEach((mass, b) => {
      expect(body.mass[b]! - mass).toBeLessThanOrEqual(1e-6 * mass);
    });
    peer.delete();
  });

  test.each(['pendulum.json', 'incline.json', 'cart-pole.json'].filter((name) => scenes.includes(name)))(
    '%s moves as in MuJoCo',
    (name) => {
      const scene = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Scene;
      // the integrator that both have
      scene.options = { ...scene.options, integrator: 'implicitfast' };
      compareWithMujoco(scene, writeMjcf(scene).text, 1e-6);
    },
  );
});

describe('what cannot be written', () => {
  const TETRAHEDRON = [0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5];

  test('is listed with its path, and its mass stays', () => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { integrator: 'semiImplicit', sap: { iterations: 3 } },
      meshes: [{ name: 'corner', vertices: TETRAHEDRON, faces: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }],
      signedDistanceFields: [{ kind: 'mesh', name: 'ring', mesh: 'corner', spacing: 0.05 }],
      bodies: [
        {
          name: 'ring',
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'signedDistance', field: 'ring', density: 500 }],
        },
        { name: 'ball', position: [1, 0, 0], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] },
      ],
      equalities: [{ kind: 'distance', body1: 'ring', body2: 'ball' }],
    };
    const { text, unwritten } = writeMjcf(scene);
    expect(unwritten.map(({ path }) => path).sort()).toEqual([
      'bodies[0].shapes[0]',
      'equalities[0]',
      'options.integrator',
      'options.sap',
      'signedDistanceFields[0]',
    ]);
    const own = compileModel(scene);
    expect(compileModel(read(text)).body.mass[1]).toBeCloseTo(own.body.mass[1]!, 10);
  });

  test('is the frame of a mesh as the file has it, not that of its centre', () => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { integrator: 'euler' },
      meshes: [{ name: 'corner', vertices: TETRAHEDRON }],
      bodies: [{ shapes: [{ kind: 'convexMesh', name: 'corner', mesh: 'corner' }] }],
      sensors: [
        { kind: 'framePosition', object: { kind: 'shape', name: 'corner' } },
        { kind: 'framePosition', object: { kind: 'shapeCenter', name: 'corner' } },
      ],
    };
    const { text, unwritten } = writeMjcf(scene);
    expect(unwritten.map(({ path }) => path)).toEqual(['sensors[0]']);
    expect(read(text).sensors).toEqual([scene.sensors![1]]);
  });
});
