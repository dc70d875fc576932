/** Takes frames from a runner to the page, one at a time: a busy page gets fewer frames, never a queue of old ones. */
import { transfer } from 'comlink';
import type { Frame } from './protocol.ts';
import { SAMPLE_WIDTH } from './sample.ts';

/** Numbers kept for a page that does not come to take them. */
const LONGEST_BACKLOG = SAMPLE_WIDTH * 600;

export class FrameMail {
  #receive: ((frame: Frame) => unknown) | undefined;
  #latest: Frame | undefined;
  #isUnderWay = false;

  /** Where frames go. */
  subscribe(receive: (frame: Frame) => unknown): void {
    this.#receive = receive;
    void this.#deliver();
  }

  post(frame: Frame): void {
    // the samples of frames that are passed over still belong to the curves
    const waiting = this.#latest;
    if (waiting?.run === frame.run && waiting.samples.length < LONGEST_BACKLOG)
      frame.samples.unshift(...waiting.samples);
    this.#latest = frame;
    void this.#deliver();
  }

  /** Forget the frame that waits. */
  clear(): void {
    this.#latest = undefined;
  }

  async #deliver(): Promise<void> {
    const frame = this.#latest;
    if (this.#isUnderWay || !this.#receive || !frame) return;
    this.#latest = undefined;
    this.#isUnderWay = true;
    try {
      await this.#receive(handOver(frame));
    } finally {
      this.#isUnderWay = false;
    }
    void this.#deliver();
  }
}

/** The frame, with its arrays moved instead of copied. */
export function handOver(frame: Frame): Frame {
  return transfer(frame, listFrameBuffers(frame));
}

export function listFrameBuffers({ poses, soft, contacts, trace }: Frame): ArrayBuffer[] {
  const arrays = [
    poses,
    ...(soft ? [soft.positions, soft.stress] : []),
    ...(contacts ? [contacts.points, contacts.shapes] : []),
    ...(trace ? [trace.islands, trace.entries] : []),
  ];
  return arrays.map((array) => array.buffer as ArrayBuffer);
}
