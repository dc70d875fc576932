/** What files and links from outside hold. It runs in a worker of its own, since they may have been made to do harm. */
import { parseJson } from '@nexdyn/formats';
import { parsePacked, readBundle, unpackScene, unpackText } from '../packed-scene.ts';
import type { RunFile } from '../run-file.ts';
import { checkRunRecord } from '../run-record.ts';
import type { RunRecord, SceneFiles } from '../session/protocol.ts';
import { listSceneFiles } from './main-file.ts';
import { wrapMeshes } from './mesh-scene.ts';
import type { PickedFile } from './picked-files.ts';
import { readZip } from './zip-archive.ts';

/** Files, and what they are. */
export interface SortedFiles {
  files: SceneFiles;
  /** Scenes among them, the likeliest first. */
  choices: string[];
  /** A recorded run, where that is what they are; `files` are then those of its scene. */
  run?: { galleryId: string | undefined; path: string; record: RunRecord };
}

/** All files, archives unpacked, and what can be opened of them. */
export async function readPicked(picked: readonly PickedFile[]): Promise<SortedFiles> {
  const entries: [string, Uint8Array][] = [];
  for (const { path, file } of picked) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (/\.zip$/i.test(path)) entries.push(...(await readZip(path, bytes)));
    else entries.push([path, bytes]);
  }
  const files: SceneFiles = Object.fromEntries(entries);
  for (const [name, content] of entries) {
    const run = readRunFile(name, content);
    if (run) return run;
  }
  const choices = listSceneFiles(files);
  const wrapped = choices.length === 0 ? wrapMeshes(files) : undefined;
  return wrapped ? { files: { ...files, ...wrapped }, choices: Object.keys(wrapped) } : { files, choices };
}

/** The record of a run in a link. */
export async function unpackRun(packed: string): Promise<RunRecord> {
  return checkRunRecord(parsePacked(await unpackText(packed)));
}

export { unpackScene };

/** A recorded run, where the file begins as one does. */
function readRunFile(name: string, content: Uint8Array): SortedFiles | undefined {
  const start = new TextDecoder().decode(content.subarray(0, 64));
  if (!start.includes('"nexdyn-run"')) return undefined;
  const { galleryId, path, files, record } = parseRunFile(new TextDecoder().decode(content), name);
  return { files, choices: [], run: { galleryId, path, record } };
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
