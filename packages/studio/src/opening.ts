/** Ways to open a scene: from the gallery, from files that were dropped or picked. */
import { describeComplaint, describeError } from './complaint.ts';
import { describeFailure, readOutside } from './files/file-desk.ts';
import type { SortedFiles } from './files/file-reading.ts';
import { LARGEST_DROP, type PickedFile, totalSize } from './files/picked-files.ts';
import { GALLERY, type GalleryScene } from './gallery.ts';
import { fetchText } from './gallery-pictures.ts';
import type { RunRecord } from './session/protocol.ts';
import type { Source, Studio } from './studio.ts';

/** Time to fetch a model of many files, ms. */
const FETCH_PATIENCE = 120_000;

/** Open a scene that comes with the page, or a recorded run of it. */
export async function openGallery(
  studio: Studio,
  entry: GalleryScene,
  choice: Pick<Source, 'formulation' | 'set'> = {},
  run?: RunRecord,
): Promise<void> {
  const isWanted = studio.claim();
  const path = `${entry.id}.json`;
  try {
    const text = await fetchText(entry.url);
    const source = { galleryId: entry.id, files: { [path]: text }, path, choices: [], ...choice };
    if (isWanted()) await openSource(studio, source, run);
  } catch (error) {
    studio.refuse(
      describeComplaint('file-not-found', `${entry.title} could not be fetched: ${describeError(error)}`, undefined),
    );
  }
}

/** Open a model by its address on the web; one without a host is an address beside the page. */
export async function openModel(
  studio: Studio,
  address: string,
  choice: Pick<Source, 'formulation' | 'set'> = {},
  run?: RunRecord,
): Promise<void> {
  const isWanted = studio.claim();
  studio.opening.value = true;
  try {
    const whole = new URL(address, document.baseURI).href;
    const {
      files,
      choices,
      run: recorded,
    } = await readOutside((desk) => desk.fetchModel(whole), {
      patience: FETCH_PATIENCE,
    });
    if (!isWanted()) return;
    const path = recorded?.path ?? choices[0];
    if (path === undefined) throw new Error(`${address} is not a scene`);
    const source = { galleryId: recorded?.galleryId, address: whole, files, path, choices, ...choice };
    await openSource(studio, source, run ?? recorded?.record);
  } catch (error) {
    studio.opening.value = false;
    studio.refuse(describeFailure(error, `${address} could not be opened`));
  }
}

/** Open a scene from its start, or a recorded run of it at its end. */
export async function openSource(studio: Studio, source: Source, run: RunRecord | undefined): Promise<void> {
  if (run) await (await import('./run-file.ts')).openRun(studio, source, run);
  else await studio.open(source);
}

/** Open what the user dropped or picked. */
export async function openPicked(studio: Studio, picked: readonly PickedFile[]): Promise<void> {
  if (picked.length === 0) return;
  studio.claim();
  if (totalSize(picked) > LARGEST_DROP) {
    const megabytes = Math.round(totalSize(picked) / 1e6);
    studio.refuse(
      describeComplaint('too-large', `These files are ${megabytes} MB in total`, 'Drop one model with its assets.'),
    );
    return;
  }
  studio.opening.value = true;
  try {
    await openSorted(studio, await readOutside((desk) => desk.readPicked([...picked])));
  } catch (error) {
    studio.opening.value = false;
    studio.refuse(describeFailure(error, 'The files could not be read'));
  }
}

/** Open one of the files of a scene that was opened or refused. */
export function openFiles(studio: Studio, { files, choices }: Source, path: string): Promise<void> {
  return studio.open({ galleryId: undefined, files, path, choices });
}

async function openSorted(studio: Studio, { files, choices, run }: SortedFiles): Promise<void> {
  if (run) {
    const { openRun } = await import('./run-file.ts');
    await openRun(studio, { galleryId: run.galleryId, path: run.path, files, choices: [] }, run.record);
    return;
  }
  const first = choices[0];
  if (first === undefined) {
    studio.opening.value = false;
    const count = Object.keys(files).length;
    const reason = count === 1 ? `${Object.keys(files)[0]} is not a scene` : `None of these ${count} files is a scene`;
    const hint =
      'Drop an MJCF (.xml), URDF (.urdf) or NexDyn scene (.json) with its meshes, a zip file with all of them, or a single mesh (.obj, .stl, .msh, .glb).';
    studio.refuse(describeComplaint('unknown-format', reason, hint));
    return;
  }
  await studio.open({ galleryId: undefined, files, path: first, choices });
}

/** Open the gallery scene before or after the present one. */
export function openNeighbour(studio: Studio, offset: number): void {
  if (GALLERY.length === 0) return;
  const present = GALLERY.findIndex(({ id }) => id === studio.source.value?.galleryId);
  const next = present < 0 ? 0 : (present + offset + GALLERY.length) % GALLERY.length;
  void openGallery(studio, GALLERY[next]!);
}
