/** Ranges of lengths of muscles, against those that MuJoCo 4.0 computes. */
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import type { LoadedScene } from '../loaded-scene.ts';
import { readMjcf } from './mjcf.ts';

/** Two links with limits, springs and friction, which must not matter. */
const ARM = `<body pos="0 0 1"><joint name="j" axis="0 1 0" range="-60 90" damping="1" stiffness="3"/>
  <geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/><site name="a" pos=".2 0 .05"/>
  <body pos=".5 0 0"><joint name="k" axis="0 1 0" range="0 120" frictionloss="1"/>
    <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="b" pos=".1 0 .03"/></body></body>
  <site name="o" pos="-.1 0 1.2"/>`;
const TENDON = '<tendon><spatial name="t"><site site="o"/><site site="b"/></spatial></tendon>';
const QUICK = '<compiler><lengthrange inttotal="4" interval="1"/></compiler>';

const load = (text: string): LoadedScene =>
  readMjcf('main.xml', { files: memoryFiles({ 'main.xml': `<mujoco>${text}</mujoco>` }) });
const rangesOf = ({ scene }: LoadedScene): unknown[] =>
  (scene.actuators ?? []).map((actuator) => (actuator.kind === 'muscle' ? actuator.lengthRange : actuator.kind));

describe('the range of lengths of a muscle', () => {
  test.each([
    [
      'a tendon without limits',
      QUICK,
      `${TENDON}<actuator><muscle tendon="t"/></actuator>`,
      [0.501386532045106, 0.827975433334726],
    ],
    [
      'coupled joints, with settings and another integrator',
      '<compiler><lengthrange accel="5" inttotal="6" interval="1" timestep="0.005" maxforce="2"/></compiler><option integrator="RK4"/>',
      '<equality><joint joint1="j" joint2="k" polycoef="0 .5 0 0 0"/></equality><actuator><muscle joint="j"/></actuator>',
      [-0.0007474835783217363, 1.0497231535722036],
    ],
    [
      'limits as they are, whatever the gear',
      '<compiler><lengthrange uselimit="true"/></compiler>',
      '<actuator><muscle joint="j" gear="3"/></actuator>',
      [-Math.PI / 3, Math.PI / 2],
    ],
    ['what the file gives', '', '<actuator><muscle joint="j" lengthrange="0.1 0.7"/></actuator>', [0.1, 0.7]],
  ])('is that of MuJoCo: %s', (_, head, tail, wanted) => {
    const loaded = load(`${head}<worldbody>${ARM}</worldbody>${tail}`);
    expect(loaded.unsupported).toEqual([]);
    const [range] = rangesOf(loaded) as [number, number][];
    // both solvers stop within 1e-8 of the force that a limit carries
    for (const end of [0, 1]) expect(Math.abs(range![end]! - wanted[end]!)).toBeLessThan(1e-6);
  });

  test('where the length does not settle, the muscle is left out and listed, with what measures it', () => {
    const loaded = load(
      `${QUICK}<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><muscle name="m" joint="j"/><motor joint="j"/></actuator><sensor><actuatorfrc actuator="m"/></sensor>`,
    );
    expect(rangesOf(loaded)).toEqual(['motor']);
    expect(loaded.scene.sensors).toBeUndefined();
    expect(loaded.unsupported).toMatchObject([
      { element: 'muscle', affects: 'physics', message: expect.stringContaining('does not settle; it is left out') },
      { element: 'actuatorfrc', affects: 'sensor' },
    ]);
  });

  test('limits take its place where ranges are switched off', () => {
    const loaded = load(
      `<compiler><lengthrange mode="none"/></compiler><worldbody>${ARM}</worldbody><actuator><muscle joint="j"/></actuator>`,
    );
    expect(rangesOf(loaded)).toEqual([undefined]);
    expect(loaded.unsupported).toMatchObject([{ element: 'muscle', affects: 'physics' }]);
  });
});
