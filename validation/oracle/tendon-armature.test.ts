/** Inertia along tendons: against MuJoCo, and against closed forms under every formulation. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { memoryFiles, readMjcf, writeMjcf } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { asOldMujoco, copy, mujoco } from './mujoco-oracle.ts';

/** Largest difference of joint positions, m and rad: both solve the same equations. */
const LARGEST = 1e-9;

const world = (tendons: string, integrator: string): string => `<mujoco>
  <option timestep="0.002" integrator="${integrator}"/><worldbody><site name="w" pos=".1 .2 .9"/>
  <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="s" pos=".3 .02 .1"/>
    <body pos=".4 0 0"><joint name="b" axis="0 1 .2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="t" pos=".2 -.03 .05"/></body>
    <body pos=".1 0 0"><joint name="c" type="ball"/><geom type="capsule" fromto="0 0 0 0 .3 0" size=".03"/><site name="u" pos=".02 .2 .05"/></body></body>
  <body pos="1 0 0"><freejoint/><geom type="box" size=".1 .05 .2"/><site name="f" pos=".1 0 .1"/></body>
  </worldbody><tendon>${tendons}</tendon></mujoco>`;

test.each([
  [
    'a sum of joints',
    '<fixed armature=".3" stiffness="5"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed>',
  ],
  ['a string', '<spatial armature="2" damping=".1"><site site="w"/><site site="s"/><site site="t"/></spatial>'],
  // between branches MuJoCo leaves inertia out, and light tendons alone move slowly
  [
    'a string over branches and trees',
    '<spatial armature=".05"><site site="u"/><site site="t"/><site site="f"/></spatial>',
  ],
  [
    'a pulley',
    '<spatial armature="1.5"><site site="w"/><site site="s"/><pulley divisor="2"/><site site="s"/><site site="t"/></spatial>',
  ],
])('the inertia of %s is that of MuJoCo', async (_, tendons) => {
  for (const integrator of ['Euler', 'implicitfast', 'RK4']) {
    const text = world(tendons, integrator);
    const { scene, unsupported } = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': text }) });
    expect(unsupported.filter(({ affects }) => affects === 'physics')).toEqual([]);
    const ours = new Simulation(compileModel(asOldMujoco(scene)));
    expect(ours.formulation.unresolved).toEqual([]);
    const api = await mujoco();
    const model = api.MjModel.from_xml_string(text);
    const data = new api.MjData(model);
    for (let i = 0; i < model.nv; i++) {
      const start = 2 * Math.sin(1 + 3 * i);
      ours.state.velocity[i] = start;
      data.qvel[i] = start;
    }
    for (let n = 0; n < 150; n++) {
      ours.step();
      api.mj_step(model, data);
      // a state that was read is no other state
      if (n === 50) ours.forward();
    }
    copy(data.qpos).forEach((value, i) => {
      expect(Math.abs(value - ours.state.position[i]!), integrator).toBeLessThan(LARGEST);
    });
    data.delete();
    model.delete();
    const again = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': writeMjcf(scene).text }) }).scene;
    expect(JSON.stringify(again.tendons)).toBe(JSON.stringify(scene.tendons));
  }
});

const slides = (armature: number): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { gravity: [0, 0, 0], timestep: 0.001 },
  bodies: [
    {
      name: 'one',
      joints: [{ name: 'x', kind: 'slide', axis: [1, 0, 0] }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 2 }],
    },
    {
      name: 'two',
      position: [0, 1, 0],
      joints: [{ name: 'y', kind: 'slide', axis: [1, 0, 0] }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 3 }],
    },
  ],
  tendons: [
    {
      name: 't',
      kind: 'fixed',
      armature,
      terms: [
        { joint: 'x', coefficient: 1 },
        { joint: 'y', coefficient: -2 },
      ],
    },
  ],
});

/** (M + m Jᵀ J) a = f of two slides, J = (1, −2). */
function solve(m: number, f: number): [number, number] {
  const [a, b, c] = [2 + m, -2 * m, 3 + 4 * m];
  const determinant = a * c - b * b;
  return [(c * f) / determinant, (-b * f) / determinant];
}

describe.each(['sap', 'ccp', 'ipc', 'penalty', 'mujoco'] as const)('%s', (formulation) => {
  test('a tendon between two trees has inertia', () => {
    const coordinates = formulation === 'ipc' ? (['body'] as const) : (['joint', 'body'] as const);
    for (const each of coordinates) {
      const simulation = new Simulation(compileModel(slides(0.7), { formulation, coordinates: each }));
      expect(simulation.formulation.unresolved).toEqual([]);
      const [a, b] = formulation === 'mujoco' && each === 'joint' ? [5 / 2.7, 0] : solve(0.7, 5);
      for (let n = 0; n < 50; n++) {
        simulation.state.bodyWrench[6] = 5;
        expect(simulation.step().status).toBe('converged');
      }
      const x = simulation.jointPosition('x');
      const y = simulation.jointPosition('y');
      // steps of 1 ms overshoot ½ a t² by a h t / 2
      const t = 0.05;
      const way = 0.5 * t * t + 0.0005 * t;
      expect(Math.abs(x - a * way), `${formulation} ${each}`).toBeLessThan(2e-2 * a * way);
      expect(Math.abs(y - b * way), `${formulation} ${each}`).toBeLessThan(2e-2 * a * way);
    }
  });
});
