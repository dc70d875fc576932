/** Servos with an integral, a limited setpoint or several controls, against MuJoCo 4.0.0. */
import { compileModel, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import { readMjcf } from './mjcf.ts';
import { writeMjcf } from './write/write-mjcf.ts';

const write = (actuator: string, integrator: string, extra = ''): string => `<mujoco>
  <option timestep="0.01" gravity="0 0 0" integrator="${integrator}"/>
  <default><default class="c"><pid kv=".3" ki="4" input="pos"/></default></default>
  <worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".1 0 0" mass="1"/></body></worldbody>
  <actuator>${actuator}</actuator>${extra}</mujoco>`;

const load = (text: string): ReturnType<typeof readMjcf> =>
  readMjcf('m.xml', { files: memoryFiles({ 'm.xml': text }) });

/** Position, velocity and activations after 25 steps, by the integrators Euler and implicitfast. */
const TABLE: [actuator: string, control: number[], euler: number[], implicit: number[]][] = [
  [
    '<pid joint="j" kp="10" kv=".2"/>',
    [1, 0.5],
    [0.8813164294287846, 1.5711675829962972],
    [0.8391025337014263, -0.054523018966007974],
  ],
  [
    '<pid joint="j" kp="10" kv=".2" ki="5" input="pos"/>',
    [1],
    [0.8702579712306866, 1.5547221950333157, 0.01456035786545522],
    [0.8265154948321968, -0.17959590134436398, 0.011437234596768398],
  ],
  [
    '<pid joint="j" kp="1" kv=".2" ki="5" imax=".02" input="pos"/>',
    [1],
    [0.8331681816521247, 2.384385735116821, 0.026676000000000005],
    [0.820338037132086, 2.532875100659036, 0.026704265625],
  ],
  [
    '<pid joint="j" kp="1" kv=".1" slewmax="3" input="pos" posrange="-.2 .2"/>',
    [1],
    [0.19024336965001962, 0.38188263927125277, 0.2],
    [0.1894613690866276, 0.38489266667327043, 0.2],
  ],
  [
    '<pid joint="j" kp="0" kv=".3" ki="5" input="pos" gear="2"/>',
    [0.4],
    [0.14636750507529037, 0.34337936455208623, 0.04254995934583703],
    [0.14538171785143164, 0.32840042096685246, 0.0420708032895047],
  ],
  [
    '<pid joint="j" kp="1" kv=".2" slewmax="3" ki="5" input="pos vel ff" ffrange="-1 1" velrange="-.2 .2" posrange="-.5 .5"/>',
    [1, 0.5, 3],
    [0.9915077135677689, 3.332433098697491, 0.5, -0.035184919184537596],
    [0.9761880569532579, 3.5533929885215705, 0.5, -0.030985167895685856],
  ],
  [
    '<pid joint="j" kp="1" kv=".2" input="vel ff"/>',
    [0.5, 0.1],
    [0.1791048896144899, 0.18742855094856287],
    [0.17971654760885108, 0.19809267530773456],
  ],
  [
    '<pid joint="j" kp="1" kv=".2" ki="3" input="pos" forcerange="-.3 .3"/>',
    [1],
    [0.7996029500120704, 3.9519695336634513, 0.16196348351315876],
    [0.7963708110330814, 3.948665591388729, 0.16213291456087311],
  ],
  [
    '<pid class="c" joint="j" kp="2"/>',
    [1],
    [1.0122526587126763, 2.1794087140445564, 0.11024108761868841],
    [1.0155660517122787, 2.4626940299397306, 0.11449294953305592],
  ],
  [
    '<general joint="j" gaintype="pid" dyntype="pid" biastype="affine" gainprm="3" biasprm="0 -2 -.1" dynprm=".01 4" input="pos"/>',
    [1],
    [0.7341559637920584, 5.299689508465301, 1.0, 0.01057072501663159],
    [0.7176277312761077, 5.264718915565658, 1.0, 0.010581483476259186],
  ],
  [
    '<dcmotor joint="j" input="pos" controller="1 5 .2 3 .5 0" motorconst=".1" resistance="2"/>',
    [1],
    [0.34899320979028203, 2.558931177389629, 0.7500000000000004, 0.05676973176885632],
    [0.33683889080577156, 2.4624334301489887, 0.7500000000000004, 0.05742550790411141],
  ],
  [
    '<dcmotor joint="j" input="pos" controller="1 5 .2 0 .02 0" motorconst=".1" resistance="2" saturation=".4 0"/>',
    [1],
    [0.7537905087387354, 2.5623532646721916, 0.02],
    [0.7517338145066155, 2.6323225406626687, 0.02],
  ],
];

describe.each(TABLE)('%s', (actuator, control, euler, implicit) => {
  test.each([
    ['Euler', euler],
    ['implicitfast', implicit],
  ])('moves as in MuJoCo with %s', (integrator, expected) => {
    const { scene, unsupported } = load(write(actuator, integrator));
    expect(unsupported).toEqual([]);
    const simulation = new Simulation(compileModel(scene));
    const { state } = simulation;
    state.position[0] = 0.1;
    state.velocity[0] = 0.3;
    state.control.set(control);
    expect(state.control.length).toBe(control.length);
    simulation.step(25);
    const reached = [...state.position, ...state.velocity, ...state.activation];
    expect(reached.length).toBe(expected.length);
    // round-off of 25 steps
    expect(Math.max(...reached.map((value, i) => Math.abs(value - expected[i]!)))).toBeLessThan(1e-11);
  });
});

test.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)(
  'the integral takes a servo to its setpoint against gravity under %s',
  (formulation) => {
    const text = write('<pid joint="j" kp="5" kv=".6" ki="10" input="pos"/>', 'Euler').replace(
      'gravity="0 0 0" integrator="Euler"',
      '',
    );
    const simulation = new Simulation(compileModel(load(text).scene, { formulation }));
    simulation.state.control[0] = 0.5;
    simulation.step(1000);
    // I s³ + kv s² + kp s + ki = 0 with I = 0.014: the slowest mode decays with e^(-2.9 t)
    expect(Math.abs(simulation.jointPosition('j') - 0.5)).toBeLessThan(1e-4);
  },
);

test('several controls: names, sensors, and what is refused', () => {
  const sensor = '<sensor><actuatorfrc actuator="p"/><actuatorpos actuator="p"/></sensor>';
  const { scene, unsupported } = load(write('<pid name="p" joint="j" forcerange="-1 1"/>', 'Euler', sensor));
  expect(unsupported).toEqual([]);
  expect(scene.actuators!.map(({ name, kind }) => [name, kind])).toEqual([
    ['p', 'pid'],
    ['p/vel', 'input'],
  ]);
  expect(scene.sensors!.map(({ kind }) => kind)).toEqual(['actuatorForce', 'actuatorPosition']);
  for (const wrong of ['input="vel pos"', 'input="pos pos"', 'input="speed"', 'input="vel" ki="1"'])
    expect(() => load(write(`<pid joint="j" ${wrong}/>`, 'Euler'))).toThrow();
  // a control that adds to nothing
  const alone = { ...scene, actuators: [scene.actuators![1]!], sensors: [] };
  expect(() => compileModel(alone)).toThrow(/no actuator before it/);
});

test('keyframes hold the setpoint and the integral, and a scene with both is written and read again', () => {
  const key = '<keyframe><key qpos=".1" act=".2 .3" ctrl=".4"/></keyframe>';
  const { scene } = load(write('<pid joint="j" ki="3" slewmax="2" input="pos" imax=".7"/>', 'Euler', key));
  expect(scene.keyframes).toMatchObject([{ activation: [0.2, 0.3], control: [0.4] }]);
  const { text, unwritten } = writeMjcf(scene);
  expect(unwritten).toEqual([]);
  expect(load(text).scene.actuators).toEqual(scene.actuators);
});
