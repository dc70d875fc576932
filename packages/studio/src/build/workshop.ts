/**
 * The scene while it is being built. Its text is all there is: every change by hand makes a new text, the page opens what the text says,
 * and going back means an earlier text. What is saved is that text.
 */
import type { Scene } from '@nexdyn/engine';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Problem } from '../session/protocol.ts';
import type { Source, Studio } from '../studio.ts';
import { type Frame, WORLD } from './edits.ts';
import { findFreePlace } from './free-place.ts';
import { findJoint, type PlacedJoint } from './joint-edits.ts';
import { findChange } from './json/text-place.ts';
import { NO_TURN, type Point, type Turn, turnPoint } from './rotation.ts';
import { findThing, idOf, listShapes } from './scene-items.ts';
import { formatSceneText } from './scene-text.ts';
import { TextHistory } from './text-history.ts';

export type Tool = 'move' | 'turn' | 'scale';

/** Text that is typed in one place, with shorter pauses than this, is one change, ms. */
const PAUSE = 1500;
/** Height from which one looks down for a free place, m. */
const SKY = 100;

export class Workshop {
  readonly tool: Signal<Tool> = signal('move');
  /** Whether the handles of a body act on its joint. */
  readonly handlesJoint: Signal<boolean> = signal(false);
  /** Whether moves end on a grid, and its spacing, m; turns on 15 degrees. */
  readonly snaps: Signal<boolean> = signal(true);
  readonly spacing: Signal<number> = signal(0.05);
  /** What is wrong with the text; the scene before it stays open. */
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** Counts up with every text. */
  readonly version: Signal<number> = signal(0);
  readonly #studio: Studio;
  readonly #first: Source;
  readonly #firstText: string;
  readonly #history: TextHistory;
  readonly #path: string;
  #shown: string;
  /** When text was typed last, and up to where. */
  #typedAt = Number.NEGATIVE_INFINITY;
  #typedTo = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(studio: Studio, source: Source, text: string) {
    this.#studio = studio;
    this.#first = source;
    this.#firstText = text;
    this.#history = new TextHistory(text);
    this.#shown = text;
    this.#path = `${source.path.replace(/^.*\//, '').replace(/\.\w+$/, '')}.json`;
  }

  /** The text as it is, with a change under way. */
  get text(): string {
    void this.version.value;
    return this.#shown;
  }

  get canUndo(): boolean {
    void this.version.value;
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    void this.version.value;
    return this.#history.canRedo;
  }

  /** Name of the file. */
  get path(): string {
    return this.#path;
  }

  /** The scene of the text, or none where it is no JSON. A copy: whoever has it may change it. */
  read(): Scene | undefined {
    try {
      const scene = JSON.parse(this.text) as unknown;
      return typeof scene === 'object' && scene !== null ? (scene as Scene) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Changes the scene; the change answers with the id of what is chosen then. Without `isLast` more of the same change follows. */
  async edit(change: (scene: Scene) => unknown, isLast = true): Promise<void> {
    let scene: Scene;
    try {
      scene = JSON.parse(this.#history.present) as Scene;
    } catch {
      this.#studio.say('Fix the text first: it is not valid JSON.');
      return;
    }
    const before = scene.keyframes;
    const chosen = change(scene);
    const text = formatSceneText(scene);
    this.#shown = text;
    if (isLast) this.#history.push(text);
    this.#typedAt = Number.NEGATIVE_INFINITY;
    this.version.value += 1;
    if (isLast && before && !scene.keyframes) this.#studio.say('The keyframes no longer fit and were removed.');
    await this.#open(text, typeof chosen === 'string' ? chosen : undefined);
  }

  /** Takes text that was typed; typing that goes on where it stopped is undone together. */
  async type(text: string): Promise<void> {
    const now = performance.now();
    const { start, end } = findChange(this.#history.present, text);
    this.#history.push(text, now - this.#typedAt < PAUSE && start === this.#typedTo);
    this.#typedAt = now;
    this.#typedTo = end;
    this.#shown = text;
    this.version.value += 1;
    await this.#open(text);
  }

  undo(): Promise<void> {
    return this.#go(this.#history.undo());
  }

  redo(): Promise<void> {
    return this.#go(this.#history.redo());
  }

  /** Wait until the page shows the text. */
  settle(): Promise<void> {
    return this.#work;
  }

  /** Where a body is in the world, as it stands at the start; 0 is the world itself. */
  frameOf(body: number): Frame {
    const poses = this.#studio.frame.value?.poses;
    if (body === 0 || !poses || poses.length < 7 * body + 7) return WORLD;
    const pose = [...poses.slice(7 * body, 7 * body + 7)];
    return { position: pose.slice(0, 3) as Point, orientation: pose.slice(3) as Turn };
  }

  /** The joint that the handles act on, and where its body is. */
  jointOf(id: string | undefined): { id: string; placed: PlacedJoint; frame: Frame } | undefined {
    const scene = this.read();
    const isMeant = id?.startsWith('joint:') || this.handlesJoint.value;
    const placed = scene && isMeant ? findJoint(scene, id) : undefined;
    return placed && { id: id!, placed, frame: this.frameOf(placed.body) };
  }

  /** Where the chosen thing is in the world. */
  frameOfThing(id: string | undefined): Frame | undefined {
    const scene = this.read();
    const thing = scene && findThing(scene, id);
    if (!thing) return undefined;
    if (thing.kind === 'body') return this.frameOf(Number(id!.split(':')[1]));
    const parent = this.frameOf(thing.parent);
    const local = turnPoint(parent.orientation, thing.item.position ?? [0, 0, 0]);
    return {
      position: local.map((part, k) => part + parent.position[k]!) as Point,
      orientation: (thing.item.orientation ?? NO_TURN) as Turn,
    };
  }

  /** A free place on the ground near a point, for something so wide, m. */
  findRoom(near: readonly [number, number], radius: number): Point {
    const { viewport, scene } = this.#studio;
    return findFreePlace(
      (x, y) => {
        const hit = viewport?.pickBelow([x, y, SKY]);
        const isMoving = hit && (hit.body < 0 || scene.value?.drawing.isMoving[hit.body] === true);
        return hit && { height: hit.point[2], isMoving: isMoving === true };
      },
      near,
      radius,
    );
  }

  /** Brings something new into the picture, where it is not in it. */
  showPlace(id: string | undefined): void {
    const { viewport } = this.#studio;
    const place = this.frameOfThing(id);
    const seen = place && viewport?.project(place.position);
    if (place && !(seen && viewport?.isClear(seen))) this.#studio.frameView();
  }

  /** What a click on the world meant: its shapes are chosen one by one. */
  resolvePick(id: string | undefined, shapeName: string | undefined): string | undefined {
    const scene = this.read();
    if (id !== 'body:0' || !scene) return id;
    const found = listShapes(scene).find(({ shape, body }) => body === 0 && (shape.name ?? '') === (shapeName ?? ''));
    return found && idOf(scene, found.shape);
  }

  #go(text: string | undefined): Promise<void> {
    if (text === undefined) return this.#work;
    this.#shown = text;
    this.#typedAt = Number.NEGATIVE_INFINITY;
    this.version.value += 1;
    return this.#open(text);
  }

  /** Opens one text after the other; of several only the last. */
  #open(text: string, chosen?: string): Promise<void> {
    const job = async (): Promise<void> => {
      if (this.#shown !== text) return;
      const { formulation, set } = this.#studio.source.value ?? this.#first;
      const isFirst = text === this.#firstText;
      const files = isFirst ? this.#first.files : { ...this.#first.files, [this.#path]: text };
      const path = isFirst ? this.#first.path : this.#path;
      const galleryId = isFirst ? this.#first.galleryId : undefined;
      const source: Source = { galleryId, files, path, choices: [], formulation, set };
      this.problem.value = await this.#studio.openEdited(source);
      if (chosen !== undefined && !this.problem.value) this.#studio.select(chosen);
    };
    this.#work = this.#work.then(job, job);
    return this.#work;
  }
}

/** The text of a scene; of files in other formats, what they mean as a NexDyn scene. */
export async function readSceneText(studio: Studio, source: Source): Promise<string> {
  const content = source.files[source.path];
  if (/\.json$/i.test(source.path) && content !== undefined)
    return typeof content === 'string' ? content : new TextDecoder().decode(content);
  return studio.session.sceneText(source.files, source.path);
}

/** The workshop of the open scene. */
export type OpenWorkshop = ReadonlySignal<Workshop | undefined>;
