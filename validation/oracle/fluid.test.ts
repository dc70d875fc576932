/** Fluids of MJCF against MuJoCo: ellipsoids, boxes of inertia, wind, in the forces of a state and in motion. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { memoryFiles, readMjcf, writeMjcf } from '@nexdyn/formats';
import { expect, test } from 'vitest';
import { asOldMujoco, copy, mujoco } from './mujoco-oracle.ts';

/** Largest difference of joint positions, m and rad: both solve the same equations. */
const LARGEST = 1e-9;

const world = (geoms: readonly string[], fluid: string, integrator: string): string => `<mujoco>
  <option timestep="0.002" integrator="${integrator}" ${fluid}/><worldbody>
  ${geoms.map((geom, i) => `<body pos="${2 * i} 0 0" euler="10 ${20 * i} 30"><freejoint/>${geom}</body>`).join('')}
  <body pos="0 3 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" fluidshape="ellipsoid"/>
    <body pos=".5 0 0"><joint type="ball"/><geom type="box" size=".2 .03 .1" pos=".2 0 0" euler="20 0 10" fluidshape="ellipsoid" fluidcoef=".4 .3 1.2 .8 1.5"/>
      <geom size=".05"/></body></body>
  </worldbody></mujoco>`;

const GEOMS = [
  '<geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/>',
  '<geom type="box" size=".1 .25 .05" fluidshape="ellipsoid" fluidcoef=".3 .2 1 .7 .6"/>',
  '<geom type="cylinder" size=".1 .3" fluidshape="ellipsoid"/><geom type="sphere" size=".1" pos=".1 0 .3" fluidshape="ellipsoid"/>',
  '<geom type="box" size=".1 .2 .3"/>',
];

async function follow(text: string, steps = 150): Promise<number> {
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
  ours.forward();
  api.mj_forward(model, data);
  const force = copy(data.qfrc_passive);
  const scale = Math.max(...force.map(Math.abs));
  force.forEach((value, i) => {
    expect(Math.abs(value - ours.derived.passiveForce[i]!)).toBeLessThan(1e-12 * scale);
  });
  let gap = 0;
  for (let n = 0; n < steps; n++) {
    ours.step();
    api.mj_step(model, data);
    copy(data.qpos).forEach((value, i) => {
      gap = Math.max(gap, Math.abs(value - ours.state.position[i]!));
    });
  }
  data.delete();
  model.delete();
  return gap;
}

test.each([
  ['air', 'density="1.2" viscosity="2e-5"'],
  ['water with a current', 'density="1000" viscosity="1e-3" wind="1 -.5 .2"'],
  ['oil without inertia', 'density="0" viscosity="3"'],
])('%s moves bodies as in MuJoCo', async (_, fluid) => {
  for (const integrator of ['Euler', 'implicitfast', 'implicit', 'RK4'])
    expect(await follow(world(GEOMS, fluid, integrator)), integrator).toBeLessThan(LARGEST);
});

test('fluid coefficients are written as they were read', () => {
  const text = world(GEOMS, 'density="1.2" wind="1 2 3"', 'Euler');
  const { scene } = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': text }) });
  const written = writeMjcf(scene);
  const again = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': written.text }) }).scene;
  expect(written.unwritten).toEqual([]);
  // as text: signs of zeros are not kept
  expect(JSON.stringify(again)).toBe(JSON.stringify(scene));
});
