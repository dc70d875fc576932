/**
 * What a page leaves undone while a test waits for it: pictures are drawn in software, and each costs as much as hundreds of steps.
 * Pictures and frames of the run come five times a second, at once while a test waits for them; shadows are coarse; the gallery has
 * no pictures. These functions run in the page, before its own scripts.
 */

/** Lets the page hurry or not, for the functions below. */
export interface SparePage {
  hurry(isAwaited: boolean): void;
}

/** Pictures, and answers to frames of the run, wait: the next frame comes after the answer to the last. */
export function drawSeldom(): void {
  const PAUSE = 200;
  const { requestAnimationFrame, cancelAnimationFrame } = window;
  const { postMessage } = MessagePort.prototype;
  let awaited = 0;
  const waiting = new Map<() => void, number>();
  const later = (act: () => void): (() => void) => {
    const run = (): void => {
      clearTimeout(waiting.get(run));
      if (waiting.delete(run)) act();
    };
    waiting.set(run, window.setTimeout(run, PAUSE));
    if (awaited > 0) run();
    return run;
  };

  const drops = new Map<number, () => void>();
  let last = 0;
  window.requestAnimationFrame = (draw) => {
    const id = ++last;
    const start = later(() => {
      const frame = requestAnimationFrame((time) => {
        drops.delete(id);
        draw(time);
      });
      drops.set(id, () => cancelAnimationFrame(frame));
    });
    if (!drops.has(id)) {
      drops.set(id, () => {
        clearTimeout(waiting.get(start));
        waiting.delete(start);
      });
    }
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    drops.get(id)?.();
    drops.delete(id);
  };
  MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
    later(() => postMessage.apply(this, message as Parameters<typeof postMessage>));
  };
  Object.assign(window, {
    hurry(isAwaited: boolean) {
      awaited += isAwaited ? 1 : -1;
      if (isAwaited) for (const run of [...waiting.keys()]) run();
    },
  });
}

/** Shadow maps of 256 pixels in place of 2048: the largest texture there is. */
export function drawCoarseShadows(): void {
  const { getParameter } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    return name === this.MAX_TEXTURE_SIZE ? 256 : getParameter.call(this, name);
  };
}

/** Images of scenes stay empty. */
export function leaveOutGalleryPictures(): void {
  const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')!;
  Object.defineProperty(HTMLImageElement.prototype, 'src', {
    ...source,
    set(this: HTMLImageElement, address: string) {
      if (!address.includes('pictures/')) source.set!.call(this, address);
    },
  });
}
