/** Under which formulation the open scene runs, or under which ones side by side. */
import { type FormulationId, findFormulation } from '@nexdyn/engine';
import { FORMULATIONS, MOST_RUNS } from './address.ts';
import { writeAddress } from './navigation.ts';
import type { RunRecord } from './session/protocol.ts';
import type { Studio } from './studio.ts';

/** Restart the open scene under another formulation, with the same camera. */
export async function chooseFormulation(studio: Studio, formulation: FormulationId): Promise<void> {
  const source = studio.source.value;
  const compared = studio.wanted;
  if (compared) {
    // side by side: take it in or out, in the order of the keys; two are the least
    const next = FORMULATIONS.filter((id) => compared.includes(id) !== (id === formulation));
    if (next.length > MOST_RUNS) studio.say(`At most ${MOST_RUNS} run side by side: remove one first.`);
    else if (next.length >= 2) await compare(studio, next);
  } else if (source && formulation !== studio.scene.value?.facts.formulation) {
    await studio.open({ ...source, formulation });
  }
}

/** Show formulations side by side, at the end of a recorded run if there is one; none: end it. Of several wishes in a row only the last one counts. */
export async function compare(
  studio: Studio,
  formulations: readonly FormulationId[] | undefined,
  run?: RunRecord,
): Promise<void> {
  const wasWanted = studio.wanted !== undefined;
  // the same list is recognised
  const wish = formulations && [...formulations];
  studio.wanted = wish;
  const before = studio.comparison.value;
  const source = studio.source.value;
  before?.close();
  studio.comparison.value = undefined;
  if (!formulations || !source) {
    studio.viewport?.setPanes(1);
    if ((before || wasWanted) && source) await studio.open(source);
    return;
  }
  studio.session.pause();
  const { Comparison } = await import('./comparison/comparison.ts');
  // a scene that is still opening would end the comparison
  await studio.opened;
  if (studio.wanted !== wish) return;
  studio.session.pause();
  const comparison = new Comparison(studio, studio.source.value ?? source, formulations);
  studio.comparison.value = comparison;
  const opened = comparison.open(run);
  if (studio.playing.value) comparison.play();
  await opened;
  void writeAddress(studio);
}

export async function toggleCompare(studio: Studio): Promise<void> {
  const isSoft = studio.scene.value?.facts.isSoft;
  // baselines are taken in by their buttons
  const all = FORMULATIONS.map((id) => findFormulation(id))
    .filter(({ isBaseline, resolves }) => !isBaseline && (!isSoft || resolves.softBodies))
    .map(({ id }) => id);
  await compare(studio, studio.wanted ? undefined : all);
}
