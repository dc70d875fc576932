/** Other options for the open scene: from the present state on, or for a run from the start. */
import { batch } from '@preact/signals';
import { writeAddress } from './navigation.ts';
import type { ChangeMode, Source } from './page-state.ts';
import type { Studio } from './studio.ts';

/** Changes are queued: each starts from the result of the previous one. */
let underWay: Promise<void> = Promise.resolve();

/** Set an option of the scene; undefined goes back to the scene's own. */
export function setOption(studio: Studio, path: string, value: unknown): Promise<void> {
  return changeNext(studio, studio.changeMode.value, (source) => {
    const set = { ...source.set };
    if (value === undefined) delete set[path];
    else set[path] = value;
    return { ...source, set };
  });
}

/** Set several values at once and run again from the start. */
export function setValues(studio: Studio, values: Readonly<Record<string, unknown>>): Promise<void> {
  return changeNext(studio, 'rerun', (source) => ({ ...source, set: { ...source.set, ...values } }));
}

/** Run again with the options of the scene itself. */
export function dropOptions(studio: Studio): Promise<void> {
  return changeNext(studio, 'rerun', (source) => ({ ...source, set: undefined }));
}

function changeNext(studio: Studio, mode: ChangeMode, alter: (source: Source) => Source): Promise<void> {
  const job = async (): Promise<void> => {
    const source = studio.source.value;
    if (source) await change(studio, alter(source), mode);
  };
  underWay = underWay.then(job, job);
  return underWay;
}

/** Go back ten steps and go on with half the time step. */
export async function halveStep(studio: Studio): Promise<void> {
  const { facts } = studio.scene.value ?? {};
  const step = studio.frame.value?.step ?? 0;
  if (!facts) return;
  await studio.session.seek(step - 10);
  const source = studio.source.value!;
  await change(studio, { ...source, set: { ...source.set, timestep: facts.timestep / 2 } }, 'continue');
  if (studio.playing.value) return;
  // the frame after the stop may still be under way: the page would take the run for one that cannot go on
  studio.playing.value = true;
  studio.session.play();
}

async function change(studio: Studio, source: Source, mode: ChangeMode): Promise<void> {
  const compared = studio.wanted;
  if (compared || mode === 'rerun') {
    await studio.open(source);
    // a refused change leaves the runs as they are
    if (compared && studio.source.value === source) await studio.compare(compared);
    return;
  }
  const result = await studio.session.change({ formulation: source.formulation, set: source.set });
  // another scene may have come meanwhile
  if (studio.source.value?.files !== source.files) return;
  if (!result.ok) {
    studio.refuse(result.problem, source);
    return;
  }
  batch(() => {
    studio.problem.value = undefined;
    studio.source.value = source;
    studio.scene.value = result.scene;
  });
  void writeAddress(studio);
  if (studio.playing.value) studio.session.play();
}
