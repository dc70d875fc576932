/** What `nexdyn agree` asks of each engine: a model as the engine compiled it, and states of a run from its first keyframe. */

/** Sizes by the names of MuJoCo. */
export const SIZES = [
  'nq',
  'nv',
  'nu',
  'na',
  'nbody',
  'njnt',
  'ngeom',
  'nsite',
  'nmesh',
  'ntendon',
  'neq',
  'nkey',
  'nmocap',
  'nsensor',
  'nsensordata',
] as const;

/** Arrays of joints, dofs, geoms and actuators that `nexdyn explain` compares, by the names of MuJoCo. */
export const FIELDS = [
  'jnt_type',
  'jnt_pos',
  'jnt_axis',
  'jnt_range',
  'jnt_margin',
  'jnt_stiffness',
  'dof_damping',
  'dof_armature',
  'dof_frictionloss',
  'geom_friction',
  'geom_condim',
  'geom_margin',
  'geom_gap',
  'geom_solref',
  'geom_solimp',
  'actuator_ctrlrange',
] as const;

/** One contact: numbers of its geoms, point, normal from the first to the second, signed distance. */
export interface ContactRecord {
  geom1: number;
  geom2: number;
  /** m. */
  position: number[];
  normal: number[];
  /** m, negative in penetration. */
  distance: number;
}

/** A state of a run, with what the engine computes in it. */
export interface StateRecord {
  /** Steps taken before it. */
  step: number;
  /** s. */
  time: number;
  qpos: number[];
  qvel: number[];
  act: number[];
  ctrl: number[];
  mocapPosition: number[];
  mocapOrientation: number[];
  warmStart: number[];
  contacts: ContactRecord[];
  /** Joint forces without those of constraints, N or N m. */
  smoothForce: number[];
  /** Joint forces of constraints, N or N m. */
  constraintForce: number[];
  /** Readings of all sensors, one after the other. */
  sensors: number[];
}

/** A model and its run. */
export interface ModelRecord {
  /** Name and version of the engine. */
  engine: string;
  sizes: Record<(typeof SIZES)[number], number>;
  bodies: string[];
  geoms: string[];
  /** Kind of each geom, by MuJoCo's words. */
  geomKinds: string[];
  /** kg, of each body. */
  mass: number[];
  /** kg m², principal moments of each body in ascending order. */
  inertia: number[];
  /** Names of sensors and how many numbers each reads. */
  sensors: { name: string; dimension: number }[];
  timestep: number;
  /** See FIELDS. */
  fields: Partial<Record<(typeof FIELDS)[number], number[]>>;
  states: StateRecord[];
}

/** What is run. */
export interface RecordPlan {
  /** s, ascending; the first is 0. */
  times: readonly number[];
  /** Controls: those of the keyframe, or random ones from a seed. */
  seed?: number;
}

/** Times of the states that are compared: every tenth of a second. */
export function planTimes(seconds: number): number[] {
  const count = Math.max(1, Math.round(seconds / 0.1));
  return Array.from({ length: count + 1 }, (_, k) => (k * seconds) / count);
}

/** Random controls, the same in every engine: anywhere in the range of each actuator, or in [−1, 1]. */
export function chooseControls(limited: ArrayLike<number>, ranges: ArrayLike<number>, seed: number): number[] {
  let state = seed >>> 0;
  return Array.from(limited, (isLimited, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const [low, high] = isLimited ? [ranges[2 * i]!, ranges[2 * i + 1]!] : [-1, 1];
    return low + (high - low) * (state / 2 ** 32);
  });
}

/** Principal moments of each body in ascending order. */
export function sortMoments(moments: ArrayLike<number>): number[] {
  const sorted: number[] = [];
  for (let b = 0; b < moments.length; b += 3) {
    sorted.push(...[moments[b]!, moments[b + 1]!, moments[b + 2]!].sort((x, y) => x - y));
  }
  return sorted;
}
