import type { FormulationId } from '@nexdyn/engine';
import type { FilmOptions } from './film/film.ts';
import { encodeBase64 } from './packed-scene.ts';
import { Session } from './session/client.ts';
import type { Pull } from './session/input-log.ts';
import type { BranchSummary, Measures, RunRecord, SceneChoice, SceneFiles, TimelineSpan } from './session/protocol.ts';
import type { SampleField } from './session/sample.ts';
import type { Studio } from './studio.ts';
import type { CameraPlace } from './view3d/viewport.ts';

/** What scripts and tests can ask the page, as `window.nexdyn`. */
export interface PageInterface {
  /** State hash after a number of steps, computed in its own worker as any scene of the page is. */
  hashAfter(files: SceneFiles, path: string, steps: number, choice?: SceneChoice): Promise<string>;
  /** Contacts of the state that is shown, with their forces; undefined while neither contacts nor forces are shown. */
  contacts(): ShownContacts | undefined;
  /** Number of the run: every scene that is opened and every reset begins another. */
  run(): number;
  /** Curves of the run so far, by quantity; null where there is nothing. */
  history(): Record<SampleField | 'total', (number | null)[]>;
  /** Hash of the present state. */
  hash(): Promise<string | undefined>;
  /** What is needed to repeat the run up to the present state. */
  record(): Promise<RunRecord | undefined>;
  /** Repeat a run of the open scene in its own worker; its hash at the end. */
  replay(record: RunRecord): Promise<string>;
  /** Current time of the run, and the range that can be revisited. */
  timeline(): (TimelineSpan & { step: number; time: number }) | undefined;
  /** Number of the present branch of the run, and all branches. */
  branches(): { present: number; all: BranchSummary[] } | undefined;
  /** What the mouse did in the last step. */
  pull(): Pull | undefined;
  /** Runs side by side: time of each and what the ruler found. */
  comparison(): ShownRun[] | undefined;
  /** From where the scene is seen. */
  camera(): CameraPlace | undefined;
  /** Where a point of the world is on the page, in pixels. */
  locate(point: [number, number, number]): [number, number] | undefined;
  /** Position and orientation of a body, by its number; side by side, in the run of this place. */
  pose(body: number, place?: number): number[];
  /** Open a scene from its files. */
  open(files: SceneFiles, path: string, choice?: SceneChoice, compare?: readonly FormulationId[]): Promise<void>;
  /** The run as a video, from one simulated time to another; its bytes wait to be taken in pieces, as base64. */
  film(options: FilmOptions): Promise<{ size: number; codec: string; times: number[] }>;
  filmPart(start: number, end: number): string;
  /** The picture of a simulated time as a PNG file, as base64. */
  picture(options: {
    time: number;
    width: number;
    height: number;
    isTransparent: boolean;
    fits?: boolean;
  }): Promise<string>;
  /** Look from somewhere else. */
  look(camera: CameraPlace): void;
  /** Names of the cameras of the scene, in its order. */
  cameras(): string[];
  /** Look through a camera of the scene; undefined: from where the user looks. */
  useCamera(camera: number | undefined): void;
  /** What the page says went wrong. */
  problem(): string | undefined;
  /** Wait until the page shows the scene that is being built. */
  built(): Promise<void>;
  /** Wait until all commands so far are carried out and drawn. */
  settle(): Promise<void>;
}

/** One run of a comparison. */
export interface ShownRun {
  formulation: string;
  /** s. */
  time: number;
  step: number;
  problem: string | undefined;
  measures: Measures | undefined;
  /** Largest distance of a mark on a body from its twin in the first run, at each time, m. */
  difference: (number | null)[];
}

export interface ShownContacts {
  total: number;
  /** Arrows that are drawn. */
  arrows: number;
  stick: number;
  slide: number;
  /** Sum of normal forces, N. */
  normalForce: number;
  /** Force of fixed bodies on moving ones, N. */
  support: [number, number, number];
  /** Weight of what moves, N. */
  weight: number;
  /** Area of contact patches, m², and their highest pressure, Pa. */
  patch: { area: number; pressure: number };
  /** Newtons per grid cell of an arrow. */
  newtonsPerCell: number;
}

declare global {
  interface Window {
    nexdyn: PageInterface;
  }
}

/** The last film that was made. */
let filmed: Uint8Array = new Uint8Array(0);

export function exposePageInterface(studio: Studio): void {
  window.nexdyn = {
    settle: () => studio.settle(),
    built: async () => studio.workshop.value?.settle(),
    async open(files, path, choice = {}, compare) {
      await studio.open({ galleryId: undefined, files, path, choices: [], ...choice });
      studio.playing.value = false;
      studio.session.pause();
      if (compare) await studio.compare(compare);
    },
    async film(options) {
      const { makeFilm } = await import('./film/film.ts');
      const { bytes, codec, times } = await makeFilm(studio, options);
      filmed = bytes;
      return { size: bytes.length, codec, times };
    },
    filmPart: (start, end) => encodeBase64(filmed.subarray(start, end)),
    async picture(options) {
      const { takePicture } = await import('./film/film.ts');
      return encodeBase64(new Uint8Array(await (await takePicture(studio, options)).arrayBuffer()));
    },
    look(camera) {
      if (studio.viewport) studio.viewport.camera = camera;
    },
    cameras: () => [...(studio.scene.value?.drawing.look?.camera.name ?? [])],
    useCamera(camera) {
      studio.setView({ camera });
    },
    problem: () => studio.problem.value?.reason,
    run: () => studio.frame.value?.run ?? 0,
    contacts: () => describeContacts(studio),
    history: () => structuredClone({ ...studio.history.columns, total: studio.history.total }),
    hash: () => studio.session.hash(),
    record: () => studio.runs.record(),
    async replay(record) {
      const { files, path } = studio.source.value!;
      const session = new Session();
      try {
        return await session.replay(files, path, record);
      } finally {
        session.close();
      }
    },
    timeline() {
      const frame = studio.frame.value;
      return frame && { ...frame.timeline, step: frame.step, time: frame.time };
    },
    branches() {
      const frame = studio.frame.value;
      return frame && { present: frame.branch, all: frame.branches };
    },
    pull: () => studio.frame.value?.pull,
    comparison: () =>
      studio.comparison.value?.runs.map(({ formulation, frame, problem, columns }) => ({
        formulation,
        time: frame?.time ?? Number.NaN,
        step: frame?.step ?? 0,
        problem: problem?.reason,
        measures: frame?.measures,
        difference: [...columns.difference],
      })),
    camera: () => studio.viewport?.camera,
    locate(point) {
      const place = studio.viewport?.project(point);
      const box = document.querySelector('.canvas')?.getBoundingClientRect();
      return place && box && [place[0] + box.x, place[1] + box.y];
    },
    pose(body, place = 0) {
      const frame = studio.comparison.value?.runs[place]?.frame ?? studio.frame.value;
      return [...(frame?.poses.slice(7 * body, 7 * body + 7) ?? [])];
    },
    async hashAfter(files, path, steps, choice) {
      const session = new Session();
      try {
        return await session.hashAfter(files, path, steps, choice);
      } finally {
        session.close();
      }
    },
  };
}

function describeContacts(studio: Studio): ShownContacts | undefined {
  const contacts = studio.frame.value?.contacts;
  if (!contacts) return undefined;
  const { total, modes, normalForce, support, patch } = contacts;
  const { stick, slide } = modes;
  return {
    total,
    arrows: studio.view.value.forces ? stick + slide : 0,
    stick,
    slide,
    normalForce,
    support,
    patch: { area: patch.area, pressure: patch.pressure },
    weight: studio.scene.value?.facts.weight ?? 0,
    newtonsPerCell: studio.newtonsPerCell.value,
  };
}
