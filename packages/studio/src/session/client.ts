import { proxy, type Remote, releaseProxy, wrap } from 'comlink';
import type { Frame, OpenResult, SceneChoice, SceneFiles, ScenePreview, SessionApi } from './protocol.ts';

/** A simulation in a worker of its own. */
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

  reset(keyframe?: number): void {
    void this.#remote.reset(keyframe);
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

  /** Wait until everything asked for before is done. */
  ping(): Promise<void> {
    return this.#remote.ping();
  }

  hashAfter(files: SceneFiles, path: string, steps: number): Promise<string> {
    return this.#remote.hashAfter(files, path, steps);
  }

  close(): void {
    this.#remote[releaseProxy]();
    this.#worker.terminate();
  }
}
