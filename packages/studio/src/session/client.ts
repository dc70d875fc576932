import { proxy, type Remote, releaseProxy, wrap } from 'comlink';
import type { Grab } from './mouse-spring.ts';
import type {
  Film,
  Frame,
  OpenedScene,
  OpenResult,
  RunRecord,
  SceneChoice,
  SceneFiles,
  ScenePreview,
  SessionApi,
} from './protocol.ts';

/** A simulation in its own worker. */
export class Session {
  readonly #worker: Worker;
  readonly #remote: Remote<SessionApi>;

  constructor(onFrame?: (frame: Frame) => void, onFailure?: (reason: string) => void) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'simulation' });
    this.#worker.addEventListener('error', ({ message }) => onFailure?.(message));
    this.#remote = wrap<SessionApi>(this.#worker);
    if (onFrame) void this.#remote.subscribe(proxy(onFrame));
  }

  /** Open a scene; the bytes of the files are copied, so they can be opened again. */
  open(files: SceneFiles, path: string, choice: SceneChoice = {}): Promise<OpenResult> {
    return this.#remote.open(files, path, choice);
  }

  preview(files: SceneFiles, path: string): Promise<ScenePreview | undefined> {
    return this.#remote.preview(files, path);
  }

  play(): void {
    void this.#remote.play();
  }

  pause(): void {
    void this.#remote.pause();
  }

  step(count = 1): void {
    void this.#remote.step(count);
  }

  reset(keyframe?: number): Promise<void> {
    return this.#remote.reset(keyframe);
  }

  setSpeed(speed: number): void {
    void this.#remote.setSpeed(speed);
  }

  sendContacts(wanted: boolean): void {
    void this.#remote.sendContacts(wanted);
  }

  sendTrace(wanted: boolean): void {
    void this.#remote.sendTrace(wanted);
  }

  seek(step: number): Promise<void> {
    return this.#remote.seek(step);
  }

  goTo(time: number): Promise<Frame | undefined> {
    return this.#remote.goTo(time);
  }

  setLooping(looping: boolean): void {
    void this.#remote.setLooping(looping);
  }

  hold(grab: Grab | undefined): void {
    void this.#remote.hold(grab);
  }

  useRuler(): Promise<void> {
    return this.#remote.useRuler();
  }

  change(choice: SceneChoice): Promise<OpenResult> {
    return this.#remote.change(choice);
  }

  goToBranch(number: number): Promise<{ choice: SceneChoice; scene: OpenedScene | undefined } | undefined> {
    return this.#remote.goToBranch(number);
  }

  record(): Promise<RunRecord | undefined> {
    return this.#remote.record();
  }

  replay(files: SceneFiles, path: string, record: RunRecord): Promise<string> {
    return this.#remote.replay(files, path, record);
  }

  openRecord(
    files: SceneFiles,
    path: string,
    record: RunRecord,
  ): Promise<{ opened: OpenResult; isSame: boolean | undefined }> {
    return this.#remote.openRecord(files, path, record);
  }

  hash(): Promise<string | undefined> {
    return this.#remote.hash();
  }

  film(most: number): Promise<Film | undefined> {
    return this.#remote.film(most);
  }

  /** Wait until everything asked for before is done. */
  ping(): Promise<void> {
    return this.#remote.ping();
  }

  hashAfter(files: SceneFiles, path: string, steps: number, choice: SceneChoice = {}): Promise<string> {
    return this.#remote.hashAfter(files, path, steps, choice);
  }

  close(): void {
    this.#remote[releaseProxy]();
    this.#worker.terminate();
  }
}
