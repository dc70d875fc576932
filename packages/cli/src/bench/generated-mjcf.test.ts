import { beforeAll, describe, expect, test } from 'vitest';
import { takeCases } from '../../../../scripts/long-run.ts';
import { BENCH_SCENES } from './bench-scene.ts';
import { writeChain, writeFlexBeam, writeFreeBodies, writeFreeMeshes } from './generated-mjcf.ts';
import { createMujocoCompiler, createMujocoStepper, loadMujoco } from './mujoco-contender.ts';
import { createSoftStepper } from './nexdyn-contender.ts';

let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
beforeAll(async () => {
  mujoco = await loadMujoco();
});

describe('benchmark scenes in the peer engine', () => {
  test('sizes are those of the names', () => {
    expect(createMujocoStepper(mujoco, writeChain(25)).dofs).toBe(25);
    expect(createMujocoStepper(mujoco, writeFreeBodies(7)).dofs).toBe(42);
    // 25 vertices across, those at the clamp are not free
    expect(createMujocoStepper(mujoco, writeFlexBeam(4)).dofs).toBe(3 * 4 * 25);
    expect(createSoftStepper(writeFlexBeam(4), 1, 'sap').dofs).toBe(3 * 4 * 25);
    expect(createMujocoCompiler(mujoco, writeChain(10)).readResult()).toHaveLength(10);
  });

  test('free meshes keep all of their vertices and touch nothing', () => {
    const model = mujoco.MjModel.from_xml_string(writeFreeMeshes(41, 400));
    const data = new mujoco.MjData(model);
    expect([model.nmeshvert, model.nv]).toEqual([400, 6 * 41]);
    for (let i = 0; i < 30; i++) mujoco.mj_step(model, data);
    expect(data.ncon).toBe(0);
    data.delete();
    model.delete();
  });

  test('the chain moves, out of its plane too, and rewinds to the bit', () => {
    const stepper = createMujocoStepper(mujoco, writeChain(10));
    stepper.rewind();
    stepper.advance(50);
    const first = stepper.readResult();
    stepper.rewind();
    stepper.advance(50);
    expect(stepper.readResult()).toEqual(first);
    expect(Math.abs(first[0]!)).toBeGreaterThan(1e-3);
    expect(Math.abs(first[1]!)).toBeGreaterThan(1e-3);
  });

  test('scenes without a solver have no constraint and no contact', () => {
    const scenes = BENCH_SCENES.filter(({ solver, task }) => !solver && task !== 'detect');
    for (const scene of takeCases(scenes, 3)) {
      const source = scene.createXml();
      if ('missing' in source) continue;
      const model = mujoco.MjModel.from_xml_string(source.xml);
      const data = new mujoco.MjData(model);
      for (let i = 0; i < 20; i++) mujoco.mj_step(model, data);
      expect([data.nefc, data.ncon], scene.name).toEqual([0, 0]);
      data.delete();
      model.delete();
    }
  });
});
