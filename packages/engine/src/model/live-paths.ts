/**
 * Paths of a scene whose values can be replaced in a compiled model: what each of them touches, and which values are sound beyond doubt.
 * Everything else is for the compiler to judge.
 */
import type { Actuator } from '../scene/actuator.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import type { SceneFields } from '../scene/scene-items.ts';
import type { Shape } from '../scene/shape.ts';
import type { SceneIndex } from './scene-index.ts';
import { findScenePath, type ScenePath } from './scene-parameters.ts';

/** Parts of a model, by their numbers, that must be written again. */
export interface Touched {
  /** Bodies whose mass and inertia change. */
  readonly inertias: Set<number>;
  /** Bodies whose weight is compensated. */
  readonly compensations: Set<number>;
  readonly frictions: Set<number>;
  /** Shapes that are elsewhere on their body. */
  readonly poses: Set<number>;
  readonly joints: Set<number>;
  readonly tendons: Set<number>;
  readonly actuators: Set<number>;
  readonly materials: Set<number>;
  readonly options: Set<'gravity'>;
}

/** A field of an object of the scene, and what it was at first. */
interface Slot {
  readonly owner: SceneFields;
  readonly key: string;
  readonly first: unknown;
}

/** A path, resolved once. */
export interface LivePath {
  readonly found: ScenePath;
  /** Whether a value needs no further check. */
  readonly isSound: (value: unknown) => boolean;
  readonly touched: Partial<{
    readonly [K in keyof Touched]: readonly (Touched[K] extends Set<infer T> ? T : never)[];
  }>;
  /** All fields that setting it may change. */
  readonly slots: readonly Slot[];
}

type Check = (value: unknown) => boolean;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isAmount: Check = (value) => isNumber(value) && value >= 0;
const isPositive: Check = (value) => isNumber(value) && value > 0;
const isVector =
  (length: number): Check =>
  (value) =>
    Array.isArray(value) && value.length === length && value.every(isNumber);
const isTurn: Check = (value) => isVector(4)(value) && Math.hypot(...(value as number[])) > 1e-3;

const AMOUNTS: Readonly<Record<string, Check>> = {
  stiffness: isAmount,
  damping: isAmount,
  armature: isAmount,
  frictionLoss: isAmount,
};
const FRICTION: Readonly<Record<string, Check>> = {
  friction: isAmount,
  spinFriction: isAmount,
  rollFriction: isAmount,
};
const MASS: Readonly<Record<string, Check>> = { mass: isAmount, density: isAmount };
const POSE: Readonly<Record<string, Check>> = { position: isVector(3), orientation: isTurn };
const SURFACE: Readonly<Record<string, Check>> = {
  ...FRICTION,
  density: isAmount,
  stiffness: isPositive,
  dissipation: isAmount,
  restitution: (value) => isNumber(value) && value >= 0 && value <= 1,
};

/** Resolves a path; undefined where its values need the compiler. */
export function resolveLivePath(scene: Scene, index: SceneIndex, path: string): LivePath | undefined {
  const found = findScenePath(scene, path);
  const describe = DESCRIPTIONS[found.kind];
  const [first] = found.things;
  if (!describe || !first) return undefined;
  const [field = '', component] = first.keys;
  const parts = found.things.map(({ item }) => describe(item, field, index));
  if (first.keys.length > 2 || parts.some((part) => part === undefined)) return undefined;
  const { isSound } = parts[0]!;
  // all things must say the same of the field
  if (parts.some((part) => part!.isSound !== isSound)) return undefined;
  // a list of numbers, one by one; what a turn comes to depends on all four
  if (component !== undefined && (field === 'orientation' || !LISTS.has(isSound))) return undefined;
  const touched: Record<string, unknown[]> = {};
  for (const part of parts) {
    for (const [kind, numbers] of Object.entries(part!.touched)) (touched[kind] ??= []).push(...(numbers as unknown[]));
  }
  const slots = found.things.flatMap(({ item }) => listSlots(found.kind, item, field, component));
  return { found, isSound: component === undefined ? isSound : isNumber, touched, slots };
}

type Part = Pick<LivePath, 'isSound' | 'touched'> | undefined;

const VECTOR = isVector(3);
/** Checks of lists whose numbers can be set one by one. */
const LISTS: ReadonlySet<Check> = new Set([POSE.position, VECTOR]);

const DESCRIPTIONS: Readonly<Record<string, (item: SceneFields, field: string, index: SceneIndex) => Part>> = {
  options: (_, field) => (field === 'gravity' ? { isSound: VECTOR, touched: { options: ['gravity'] } } : undefined),
  bodies: (item, field, { bodies }) => {
    const b = bodies.indexOf(item as unknown as Body);
    if (field === 'mass') return { isSound: isPositive, touched: { inertias: [b] } };
    return field === 'gravityCompensation' ? { isSound: isNumber, touched: { compensations: [b] } } : undefined;
  },
  shapes: (item, field, { shapes, shapeBody }) => {
    const s = shapes.indexOf(item as unknown as Shape);
    if (FRICTION[field]) return { isSound: FRICTION[field], touched: { frictions: [s] } };
    const inertias = shapeBody[s] > 0 ? [shapeBody[s]] : [];
    if (MASS[field]) return { isSound: MASS[field], touched: { inertias } };
    return POSE[field] ? { isSound: POSE[field], touched: { poses: [s], inertias } } : undefined;
  },
  joints: (item, field, { joints }) =>
    AMOUNTS[field] && { isSound: AMOUNTS[field], touched: { joints: [joints.indexOf(item as never)] } },
  tendons: (item, field, { scene }) =>
    AMOUNTS[field] && { isSound: AMOUNTS[field], touched: { tendons: [scene.tendons!.indexOf(item as never)] } },
  actuators: (item, field, { scene }) => {
    const isSound = checkGain(item as unknown as Actuator, field);
    return isSound && { isSound, touched: { actuators: [scene.actuators!.indexOf(item as never)] } };
  },
  materials: (item, field, { scene, shapes, shapeBody }) => {
    if (!SURFACE[field]) return undefined;
    const frictions = [...shapes.keys()].filter((s) => shapes[s].material === item.name);
    const inertias = field === 'density' ? frictions.map((s) => shapeBody[s]).filter((b) => b > 0) : [];
    const materials = [scene.materials!.indexOf(item as never)];
    return { isSound: SURFACE[field], touched: { frictions, inertias, materials } };
  },
};

/** Fields of the law of an actuator: damping and its ratio exclude each other. */
function checkGain(actuator: Actuator, field: string): Check | undefined {
  if (actuator.active === false) return undefined;
  switch (actuator.kind) {
    case 'position':
      if (field === 'stiffness') return isAmount;
      if (field === 'damping' && actuator.dampingRatio === undefined) return isAmount;
      return field === 'dampingRatio' && actuator.damping === undefined ? isAmount : undefined;
    case 'velocity':
    case 'adhesion':
      return field === 'gain' ? isNumber : undefined;
    case 'general':
      return actuator.dampingRatio === undefined && (field === 'gain' || field === 'bias') ? VECTOR : undefined;
    default:
      return undefined;
  }
}

function listSlots(kind: string, item: SceneFields, field: string, component: string | undefined): Slot[] {
  if (kind === 'bodies' && field === 'mass') return listMassSlots(item as unknown as Body);
  const list = item[field];
  return component !== undefined && Array.isArray(list)
    ? [createSlot(list as never, component)]
    : [createSlot(item, field)];
}

function listMassSlots({ inertia, shapes = [] }: Body): Slot[] {
  if (!inertia) {
    const all = shapes as unknown as SceneFields[];
    return all.flatMap((shape) => [createSlot(shape, 'mass'), createSlot(shape, 'density')]);
  }
  const numbers = inertia.kind === 'principal' ? inertia.moments : inertia.tensor;
  return [
    createSlot(inertia as never, 'mass'),
    ...[...numbers.keys()].map((k) => createSlot(numbers as never, `${k}`)),
  ];
}

function createSlot(owner: SceneFields, key: string): Slot {
  return { owner, key, first: owner[key] };
}
