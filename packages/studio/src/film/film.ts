/**
 * Films: pictures at regular simulated times, encoded by the browser (WebCodecs). Picture n shows the last state at or before t₀ + n/r, r pictures
 * per simulated second, however long a step takes to compute.
 */
import type { VideoCodec } from 'mediabunny';
import type { Studio } from '../studio.ts';
import { writeLabels } from '../view3d/labelled-picture.ts';

export interface FilmOptions {
  /** Simulated times of the first picture and of the end, s. */
  from: number;
  to: number;
  /** Pictures per simulated second. */
  rate: number;
  /** Pixels. */
  width: number;
  height: number;
  /** Simulated seconds per second of the film. Default: 1. */
  speed?: number;
  container?: 'mp4' | 'webm' | 'gif';
  /** Whether the camera fits the scene into the film first; else it stays where it is. */
  fits?: boolean;
  /** Told after each picture how much is done, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/** Codecs by how many players know them. */
const CODECS: Readonly<Record<'mp4' | 'webm', VideoCodec[]>> = {
  mp4: ['avc', 'vp9', 'av1'],
  webm: ['vp9', 'vp8', 'av1'],
};

export interface Film {
  bytes: Uint8Array;
  mimeType: string;
  codec: string;
  /** Simulated time of each picture, s. */
  times: number[];
}

/** The run of the page as a video. It stands at the end of the film afterwards. */
export async function makeFilm(studio: Studio, options: FilmOptions): Promise<Film> {
  if (options.container === 'gif') return makeGif(studio, options);
  const { width, height, rate, speed = 1, container = 'mp4' } = options as FilmOptions & { container?: 'mp4' | 'webm' };
  const { viewport } = studio;
  if (typeof VideoEncoder === 'undefined' || !viewport)
    throw new Error('this browser cannot encode videos (WebCodecs); over http only localhost may');
  const media = await import('mediabunny');
  const codec = await media.getFirstEncodableVideoCodec(CODECS[container], { width, height });
  if (!codec) throw new Error(`this browser has no encoder for ${container} of ${width} by ${height} pixels`);
  const format = container === 'mp4' ? new media.Mp4OutputFormat() : new media.WebMOutputFormat();
  const target = new media.BufferTarget();
  const output = new media.Output({ format, target });
  const canvas = new OffscreenCanvas(width, height);
  const source = new media.CanvasSource(canvas, { codec, bitrate: media.QUALITY_HIGH });
  output.addVideoTrack(source, { frameRate: rate });
  await output.start();
  const times: number[] = [];
  await forEachPicture(studio, options, canvas, async (time, n) => {
    times.push(time);
    await source.add(n / (rate * speed), 1 / (rate * speed));
  });
  await output.finalize();
  return { bytes: new Uint8Array(target.buffer!), mimeType: format.mimeType, codec, times };
}

/** A GIF plays where no video does; its times are whole hundredths of a second, so that every picture comes at the nearest one. */
async function makeGif(studio: Studio, options: FilmOptions): Promise<Film> {
  const { width, height, rate, speed = 1 } = options;
  const { Encoder } = await import('modern-gif');
  const encoder = new Encoder({ width, height, maxColors: 255 });
  const canvas = new OffscreenCanvas(width, height);
  const times: number[] = [];
  const hundredth = (n: number): number => 10 * Math.round((100 * n) / (rate * speed));
  await forEachPicture(studio, options, canvas, async (time, n) => {
    times.push(time);
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
    await encoder.encode({ data, delay: hundredth(n + 1) - hundredth(n) });
  });
  return { bytes: new Uint8Array(await encoder.flush('arrayBuffer')), mimeType: 'image/gif', codec: 'gif', times };
}

/** One picture as a PNG file; without its ground and background where that is asked for. */
export async function takePicture(
  studio: Studio,
  {
    time,
    width,
    height,
    isTransparent,
    fits = false,
  }: { time: number; width: number; height: number; isTransparent: boolean; fits?: boolean },
): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  await forEachPicture(
    studio,
    { from: time, to: time, rate: 1, width, height, isTransparent, fits },
    canvas,
    async () => {},
  );
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Brings the run from picture to picture and paints each. */
async function forEachPicture(
  studio: Studio,
  options: FilmOptions & { isTransparent?: boolean },
  canvas: OffscreenCanvas,
  take: (time: number, n: number) => Promise<void>,
): Promise<void> {
  const { from, to, rate, width, height, isTransparent = false, fits = false, onProgress } = options;
  const viewport = studio.viewport!;
  const context = canvas.getContext('2d')!;
  studio.playing.value = false;
  studio.runs.pause();
  const count = Math.floor((to - from) * rate + 1e-6) + 1;
  viewport.beginFilm(width, height, isTransparent);
  if (fits) viewport.frame();
  try {
    for (let n = 0; n < count; n++) {
      await goTo(studio, from + n / rate);
      await viewport.ready();
      context.clearRect(0, 0, width, height);
      viewport.paintFilm(context);
      if (viewport.labels.length > 1) writeLabels(context, viewport.labels, height / 540);
      await take(studio.frame.value?.time ?? 0, n);
      onProgress?.((n + 1) / count);
      if (studio.stop.value) break;
    }
  } finally {
    viewport.endFilm();
  }
}

async function goTo(studio: Studio, time: number): Promise<void> {
  const comparison = studio.comparison.value;
  if (comparison) {
    await comparison.goTo(time);
    return;
  }
  const frame = await studio.session.goTo(time);
  if (frame) studio.take(frame);
}
