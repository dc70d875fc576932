/** A recorded run as a file: the scene, its options and all that the user did, and the hash of its end. */
import { decodeBase64, encodeBase64 } from './packed-scene.ts';
import { fileNameOf, saveFile } from './save-file.ts';
import type { RunRecord, SceneFiles } from './session/protocol.ts';
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
  const record = await studio.session.record();
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
    `Saved ${record.steps} steps, ${record.pulls.length} of them with a pull. Drop the file here to replay it.`,
  );
}

/** The name under which the run is saved. */
export function nameRunFile(studio: Studio): string {
  return `${fileNameOf(studio.scene.value?.facts.name ?? 'scene')}.run.json`;
}

/** Replay a recorded run, where that is what the files are; tells whether it was. */
export async function openRunFile(studio: Studio, files: SceneFiles): Promise<boolean> {
  const run = Object.values(files)
    .map((content) => readRunFile(content))
    .find((found) => found !== undefined);
  if (!run) return false;
  const contents = Object.fromEntries(
    Object.entries(run.files).map(([name, content]) => [
      name,
      typeof content === 'string' ? content : decodeBase64(content.base64),
    ]),
  );
  const { galleryId, path, record } = run;
  await openRun(studio, { galleryId, path, files: contents, choices: [] }, record);
  return true;
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

function readRunFile(content: Uint8Array | string): RunFile | undefined {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content.subarray(0, 64));
  if (!text.slice(0, 64).includes(`"${FORMAT}"`)) return undefined;
  const whole = typeof content === 'string' ? content : new TextDecoder().decode(content);
  try {
    return JSON.parse(whole) as RunFile;
  } catch {
    return undefined;
  }
}
