import { describe, expect, test } from 'vitest';
import { FrameMail } from './frame-mail.ts';
import type { Frame } from './protocol.ts';

/** The part of a frame that the mail reads. */
function frame(run: number, branch: number, samples: number[]): Frame {
  return { run, branch, samples, poses: new Float32Array(7) } as unknown as Frame;
}

describe('frames on their way to the page', () => {
  test('a busy page gets the newest frame of each branch, with all samples of it, in their order', async () => {
    const mail = new FrameMail();
    const got: Frame[] = [];
    let release: () => void = () => {};
    mail.subscribe((received) => {
      got.push(received);
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const deliver = async (): Promise<void> => {
      release();
      for (let i = 0; i < 5; i++) await Promise.resolve();
    };
    mail.post(frame(1, 1, [0]));
    mail.post(frame(1, 1, [1]));
    mail.post(frame(1, 1, [2]));
    mail.post(frame(1, 2, [7]));
    mail.post(frame(1, 2, [8]));
    expect(got).toHaveLength(1);
    await deliver();
    await deliver();
    expect(got.map(({ branch, samples }) => [branch, samples])).toEqual([
      [1, [0]],
      [1, [1, 2]],
      [2, [7, 8]],
    ]);
    // another run makes what waits worthless
    mail.post(frame(1, 2, [9]));
    mail.post(frame(2, 1, [0]));
    await deliver();
    expect(got.at(-1)).toMatchObject({ run: 2, samples: [0] });
    expect(got).toHaveLength(4);
  });

  test('a frame that goes another way takes the place of those that wait, with their samples', async () => {
    const mail = new FrameMail();
    const got: Frame[] = [];
    let release: () => void = () => {};
    mail.subscribe((received) => {
      got.push(received);
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    mail.post(frame(1, 1, [0]));
    mail.post(frame(1, 1, [1]));
    expect(mail.overtake(frame(1, 1, [2])).samples).toEqual([1, 2]);
    release();
    for (let i = 0; i < 5; i++) await Promise.resolve();
    expect(got).toHaveLength(1);
  });
});
