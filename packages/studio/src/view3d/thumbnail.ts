import { PerspectiveCamera, SRGBColorSpace, Vector3, type WebGLRenderer, WebGLRenderTarget } from 'three';
import type { SceneDrawing } from '../session/scene-drawing.ts';
import type { SoftFrame } from '../session/soft-frame.ts';
import { frameBalls } from './framing.ts';
import { listOutline } from './outline.ts';
import type { Theme } from './palette.ts';
import { Stage } from './stage.ts';

export interface ThumbnailOptions {
  drawing: SceneDrawing;
  poses: Float32Array;
  soft?: SoftFrame | undefined;
  /** Pixels. */
  width: number;
  height: number;
  theme: Theme;
}

const FIELD_OF_VIEW = 30;

/** Draw a scene beside the canvas, with the same renderer, and return the picture as a data address. */
export function renderThumbnail(renderer: WebGLRenderer, options: ThumbnailOptions): string {
  const { drawing, poses, soft, width, height, theme } = options;
  const stage = new Stage(drawing, poses, theme, soft);
  const target = new WebGLRenderTarget(width, height, { samples: 4, colorSpace: SRGBColorSpace });
  const back = new Vector3(0.55, -1, 0.42).normalize();
  const right = new Vector3(0, 0, 1).cross(back).normalize();
  const axes = { right: right.toArray(), up: back.clone().cross(right).toArray(), back: back.toArray() };
  const high = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
  const framed = frameBalls(listOutline(drawing, poses, soft), axes, [(0.92 * high * width) / height, 0.92 * high]);
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, width / height, framed.distance / 200, 60 * framed.distance);
  camera.up.set(0, 0, 1);
  camera.position.set(...framed.position);
  camera.lookAt(...framed.target);

  const pixels = new Uint8ClampedArray(4 * width * height);
  renderer.setRenderTarget(target);
  renderer.render(stage.scene, camera);
  renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
  renderer.setRenderTarget(null);
  stage.dispose();
  target.dispose();
  return encodePicture(pixels, width, height);
}

/** Rows come from the bottom up. */
function encodePicture(pixels: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): string {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const flipped = new ImageData(width, height);
  for (let row = 0; row < height; row++) {
    flipped.data.set(pixels.subarray(4 * width * row, 4 * width * (row + 1)), 4 * width * (height - 1 - row));
  }
  canvas.getContext('2d')?.putImageData(flipped, 0, 0);
  return canvas.toDataURL('image/png');
}
