/** Small mechanisms that hold one of everything: forces at random states and half a second of motion are MuJoCo's. */
import { compileModel, type Integrator, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { expectSameModel, forceErrors, setRandomState } from './comparison.ts';
import { asOldMujoco, loadOracle } from './mujoco-oracle.ts';

const MECHANISMS: Record<string, string> = {
  joints: `
    <worldbody>
      <body pos="0 0 1">
        <freejoint/>
        <geom type="box" size=".2 .1 .15" pos=".03 .02 -.01"/>
        <body pos=".1 0 .3" quat="1 .2 0 .1">
          <joint type="ball" pos="0 .01 -.1" damping=".2" stiffness="3" armature=".01"/>
          <geom type="ellipsoid" size=".1 .08 .12" pos=".02 0 .05"/>
        </body>
        <body pos="0 .2 .1" euler="20 30 -40">
          <joint type="hinge" axis="0 1 .2" damping=".3" armature=".02" ref="10" stiffness="2" springref="25"/>
          <joint type="slide" axis="1 0 0" stiffness="40" springref=".05" damping="1"/>
          <joint type="hinge" axis="0 0 1" pos=".1 0 0"/>
          <geom type="capsule" fromto="0 0 0 .1 0 -.3" size=".04"/>
          <body pos="0 0 -.3"><geom type="cylinder" size=".05 .1" zaxis="1 1 0"/></body>
        </body>
      </body>
      <body pos="2 0 1" gravcomp=".6">
        <joint type="slide" axis="0 0 1"/><joint type="ball"/>
        <geom type="sphere" size=".1" pos=".1 0 0"/>
        <body pos="0 .3 0" gravcomp="1"><joint type="hinge" actuatorgravcomp="true" axis="1 0 0"/><geom type="box" size=".1 .2 .05" pos="0 .2 0"/></body>
      </body>
    </worldbody>`,
  fluid: `
    <option density="1.2" viscosity=".05" wind="1 -.5 .2"/>
    <worldbody>
      <body><freejoint/><geom type="box" size=".3 .2 .1" density="20" pos=".05 0 0"/>
        <body pos=".4 0 0"><joint axis="0 1 0"/><geom type="box" size=".3 .1 .01" pos=".3 0 0" density="50"/></body>
      </body>
    </worldbody>`,
  tendons: `
    <worldbody>
      <site name="anchor" pos="0 0 2"/>
      <body name="a" pos="0 0 1.5"><joint name="ja" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="sa" pos=".2 .05 .1"/>
        <geom name="drum" type="cylinder" size=".08 .1" pos=".4 0 0" euler="90 0 0" mass="0"/>
        <body name="b" pos=".4 0 0"><joint name="jb" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="sb" pos=".25 .02 .1"/><site name="sc" pos=".4 0 -.1"/>
          <body name="c" pos=".4 0 0"><joint name="jc" axis="0 1 0"/><geom name="ball" type="sphere" size=".06" pos="0 0 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="sd" pos=".25 .03 -.1"/><site name="side" pos="0 .01 -.2"/></body>
        </body>
      </body>
      <body pos="1 1 1"><joint name="jx" type="slide" axis="1 0 0"/><geom size=".1"/></body>
    </worldbody>
    <tendon>
      <fixed name="f" stiffness="5" damping=".4" springlength="-.1 .1"><joint joint="ja" coef="1"/><joint joint="jc" coef="-.5"/></fixed>
      <spatial name="s" stiffness="20" damping="1"><site site="anchor"/><site site="sa"/><geom geom="drum"/><site site="sb"/><geom geom="ball" sidesite="side"/><site site="sd"/></spatial>
      <spatial name="p" damping=".3"><site site="anchor"/><site site="sb"/><pulley divisor="2"/><site site="sb"/><site site="sc"/><pulley divisor="3"/><site site="sa"/><site site="sd"/></spatial>
    </tendon>
    <actuator>
      <motor tendon="f" gear="2"/><position tendon="s" kp="3" kv=".5"/><general tendon="p" gaintype="affine" gainprm="1 .5 .2" biastype="affine" biasprm=".1 -1 -.3"/>
    </actuator>`,
  actuators: `
    <worldbody>
      <body name="base" pos="0 0 1"><freejoint name="root"/><geom type="box" size=".2 .1 .1"/><site name="s0" pos=".1 .1 0" euler="10 20 30"/><site name="r0" pos=".1 .1 0"/>
        <body pos=".2 0 0"><joint name="h" axis="0 1 .5" damping=".1" actuatorfrcrange="-1.5 1.5"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
          <body pos=".3 0 0"><joint name="b" type="ball"/><geom type="capsule" fromto="0 0 0 .2 .1 0" size=".03"/><site name="s1" pos=".2 .1 0" quat="1 .2 .3 .1"/><site name="r1" pos=".2 .1 0"/>
            <body pos=".2 .1 0"><joint name="x" type="slide" axis="1 0 .3"/><geom size=".05"/></body>
          </body>
        </body>
      </body>
    </worldbody>
    <actuator>
      <motor joint="h" gear="3" ctrlrange="-1 1" ctrllimited="true"/>
      <position joint="x" kp="30" kv="2" forcerange="-5 5"/>
      <position joint="h" kp="3" timeconst=".1"/>
      <velocity joint="x" kv="4"/>
      <intvelocity joint="h" kp="5" actrange="-1 1"/>
      <damper joint="x" kv="1" ctrlrange="0 1"/>
      <general joint="b" gear=".5 1 -.2" gainprm="2" dyntype="filter" dynprm=".05"/>
      <general jointinparent="b" gear=".5 1 -.2" gainprm="2" dyntype="integrator" actlimited="true" actrange="-1 1"/>
      <motor jointinparent="root" gear="1 2 3 .1 .2 .3"/>
      <motor site="s1" gear="1 .5 -.2 .1 .3 .2"/>
      <position site="s1" refsite="s0" gear="1 0 .5 0 0 0" kp="10" kv="1"/>
      <position site="r1" refsite="r0" gear="0 0 0 0 1 .4" kp="2"/>
      <general joint="x" dyntype="filterexact" dynprm=".03" actearly="true" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="0 -2 -1"/>
    </actuator>`,
};

const INTEGRATORS: Record<string, Integrator> = {
  Euler: 'euler',
  implicitfast: 'implicitfast',
  implicit: 'implicit',
  RK4: 'rk4',
};

function asFile(body: string, integrator: string): string {
  return `<mujoco><compiler autolimits="true"/><option integrator="${integrator}" timestep=".002"><flag contact="disable"/></option>${body}</mujoco>`;
}

describe.each(Object.entries(MECHANISMS))('%s', (_name, body) => {
  test.each(Object.entries(INTEGRATORS))('%s', async (theirs, ours) => {
    const text = asFile(body, theirs);
    const oracle = await loadOracle(new Map([['m.xml', new TextEncoder().encode(text)]]), 'm.xml');
    const { scene, unsupported } = loadScene('m.xml', { files: memoryFiles({ 'm.xml': text }) });
    expect(unsupported).toEqual([]);
    const simulation = new Simulation(compileModel(asOldMujoco(scene)));
    expect(simulation.model.options.integrator).toBe(ours);
    expectSameModel(simulation.model, oracle);
    for (let seed = 1; seed <= 20; seed++) {
      setRandomState(simulation, oracle, seed);
      for (const [quantity, error] of Object.entries(forceErrors(simulation, oracle))) {
        expect(error, `${quantity}, state ${seed}`).toBeLessThan(1e-9);
      }
    }
    // 0.1 s of motion from the last state: round-off, grown by the motion itself
    for (let n = 0; n < 50; n++) oracle.mujoco.mj_step(oracle.model, oracle.data);
    simulation.step(50);
    const qpos = Array.from(oracle.data.qpos as ArrayLike<number>);
    const worst = Math.max(...qpos.map((q, k) => Math.abs(q - simulation.state.position[k])));
    expect(worst).toBeLessThan(1e-10);
    oracle.data.delete();
    oracle.model.delete();
  });
});
