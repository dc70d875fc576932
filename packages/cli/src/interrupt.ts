/** Ctrl-C and a polite kill, heard instead of obeyed; a second one ends the process at once. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Obey signals again. */
  stop(): void;
}

export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  const stop = (): void => {
    process.removeListener('SIGINT', hear);
    process.removeListener('SIGTERM', hear);
  };
  const hear = (): void => {
    controller.abort();
    stop();
  };
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  return { signal: controller.signal, stop };
}
