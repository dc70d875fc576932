/** Between the page and its address: what an address opens, and which address the page has. */
import { type Address, formatAddress, parseAddress } from './address.ts';
import { describeComplaint, describeError } from './complaint.ts';
import { GALLERY, LESSONS } from './gallery.ts';
import { openGallery, openModel, openSource } from './opening.ts';
import { listStages } from './session/stages.ts';
import { SPEEDS, type Studio } from './studio.ts';

/** Open what the address says, else the first scene. */
export async function start(studio: Studio, hash: string): Promise<void> {
  await follow(studio, hash);
  // a scene that does not run, or none at all, has its panels too
  setTimeout(() => studio.greet(), 1000);
}

/** Open what an address says; a scene that is given takes the place of the one that it names. */
export async function follow(studio: Studio, hash: string, given?: Address['scene']): Promise<void> {
  let address: Address = {};
  let damage: string | undefined;
  try {
    address = await parseAddress(hash);
  } catch (error) {
    damage = `The address is damaged: ${describeError(error)}`;
  }
  if (given) address = { ...address, galleryId: undefined, model: undefined, scene: given };
  const { galleryId, model, scene, formulation, set, run } = address;
  const named = [...GALLERY, ...LESSONS].find(({ id }) => id === galleryId);
  if (galleryId !== undefined && !named) damage = `There is no scene ${JSON.stringify(galleryId)}`;
  const entry = named ?? GALLERY[0];
  const refuse = (reason: string): void =>
    studio.refuse(describeComplaint('invalid-address', reason, 'Choose a scene from the gallery.'));
  // a scene that is open stays; else the first replaces what cannot be opened
  if (damage && studio.scene.value) return refuse(damage);
  applyAddress(studio, address);
  if (model !== undefined) await openModel(studio, model, { formulation, set }, run);
  else if (scene) await openSource(studio, { ...scene, galleryId: undefined, choices: [], formulation, set }, run);
  else if (entry) await openGallery(studio, entry, { formulation, set }, run);
  await arrive(studio, address);
  if (damage) refuse(damage);
}

/** What an address says about the page. */
function applyAddress(studio: Studio, { speed, shows }: Address): void {
  if (speed !== undefined && SPEEDS.includes(speed)) {
    studio.speed.value = speed;
    studio.session.setSpeed(speed);
  }
  if (!shows) return;
  studio.panels.value = { gallery: !shows.includes('no-gallery'), side: !shows.includes('no-measurements') };
  studio.setView({ contacts: shows.includes('contacts'), forces: shows.includes('forces') });
  if (shows.includes('convergence') !== studio.convergenceOpen.value) studio.toggleConvergence();
  studio.isConvergenceAwaited = false;
}

/** What an address says about the open scene: its time and camera. */
async function arrive(studio: Studio, { time, camera, compare, keyframe, run }: Address): Promise<void> {
  if (!studio.scene.value) return;
  if (keyframe !== undefined && !run && keyframe < studio.scene.value.facts.keyframes.length) studio.startAt(keyframe);
  if (compare) await studio.compare(compare, run);
  if (time !== undefined) {
    studio.playing.value = false;
    const { comparison } = studio;
    comparison.value?.pause();
    if (comparison.value && !run) await comparison.value.goTo(time);
    else await goByStages(studio, time);
  }
  if (camera && studio.viewport) studio.viewport.camera = camera;
}

/** Bring the run to a time, by stages; a later action of the user takes precedence. */
async function goByStages(studio: Studio, time: number): Promise<void> {
  const scene = studio.scene.value;
  let step: number | undefined;
  for (const stage of listStages(studio.frame.value?.time ?? 0, time)) {
    const frame = await studio.session.goTo(stage);
    const isElsewhere = step !== undefined && studio.frame.value?.step !== step;
    if (!frame || isElsewhere || studio.scene.value !== scene || studio.playing.value) return;
    studio.take(frame);
    step = frame.step;
    if (frame.stop) return;
  }
}

/** Where the user is: the whole of it, with time and camera, or what the address bar always shows. */
export function describeAddress(studio: Studio, isWhole: boolean): Address {
  const source = studio.source.value;
  const { contacts, forces } = studio.view.value;
  const panels = studio.panels.value;
  const shows = [
    ...(contacts ? ['contacts'] : []),
    ...(forces ? ['forces'] : []),
    ...(studio.convergenceOpen.value ? ['convergence'] : []),
    ...(panels.gallery ? [] : ['no-gallery']),
    ...(panels.side ? [] : ['no-measurements']),
  ];
  return {
    galleryId: source?.galleryId,
    model: source?.address,
    formulation: source?.formulation,
    set: source?.set,
    compare: studio.comparison.value?.formulations,
    ...(isWhole && {
      scene:
        source && source.galleryId === undefined && source.address === undefined
          ? { files: source.files, path: source.path }
          : undefined,
      keyframe: studio.keyframe.value || undefined,
      time: studio.frame.value?.time,
      speed: studio.speed.value,
      camera: studio.viewport?.camera,
      shows,
    }),
  };
}

/** Keep the address bar up to date: scene, formulation and options. */
export async function writeAddress(studio: Studio): Promise<void> {
  const { galleryId, address: model } = studio.source.value ?? {};
  const hasAddress = galleryId !== undefined || model !== undefined;
  const address = hasAddress
    ? await formatAddress(describeAddress(studio, false))
    : location.pathname + location.search;
  history.replaceState(null, '', address);
}
