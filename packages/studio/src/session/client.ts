import type { SoftQuantity } from '@nexdyn/engine';
import { proxy, type Remote, releaseProxy, wrap } from 'comlink';
import { describeComplaint } from '../complaint.ts';
import type { AimRequest, AimResult } from './aim-shots.ts';
import type { Drive } from './drive/drive.ts';
import type { PartFact, ScenePart } from './inspect/quantity-key.ts';
import type { QuantityPast } from './inspect/quantity-past.ts';
import type { Grab } from './mouse-spring.ts';
import type {
  Film,
  Frame,
  OpenedScene,
  OpenResult,
  Problem,
  RunRecord,
  SceneChoice,
  SceneFiles,
  ScenePreview,
  SessionApi,
} from './protocol.ts';
import type { DataFormat } from './recorded-run.ts';

/** Time that opening a scene or repeating a run may take before the worker is given up, ms. */
const PATIENCE = 60_000;

export interface SessionOptions {
  onFrame?: (frame: Frame) => void;
  /** A worker that stopped by an error. */
  onFailure?: (reason: string) => void;
  /** ms. Default: a minute. */
  patience?: number;
  startWorker?: () => Worker;
}

const startSimulationWorker = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'simulation' });

/** A simulation in its own worker. */
export class Session {
  /** How often the worker was given up. */
  restarts = 0;
  #worker!: Worker;
  #remote!: Remote<SessionApi>;
  readonly #options: SessionOptions;

  constructor(options: SessionOptions = {}) {
    this.#options = options;
    this.#begin();
  }

  #begin(): void {
    const { onFrame, onFailure, startWorker = startSimulationWorker } = this.#options;
    this.#worker = startWorker();
    this.#worker.addEventListener('error', ({ message }) => onFailure?.(message));
    this.#remote = wrap<SessionApi>(this.#worker);
    if (onFrame) void this.#remote.subscribe(proxy(onFrame));
  }

  /** Ends a worker that does not answer in time and begins another, in which nothing is open. */
  async #limit<T>(answer: Promise<T>, refuse: (problem: Problem) => T): Promise<T> {
    const { patience = PATIENCE } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<T>((resolve) => {
      timer = setTimeout(() => {
        this.#worker.terminate();
        this.restarts += 1;
        this.#begin();
        const reason = `The scene took longer than ${patience / 1000} s to open and was given up`;
        resolve(refuse(describeComplaint('too-large', reason, 'Open a smaller scene, or use the command line.')));
      }, patience);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Open a scene; the bytes of the files are copied, so they can be opened again. */
  open(files: SceneFiles, path: string, choice: SceneChoice = {}): Promise<OpenResult> {
    return this.#limit<OpenResult>(this.#remote.open(files, path, choice), (problem) => ({ ok: false, problem }));
  }

  preview(files: SceneFiles, path: string): Promise<ScenePreview | undefined> {
    return this.#remote.preview(files, path);
  }

  sceneText(files: SceneFiles, path: string): Promise<string> {
    return this.#remote.sceneText(files, path);
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

  colorSoft(quantity: SoftQuantity): void {
    void this.#remote.colorSoft(quantity);
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

  drive(drive: Drive): void {
    void this.#remote.drive(drive);
  }

  listParts(): Promise<ScenePart[]> {
    return this.#remote.listParts();
  }

  describePart(id: string): Promise<PartFact[]> {
    return this.#remote.describePart(id);
  }

  watch(keys: readonly string[]): Promise<void> {
    return this.#remote.watch(keys);
  }

  recall(keys: readonly string[], steps?: readonly number[]): Promise<QuantityPast | undefined> {
    return this.#remote.recall(keys, steps);
  }

  sendDrives(wanted: boolean): void {
    void this.#remote.sendDrives(wanted);
  }

  useRuler(): Promise<void> {
    return this.#remote.useRuler();
  }

  change(choice: SceneChoice): Promise<OpenResult> {
    return this.#limit<OpenResult>(this.#remote.change(choice), (problem) => ({ ok: false, problem }));
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

  writeRun(files: SceneFiles, path: string, record: RunRecord, format: DataFormat): Promise<Uint8Array> {
    return this.#remote.writeRun(files, path, record, format);
  }

  openRecord(
    files: SceneFiles,
    path: string,
    record: RunRecord,
  ): Promise<{ opened: OpenResult; isSame: boolean | undefined }> {
    return this.#limit<{ opened: OpenResult; isSame: boolean | undefined }>(
      this.#remote.openRecord(files, path, record),
      (problem) => ({ opened: { ok: false, problem }, isSame: undefined }),
    );
  }

  hash(): Promise<string | undefined> {
    return this.#remote.hash();
  }

  aim(request: AimRequest): Promise<AimResult[]> {
    return this.#remote.aim(request);
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
