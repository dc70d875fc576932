/** Takes frames from a runner to the page, one at a time: a busy page gets fewer frames, never a queue of old ones. */
import { transfer } from 'comlink';
import type { Frame } from './protocol.ts';
import { SAMPLE_WIDTH } from './sample.ts';

/** Numbers kept for a page that does not come to take them. */
const LONGEST_BACKLOG = SAMPLE_WIDTH * 600;

export class FrameMail {
  #receive: ((frame: Frame) => unknown) | undefined;
  /** The newest frame of each branch that was turned to since the last delivery, at most one in all but rare moments. */
  #waiting: Frame[] = [];
  #isUnderWay = false;

  /** Where frames go. */
  subscribe(receive: (frame: Frame) => unknown): void {
    this.#receive = receive;
    void this.#deliver();
  }

  post(frame: Frame): void {
    const last = this.#waiting.at(-1);
    if (last?.run !== frame.run) this.#waiting = [];
    else if (last.branch === frame.branch) {
      // the samples of frames that are passed over still belong to the curves
      if (last.samples.length < LONGEST_BACKLOG) frame.samples.unshift(...last.samples);
      this.#waiting.pop();
    }
    this.#waiting.push(frame);
    void this.#deliver();
  }

  /** The frame in place of those that wait: one that reaches the page by another way must not be followed by an older one. */
  overtake(frame: Frame): Frame {
    const last = this.#waiting.at(-1);
    if (last?.run === frame.run && last.branch === frame.branch) frame.samples.unshift(...last.samples);
    this.clear();
    return frame;
  }

  /** Forget the frames that wait. */
  clear(): void {
    this.#waiting = [];
  }

  async #deliver(): Promise<void> {
    if (this.#isUnderWay || !this.#receive) return;
    const frame = this.#waiting.shift();
    if (!frame) return;
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
    ...(soft ? [soft.positions, soft.values] : []),
    ...(contacts ? [contacts.points, contacts.shapes] : []),
    ...(trace ? [trace.islands, trace.entries] : []),
  ];
  return arrays.map((array) => array.buffer as ArrayBuffer);
}
