/** All that can be saved of a run, in one place. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { describeComplaint, describeError } from '../complaint.ts';
import { saveFilm } from '../film/save-film.ts';
import { Icon } from '../panels/icon.tsx';
import { fileNameOf, saveFile } from '../save-file.ts';
import { Session } from '../session/client.ts';
import type { DataFormat } from '../session/recorded-run.ts';
import { saveReplay, saveRunFile, saveScreenshot } from '../sharing.ts';
import type { Studio } from '../studio.ts';
import './save.css';

interface Choice {
  id: string;
  label: string;
  note: string;
  save: (studio: Studio) => Promise<void>;
}

const GROUPS: readonly { name: string; choices: readonly Choice[] }[] = [
  {
    name: 'Pictures',
    choices: [
      { id: 'png', label: 'PNG', note: 'this view', save: saveScreenshot },
      { id: 'mp4', label: 'MP4', note: 'video, 1280 × 720', save: (studio) => saveFilm(studio, 'mp4') },
      { id: 'webm', label: 'WebM', note: 'video, 1280 × 720', save: (studio) => saveFilm(studio, 'webm') },
      { id: 'gif', label: 'GIF', note: '480 × 270, plays anywhere', save: (studio) => saveFilm(studio, 'gif') },
    ],
  },
  {
    name: 'Data',
    choices: [
      { id: 'npz', label: 'NPZ', note: 'every step, for NumPy', save: (studio) => saveData(studio, 'npz') },
      { id: 'csv', label: 'CSV', note: 'every step, as a table', save: (studio) => saveData(studio, 'csv') },
      { id: 'mcap', label: 'MCAP', note: 'motion, for Foxglove', save: (studio) => saveData(studio, 'mcap') },
      { id: 'glb', label: 'glTF', note: 'motion, for Blender and others', save: (studio) => saveData(studio, 'glb') },
    ],
  },
  {
    name: 'Replay',
    choices: [
      { id: 'run', label: 'Run file', note: 'scene and all inputs, for exact replay', save: saveRunFile },
      { id: 'replay', label: 'Replay page', note: 'one HTML file that plays without the studio', save: saveReplay },
    ],
  },
];

export function SaveSheet({ studio }: { studio: Studio }): JSX.Element | null {
  const busy = useSignal<string | undefined>(undefined);
  if (!studio.saveOpen.value) return null;
  const close = (): void => {
    studio.saveOpen.value = false;
  };
  const choose = async ({ id, save }: Choice): Promise<void> => {
    busy.value = id;
    try {
      await save(studio);
    } finally {
      busy.value = undefined;
    }
  };
  return (
    <div class="save-sheet" role="dialog" aria-label="Save the run" data-role="save-sheet">
      <div class="save-head">
        <h2>Save the run</h2>
        <button type="button" class="button plain" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {GROUPS.map(({ name, choices }) => (
        <section key={name}>
          <h3>{name}</h3>
          {choices.map((choice) => (
            <button
              key={choice.id}
              type="button"
              class="save-choice"
              data-save={choice.id}
              disabled={busy.value !== undefined}
              onClick={() => void choose(choice)}
            >
              <strong>{choice.label}</strong>
              <span>{busy.value === choice.id ? 'Saving…' : choice.note}</span>
            </button>
          ))}
        </section>
      ))}
    </div>
  );
}

/** The run, repeated in a worker of its own, as a file. */
async function saveData(studio: Studio, format: DataFormat): Promise<void> {
  const source = studio.source.value;
  // side by side it is the first run
  const compared = studio.comparison.value?.runs.find(({ scene }) => scene);
  const record = await (compared?.session ?? studio.session).record();
  if (!source || !record) return;
  const session = new Session();
  try {
    const bytes = await session.writeRun(source.files, source.path, record, format);
    const name = `${fileNameOf(studio.scene.value?.facts.name ?? 'scene')}.${format}`;
    saveFile(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }), name);
    studio.say(`Saved ${name}: ${record.steps} steps, ${Math.ceil(bytes.length / 1000)} kB.`);
  } catch (error) {
    studio.refuse(describeComplaint('unexpected', `The run could not be saved: ${describeError(error)}`, undefined));
  } finally {
    session.close();
  }
}
