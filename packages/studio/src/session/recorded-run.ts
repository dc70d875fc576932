/** A run as a file of numbers or of motion: what `nexdyn run --out` writes, from the page. It is repeated from its start for that. */
import { createMotion, createRecorder, type Recorder, writeCsv, writeGlb, writeMcap, writeNpz } from '@nexdyn/formats';
import type { RunRecord, SceneFiles } from './protocol.ts';
import { replayRun } from './run-replay.ts';

export type DataFormat = 'npz' | 'csv' | 'mcap' | 'glb';

/** Frames per second of motion, and how many there may be. */
const RATE = 60;
const MOST_FRAMES = 20_000;
/** Time that the repeated run may take, ms. */
const PATIENCE = 600_000;

export async function writeRun(
  files: SceneFiles,
  path: string,
  record: RunRecord,
  format: DataFormat,
): Promise<Uint8Array> {
  let recorder: Recorder | undefined;
  let every = 1;
  const { opened } = await replayRun(files, path, record, {
    patience: PATIENCE,
    onState(simulation, step) {
      if (!recorder) {
        const { timestep } = simulation.model.options;
        const perFrame = format === 'npz' || format === 'csv' ? 1 : Math.max(1, Math.round(1 / (RATE * timestep)));
        every = Math.max(perFrame, Math.ceil(record.steps / MOST_FRAMES));
        recorder = createRecorder(simulation.model, Math.floor(record.steps / every) + 1);
      }
      if (step % every === 0) recorder.record(simulation, step);
    },
  });
  const { model } = opened.simulation;
  if (format === 'csv') return new TextEncoder().encode(writeCsv(recorder!.finish({ bodies: false })));
  const recording = recorder!.finish({ bodies: true });
  if (format === 'npz') return writeNpz(recording);
  const motion = createMotion(model, recording);
  return format === 'glb' ? writeGlb(motion) : await writeMcap(motion);
}
