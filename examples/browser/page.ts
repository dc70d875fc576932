import { BLOCKS, SIZE } from './tower.ts';
import type { Frame } from './worker.ts';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const canvas = document.querySelector('canvas')!;
const context = canvas.getContext('2d')!;
const [time, hash] = ['#time', '#hash'].map((id) => document.querySelector(id)!);

worker.addEventListener('message', ({ data }: MessageEvent<Frame>) => {
  time.textContent = data.time.toFixed(2);
  hash.textContent = data.hash ?? '...';
  draw(data);
});
document.querySelector('#again')!.addEventListener('click', () => worker.postMessage('again'));

/** The scene from the side: x to the right, z up, 200 pixels per metre. */
function draw({ position, orientation }: Frame): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#8886';
  context.fillRect(0, 380, canvas.width, 2);
  // body 0 is the world
  for (let body = 1; body <= BLOCKS + 1; body++) {
    const [x, , z] = position.subarray(3 * body, 3 * body + 3);
    const [w, , y] = orientation.subarray(4 * body, 4 * body + 4);
    context.setTransform(200, 0, 0, -200, 400 + 200 * x, 380 - 200 * z);
    // turned about y, which points into the picture
    context.rotate(-2 * Math.atan2(y, w));
    context.fillStyle = body > BLOCKS ? '#e0703c' : `hsl(${200 + 12 * body} 60% 55%)`;
    context.beginPath();
    if (body > BLOCKS) context.arc(0, 0, SIZE, 0, 2 * Math.PI);
    else context.rect(-SIZE, -SIZE, 2 * SIZE, 2 * SIZE);
    context.fill();
  }
}
