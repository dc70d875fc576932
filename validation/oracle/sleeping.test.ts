/** Sleep of MJCF against MuJoCo: what falls asleep, what wakes and when. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { memoryFiles, readMjcf, writeMjcf } from '@nexdyn/formats';
import { expect, test } from 'vitest';
import { copy, mujoco } from './mujoco-oracle.ts';

const text = `<mujoco><option timestep="0.004" sleep_tolerance="1e-3"><flag sleep="enable"/></option><worldbody>
  <geom type="plane" size="9 9 .1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="4 0 .1" sleep="never"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="6 0 1"><joint name="hinge" axis="0 1 0" damping="2"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/></body>
  <body pos="6 1 1"><joint name="driven" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/></body>
  <body pos=".05 0 1.2"><freejoint/><geom size=".1"/></body>
  </worldbody><actuator><motor joint="driven"/></actuator></mujoco>`;

test('the same islands sleep, for about the same time, and wake by the same push', async () => {
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
  expect(changes[0]!.map((list) => list.length)).toEqual(changes[1]!.map((list) => list.length));
  // the reach of a body about its axis is measured otherwise: a few steps
  changes[0]!.forEach((list, t) => {
    list.forEach((n, k) => {
      expect(Math.abs(n - changes[1]![t]![k]!), `tree ${t}: ${list} and ${changes[1]![t]}`).toBeLessThanOrEqual(8);
    });
  });
  expect(changes[0]![2]!.length).toBeGreaterThanOrEqual(3);
});
