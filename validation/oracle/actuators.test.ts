/** Actuators of MJCF against MuJoCo: laws, activations and transmissions, by the motion that they cause. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { type LoadedScene, memoryFiles, readMjcf, writeMjcf } from '@nexdyn/formats';
import { expect, test } from 'vitest';
import { asOldMujoco, copy, mujoco } from './mujoco-oracle.ts';

/** Largest difference of joint positions after so many steps, m and rad: both solve the same equations. */
const LARGEST = 1e-9;

const load = (text: string): LoadedScene => readMjcf('m.xml', { files: memoryFiles({ 'm.xml': text }) });

const world = (actuators: string, integrator = 'Euler', defaults = ''): string => `<mujoco>
  <option timestep="0.002" integrator="${integrator}" tolerance="1e-15"/>${defaults}
  <worldbody>
    <site name="anchor" pos="0 .3 0"/><site name="rail" pos=".9 0 -.1" euler="0 90 0"/>
    <body name="upper"><joint name="shoulder" axis="0 1 0" range="-90 90" damping=".3" armature=".01"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="mid" pos=".2 0 .04" euler="20 30 40"/>
      <site name="crank" pos=".15 0 .1"/><site name="arm"/>
      <body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 1 0" range="-120 5" damping=".2"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/><site name="hand" pos=".2 0 0" euler="-10 50 15"/>
        <body name="palm" pos=".3 0 0"><joint name="ball" type="ball" damping=".05"/><geom size=".05"/>
          <site name="grip" euler="5 25 60"/><site name="plain"/></body>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="biceps"><site site="mid"/><site site="hand"/></spatial></tendon>
  <actuator>${actuators}</actuator></mujoco>`;

/** Follows both for some steps; the largest difference of positions and of activations. */
async function follow(text: string, steps = 400): Promise<number> {
  const { scene, unsupported } = load(text);
  expect(unsupported.filter(({ affects }) => affects === 'physics')).toEqual([]);
  const ours = new Simulation(compileModel(asOldMujoco(scene)));
  const api = await mujoco();
  const model = api.MjModel.from_xml_string(text);
  const data = new api.MjData(model);
  let gap = 0;
  let moved = 0;
  for (let n = 0; n < steps; n++) {
    for (let a = 0; a < model.nu; a++) {
      const control = 0.5 + 0.7 * Math.sin(0.015 * n + a);
      ours.state.control[a] = control;
      data.ctrl[a] = control;
    }
    ours.step();
    api.mj_step(model, data);
    const theirs = [...copy(data.qpos), ...copy(data.act)];
    [...ours.state.position, ...ours.state.activation].forEach((value, i) => {
      gap = Math.max(gap, Math.abs(value - theirs[i]!));
      moved = Math.max(moved, Math.abs(theirs[i]!));
    });
  }
  expect(moved).toBeGreaterThan(0.05);
  data.delete();
  model.delete();
  return gap;
}

const MUSCLE = 'lengthrange=".1 .45" force="60" range=".7 1.2"';

test.each([
  ['a muscle', `<muscle tendon="biceps" ${MUSCLE}/>`],
  ['a muscle by scale', '<muscle joint="elbow" lengthrange="-2 .1" scale="90" gear="-1"/>'],
  ['a muscle with smooth time constants', `<muscle tendon="biceps" ${MUSCLE} timeconst=".03 .08" tausmooth=".3"/>`],
  [
    'a muscle with other curves',
    `<muscle tendon="biceps" ${MUSCLE} lmin=".6" lmax="1.4" vmax="3" fpmax="1.6" fvmax="1.5"/>`,
  ],
  [
    'a general actuator with laws of a muscle',
    '<general tendon="biceps" lengthrange=".1 .4" dyntype="muscle" gaintype="muscle" biastype="muscle" dynprm=".02 .05" gainprm=".8 1.1 50 200 .5 1.6 1.5 1.3 1.2" biasprm=".8 1.1 50 200 .5 1.6 1.5 1.3 1.2"/>',
  ],
  [
    'the activation of a muscle before a motor',
    '<general joint="elbow" dyntype="muscle" dynprm=".02 .05" gainprm="2"/>',
  ],
  ['a crank', '<motor cranksite="crank" slidersite="rail" cranklength=".9" gear="3"/>'],
  ['a servo on a crank', '<position cranksite="crank" slidersite="rail" cranklength=".9" kp="30" kv="2"/>'],
  ['a crank that does not reach', '<motor cranksite="crank" slidersite="rail" cranklength=".05" gear="3"/>'],
  ['a site seen from another', '<position site="grip" refsite="mid" gear="1 .5 0 0 0 0" kp="10"/>'],
  ['a turning site seen from another', '<position site="plain" refsite="arm" gear="0 0 0 .5 1 .3" kp="2"/>'],
  ['a turning and moving site', '<position site="plain" refsite="anchor" gear="1 0 .5 .3 1 0" kp="2" kv=".2"/>'],
  ['an integrator with bounds', '<intvelocity joint="elbow" kp="4" kv=".3" actrange="-.3 .2"/>'],
  ['a cylinder', '<cylinder joint="elbow" timeconst=".1" area="2" bias=".1 -.2 -.1"/>'],
  ['a damper', '<damper joint="elbow" kv="2" ctrlrange="0 1"/>'],
  ['inertia and damping of a motor', '<motor joint="elbow" gear="3" armature=".02" damping=".05"/>'],
  ['inertia and damping along a tendon', '<motor tendon="biceps" gear="3" damping=".5"/>'],
  ['a control that acts late', '<motor joint="elbow" delay=".021" nsample="12"/>'],
  ['a control on a line', '<motor joint="elbow" delay=".0213" nsample="12" interp="linear"/>'],
  ['a control on a cubic', '<position joint="elbow" kp="4" delay=".0213" nsample="13" interp="cubic"/>'],
  ['controls that are kept too shortly', '<motor joint="elbow" delay=".05" nsample="4"/>'],
  ['a late control of a filter', '<general joint="elbow" dyntype="filter" dynprm=".05" delay=".01" nsample="6"/>'],
  ['a direct-current motor', '<dcmotor joint="elbow" motorconst=".8" resistance="2" gear="2"/>'],
  ['a motor by its nominal values', '<dcmotor joint="elbow" nominal="12 3 20" saturation="0 1.5 0"/>'],
  ['a motor with inductance', '<dcmotor joint="elbow" motorconst=".8 .9" resistance="2" inductance=".04"/>'],
  [
    'a motor whose current changes slowly',
    '<dcmotor joint="elbow" motorconst=".8" resistance=".5" inductance="0 .02" saturation=".6 0 4"/>',
  ],
  ['a motor that cogs', '<dcmotor joint="elbow" motorconst=".8" resistance="2" cogging=".3 6 .4"/>'],
  [
    'a motor that warms up',
    '<dcmotor joint="elbow" motorconst=".8" resistance=".5" thermal="2 .1 0 .01 20 25" saturation="1 0 0"/>',
  ],
  [
    'a motor with bristles',
    '<dcmotor joint="elbow" motorconst=".8" resistance="1" lugre="30 .5 .1 .2 .1" damping=".1"/>',
  ],
  [
    'a motor with everything',
    '<dcmotor joint="elbow" motorconst=".8" resistance="1" lugre="30 .5 .1 .2 .1" inductance=".01" thermal="2 .1 0 .01 20 25" cogging=".1 5" delay=".01" nsample="6" gear="1.5"/>',
  ],
  ['an early activation', '<general joint="elbow" dyntype="filter" dynprm=".05" gainprm="2" actearly="true"/>'],
])('%s moves a mechanism as in MuJoCo', async (_, actuators) => {
  // a current that changes as fast as it may damps no step since 4.0: recorded-laws.test.ts
  const isHeld = actuators.includes('saturation=".6 0 4"');
  for (const integrator of ['Euler', ...(isHeld ? [] : ['implicitfast']), 'RK4'])
    expect(await follow(world(actuators, integrator), 250), integrator).toBeLessThan(LARGEST);
});

test('a class with a muscle makes muscles of general actuators', async () => {
  const defaults =
    '<default><default class="m"><muscle ctrlrange="0 1" force="50" timeconst=".02 .06"/></default></default>';
  const text = world('<general class="m" tendon="biceps" lengthrange=".1 .4"/>', 'Euler', defaults);
  expect(load(text).scene.actuators![0]!.kind).toBe('muscle');
  expect(await follow(text)).toBeLessThan(LARGEST);
});

test('a class with a law that is not known is listed, not forgotten', () => {
  const defaults = '<default><default class="d"><general dyntype="user"/></default></default>';
  const { scene, unsupported } = load(world('<general class="d" joint="elbow"/>', 'Euler', defaults));
  expect(scene.actuators).toBeUndefined();
  expect(unsupported.map(({ message }) => message)).toEqual([
    "dyntype 'user' is not supported; the actuator is left out",
  ]);
});

test('the lengths of a muscle that gives none are those that MuJoCo finds by pulling at it', async () => {
  for (const driven of ['joint="elbow"', 'tendon="biceps"']) {
    const text = world(`<muscle name="m" ${driven}/>`);
    const { scene, unsupported } = load(text);
    expect(unsupported).toEqual([]);
    const { muscle } = compileModel(scene).actuator;
    const model = (await mujoco()).MjModel.from_xml_string(text);
    const theirs = copy(model.actuator_lengthrange);
    model.delete();
    // both solvers stop within 1e-8 of the force that a limit carries
    for (const end of [0, 1]) expect(Math.abs(muscle[8 + end]! - theirs[end]!)).toBeLessThan(1e-6);
  }
});

/** MuJoCo before 4.0 takes the turns of site and body in the wrong order; 4.0.0 gives these numbers. */
test('the length of a turning site is its rotation seen from the reference, as in MuJoCo 4.0', () => {
  const quaternion = (q: number[]): string => q.join(' ');
  const text = `<mujoco><worldbody>
    <body quat="${quaternion([0.12573022, -0.13210486, 0.64042265, 0.10490012])}"><freejoint/><geom size=".1"/><site name="s" euler="20 30 40"/></body>
    <body quat="${quaternion([-0.53566937, 0.36159505, 1.30400005, 0.94708096])}" pos="1 0 0"><freejoint/><geom size=".1"/><site name="r" euler="-10 50 15"/></body>
    </worldbody><actuator><general site="s" refsite="r" gear="0 0 0 1 0 0"/><general site="s" refsite="r" gear="0 0 0 0 1 0"/>
    <general site="s" refsite="r" gear="0 0 0 0 0 1"/></actuator></mujoco>`;
  const simulation = new Simulation(compileModel(load(text).scene));
  simulation.forward();
  const theirs = [1.14239513, -1.77336445, 0.31370721];
  theirs.forEach((value, a) => {
    expect(simulation.derived.actuatorLength[a]).toBeCloseTo(value, 7);
  });
});

test('muscles, cranks, motors and delays are written as they were read', () => {
  const text = world(
    `<muscle tendon="biceps" ${MUSCLE} tausmooth=".2"/><motor cranksite="crank" slidersite="rail" cranklength=".9" gear="3"/>
    <adhesion body="palm" gain="3" ctrlrange="0 2"/><motor joint="elbow" delay=".02" nsample="12" interp="cubic"/>
    <dcmotor joint="elbow" motorconst=".8" resistance="1" lugre="30 .5 .1 .2 .1" inductance=".01" thermal="2 .1 0 .01 20 25" cogging=".1 5 .2" saturation=".6 0 9"/>`,
  );
  const { scene } = load(text);
  const again = load(writeMjcf(scene).text).scene;
  expect(again.actuators).toEqual(scene.actuators);
});

const sticky = (
  law: string,
  cone: string,
): string => `<mujoco><option timestep="0.002" cone="${cone}" tolerance="1e-15" iterations="200"/>
  <worldbody><geom type="plane" size="5 5 .1" gap=".01" euler="0 40 0"/>
    <body name="box" pos="0 0 .1"><freejoint/><geom type="sphere" size=".05" pos=".1 .1 .05"/><geom type="sphere" size=".05" pos="-.1 .1 -.12"/>
      <geom type="sphere" size=".05" pos="0 -.1 -.05"/>
      <body name="lid" pos="0 0 .2"><joint axis="0 1 0" damping=".1"/><geom type="sphere" size=".04" pos=".1 0 -.04" gap=".02"/></body></body>
    <body pos=".4 .1 .1"><freejoint/><geom size=".06"/></body>
  </worldbody><actuator>${law}</actuator></mujoco>`;

test.each([
  ['adhesion', '<adhesion body="box" gain="30" ctrlrange="0 10"/>'],
  [
    'two that stick',
    '<adhesion body="box" gain="30" ctrlrange="0 10"/><adhesion body="lid" gain="5" ctrlrange="0 1"/>',
  ],
  ['adhesion with a limited force', '<adhesion body="box" gain="90" ctrlrange="0 10" forcerange="0 25"/>'],
  ['a law with speed', '<general body="box" gaintype="affine" gainprm="30 0 -1" biastype="affine" biasprm=".5 0 -2"/>'],
])('%s holds a body on a slope as in MuJoCo', async (_, law) => {
  for (const cone of ['pyramidal', 'elliptic']) expect(await follow(sticky(law, cone), 300)).toBeLessThan(LARGEST);
});
