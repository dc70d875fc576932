/** Opens scenes in the worker, one after the other, and gives the page what came of it. */
import { batch } from '@preact/signals';
import { describeComplaint, describeError } from './complaint.ts';
import { writeAddress } from './navigation.ts';
import type { Source } from './page-state.ts';
import type { OpenedScene, Problem, RunRecord } from './session/protocol.ts';
import type { Studio } from './studio.ts';
import { FIRST_HIDDEN_LAYER } from './view3d/scene-group.ts';

export class SceneOpener {
  readonly #studio: Studio;
  #ticket = 0;
  #underWay: Promise<void> = Promise.resolve();

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** Ask for the next scene; tells, whenever it is called, whether nobody has asked since. */
  claim(): () => boolean {
    const ticket = ++this.#ticket;
    return () => ticket === this.#ticket;
  }

  /** Resolves when no scene is being opened any more. */
  get opened(): Promise<void> {
    return this.#underWay;
  }

  /** Open scenes one after the other; of several asked for meanwhile only the last is opened. */
  async open(source: Source): Promise<void> {
    const isWanted = this.#studio.claim();
    this.#studio.opening.value = true;
    this.#underWay = this.#underWay.then(() => (isWanted() ? this.#openNow(source) : undefined));
    await this.#underWay;
    if (isWanted()) this.#studio.opening.value = false;
  }

  async #openNow(source: Source): Promise<void> {
    try {
      const { files, path, formulation, set } = source;
      const { restarts } = this.#studio.session;
      const result = await this.#studio.session.open(files, path, { formulation, set });
      if (result.ok) {
        this.#adopt(source, result.scene);
        return;
      }
      await this.#returnAfter(restarts);
      await this.#openOtherwise(source);
      this.#studio.refuse(result.problem, source);
    } catch (error) {
      this.#studio.refuse(describeComplaint('unexpected', describeError(error), 'Reload the page.'));
    }
  }

  /** Open a scene that was edited in place of the one before, at rest and in the same view; what is wrong with it comes back. */
  async openEdited(source: Source): Promise<Problem | undefined> {
    const { files, path, formulation, set } = source;
    const result = await this.#studio.session.open(files, path, { formulation, set });
    if (!result.ok) return result.problem;
    this.#adopt(source, result.scene, false, true);
    return undefined;
  }

  /** Where nothing is open yet, a scene that does not run as its address asks runs under the formulation or the options of its file. */
  async #openOtherwise(source: Source): Promise<void> {
    if (this.#studio.scene.value) return;
    const { files, path, formulation, set } = source;
    const others = [{ set }, { formulation }, {}].filter(
      (choice) => choice.set !== set || choice.formulation !== formulation,
    );
    const { session } = this.#studio;
    const { restarts } = session;
    for (const choice of others) {
      // one that takes too long to open does so again
      if (session.restarts !== restarts) return;
      const result = await session.open(files, path, choice);
      if (!result.ok) continue;
      this.#adopt({ ...source, formulation: choice.formulation, set: choice.set }, result.scene);
      return;
    }
  }

  /** A worker that was given up took the scene with it that was open: open it again. */
  async #returnAfter(restarts: number): Promise<void> {
    const before = this.#studio.source.value;
    if (this.#studio.session.restarts === restarts || !before) return;
    const { files, path, formulation, set } = before;
    const result = await this.#studio.session.open(files, path, { formulation, set });
    if (result.ok) this.#adopt(before, result.scene);
  }

  /** Open a recorded run at its end, with its timeline; tells whether it ends in the recorded state. */
  async openRecord(source: Source, record: RunRecord): Promise<boolean | undefined> {
    const { restarts } = this.#studio.session;
    const result = await this.#studio.session.openRecord(source.files, source.path, record);
    if (!result.opened.ok) {
      await this.#returnAfter(restarts);
      this.#studio.refuse(result.opened.problem, source);
      return undefined;
    }
    this.#adopt(source, result.opened.scene, false);
    this.#studio.keyframe.value = record.keyframe ?? this.#studio.keyframe.value;
    return result.isSame;
  }

  #adopt(source: Source, scene: OpenedScene, plays = true, isEdited = false): void {
    // a comparison requested while this scene was loading starts after it
    if (this.#studio.comparison.value) this.#studio.wanted = undefined;
    this.#studio.comparison.value?.close();
    this.#studio.comparison.value = undefined;
    this.#studio.viewport?.setPanes(1);
    // another formulation of the same files keeps the view and the beginning
    const isSame =
      isEdited || (source.files === this.#studio.source.value?.files && source.path === this.#studio.source.value.path);
    const before = this.#studio.scene.value;
    // a lesson waits for the answer to its question
    const runs = plays && (isSame || scene.lesson === undefined);
    const keyframe =
      isSame && !isEdited ? this.#studio.keyframe.value : scene.facts.keyframes.length > 0 ? 0 : undefined;
    batch(() => {
      this.#studio.problem.value = undefined;
      this.#studio.picked.value = undefined;
      // parts and curves of another scene mean nothing here
      if (!isSame) this.#studio.selected.value = undefined;
      if (!isSame) this.#studio.watches.value = [];
      if (!isSame) this.#studio.workshop.value = undefined;
      this.#studio.source.value = source;
      this.#studio.scene.value = scene;
      this.#studio.frame.value = scene.frame;
      if (!isSame)
        this.#studio.view.value = {
          ...this.#studio.view.value,
          layers: firstLayers(),
          follow: fallsThrough(scene),
          camera: undefined,
        };
      else if (before && fallsThrough(scene) !== fallsThrough(before))
        this.#studio.view.value = { ...this.#studio.view.value, follow: fallsThrough(scene) };
      this.#studio.keyframe.value = keyframe;
      this.#studio.playing.value = runs;
      this.#studio.looping.value = false;
      this.#studio.grab.value = undefined;
    });
    this.#studio.showScene(scene, isSame);
    void writeAddress(this.#studio);
    document.title = `${scene.facts.name} · NexDyn`;
    if (!plays) return;
    if (keyframe) void this.#studio.session.reset(keyframe);
    if (runs) this.#studio.session.play();
  }
}

/** Layers that are seen at first. */
function firstLayers(): Set<number> {
  return new Set(Array.from({ length: FIRST_HIDDEN_LAYER }, (_, layer) => layer));
}

/** Without contacts everything falls through the floor: the camera stays with it. */
function fallsThrough({ drawing, unresolved }: OpenedScene): boolean {
  return drawing.isAllFlying && unresolved.includes('contacts');
}
