import type { PaneRect } from './pane-layout.ts';

/** What is written into each part of a picture. */
export interface PictureLabel extends PaneRect {
  name: string;
}

/** Sizes in pixels of the screen. */
const TEXT = 14;
const PAD = 8;
const EDGE = 12;

/** A picture of several runs with the name of each in its lower left corner; `ratio` is pixels of the picture per pixel of the screen. */
export function labelPicture(
  source: HTMLCanvasElement,
  labels: readonly PictureLabel[],
  ratio: number,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = source.width;
  canvas.height = source.height;
  const context = canvas.getContext('2d')!;
  context.drawImage(source, 0, 0);
  writeLabels(context, labels, ratio);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** The name of each part of a picture in its lower left corner, and lines between them. */
export function writeLabels(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  labels: readonly PictureLabel[],
  ratio: number,
): void {
  const { canvas } = context;
  context.font = `600 ${TEXT * ratio}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  for (const { name, left, top, width, height } of labels) {
    const [x, foot] = [left * canvas.width + EDGE * ratio, (top + height) * canvas.height - EDGE * ratio];
    const box = { wide: context.measureText(name).width + 2 * PAD * ratio, high: (TEXT + 2 * PAD) * ratio };
    context.fillStyle = '#12161ccc';
    context.fillRect(x, foot - box.high, box.wide, box.high);
    context.fillStyle = '#ffffff';
    context.fillText(name, x + PAD * ratio, foot - box.high / 2);
    // a line between neighbours
    context.fillStyle = '#12161c';
    if (left > 0) context.fillRect(left * canvas.width - ratio, top * canvas.height, 2 * ratio, height * canvas.height);
    if (top > 0) context.fillRect(left * canvas.width, top * canvas.height - ratio, width * canvas.width, 2 * ratio);
  }
}
