/** Moving along the time of a run: play, step, scrub, loop, branches, the start, and how fast. */
import { batch } from '@preact/signals';
import { writeAddress } from './navigation.ts';
import type { Studio } from './studio.ts';

export const SPEEDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Playback {
  readonly #studio: Studio;
  /** The step to go to next, while one is gone to. */
  #wanted: number | undefined;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  togglePlay(): void {
    const { scene, stop, looping, playing, runs } = this.#studio;
    if (!scene.value || (stop.value && !looping.value)) return;
    playing.value = !playing.value;
    if (playing.value) runs.play();
    else runs.pause();
  }

  /** Move by steps, back where they are negative. */
  step(count: number): void {
    const { scene, stop, playing, runs } = this.#studio;
    if (!scene.value || (stop.value && count > 0)) return;
    playing.value = false;
    runs.step(count);
  }

  /** Go to a step of the timeline; of several asked for while one is under way only the last is gone to. */
  seek(step: number): void {
    this.#studio.playing.value = false;
    const isUnderWay = this.#wanted !== undefined;
    this.#wanted = step;
    if (!isUnderWay) void this.#seekNow();
  }

  /** Go to the state nearest to a time, s. */
  seekTime(time: number): void {
    const { frame, scene } = this.#studio;
    const span = frame.value?.timeline;
    if (!span || !scene.value) return;
    this.seek(span.lastStep - Math.round((span.lastTime - time) / scene.value.facts.timestep));
  }

  async #seekNow(): Promise<void> {
    while (this.#wanted !== undefined) {
      const step = this.#wanted;
      await this.#studio.runs.seek(step);
      if (this.#wanted === step) this.#wanted = undefined;
    }
  }

  toggleLoop(): void {
    const { looping, playing, runs } = this.#studio;
    looping.value = !looping.value;
    runs.setLooping(looping.value);
    if (looping.value && !playing.value) this.togglePlay();
  }

  /** Go to the end of another branch, with the options it has, and stay there. */
  async goToBranch(number: number): Promise<void> {
    const { playing, session, source, scene } = this.#studio;
    playing.value = false;
    const there = await session.goToBranch(number);
    if (!there || !source.value) return;
    batch(() => {
      source.value = { ...source.value!, formulation: there.choice.formulation, set: there.choice.set };
      if (there.scene) scene.value = there.scene;
    });
    void writeAddress(this.#studio);
  }

  reset(): void {
    const { looping, runs, keyframe } = this.#studio;
    // there is nothing left to repeat
    if (looping.value) this.toggleLoop();
    void runs.reset(keyframe.value);
  }

  changeSpeed(offset: number): void {
    const { speed, runs } = this.#studio;
    const place = SPEEDS.indexOf(speed.value) + offset;
    speed.value = SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)]!;
    runs.setSpeed(speed.value);
  }
}
