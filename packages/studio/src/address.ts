/**
 * The address of a view: which scene, how it runs, when, seen from where. What follows `#` is the mark of a gallery scene, `model:` and
 * the address of a model on the web, or `file:` and a packed scene, then `?` and the settings, as in `#arch?formulation=sap&set=timestep=0.001&t=1.5`. A run that was pulled,
 * or whose options were changed during the run, is stored as a whole: `run` is its record, packed.
 */
import { type FormulationId, listFormulations } from '@nexdyn/engine';
import { readOutside } from './files/file-desk.ts';
import { packScene, packText, type SceneBundle } from './packed-scene.ts';
import type { OptionValues, RunRecord, SceneFiles } from './session/protocol.ts';
import type { CameraPlace } from './view3d/viewport.ts';

/** Runs that fit side by side. */
export const MOST_RUNS = 4;

/** In the order of their keys. */
export const FORMULATIONS: readonly FormulationId[] = listFormulations().map(({ id }) => id);

/** Everything that an address says; absent parts are undefined. */
export interface Address {
  /** Mark of a gallery scene. */
  galleryId?: string | undefined;
  /** Address of a model on the web. */
  model?: string | undefined;
  /** Files of a scene that is not in the gallery. */
  scene?: { files: SceneFiles; path: string } | undefined;
  formulation?: FormulationId | undefined;
  set?: OptionValues | undefined;
  keyframe?: number | undefined;
  /** All inputs of the run up to the current time; then there is no `time`. */
  run?: RunRecord | undefined;
  /** Current simulated time of the run, s. */
  time?: number | undefined;
  speed?: number | undefined;
  camera?: CameraPlace | undefined;
  /** What is drawn over the scene, and which panels are hidden. */
  shows?: readonly string[] | undefined;
  /** Formulations side by side. */
  compare?: readonly FormulationId[] | undefined;
}

export async function formatAddress(address: Address): Promise<string> {
  const { formulation, set, keyframe, run, time, speed, camera, shows, compare } = address;
  const query: [string, string][] = [];
  if (formulation) query.push(['formulation', formulation]);
  for (const [path, value] of Object.entries(set ?? {})) query.push(['set', `${path}=${formatValue(value)}`]);
  if (keyframe !== undefined) query.push(['keyframe', String(keyframe)]);
  if (run) query.push(['run', await packText(JSON.stringify(run))]);
  if (time !== undefined && !run) query.push(['t', String(Number(time.toPrecision(12)))]);
  if (speed !== undefined && speed !== 1) query.push(['speed', String(speed)]);
  if (camera) query.push(['camera', [...camera.position, ...camera.target].map(shortNumber).join(',')]);
  if (shows && shows.length > 0) query.push(['show', shows.join(',')]);
  if (compare) query.push(['compare', compare.join(',')]);
  const mark = await formatMark(address);
  const settings = query.map(([key, value]) => `${key}=${encodeValue(value)}`).join('&');
  return `#${mark}${settings && `?${settings}`}`;
}

/** Which scene. */
async function formatMark({ galleryId, model, scene }: Address): Promise<string> {
  if (model !== undefined) return `model:${encodeURIComponent(model)}`;
  return scene ? `file:${await packScene(scene)}` : (galleryId ?? '');
}

/**
 * What follows the `?` of a page, as the part behind `#`: `?model=https://…/robot.xml&formulation=sap` and `?scene=arch` are easier to write.
 * Empty where it names no scene.
 */
export function hashOfSearch(search: string): string {
  const query = new URLSearchParams(search);
  const model = query.get('model');
  const scene = query.get('scene');
  if (model === null && scene === null) return '';
  query.delete('model');
  query.delete('scene');
  query.delete('embed');
  const mark = model === null ? scene : `model:${encodeURIComponent(model)}`;
  return `#${mark}?${query.toString()}`;
}

/** Who unpacks what stands in an address. */
export interface Unpacker {
  unpackScene(packed: string): Promise<SceneBundle>;
  unpackRun(packed: string): Promise<RunRecord>;
}

/** The worker for what comes from outside. */
const IN_WORKER: Unpacker = {
  unpackScene: (packed) => readOutside((desk) => desk.unpackScene(packed)),
  unpackRun: (packed) => readOutside((desk) => desk.unpackRun(packed)),
};

export async function parseAddress(hash: string, unpacker: Unpacker = IN_WORKER): Promise<Address> {
  const text = hash.replace(/^#/, '');
  const cut = text.indexOf('?');
  const mark = cut < 0 ? text : text.slice(0, cut);
  const query = new URLSearchParams(cut < 0 ? '' : text.slice(cut + 1));
  const isFormulation = (name: string): name is FormulationId => (FORMULATIONS as readonly string[]).includes(name);
  const camera = (query.get('camera') ?? '').split(',').map(Number);
  const compare = (query.get('compare') ?? '').split(',').filter(isFormulation);
  const set = query.getAll('set').flatMap((entry) => parseSet(entry));
  return {
    galleryId: /^(file|model):/.test(mark) ? undefined : decodeMark(mark) || undefined,
    model: mark.startsWith('model:') ? decodeMark(mark.slice('model:'.length)) : undefined,
    scene: mark.startsWith('file:') ? await unpacker.unpackScene(mark.slice('file:'.length)) : undefined,
    formulation: FORMULATIONS.find((id) => id === query.get('formulation')),
    set: set.length > 0 ? Object.fromEntries(set) : undefined,
    keyframe: readCount(query.get('keyframe')),
    run: query.has('run') ? await unpacker.unpackRun(query.get('run')!) : undefined,
    time: readNumber(query.get('t')),
    speed: readNumber(query.get('speed')),
    camera:
      camera.length === 6 && camera.every(Number.isFinite)
        ? { position: [camera[0]!, camera[1]!, camera[2]!], target: [camera[3]!, camera[4]!, camera[5]!] }
        : undefined,
    shows: query.get('show')?.split(','),
    compare: compare.length >= 2 ? compare : undefined,
  };
}

/** A run on the command line, or several side by side: the same scene, options and time. */
export function formatCommand(address: Address, path: string, seconds: number): string {
  const { galleryId, formulation, set, keyframe, compare } = address;
  const parts = [compare ? 'nexdyn compare' : 'nexdyn run', quote(galleryId ?? path)];
  if (compare) parts.push(`--formulations ${compare.join()}`);
  else if (formulation) parts.push(`--formulation ${formulation}`);
  for (const [key, value] of Object.entries(set ?? {})) {
    parts.push(key === 'timestep' ? `--dt ${String(value)}` : `--set ${quote(`${key}=${formatValue(value)}`)}`);
  }
  if (keyframe !== undefined) parts.push(`--keyframe ${keyframe}`);
  parts.push(`--seconds ${Number(seconds.toPrecision(12))}`);
  return parts.join(' ');
}

/** Text stays as it is where it cannot be taken for anything else. */
function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[a-z]\w*$/i.test(value) && !/^(true|false|null)$/.test(value)
    ? value
    : JSON.stringify(value);
}

function parseSet(entry: string): [string, unknown][] {
  const cut = entry.indexOf('=');
  if (cut < 1) return [];
  const text = entry.slice(cut + 1);
  try {
    return [[entry.slice(0, cut), JSON.parse(text)]];
  } catch {
    return [[entry.slice(0, cut), text]];
  }
}

/** The mark of a scene; what is no text in percent signs stays as it is, and names no scene. */
function decodeMark(mark: string): string {
  try {
    return decodeURIComponent(mark);
  } catch {
    return mark;
  }
}

function readCount(text: string | null): number | undefined {
  const value = readNumber(text);
  return Number.isSafeInteger(value) && value! >= 0 ? value : undefined;
}

function readNumber(text: string | null): number | undefined {
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Characters that mean nothing behind `#` stay readable. */
function encodeValue(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%2C', ',')
    .replaceAll('%3D', '=')
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']');
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function quote(text: string): string {
  return /^[\w./=:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
