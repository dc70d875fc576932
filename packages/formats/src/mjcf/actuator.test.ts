/** Random default classes and actuators of all kinds give the gains, biases and dynamics that MuJoCo gives them. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import type { Actuator, DcMotorActuator } from '@nexdyn/engine';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../scripts/long-run.ts';
import { memoryFiles } from '../file-source.ts';
import { readMjcf } from './mjcf.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await loadMujoco();
});

const number = fc.constantFrom('.5', '1', '2', '3.25');
const numbers = fc.constantFrom('2', '.5 3.25', '3 2 -1');
const attributes = (choices: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> =>
  fc
    .record(
      Object.fromEntries(Object.entries(choices).map(([key, value]) => [key, fc.option(value, { nil: undefined })])),
    )
    .map((given) =>
      Object.entries(given)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ` ${key}="${value}"`)
        .join(''),
    );
const common = { gear: number, forcerange: fc.constant('-2 3') };
const element = fc.oneof(
  attributes(common).map((text) => `motor${text}`),
  attributes({ ...common, kp: number, kv: number }).map((text) => `position${text}`),
  attributes({ ...common, kp: number, timeconst: number }).map((text) => `position${text}`),
  attributes({ ...common, kv: number }).map((text) => `velocity${text}`),
  attributes({ ...common, kp: number, kv: number }).map((text) => `intvelocity${text}`),
  attributes({ ...common, kv: number }).map((text) => `damper ctrlrange="0 1"${text}`),
  attributes({ ...common, area: number, timeconst: number, bias: fc.constant('1 2 -3') }).map(
    (text) => `cylinder${text}`,
  ),
  attributes({ ...common, diameter: number }).map((text) => `cylinder${text}`),
  attributes({
    ...common,
    gaintype: fc.constantFrom('fixed', 'affine'),
    biastype: fc.constantFrom('none', 'affine'),
    dyntype: fc.constantFrom('none', 'integrator', 'filter', 'filterexact'),
    gainprm: numbers,
    biasprm: fc.constantFrom('1', '0 -2', '0 -3.25 -1', '3 2 -1'),
    dynprm: number,
  }).map((text) => `general${text}`),
);

const kindOf = (text: string): string => text.split(' ')[0]!;

/**
 * Elements of one kind, then `general` ones: what follows an element of another kind differs between MuJoCo 3.14 and 4.0. A class holds at
 * most one element of each kind.
 */
const chain = fc.array(element, { minLength: 1, maxLength: 6 }).map((list) => {
  const kind = list.map(kindOf).find((name) => name !== 'general') ?? 'general';
  const own = list.filter((text) => kindOf(text) === kind);
  const general = list.filter((text) => kindOf(text) === 'general' && kind !== 'general');
  const last = general.at(-1) ?? own.at(-1)!;
  return { outer: own.slice(0, 1), inner: general.length > 0 ? general.slice(0, 1) : own.slice(1, 2), last };
});

/** Control range, gain, bias, dynamics and time constant of an actuator of the scene. */
function describeLaw(actuator: Actuator): unknown {
  const general = actuator.kind === 'general' ? actuator : undefined;
  const stiffness = actuator.kind === 'position' ? actuator.stiffness! : 0;
  const kinds = { none: 0, integrator: 1, filter: 2, filterExact: 3, muscle: 4 };
  const filter = actuator.kind === 'position' && actuator.timeConstant ? 'filterExact' : 'none';
  const dynamics = kinds[general?.activation?.kind ?? filter];
  const time = general?.activation?.timeConstant ?? (actuator.kind === 'position' ? actuator.timeConstant : undefined);
  const laws = {
    motor: () => [1, 0, 0, 0, 0, 0],
    velocity: () => [actuator.kind === 'velocity' && actuator.gain, 0, 0, 0, 0, -(actuator as { gain: number }).gain],
    position: () => [stiffness, 0, 0, 0, -stiffness, -((actuator as { damping?: number }).damping ?? 0)],
    general: () => [...general!.gain!, ...general!.bias!],
    muscle: () => [],
    adhesion: () => [],
    dcMotor: () => [],
    pid: () => [],
    input: () => [],
  };
  return {
    law: laws[actuator.kind]().map((value) => Number(value) + 0),
    dynamics,
    time: dynamics > 1 ? time : 0,
    gear: actuator.transmission.gear?.[0] ?? 1,
    force: actuator.forceRange ?? [0, 0],
    control: actuator.controlRange ?? [0, 0],
  };
}

describe('actuator defaults', () => {
  test('agree with MuJoCo in classes of one kind', () => {
    fc.assert(
      fc.property(chain, ({ outer, inner, last }) => {
        const used: [string, boolean][] = [[last, true]];
        if (inner.every((text) => kindOf(text) === kindOf(outer[0]!))) used.push([last, false]);
        const close = (text: string, more = ''): string => `<${text}${more}/>`;
        const xml = `<mujoco><default>${outer.map((text) => close(text)).join('')}<default class="c">${inner
          .map((text) => close(text))
          .join('')}</default></default><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
          <actuator>${used.map(([text, classed]) => close(text, ` joint="j"${classed ? ' class="c"' : ''}`)).join('')}</actuator></mujoco>`;
        const { scene } = readMjcf('m.xml', { files: memoryFiles({ 'm.xml': xml }) });
        const theirs = mujoco.MjModel.from_xml_string(xml);
        const row = (view: ArrayLike<number>, width: number, i: number, count: number): number[] =>
          Array.from({ length: count }, (_, k) => view[width * i + k]! + 0);
        const expected = used.map((_, i) => {
          const gain = row(theirs.actuator_gainprm, 10, i, 3);
          const bias = row(theirs.actuator_biasprm, 10, i, 3);
          const dynamics = theirs.actuator_dyntype[i]!;
          return {
            law: [
              ...(theirs.actuator_gaintype[i] === 1 ? gain : [gain[0], 0, 0]),
              ...(theirs.actuator_biastype[i] === 1 ? bias : [0, 0, 0]),
            ],
            dynamics,
            time: dynamics > 1 ? theirs.actuator_dynprm[10 * i] : 0,
            gear: theirs.actuator_gear[6 * i],
            force: row(theirs.actuator_forcerange, 2, i, 2),
            control: row(theirs.actuator_ctrlrange, 2, i, 2),
          };
        });
        theirs.delete();
        expect(scene.actuators!.map(describeLaw)).toEqual(expected);
      }),
      { numRuns: takeSamples(400, 0.2), seed: 7 },
    );
  });

  // gain type and numbers, bias type and numbers, dynamics and its first number, as MuJoCo 4.0.0 compiles them
  test.each<[classes: string, actuator: string, law: number[], dynamics: number]>([
    ['<muscle/>', 'position kp="2"', [2, 0, 0, 0, -2, 0], 0],
    ['<muscle/><motor/><position kp="10"/>', 'position kp="2"', [2, 0, 0, 0, -2, 0], 0],
    ['<muscle/>', 'cylinder area="2" timeconst=".5"', [2, 0, 0, 0, 0, 0], 2],
    ['<position kv="3.25"/><motor gear=".5"/>', 'velocity', [1, 0, 0, 0, 0, -1], 0],
    ['<intvelocity kv="3.25"/><velocity kv="2"/>', 'intvelocity kp="2"', [2, 0, 0, 0, -2, 0], 1],
    ['<velocity kv="3"/>', 'position kp="2"', [2, 0, 0, 0, -2, 0], 0],
    ['<position kp=".5" timeconst=".5"/>', 'cylinder', [1, 0, 0, 0, 0, 0], 2],
    ['<damper ctrlrange="0 1" kv=".5"/>', 'cylinder timeconst="3.25" bias="1 2 -3"', [1, 0, 0, 1, 2, -3], 2],
    ['<muscle lmin=".4"/>', 'damper ctrlrange="0 1" kv="2"', [0, 0, -2, 0, 0, 0], 0],
    ['<position kp="5" kv="3"/>', 'position kp="2"', [2, 0, 0, 0, -2, -3], 0],
  ])('of %s begin anew for %s', (classes, actuator, law, dynamics) => {
    const described = describeLaw(readOne(classes, actuator)) as { law: number[]; dynamics: number };
    expect(described.law).toEqual(law);
    expect(described.dynamics).toBe(dynamics);
  });

  // the nearest class that was written by the same kind, or by `general` with its gain
  test.each<[classes: string, actuator: string, law: number[], dynamics: number]>([
    [
      '<general gainprm="7" biastype="affine" biasprm="0 -3 -1" dyntype="filter" dynprm=".2"/>',
      'position',
      [7, 0, 0, 0, -7, -1],
      0,
    ],
    ['<general gainprm="7" biasprm="1 2 3"/>', 'cylinder', [7, 0, 0, 1, 2, 3], 2],
    ['<general gainprm="7" biasprm="1 2 3"/>', 'motor', [1, 0, 0, 0, 0, 0], 0],
    ['<position kp="9" kv="2"/><general gainprm="4"/>', 'velocity', [4, 0, 0, 0, 0, -4], 0],
    ['<position kp="9" kv="2"/><general gainprm="4"/>', 'general', [4, 0, 0, 0, -9, -2], 0],
    ['<general gaintype="affine" gainprm="1 2 -3"/>', 'damper ctrlrange="0 1"', [0, 0, -3, 0, 0, 0], 0],
    ['<general gaintype="affine" gainprm="7 3 2"/>', 'position', [1, 0, 0, 0, -1, 0], 0],
    [
      '<general gainprm="5"/><default class="c"><position kp="9"/><velocity/></default>',
      'position class="c"',
      [5, 0, 0, 0, -5, 0],
      0,
    ],
    [
      '<position kp="9" kv="3"/><default class="c"><velocity kv="2"/></default>',
      'position class="c"',
      [9, 0, 0, 0, -9, -3],
      0,
    ],
    [
      '<general gainprm="5"/><default class="c"><general gaintype="affine" gainprm="7"/></default>',
      'velocity class="c"',
      [5, 0, 0, 0, 0, -5],
      0,
    ],
    ['<general actearly="true" dyntype="filter" gainprm="2"/>', 'intvelocity', [2, 0, 0, 0, -2, 0], 1],
  ])('of %s go on in %s', (classes, actuator, law, dynamics) => {
    const described = describeLaw(readOne(classes, actuator)) as { law: number[]; dynamics: number };
    expect(described.law).toEqual(law);
    expect(described.dynamics).toBe(dynamics);
  });

  test.each<[classes: string, actuator: string, range: [number, number] | undefined]>([
    ['<position inheritrange="1"/>', 'position', [-0.5, 0.5]],
    ['<position inheritrange="1"/>', 'position ctrlrange="-2 2"', [-2, 2]],
    ['<position inheritrange="1"/>', 'general ctrlrange="-2 2"', [-0.5, 0.5]],
    ['<position inheritrange="1"/>', 'motor', undefined],
    ['<position inheritrange="1"/><motor ctrlrange="-7 7"/>', 'motor', [-7, 7]],
    ['<position inheritrange="1"/><motor ctrlrange="-7 7"/>', 'position', [-7, 7]],
  ])('of %s: the range of %s', (classes, actuator, range) => {
    expect(readOne(classes, actuator).controlRange).toEqual(range);
  });
});

// MuJoCo 4.0.0: forces for the control 0.7, the length 0.2 and the velocity 0.5
test.each<[motor: string, force: number]>([
  ['input="pos" controller="3 0 .2"', 3 * 0.5 - 0.2 * 0.5],
  ['input="vel" controller="3 0 .2"', 0.2 * 0.2 - 3 * 0.2],
  ['input="ff" controller="1 0 .2"', 0.7 - 0.2 - 0.1],
  ['input="pos"', 0],
  ['input="pos" controller="30 0 .2" saturation=".2 3"', 0.2],
  ['input="pos" controller="30 0 .2" saturation="0 3"', 0.15],
])('the controller of a motor: %s', (motor, force) => {
  const actuator = readOne('', `dcmotor motorconst=".05" resistance="2" ${motor}`);
  const { law } = describeLaw(actuator) as { law: number[] };
  const [low, high] = actuator.forceRange ?? [-Infinity, Infinity];
  const own = law[0]! * 0.7 + law[4]! * 0.2 + law[5]! * 0.5;
  expect(Math.min(high, Math.max(low, own))).toBeCloseTo(force, 12);
});

function readOne(classes: string, actuator: string): Actuator {
  const xml = `<mujoco><compiler angle="radian"/><default>${classes}</default><worldbody><body>
    <joint name="j" range="-.5 .5"/><geom size="1"/></body></worldbody><actuator><${actuator} joint="j"/></actuator></mujoco>`;
  return readMjcf('m.xml', { files: memoryFiles({ 'm.xml': xml }) }).scene.actuators![0]!;
}

// gainprm of MuJoCo 4.0.0
test.each([
  ['motorconst=".251" resistance="2.45" nominal="22.9 .208 73.9"', 2.45, 0.27888964065452726],
  ['motorconst="0 .3" resistance="2.45" nominal="22.9 .208 73.9"', 2.45, 0.3],
  ['motorconst=".2 .3" resistance="2.45" nominal="22.9 .208 73.9"', 2.45, 0.2449489742783178],
  ['motorconst=".251" nominal="22.9 .208 73.9"', 30.704676783599396, 0.27888964065452726],
  ['nominal="22.9 .208 73.9" damping=".0005"', 28.05581795450632, 0.25483013687935874],
  ['motorconst=".251" nominal="22.9 .208 73.9" damping=".0005"', 27.84417802880078, 0.252907817903518],
  ['motorconst=".251" resistance="2.45" nominal="22.9 .208 73.9" damping=".0005"', 2.45, 0.27708156766762454],
])('a motor by %s has the constants of MuJoCo', (numbers, resistance, constant) => {
  const text = `<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><dcmotor joint="j" ${numbers}/></actuator></mujoco>`;
  const motor = readMjcf('a.xml', { files: memoryFiles({ 'a.xml': text }) }).scene.actuators![0] as DcMotorActuator;
  expect(motor.resistance).toBeCloseTo(resistance, 12);
  expect(motor.motorConstant).toBeCloseTo(constant, 12);
});
