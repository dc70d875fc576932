/** <extension>: signed-distance fields that are plugins of MuJoCo, one instance each. */
import type { Scene, SignedDistanceAsset } from '@nexdyn/engine';
import { TOUCH_GRID } from '../plugin.ts';
import type { Unwritten } from './unwritten.ts';
import { element, type WrittenElement } from './xml-element.ts';

/** A field in the words of MJCF. */
export interface WrittenPlugin {
  readonly plugin: string;
  readonly numbers: Readonly<Record<string, number>>;
  /** Name of the mesh that shows it. */
  readonly mesh: string;
}

/** The fields that can be written, by name. */
export function listPlugins(
  { signedDistanceFields = [], meshes = [] }: Scene,
  unwritten: Unwritten,
): ReadonlyMap<string, WrittenPlugin> {
  const plugins = new Map<string, WrittenPlugin>();
  const taken = new Set(meshes.map(({ name }) => name));
  signedDistanceFields.forEach((field, i) => {
    const numbers = listNumbers(field);
    if (!numbers) {
      unwritten.add(`signedDistanceFields[${i}]`, `MJCF has no field of the kind '${field.kind}'`);
      return;
    }
    let mesh = field.name;
    for (let n = 2; taken.has(mesh); n++) mesh = `${field.name} ${n}`;
    taken.add(mesh);
    plugins.set(field.name, { plugin: `mujoco.sdf.${field.kind}`, numbers, mesh });
  });
  return plugins;
}

function listNumbers(field: SignedDistanceAsset): Record<string, number> | undefined {
  switch (field.kind) {
    case 'torus':
      return { radius1: field.majorRadius, radius2: field.minorRadius };
    case 'bowl':
      return { height: field.height, radius: field.radius, thickness: field.halfThickness };
    case 'bolt':
    case 'nut':
      return { radius: field.radius };
    case 'gear': {
      const { angle = 0, diameter, teeth, thickness, innerDiameter = -1 } = field;
      return { alpha: angle, diameter, teeth, thickness, innerdiameter: innerDiameter };
    }
    default:
      return undefined;
  }
}

/** `hasGrids`: sensors of a plugin, which name it and no instance. */
export function writeExtension(plugins: ReadonlyMap<string, WrittenPlugin>, hasGrids: boolean): WrittenElement {
  const grids = hasGrids ? [element('plugin', { plugin: TOUCH_GRID })] : [];
  return element('extension', {}, [
    ...grids,
    ...Array.from(plugins, ([name, { plugin, numbers }]) =>
      element('plugin', { plugin }, [
        element(
          'instance',
          { name },
          Object.entries(numbers).map(([key, value]) => element('config', { key, value })),
        ),
      ]),
    ),
  ]);
}
