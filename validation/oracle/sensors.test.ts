/** Sensors of MJCF against MuJoCo, kind by kind, in the steps of a mechanism with limits, tendons, drives, equalities and contacts. */
import { compileModel, type SensorKind, Simulation } from '@nexdyn/engine';
import { memoryFiles, readMjcf } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { asOldMujoco, copy, mujoco } from './mujoco-oracle.ts';

/** Of the largest number that a sensor shows in the run, and at least this much of a unit. */
const RELATIVE = 1e-9;

const frames = ['framepos', 'framequat', 'framexaxis', 'frameyaxis', 'framezaxis', 'framelinvel', 'frameangvel'];
const objects = [
  ['body', 'arm'],
  ['xbody', 'arm'],
  ['geom', 'hand'],
  ['site', 'tip'],
] as const;

const frameSensors = frames.flatMap((kind) =>
  objects.flatMap(([type, name]) => [
    `<${kind} objtype="${type}" objname="${name}"/>`,
    `<${kind} objtype="${type}" objname="${name}" reftype="xbody" refname="ball"/>`,
    `<${kind} objtype="site" objname="tip" reftype="${type}" refname="${name}"/>`,
  ]),
);

const MECHANISM = `
  <option timestep="0.002" integrator="INTEGRATOR" magnetic="0.1 -0.4 0.3" tolerance="1e-15"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <geom name="post" type="box" size=".05 .05 .4" pos="1.3 0 .4"/>
    <body name="base" pos="0 0 .5">
      <joint name="turn" axis="0 0 1" damping=".2" armature=".02"/>
      <geom type="cylinder" size=".1 .05"/>
      <site name="socket" pos=".1 0 0" euler="10 20 30"/>
      <body name="arm" pos=".1 0 0" euler="0 10 5">
        <joint name="shoulder" axis="0 1 0" range="-20 25" damping=".3" stiffness="1"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
        <site name="elbow" pos=".4 0 0"/>
        <body name="forearm" pos=".4 0 0">
          <joint name="wrist" type="ball" range="0 40" damping=".02"/>
          <geom name="hand" type="ellipsoid" size=".12 .05 .04" pos=".12 0 0" euler="15 0 0"/>
          <site name="tip" pos=".25 0 0" euler="0 90 20"/>
          <site name="eye" pos=".25 0 0" euler="0 80 0"/>
        </body>
      </body>
      <body name="cart" pos="-.2 0 0">
        <joint name="rail" type="slide" axis="0 1 .2" range="-.03 .05" damping="1"/>
        <geom type="box" size=".04 .05 .03"/>
        <site name="hook" pos="0 0 .05"/>
        <body name="load" pos="0 0 .1"><geom size=".03"/><site name="gauge" euler="30 0 0"/></body>
      </body>
    </body>
    <body name="ball" pos=".5 .6 .099">
      <freejoint/>
      <geom name="ballgeom" size=".1" condim="4" friction=".8 .01 .001"/>
      <site name="pad" size=".12"/>
      <site name="lower" type="box" size=".2 .2 .06" pos="0 0 -.08"/>
      <site name="upper" type="cylinder" size=".2 .03" pos="0 0 .08"/>
    </body>
    <body name="block" pos="-.6 .6 .05">
      <freejoint/>
      <geom name="blockgeom" type="box" size=".1 .1 .0501"/>
      <site name="blocksite" type="box" size=".11 .12 .06"/>
    </body>
    <body name="hung" pos="0 -1 1"><freejoint/><geom name="hungball" size=".08"/><site name="hungsite" pos="0 0 .08"/></body>
  </worldbody>
  <equality><connect body1="hung" body2="world" anchor="0 0 .08"/></equality>
  <tendon>
    <spatial name="cable" range="0 .57" stiffness="20" damping=".5"><site site="hook"/><site site="elbow"/></spatial>
    <fixed name="mix" limited="true" range="-.2 .05"><joint joint="shoulder" coef=".5"/><joint joint="rail" coef="2"/></fixed>
  </tendon>
  <actuator>
    <motor name="motor" joint="turn" gear="2"/>
    <position name="servo" joint="shoulder" kp="30" kv="1" forcerange="-4 4"/>
    <motor name="winch" tendon="cable" gear="1.5"/>
    <general name="push" site="tip" gear="0 .2 1 0 0 .1"/>
  </actuator>`;

const SENSORS = [
  ...['accelerometer', 'velocimeter', 'gyro', 'force', 'torque', 'magnetometer'].flatMap((kind) =>
    ['socket', 'tip', 'gauge', 'blocksite', 'hungsite'].map((site) => `<${kind} site="${site}"/>`),
  ),
  ...['pad', 'lower', 'upper', 'blocksite'].map((site) => `<touch site="${site}"/>`),
  ...['eye', 'tip', 'socket'].map((site) => `<rangefinder site="${site}"/>`),
  ...['jointpos', 'jointvel', 'jointactuatorfrc'].flatMap((kind) =>
    ['turn', 'shoulder', 'rail'].map((joint) => `<${kind} joint="${joint}"/>`),
  ),
  ...['jointlimitpos', 'jointlimitvel', 'jointlimitfrc'].flatMap((kind) =>
    ['shoulder', 'rail', 'wrist'].map((joint) => `<${kind} joint="${joint}"/>`),
  ),
  '<ballquat joint="wrist"/>',
  '<ballangvel joint="wrist"/>',
  ...['pos', 'vel', 'actuatorfrc', 'limitpos', 'limitvel', 'limitfrc'].flatMap((kind) =>
    ['cable', 'mix'].map((tendon) => `<tendon${kind} tendon="${tendon}"/>`),
  ),
  ...['pos', 'vel', 'frc'].flatMap((kind) =>
    ['motor', 'servo', 'winch', 'push'].map((actuator) => `<actuator${kind} actuator="${actuator}"/>`),
  ),
  ...frameSensors,
  ...['framelinacc', 'frameangacc'].flatMap((kind) =>
    objects.map(([type, name]) => `<${kind} objtype="${type}" objname="${name}"/>`),
  ),
  ...['subtreecom', 'subtreelinvel', 'subtreeangmom'].flatMap((kind) =>
    ['world', 'base', 'arm', 'ball'].map((body) => `<${kind} body="${body}"/>`),
  ),
  '<insidesite objtype="site" objname="pad" site="lower"/>',
  '<insidesite objtype="site" objname="blocksite" site="blocksite"/>',
  '<insidesite objtype="xbody" objname="ball" site="pad"/>',
  '<e_potential/>',
  '<e_kinetic/>',
  '<clock/>',
  '<accelerometer site="tip" cutoff="2"/>',
  '<touch site="pad" cutoff="1"/>',
  '<distance geom1="ballgeom" geom2="blockgeom" cutoff="5"/>',
  '<normal geom1="ballgeom" geom2="blockgeom" cutoff="5"/>',
  '<fromto geom1="ballgeom" geom2="blockgeom" cutoff="5"/>',
  '<distance geom1="blockgeom" body2="ball" cutoff=".3"/>',
  '<fromto geom1="hungball" geom2="ballgeom" cutoff=".3"/>',
  '<contact geom1="floor" geom2="ballgeom" data="found force torque dist pos normal tangent"/>',
  '<contact geom1="ballgeom" geom2="floor" data="found force torque dist pos normal tangent"/>',
  '<contact body1="ball" num="2" data="found force dist"/>',
  '<contact subtree1="world" subtree2="block" reduce="netforce" data="found force torque dist pos normal tangent"/>',
  '<contact body1="block" reduce="netforce" data="found force torque pos"/>',
  '<contact body2="block" reduce="mindist" data="found dist"/>',
  '<contact body2="block" reduce="maxforce" num="3" data="found force"/>',
  '<contact site="blocksite" data="found"/>',
];

const xmlOf = (integrator: string): string =>
  `<mujoco>${MECHANISM.replace('INTEGRATOR', integrator)}<sensor>${SENSORS.join('')}</sensor></mujoco>`;

describe.each(['Euler', 'implicitfast', 'RK4'])('sensors under %s', (integrator) => {
  test('agree with MuJoCo in every step', async () => {
    const xml = xmlOf(integrator);
    const { scene, unsupported } = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': xml }) });
    expect(unsupported.filter(({ affects }) => affects !== 'visual')).toEqual([]);
    const model = compileModel(asOldMujoco(scene));
    const ours = new Simulation(model);
    const api = await mujoco();
    const theirModel = api.MjModel.from_xml_string(xml);
    const theirs = new api.MjData(theirModel);
    expect([...model.sensor.dimension]).toEqual([...copy(theirModel.sensor_dim)]);
    const worst = new Map<string, { gap: number; scale: number }>();
    for (let n = 0; n < 300; n++) {
      ['motor', 'servo', 'winch', 'push'].forEach((name, a) => {
        const value = [1.5, 0.8, -6, 3][a]! * Math.sin(0.02 * n + a);
        ours.setControl(name, value);
        theirs.ctrl[a] = value;
      });
      ours.step();
      api.mj_step(theirModel, theirs);
      const expected = copy(theirs.sensordata);
      SENSORS.forEach((text, s) => {
        const entry = worst.get(`${s} ${text}`) ?? { gap: 0, scale: 1e-3 };
        for (let i = model.sensor.start[s]!; i < model.sensor.start[s]! + model.sensor.dimension[s]!; i++) {
          entry.gap = Math.max(entry.gap, Math.abs(ours.sensorData[i]! - expected[i]!));
          entry.scale = Math.max(entry.scale, Math.abs(expected[i]!));
        }
        worst.set(`${s} ${text}`, entry);
      });
    }
    const off = [...worst].filter(([, { gap, scale }]) => !(gap <= RELATIVE * scale));
    expect(off).toEqual([]);
    // every kind has shown something
    const kinds = (shown: boolean): Set<string> =>
      new Set([...worst].filter(([, { scale }]) => !shown || scale > 1e-3).map(([name]) => / <(\w+)/.exec(name)![1]!));
    expect(kinds(true)).toEqual(kinds(false));
    theirs.delete();
    theirModel.delete();
  });
});

test('every kind of MJCF is among them', () => {
  const kinds = new Set(SENSORS.map((text) => /<(\w+)/.exec(text)![1]!));
  expect(kinds.size).toBeGreaterThanOrEqual(44);
  const { scene } = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': xmlOf('Euler') }) });
  const ours = new Set<SensorKind>(scene.sensors!.map(({ kind }) => kind));
  expect(ours.size).toBe(kinds.size);
});

const DELAYED = [
  '<clock/>',
  '<clock delay=".025" nsample="8"/>',
  '<clock delay=".025" nsample="8" interp="linear"/>',
  '<clock delay=".025" nsample="8" interp="cubic"/>',
  '<clock interval=".03"/>',
  '<clock interval=".03" nsample="4"/>',
  '<clock interval=".03" delay=".02" nsample="4"/>',
  '<clock interval=".03" delay=".02" nsample="4" interp="linear"/>',
  '<clock interval=".03 -.01" nsample="4"/>',
  '<clock interval=".025" delay=".02" nsample="4" interp="linear"/>',
  '<gyro site="s" interval=".04 -.015" delay=".02" nsample="4" interp="linear"/>',
  '<clock delay=".05" nsample="3" interp="linear"/>',
  '<clock nsample="5"/>',
  '<gyro site="s" delay=".033" nsample="6" interp="cubic"/>',
  '<framequat objtype="site" objname="s" delay=".02" nsample="4"/>',
];

test('late readings and intervals are those of MuJoCo', async () => {
  const xml = `<mujoco><option timestep="0.01"/><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
    <site name="s" pos=".3 0 0"/></body></worldbody><sensor>${DELAYED.join('')}</sensor></mujoco>`;
  const { scene } = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': xml }) });
  const ours = new Simulation(compileModel(scene));
  const api = await mujoco();
  const model = api.MjModel.from_xml_string(xml);
  const data = new api.MjData(model);
  for (let n = 0; n < 40; n++) {
    ours.step();
    api.mj_step(model, data);
    const theirs = copy(data.sensordata);
    const gaps = Array.from(ours.sensorData, (value, i) => Math.abs(value - theirs[i]!));
    expect(gaps.map((gap, i) => (gap < 1e-12 ? 0 : [n, i, ours.sensorData[i], theirs[i]]))).toEqual(gaps.map(() => 0));
    // what is kept for later belongs to the state
    if (n === 20) {
      const snapshot = ours.snapshot();
      ours.step(5);
      ours.restore(snapshot);
    }
  }
  data.delete();
  model.delete();
});
