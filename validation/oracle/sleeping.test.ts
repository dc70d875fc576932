/** Sleep of MJCF against MuJoCo: what falls asleep, what wakes and when. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { memoryFiles, readMjcf, writeMjcf } from '@nexdyn/formats';
import { expect, test } from 'vitest';
import { copy, mujoco } from './mujoco-oracle.ts';

const text = `<mujoco><option timestep="0.004" sleep_tolerance="1e-3"><flag sleep="enable"/></option><worldbody>
  <geom type="plane" size="9 9 .1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos=".02 .01 .2995"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="4 0 .1" sleep="never"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="6 0 1"><joint name="hinge" axis="0 1 0" damping="2"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/></body>
  <body pos="6 1 1"><joint name="driven" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/></body>
  <body pos=".05 0 1.2"><freejoint/><geom size=".1"/></body>
  </worldbody><actuator><motor joint="driven"/></actuator></mujoco>`;

test('the same islands sleep for the same time, and wake by the same push', async () => {
  const { scene, unsupported } = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': text }) });
  expect(unsupported.filter(({ affects }) => affects === 'physics')).toEqual([]);
  const again = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': writeMjcf(scene).text }) }).scene;
  expect(JSON.stringify(again)).toBe(JSON.stringify(scene));
  const ours = new Simulation(compileModel(scene));
  const api = await mujoco();
  const model = api.MjModel.from_xml_string(text);
  const data = new api.MjData(model);
  /** Steps at which each tree fell asleep or woke. */
  const changes = [0, 1].map(() => Array.from({ length: 7 }, () => [] as number[]));
  const before = [0, 1].map(() => new Array<boolean>(7).fill(false));
  for (let n = 0; n < 500; n++) {
    // a push of one step on the box that stands alone
    ours.state.bodyWrench[6 * 3] = n === 400 ? 3 : 0;
    data.xfrc_applied[6 * 3] = n === 400 ? 3 : 0;
    ours.step();
    api.mj_step(model, data);
    const asleep = copy(data.tree_asleep as never);
    for (let t = 0; t < 7; t++) {
      [ours.isAsleep(t + 1), asleep[t]! >= 0].forEach((is, side) => {
        if (is !== before[side]![t]) changes[side]![t]!.push(n);
        before[side]![t] = is;
      });
    }
  }
  data.delete();
  model.delete();
  expect(changes[0]).toEqual(changes[1]);
  expect(changes[0]![2]!.length).toBeGreaterThanOrEqual(3);
});

const awakened = `<mujoco><option timestep="0.002" sleep_tolerance="1e-3"><flag sleep="enable"/></option><worldbody>
  <geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="3 0 .1"><joint axis="0 0 1" damping="1"/><geom type="box" size=".1 .1 .1" pos="0 0 .05"/></body>
  <body pos="-.6 0 2.8"><freejoint/><geom size=".1" friction=".1"/></body></worldbody></mujoco>`;

test('touch, forces and velocities that are written wake the same bodies in the same step', async () => {
  const { scene } = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': awakened }) });
  const ours = new Simulation(compileModel(scene));
  const api = await mujoco();
  const model = api.MjModel.from_xml_string(awakened);
  const data = new api.MjData(model);
  const seen = new Set<string>();
  const both = (name: 'velocity' | 'force', at: number, value: number): void => {
    if (name === 'velocity') ours.state.velocity[at] = data.qvel[at] = value;
    else ours.state.bodyWrench[at] = data.xfrc_applied[at] = value;
  };
  both('velocity', 19, 0.85);
  for (let n = 0; n < 1200; n++) {
    if (n === 400) both('force', 12, 8);
    if (n === 420) both('force', 12, 0);
    if (n === 500) both('velocity', 14, 0.2);
    ours.step();
    api.mj_step(model, data);
    const own = [1, 2, 3, 4, 5].map((b) => ours.isAsleep(b));
    const theirs = [...copy(data.tree_asleep as never)].map((next) => next >= 0);
    expect([n, ...own]).toEqual([n, ...theirs]);
    seen.add(own.join());
  }
  const error = Math.max(...[...copy(data.qpos as never)].map((q, i) => Math.abs(q - ours.state.position[i]!)));
  data.delete();
  model.delete();
  // it sleeps and wakes in many ways, and the motion is MuJoCo's
  expect(seen.size).toBeGreaterThan(5);
  expect(error).toBeLessThan(1e-6);
});
