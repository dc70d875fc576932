/** Solids of MuJoCo's plugins: read, listed, written back, and moved under every formulation. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../../../scripts/long-run.ts';
import { memoryFiles } from '../file-source.ts';
import type { LoadedScene } from '../loaded-scene.ts';
import { readMjcf } from './mjcf.ts';
import { writeMjcf } from './write/write-mjcf.ts';

const load = (text: string, more: Record<string, string> = {}): LoadedScene =>
  readMjcf('main.xml', { files: memoryFiles({ 'main.xml': text, ...more }) });

const instance = (kind: string, name: string, config = ''): string =>
  `<plugin plugin="mujoco.sdf.${kind}"><instance name="${name}">${config}</instance></plugin>`;
const mesh = (name: string): string => `<mesh name="${name}"><plugin instance="${name}"/></mesh>`;
const geom = (name: string, more = ''): string =>
  `<geom type="sdf" mesh="${name}" ${more}><plugin instance="${name}"/></geom>`;

/** A bolt on its head, and a nut that hangs on the end of its thread or above. */
const nutAndBolt = (z: number): string => `<mujoco>
  <extension>${instance('nut', 'nut', '<config key="radius" value="0.27"/>')}${instance('bolt', 'bolt')}</extension>
  <asset>${mesh('nut')}${mesh('bolt')}</asset>
  <default><geom friction="0.01"/></default>
  <worldbody>
    <body euler="180 0 0">${geom('bolt')}</body>
    <body name="nut" pos="0 0 ${z}" euler="180 0 0"><freejoint/>${geom('nut', 'mass="1"')}</body>
  </worldbody></mujoco>`;

describe('reading', () => {
  test('instances, defaults and plugins in place', () => {
    const { scene, unsupported } = load(`<mujoco>
      <extension>
        ${instance('torus', 'ring', '<config key="radius1" value=".5"/><config key="radius2" value=""/>')}
        ${instance('bowl', 'dish', '<config key="thickness" value="0.05"/>')}
      </extension>
      <asset>${mesh('ring')}${mesh('dish')}
        <mesh name="m8"><plugin plugin="mujoco.sdf.bolt"><config key="radius" value=".2"/></plugin></mesh></asset>
      <worldbody>${geom('ring', 'pos="1 2 3"')}${geom('ring')}${geom('dish')}<geom type="sdf" mesh="m8"/></worldbody>
    </mujoco>`);
    expect(unsupported).toEqual([]);
    expect(scene.signedDistanceFields).toEqual([
      { kind: 'torus', name: 'ring', majorRadius: 0.5, minorRadius: 0.15 },
      { kind: 'bowl', name: 'dish', radius: 1, height: 0.4, halfThickness: 0.05 },
      { kind: 'bolt', name: 'm8', radius: 0.2 },
    ]);
    expect(scene.shapes).toEqual([
      { kind: 'signedDistance', field: 'ring', position: [1, 2, 3] },
      { kind: 'signedDistance', field: 'ring' },
      { kind: 'signedDistance', field: 'dish' },
      { kind: 'signedDistance', field: 'm8' },
    ]);
  });

  test('what is not supported is listed with its line', () => {
    const { scene, unsupported } = load(`<mujoco><extension>
      ${instance('sdflib', 'wheel', '<config key="aabb" value="0"/>')}
      <plugin plugin="mujoco.pid"/></extension>
      <asset>${mesh('wheel')}</asset>
      <worldbody>
        ${geom('wheel')}</worldbody></mujoco>`);
    expect(scene.signedDistanceFields).toBeUndefined();
    expect(unsupported.map(({ element, line }) => [element, line])).toEqual([
      ['plugin', 2],
      ['plugin', 3],
      ['mesh', 4],
      ['geom', 6],
    ]);
  });

  describe('touch grids', () => {
    const grid = (config: string, object = 'objtype="site" objname="s"'): string =>
      `<mujoco><worldbody><site name="s"/></worldbody><sensor><plugin plugin="mujoco.sensor.touch_grid" ${object}>${config}</plugin></sensor></mujoco>`;
    const size = '<config key="size" value="7 5"/>';
    const fov = '<config key="fov" value="45 30"/>';

    test('are sensors, and are written as such', () => {
      const { scene, unsupported } = load(grid(`${size}${fov}<config key="nchannel" value="3"/>`));
      expect(unsupported).toEqual([]);
      const sensor = { kind: 'touchGrid', site: 's', cells: [7, 5], angles: [Math.PI / 4, Math.PI / 6], channels: 3 };
      expect(scene.sensors).toEqual([sensor]);
      const { text, unwritten } = writeMjcf(scene);
      expect(unwritten).toEqual([]);
      expect(load(text).scene.sensors).toEqual([sensor]);
    });

    test.each([
      ['no site', grid(size + fov, ''), 'missing-value'],
      ['one number of cells', grid(`<config key="size" value="7"/>${fov}`), 'invalid-value'],
      ['an angle beyond the pole', grid(`${size}<config key="fov" value="45 91"/>`), 'invalid-value'],
      ['an unknown key', grid(`${size}${fov}<config key="nchannels" value="3"/>`), 'unknown-field'],
    ])('%s', (_, text, code) => {
      expect(() => load(text)).toThrow(expect.objectContaining({ code }));
    });
  });

  test('a moving one weighs by its volume, which is said', () => {
    const { unsupported } = load(nutAndBolt(1));
    expect(unsupported.filter(({ element }) => element === 'geom').length).toBeGreaterThan(0);
  });

  test.each([
    ['<mesh name="a"><plugin instance="b"/></mesh>', 'unknown-reference'],
    ['<mesh name="a"><plugin plugin="mujoco.sdf.nut"><config key="r" value="1"/></plugin></mesh>', 'unknown-field'],
    [
      '<mesh name="a"><plugin plugin="mujoco.sdf.nut"><config key="radius" value="x"/></plugin></mesh>',
      'invalid-value',
    ],
  ])('%s', (asset, code) => {
    expect(() => load(`<mujoco><asset>${asset}</asset></mujoco>`)).toThrow(expect.objectContaining({ code, line: 1 }));
  });

  test('an attached model brings its fields', () => {
    const { scene } = load(
      '<mujoco><asset><model name="m" file="m.xml"/></asset><worldbody><attach model="m" prefix="p_"/></worldbody></mujoco>',
      { 'm.xml': nutAndBolt(1) },
    );
    expect(scene.signedDistanceFields?.map(({ name }) => name).sort()).toEqual(['p_bolt', 'p_nut']);
    expect(scene.bodies?.[1]?.shapes).toMatchObject([{ field: 'p_nut' }]);
  });
});

test('written back: the same fields and shapes, and the mass they have here', () => {
  const { scene } = load(nutAndBolt(1));
  const { text, unwritten } = writeMjcf(scene);
  expect(unwritten).toEqual([]);
  const again = load(text).scene;
  expect(again.signedDistanceFields).toEqual(scene.signedDistanceFields);
  const [a, b] = [compileModel(scene), compileModel(again)];
  expect(b.body.mass[2]).toBeCloseTo(a.body.mass[2]!, 12);
  for (let k = 0; k < 3; k++) expect(b.body.inertiaMoments[6 + k]).toBeCloseTo(a.body.inertiaMoments[6 + k]!, 12);
  // the nut lies below the origin of its geom
  expect(a.body.inertiaCenter[8]).toBeGreaterThan(-0.3);
  expect(a.body.inertiaCenter[8]).toBeLessThan(-0.2);
});

test('gears: numbers read, default and written', () => {
  const config =
    '<config key="teeth" value="12"/><config key="diameter" value="1"/><config key="innerdiameter" value=".2"/>';
  const { scene, unsupported } = load(`<mujoco>
    <extension>${instance('gear', 'wheel')}
      ${instance('gear', 'pinion', `${config}<config key="alpha" value=".1"/>`)}</extension>
    <asset>${mesh('wheel')}${mesh('pinion')}</asset>
    <worldbody>${geom('wheel')}${geom('pinion')}</worldbody></mujoco>`);
  expect(unsupported).toEqual([]);
  expect(scene.signedDistanceFields).toEqual([
    { kind: 'gear', name: 'wheel', diameter: 2.8, teeth: 25, thickness: 0.2 },
    { kind: 'gear', name: 'pinion', diameter: 1, teeth: 12, thickness: 0.2, innerDiameter: 0.2, angle: 0.1 },
  ]);
  const { text, unwritten } = writeMjcf(scene);
  expect(unwritten).toEqual([]);
  expect(load(text).scene.signedDistanceFields).toEqual(scene.signedDistanceFields);
});

describe.each(takeCases(['mujoco', 'sap', 'ccp', 'ipc'] as const, 2, 1))('%s', (formulation) => {
  test('a nut comes to the end of a bolt and does not fall through', () => {
    // the end of the bolt is at 1, the lower side of the nut at z
    const { scene } = load(nutAndBolt(1.1));
    const simulation = new Simulation(
      compileModel({ ...scene, options: { ...scene.options, timestep: 0.01 } } as Scene, { formulation }),
    );
    for (let n = 0; n < 20; n++) simulation.step();
    const z = simulation.bodyPosition[3 * 2 + 2]!;
    // in free fall it would be at 0.9, and on its head it would lie at 0.5
    expect(z).toBeLessThan(1.1);
    expect(z).toBeGreaterThan(0.92);
  });
});
