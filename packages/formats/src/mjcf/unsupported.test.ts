/** What a file asks for and does not get is listed, with its place and what is lost. */
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import type { LoadedScene } from '../loaded-scene.ts';
import { readMjcf } from './mjcf.ts';

function load(text: string): LoadedScene {
  return readMjcf('main.xml', { files: memoryFiles({ 'main.xml': text }) });
}

const arm = '<worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body></worldbody>';

/** The fault stands behind the mark ^. */
type Case = [text: string, element: string, attribute: string | undefined, affects: string];

const CASES: Case[] = [
  ['<worldbody><body ^user="1 2"><joint/><geom size="1"/></body></worldbody>', 'body', 'user', 'visual'],
  ['<worldbody><geom size="1" ^castshadow="false"/></worldbody>', 'geom', 'castshadow', 'visual'],
  ['<option><flag ^sensor="disable"/></option>', 'flag', 'sensor', 'sensor'],
  ['<option><flag ^autoreset="disable"/></option>', 'flag', 'autoreset', 'physics'],
  [
    '<asset><mesh name="m" ^smoothnormal="true" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>',
    'mesh',
    'smoothnormal',
    'visual',
  ],
  ['<visual><scale ^framelength="2"/></visual>', 'scale', 'framelength', 'visual'],
  ['<visual><rgba ^joint="1 0 0 1"/></visual>', 'rgba', 'joint', 'visual'],
  ['<statistic ^meaninertia="2"/>', 'statistic', 'meaninertia', 'physics'],
  ['^<size memory="1M"/>', 'size', undefined, 'visual'],
  ['^<custom><text name="t" data="d"/></custom>', 'custom', undefined, 'visual'],
  ['<extension>^<plugin plugin="p"/></extension>', 'plugin', undefined, 'physics'],
  [
    '<deformable>^<skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="nobody" vertid="0" vertweight="1"/></skin></deformable>',
    'skin',
    undefined,
    'visual',
  ],
  ['<worldbody><body ^gravcomp="-1"><joint/><geom size="1"/></body></worldbody>', 'body', 'gravcomp', 'physics'],
  ['<sensor>^<plugin plugin="p"/></sensor>', 'plugin', undefined, 'sensor'],
  ['<asset><texture type="2d" ^file="nowhere.png"/></asset>', 'texture', 'file', 'visual'],
  ['<asset><material name="m">^<layer role="normal" texture="t"/></material></asset>', 'layer', undefined, 'visual'],
  ['<asset><material name="m" ^specular="2"/></asset>', 'material', 'specular', 'visual'],
  ['<worldbody>^<light type="image"/></worldbody>', 'light', undefined, 'visual'],
  ['<worldbody><camera ^output="rgb depth"/></worldbody>', 'camera', 'output', 'visual'],
  ['<worldbody>^<composite type="rope"/></worldbody>', 'composite', undefined, 'physics'],
  ['<worldbody>^<geom type="sdf" mesh="m"/></worldbody>', 'geom', undefined, 'physics'],
  ['<worldbody><geom size="1" ^solref=".1 -1"/></worldbody>', 'geom', 'solref', 'physics'],
  ['<worldbody><body><joint ^springyield="1"/><geom size="1"/></body></worldbody>', 'joint', 'springyield', 'physics'],
  ['<worldbody><site type="box" ^mesh="m"/></worldbody>', 'site', 'mesh', 'sensor'],
  ['<worldbody><body><joint ^group="2"/><geom size="1"/></body></worldbody>', 'joint', 'group', 'visual'],
  ['<option ^ccd_iterations="9"/>', 'option', 'ccd_iterations', 'physics'],
  ['<option ^integrator="discrete"/>', 'option', 'integrator', 'physics'],
  ['<option><flag ^multiccd="disable"/></option>', 'flag', 'multiccd', 'physics'],
  ['<actuator>^<muscle joint="j"/></actuator>', 'muscle', undefined, 'physics'],
  ['<actuator>^<general joint="j" gaintype="muscle"/></actuator>', 'general', undefined, 'physics'],
  [
    '<actuator>^<dcmotor joint="j" motorconst="1" resistance="1" input="none"/></actuator>',
    'dcmotor',
    undefined,
    'physics',
  ],
  ['<equality>^<flex flex="f"/></equality>', 'flex', undefined, 'physics'],
];

describe('unsupported', () => {
  test.each(CASES)('%s', (marked, element, attribute, affects) => {
    const text = `<mujoco>\n${arm}\n${marked}</mujoco>`;
    const before = text.slice(0, text.indexOf('^'));
    const place = { file: 'main.xml', line: 3, column: before.length - before.lastIndexOf('\n') };
    const { unsupported } = load(text.replace('^', ''));
    expect(unsupported).toEqual([
      { ...place, element, affects, ...(attribute && { attribute }), message: expect.any(String) },
    ]);
  });

  test('lists nothing for a file that is read in full', () => {
    expect(load(`<mujoco>${arm}<actuator><motor joint="j"/></actuator></mujoco>`).unsupported).toEqual([]);
  });

  test('leaves out what is not supported and keeps the rest', () => {
    const { scene } = load(`<mujoco>${arm}<actuator><muscle joint="j"/><motor name="m" joint="j"/></actuator>
      <keyframe><key qpos=".5" ctrl="1 2"/></keyframe></mujoco>`);
    expect(scene.actuators).toEqual([{ kind: 'motor', name: 'm', transmission: { kind: 'joint', joint: 'j' } }]);
    // the control of the motor stays with it
    expect(scene.keyframes).toEqual([{ position: [0.5], control: [2] }]);
  });

  test('names what a replicate cuts off', () => {
    const { scene, unsupported } = load(`<mujoco><worldbody><site name="w"/><replicate count="2">
      <body name="b"><joint/><geom size=".1"/><site name="s"/></body></replicate></worldbody>
      <actuator><motor site="s" refsite="w"/></actuator></mujoco>`);
    expect(scene.actuators).toBeUndefined();
    expect(unsupported).toMatchObject([{ element: 'motor', line: 3, affects: 'physics' }]);
  });

  test('groups of actuators that the main model switches off, in attached models; not those of the attached model', () => {
    const child = (
      option: string,
    ): string => `<mujoco>${option}<default><default class="off"><motor group="2"/></default></default>
      ${arm}<actuator><motor name="m" joint="j" class="off"/><motor name="n" joint="j" group="1"/></actuator></mujoco>`;
    const main = (option: string): string => `<mujoco>${option}<asset><model name="m" file="m.xml"/></asset>
      <worldbody><attach model="m" prefix="p"/></worldbody></mujoco>`;
    const off = (group: number): string => `<option actuatorgroupdisable="${group}"/>`;
    const { scene, unsupported } = readMjcf('main.xml', {
      files: memoryFiles({ 'main.xml': main(off(2)), 'm.xml': child(off(1)) }),
    });
    expect(scene.actuators?.map(({ name, active }) => [name, active])).toEqual([
      ['pm', false],
      ['pn', undefined],
    ]);
    expect(unsupported).toMatchObject([{ message: expect.stringContaining('actuatorgroupdisable') }]);
  });

  test('keeps a body that asks for it from being fused', () => {
    const world =
      '<worldbody><body name="a"><geom size="1"/></body><body name="b" fuse="false"><geom size="1"/></body></worldbody>';
    const { scene } = load(`<mujoco><compiler fusestatic="true"/>${world}</mujoco>`);
    expect(scene.bodies?.map(({ name }) => name)).toEqual(['b']);
  });

  test('options of an attached model, where they differ', () => {
    const files = {
      'main.xml':
        '<mujoco><asset><model name="m" file="m.xml"/></asset><worldbody><attach model="m" prefix="p"/></worldbody></mujoco>',
      'm.xml': '<mujoco><option timestep=".5"/></mujoco>',
    };
    const { unsupported } = readMjcf('main.xml', { files: memoryFiles(files) });
    expect(unsupported).toMatchObject([
      { element: 'model', affects: 'physics', message: expect.stringContaining('timestep') },
    ]);
  });
});
