import { describeComplaint, describeError } from '../complaint.ts';
import { fileNameOf, saveFile } from '../save-file.ts';
import type { Studio } from '../studio.ts';
import { type FilmOptions, makeFilm } from './film.ts';

const LOOK: Readonly<Record<NonNullable<FilmOptions['container']>, { width: number; height: number; fps: number }>> = {
  mp4: { width: 1280, height: 720, fps: 30 },
  webm: { width: 1280, height: 720, fps: 30 },
  // larger ones are too heavy for a page
  gif: { width: 480, height: 270, fps: 20 },
};

/** Save the timeline as a video, at the speed that is chosen. */
export async function saveFilm(studio: Studio, container: keyof typeof LOOK = 'mp4'): Promise<void> {
  const span = studio.frame.value?.timeline;
  if (!span) return;
  if (span.lastTime <= span.firstTime) {
    studio.say('Nothing to record yet: let the scene run first.');
    return;
  }
  const speed = studio.speed.value;
  const { width, height, fps } = LOOK[container];
  try {
    const film = await makeFilm(studio, {
      width,
      height,
      container,
      from: span.firstTime,
      to: span.lastTime,
      rate: fps / speed,
      speed,
      onProgress: (part) => studio.say(`Rendering the video: ${Math.round(100 * part)} %`),
    });
    const name = `${fileNameOf(studio.scene.value?.facts.name ?? 'scene')}.${container}`;
    saveFile(new Blob([film.bytes as Uint8Array<ArrayBuffer>], { type: film.mimeType }), name);
    const seconds = (film.times.length / fps).toFixed(1);
    studio.say(`Saved ${name}: ${film.times.length} frames, ${seconds} s.`);
  } catch (error) {
    studio.refuse(describeComplaint('unexpected', `The video could not be saved: ${describeError(error)}`, undefined));
  }
}
