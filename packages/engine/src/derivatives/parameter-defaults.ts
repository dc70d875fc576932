/** Values of parameters that a scene leaves out: as the scene format documents them. */
import { DEFAULT_FRICTION } from '../model/constraint-defaults.ts';
import type { Model } from '../model/model.ts';
import type { Scene } from '../scene/scene.ts';

type Fields = Record<string, unknown>;

const JOINT = { stiffness: 0, damping: 0, armature: 0, frictionLoss: 0, springReference: 0, reference: 0 };
const ACTUATOR: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  position: { stiffness: 1, damping: 0, timeConstant: 0 },
  velocity: { gain: 1 },
};
const SURFACE: Readonly<Record<string, number>> = {
  friction: DEFAULT_FRICTION[0],
  spinFriction: DEFAULT_FRICTION[1],
  rollFriction: DEFAULT_FRICTION[2],
  density: 1000,
  margin: 0,
};
const POSE = { position: [0, 0, 0] };
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, number | number[]>>>> = {
  joints: JOINT,
  bodies: { ...POSE, gravityCompensation: 0 },
  sites: POSE,
  materials: { friction: DEFAULT_FRICTION[0], density: 1000, restitution: 0 },
  tendons: { stiffness: 0, damping: 0, frictionLoss: 0 },
};

/** The value of a number, or a list of them, that a thing of the scene does not give; undefined where it has none. */
export function findDefault(
  kind: string,
  item: Fields,
  rest: readonly string[],
  scene: Scene,
  model: Model,
): number | number[] | undefined {
  const [word, ...more] = rest;
  if (kind === 'softBodies' && rest.join('.') === 'elasticity.density') return 1000;
  if (kind === 'softBodies' && word === 'elasticity' && more[0]?.endsWith('Damping')) return 0;
  if (kind === 'shapes') return pick(findSurface(item, word, scene), more);
  if (kind === 'actuators') return ACTUATOR[item.kind as string]?.[word];
  if (Object.hasOwn(DEFAULTS, kind)) return pick(DEFAULTS[kind][word], more);
  return readOption(kind, rest, model);
}

/** Fields of a thing of the scene that are numbers, also where it leaves them out; or options of a group. */
export function listNumberFields(kind: string, item: Fields, model: Model): string[] {
  return [...new Set(listAllFields(kind, item, model))];
}

function listAllFields(kind: string, item: Fields, model: Model): string[] {
  const own = Object.keys(item).filter((key) => typeof item[key] !== 'string');
  if (kind === 'shapes') return [...own, 'position', ...Object.keys(SURFACE)];
  if (kind === 'bodies') return [...own, 'mass', ...Object.keys(DEFAULTS.bodies)];
  if (kind === 'actuators') return [...own, ...Object.keys(ACTUATOR[item.kind as string] ?? {})];
  if (Object.hasOwn(DEFAULTS, kind)) return [...own, ...Object.keys(DEFAULTS[kind])];
  const group = (model.options.formulations as Fields)[kind];
  if (typeof group !== 'object' || group === null) return own;
  return Object.entries(group).flatMap(([name, value]) => (typeof value === 'number' ? [name] : []));
}

/** What a shape has of its material, else of the format. */
function findSurface(shape: Fields, word: string, scene: Scene): number | number[] | undefined {
  if (word === 'position') return [0, 0, 0];
  const material = scene.materials?.find(({ name }) => name === shape.material) as Fields | undefined;
  const own = material?.[word];
  if (typeof own === 'number') return own;
  return SURFACE[word];
}

/** Options with their defaults filled in. */
function readOption(first: string, rest: readonly string[], { options }: Model): number | number[] | undefined {
  if (first === 'gravity') return pick([...options.gravity], rest.slice(1));
  let value: unknown = first in options.formulations ? options.formulations : options;
  for (const word of rest) value = (value as Fields | undefined)?.[word];
  if (ArrayBuffer.isView(value)) return [...(value as Float64Array)];
  return typeof value === 'number' ? value : undefined;
}

function pick(value: number | number[] | undefined, more: readonly string[]): number | number[] | undefined {
  return Array.isArray(value) && more.length > 0 ? value[Number(more[0])] : value;
}
