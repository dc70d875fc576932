import type { Model } from '@nexdyn/engine';
import type { Recorder } from '@nexdyn/formats';
import { createMotion, listCsvLines, listRaggedCsvLines, writeGlb, writeMcap, writeNpz } from '@nexdyn/formats';
import type { CommandIo } from '../command-io.ts';
import { rejectChoice } from '../option-values.ts';
import type { FileContent } from '../output/output-folder.ts';
import { escapeName } from '../terminal-text.ts';

/** As what frames can be written. */
export const RECORDING_FORMATS = ['npz', 'csv', 'mcap', 'glb'] as const;
export type RecordingFormat = (typeof RECORDING_FORMATS)[number];

/** Names of formats with commas between. */
export function parseFormats(text: string): RecordingFormat[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const isKnown = (name: string): name is RecordingFormat => (RECORDING_FORMATS as readonly string[]).includes(name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined) {
    throw rejectChoice(unknown, RECORDING_FORMATS);
  }
  return [...new Set(names.filter(isKnown))];
}

/** Names of the files of a recording. */
const FILE_OF_FORMAT: Record<RecordingFormat, string> = {
  npz: 'frames.npz',
  csv: 'frames.csv',
  mcap: 'frames.mcap',
  glb: 'motion.glb',
};

/** Beside frames.csv, where something can touch. */
const CONTACT_TABLE = 'contacts.csv';

/** Names of the files that a recording will have. */
export function listRecordingFiles(formats: readonly RecordingFormat[]): string[] {
  return formats.flatMap((format) =>
    format === 'csv' ? [FILE_OF_FORMAT.csv, CONTACT_TABLE] : [FILE_OF_FORMAT[format]],
  );
}

/** The files of a recording, by their names. */
export async function writeRecording(
  model: Model,
  recorder: Recorder,
  formats: readonly RecordingFormat[],
  io: CommandIo,
): Promise<Record<string, FileContent>> {
  const files: Record<string, FileContent> = {};
  if (formats.includes('npz')) files[FILE_OF_FORMAT.npz] = writeNpz(recorder.finish({ bodies: true }));
  if (formats.includes('csv')) {
    const recording = recorder.finish({ bodies: false });
    files[FILE_OF_FORMAT.csv] = listCsvLines(recording);
    for (const group of recording.ragged ?? []) files[`${group.name}s.csv`] = listRaggedCsvLines(recording, group);
  }
  if (formats.includes('mcap') || formats.includes('glb')) {
    const motion = createMotion(model, recorder.finish({ bodies: true }));
    if (motion.undrawn.length > 0)
      io.writeMessage(`not drawn, since they have no surface: ${escapeName(motion.undrawn.join(', '))}\n`);
    if (formats.includes('mcap')) files[FILE_OF_FORMAT.mcap] = await writeMcap(motion);
    if (formats.includes('glb')) files[FILE_OF_FORMAT.glb] = writeGlb(motion);
  }
  return files;
}
