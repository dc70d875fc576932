/** A recorded run as a file: the scene, its options, all inputs of the user, and the final hash. */
import { encodeBase64 } from './packed-scene.ts';
import { fileNameOf, saveFile } from './save-file.ts';
import type { RunRecord } from './session/protocol.ts';
import type { Source, Studio } from './studio.ts';

const FORMAT = 'nexdyn-run';

export interface RunFile {
  format: typeof FORMAT;
  version: 1;
  galleryId?: string | undefined;
  path: string;
  files: Record<string, string | { base64: string }>;
  record: RunRecord;
}

/** Save the run up to the present state. */
export async function saveRunFile(studio: Studio): Promise<void> {
  const source = studio.source.value;
  // side by side it is the first run
  const compared = studio.comparison.value?.runs.find(({ scene }) => scene);
  const record = await (compared?.session ?? studio.session).record();
  if (!source || !record) return;
  const { galleryId, path } = source;
  const files = Object.fromEntries(
    Object.entries(source.files).map(([name, content]) => [
      name,
      typeof content === 'string' ? content : { base64: encodeBase64(content) },
    ]),
  );
  const file: RunFile = { format: FORMAT, version: 1, galleryId, path, files, record };
  saveFile(new Blob([JSON.stringify(file)], { type: 'application/json' }), nameRunFile(studio));
  studio.say(
    `Saved ${record.steps === 1 ? '1 step' : `${record.steps} steps`}${compared ? ` of ${compared.formulation}` : ''}, ${record.pulls.length} of them with a pull. Drop the file here to replay it.`,
  );
}

/** The name under which the run is saved. */
export function nameRunFile(studio: Studio): string {
  return `${fileNameOf(studio.scene.value?.facts.name ?? 'scene')}.run.json`;
}

/** Repeat a recorded run of a scene, stand at its end, and say whether it is the recorded one. */
export async function openRun(studio: Studio, source: Source, record: RunRecord): Promise<void> {
  const { formulation, set } = record.changes.at(-1)?.choice ?? record.choice;
  studio.opening.value = true;
  const isSame = await studio.openRecord({ ...source, formulation, set }, record);
  studio.opening.value = false;
  if (isSame === undefined) return;
  studio.say(
    isSame
      ? `Replayed ${record.steps} steps: the same state to the last bit (${record.hash}).`
      : `Replayed ${record.steps} steps: the state differs from the recorded one.`,
  );
}
