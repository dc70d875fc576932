/**
 * Where runs begin: at a keyframe, changed by paths. Where bodies are the coordinates, joints are constraints that cannot be set one by
 * one. A twin of the scene in joint coordinates can be set; its state is a keyframe, which the model of every formulation can take.
 */
import { compileModel, type Model, NexdynError, type Scene, Simulation } from '@nexdyn/engine/core';
import type { SweepRun } from '../plan/expand-plan.ts';
import { isJointPath, isNamedPath, isStatePath, setInitialState } from './initial-state.ts';

type Keyframe = NonNullable<Scene['keyframes']>[number];

/** What a run says of its start. */
export type RunStart = Pick<SweepRun, 'set' | 'keyframe'>;

/** Name of the keyframe that has the start of a run. */
const START = 'start of the run';

/** Puts a simulation of the scene of a run at the start of the run. */
export function beginRun(simulation: Simulation, { set, keyframe }: RunStart): void {
  simulation.reset(chooseKeyframe(simulation.model.keyframe.name, keyframe));
  setInitialState(simulation, set);
}

/** Whether a run sets joints that are no coordinates of its model. */
export function setsConstraints({ coordinates }: Model, { set }: RunStart): boolean {
  return coordinates === 'body' && Object.keys(set).some(isJointPath);
}

/** Whether a run begins elsewhere than its scene does. */
export function hasStart({ set, keyframe }: RunStart): boolean {
  return keyframe !== undefined || Object.keys(set).some(isStatePath);
}

/** The scene of a run with the start of the run as its first keyframe, and what the keyframe does not say of the start. */
export function addStart(scene: Scene, run: RunStart): { scene: Scene; start: RunStart } {
  const twin = new Simulation(compileModel(scene, { formulation: 'mujoco', coordinates: 'joint' }));
  const entries = Object.entries(run.set);
  beginRun(twin, { ...run, set: Object.fromEntries(entries.filter(([path]) => isNamedPath(path))) });
  const { keyframes = [] } = scene;
  const name = chooseName(keyframes);
  return {
    scene: { ...scene, keyframes: [describeState(twin, name), ...keyframes] },
    start: { keyframe: name, set: Object.fromEntries(entries.filter(([path]) => !isNamedPath(path))) },
  };
}

function describeState({ state, time, model }: Simulation, name: string): Keyframe {
  const { size } = model;
  return {
    name,
    time,
    position: [...state.position],
    velocity: [...state.velocity],
    ...(size.activation > 0 && { activation: [...state.activation] }),
    ...(size.actuator > 0 && { control: [...state.control] }),
    ...(size.mocap > 0 && {
      mocapPosition: [...state.mocapPosition],
      mocapOrientation: [...state.mocapOrientation],
    }),
  };
}

function chooseName(keyframes: readonly Keyframe[]): string {
  let name = START;
  while (keyframes.some((keyframe) => keyframe.name === name)) name += "'";
  return name;
}

function chooseKeyframe(names: readonly string[], wanted: SweepRun['keyframe']): string | number | null {
  if (wanted === undefined) return names.length > 0 ? names[0] || 0 : null;
  if (wanted === null || names.includes(String(wanted))) return wanted;
  if (typeof wanted === 'number' && wanted >= 0 && wanted < names.length) return wanted;
  const known = names.map((name, n) => name || String(n));
  throw new NexdynError('unknown-reference', `the scene has no keyframe '${wanted}'`, {
    path: 'keyframes',
    hint: known.length > 0 ? `choose from ${known.join(', ')}, or null` : 'leave keyframes out',
  });
}
