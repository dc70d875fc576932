/**
 * Reads files and links in a worker of its own. Whoever made them may have wanted the page to stand still: the worker has a time
 * limit, and the page goes on whatever happens to it.
 */
import { type Remote, releaseProxy, wrap } from 'comlink';
import { describeComplaint, describeError } from '../complaint.ts';
import type { SceneBundle } from '../packed-scene.ts';
import type { Problem, RunRecord } from '../session/protocol.ts';
import type { SortedFiles } from './file-reading.ts';
import type { PickedFile } from './picked-files.ts';

/** The result of the worker, or why there is none. */
export type Answer<T> = { value: T } | { problem: Problem };

/** What the worker does. */
export interface FileDesk {
  readPicked(picked: PickedFile[]): Promise<Answer<SortedFiles>>;
  unpackScene(packed: string): Promise<Answer<SceneBundle>>;
  unpackRun(packed: string): Promise<Answer<RunRecord>>;
  fetchModel(address: string): Promise<Answer<SortedFiles>>;
}

/** Time that reading may take, ms. */
const PATIENCE = 15_000;

/** What the worker could not read. */
class ReadingError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.reason);
    this.name = 'ReadingError';
    this.problem = problem;
  }
}

/** How long to wait for the worker, and which one. */
export interface ReadingOptions {
  /** ms. */
  patience?: number;
  startWorker?: () => Worker;
}

const startFileWorker = (): Worker =>
  new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module', name: 'files' });

/** Lets the worker read something. */
export async function readOutside<T>(
  read: (desk: Remote<FileDesk>) => Promise<Answer<T>>,
  { patience = PATIENCE, startWorker = startFileWorker }: ReadingOptions = {},
): Promise<T> {
  const worker = startWorker();
  const desk = wrap<FileDesk>(worker);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    const giveUp = (code: string, reason: string): void =>
      reject(new ReadingError(describeComplaint(code, reason, 'Open a smaller file.')));
    const seconds = patience / 1000;
    timer = setTimeout(() => giveUp('too-large', `reading took longer than ${seconds} s and was given up`), patience);
    worker.addEventListener('error', ({ message }) => giveUp('unexpected', `reading stopped: ${message}`));
  });
  try {
    const result = await Promise.race([read(desk), end]);
    if ('value' in result) return result.value;
    throw new ReadingError(result.problem);
  } finally {
    clearTimeout(timer);
    desk[releaseProxy]();
    worker.terminate();
  }
}

/** The words of the page for what could not be read. */
export function describeFailure(error: unknown, what: string): Problem {
  if (error instanceof ReadingError && error.problem.code !== 'unexpected') return error.problem;
  return describeComplaint('file-unreadable', `${what}: ${describeError(error)}`, undefined);
}
