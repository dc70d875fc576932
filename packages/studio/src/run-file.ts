/** A recorded run as a file: the scene, its options, all inputs of the user, and the final hash. */
import { parseJson } from '@nexdyn/formats';
import { describeComplaint } from './complaint.ts';
import { encodeBase64, readBundle } from './packed-scene.ts';
import { checkRunRecord } from './run-record.ts';
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

/** Replay a recorded run, where that is what the files are; tells whether it was. */
export async function openRunFile(studio: Studio, files: SceneFiles): Promise<boolean> {
  const texts = Object.values(files).map((content) => readRunText(content));
  const text = texts.find((found) => found !== undefined);
  if (text === undefined) return false;
  try {
    const { galleryId, path, files, record } = parseRunFile(text);
    await openRun(studio, { galleryId, path, files, choices: [] }, record);
  } catch (error) {
    studio.opening.value = false;
    const reason = `The recorded run is damaged: ${error instanceof Error ? error.message : String(error)}`;
    studio.refuse(describeComplaint('invalid-value', reason, 'Save it again with S.'));
  }
  return true;
}

/** The scene and the record in the text of a run file, checked; `file` names it in errors. */
export function parseRunFile(
  text: string,
  file = 'run.json',
): { galleryId: string | undefined; path: string; files: SceneFiles; record: RunRecord } {
  const value = parseJson(text, file) as Partial<RunFile> | null;
  const { path, files } = readBundle(value, file);
  const galleryId = typeof value?.galleryId === 'string' ? value.galleryId : undefined;
  return { galleryId, path, files, record: checkRunRecord(value?.record) };
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

// the text of a file that begins as a run does
function readRunText(content: Uint8Array | string): string | undefined {
  const start = typeof content === 'string' ? content.slice(0, 64) : new TextDecoder().decode(content.subarray(0, 64));
  if (!start.includes(`"${FORMAT}"`)) return undefined;
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
