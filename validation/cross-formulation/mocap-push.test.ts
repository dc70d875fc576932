/** A mocap wall pushes a block over a floor, with friction 1 on all sides: the block goes along. */
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const H = 1 / 120;
/** m/s. */
const SPEED = 0.5;
const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: H },
  shapes: [{ kind: 'plane', friction: 1 }],
  bodies: [
    { name: 'wall', mocap: true, position: [-0.2, 0, 0.15], shapes: [{ kind: 'box', halfSize: [0.02, 0.2, 0.1] }] },
    {
      name: 'block',
      position: [0, 0, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], density: 1000, friction: 1 }],
    },
  ],
};

// a wall that is put elsewhere has no velocity: contacts undo the way of a step, over their time of release
// (sap: h + τ)
test.each<[FormulationId, number]>([
  ['sap', (H + 0.01) * SPEED],
  ['ccp', H * SPEED],
  ['ipc', 0],
])('%s', (formulation, overlap) => {
  const simulation = new Simulation(compileModel(SCENE, { formulation }));
  let infeasible = 0;
  for (let n = 0; n < 180; n++) {
    const wall = -0.2 + SPEED * H * n;
    simulation.setMocapPose('wall', [wall, 0, 0.15]);
    const { status } = simulation.step();
    expect(['converged', 'infeasible']).toContain(status);
    if (status === 'infeasible') infeasible++;
    if (n < 60) continue;
    const gap = simulation.pose('block').position[0] - 0.1 - (wall + 0.02);
    // in the range of contact of `ipc`, and no deeper than twice what the law leaves
    expect(gap).toBeLessThan(0.02);
    expect(gap).toBeGreaterThan(-2 * overlap - 1e-6);
  }
  // the start of the push, where the block has to rise to its dilation gap
  expect(infeasible).toBeLessThanOrEqual(formulation === 'ccp' ? 10 : 0);
});

/** A ball of 0.1 m before a wall that pushes it along a floor, friction 0.9: it rolls ahead of the wall as fast as that and no faster. */
const ROLLING: Scene = {
  ...SCENE,
  shapes: [{ kind: 'plane', friction: 0.9 }],
  bodies: [
    {
      name: 'wall',
      mocap: true,
      position: [-0.2, 0, 0.15],
      shapes: [{ kind: 'box', halfSize: [0.02, 0.2, 0.1], friction: 0.9 }],
    },
    {
      name: 'ball',
      position: [0, 0, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, friction: 0.9 }],
    },
  ],
};

// the cone program would part them at v/(1 − μ), ten times the speed of the wall
test.each([1 / 60, 1 / 240, 0.002])('ccp: a ball is not thrown (h = %f s)', (h) => {
  const scene: Scene = { ...ROLLING, options: { timestep: h } };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ccp' }));
  for (let n = 0; n * h < 1; n++) {
    simulation.setMocapPose('wall', [-0.2 + SPEED * h * n, 0, 0.15]);
    expect(simulation.step().status).toBe('converged');
    const { linear } = simulation.velocity('ball');
    expect(Math.hypot(...linear)).toBeLessThan(SPEED * (1 + 1e-3));
  }
  expect(simulation.velocity('ball').linear[0]).toBeGreaterThan(SPEED * (1 - 1e-3));
});

// cubes of 0.2 m in three layers, a few millimetres apart: 400 contacts and more, and the cone program would throw them with half as much again
test('ccp: a wall gives a pile its own speed', () => {
  const bodies: Scene['bodies'] = [
    {
      name: 'wall',
      mocap: true,
      position: [-0.5, 0, 0.5],
      shapes: [{ kind: 'box', halfSize: [0.02, 1, 0.5], friction: 0.5 }],
    },
  ];
  for (let i = 0; i < 27; i++) {
    bodies.push({
      position: [-0.4 + 0.21 * Math.floor(i / 9), 0.21 * ((Math.floor(i / 3) % 3) - 1), 0.1 + 0.2 * (i % 3)],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], density: 1000, friction: 0.5 }],
    });
  }
  const h = 1 / 60;
  const scene: Scene = { ...SCENE, options: { timestep: h }, shapes: [{ kind: 'plane', friction: 0.5 }], bodies };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ccp' }));
  for (let n = 0; n < 10; n++) {
    simulation.setMocapPose('wall', [-0.53 + SPEED * h * n, 0, 0.5]);
    expect(simulation.step().status).toBe('converged');
    expect(simulation.energy().kinetic).toBeLessThan(0.5 * 27 * 8 * SPEED ** 2 * (1 + 1e-3));
  }
  expect(simulation.energy().kinetic).toBeGreaterThan(0.5 * 27 * 8 * SPEED ** 2 * (1 - 1e-3));
});
