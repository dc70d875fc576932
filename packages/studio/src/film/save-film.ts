import { describeComplaint, describeError } from '../complaint.ts';
import { fileNameOf, saveFile } from '../save-file.ts';
import type { Studio } from '../studio.ts';
import { makeFilm } from './film.ts';

const SIZE = { width: 1280, height: 720 };
const RATE = 30;

/** Save the timeline as a video, at the speed that is chosen. */
export async function saveFilm(studio: Studio): Promise<void> {
  const span = studio.frame.value?.timeline;
  if (!span) return;
  if (span.lastTime <= span.firstTime) {
    studio.say('There is nothing to film yet: let the scene run first.');
    return;
  }
  const speed = studio.speed.value;
  try {
    const film = await makeFilm(studio, {
      ...SIZE,
      from: span.firstTime,
      to: span.lastTime,
      rate: RATE / speed,
      speed,
      onProgress: (part) => studio.say(`Filming: ${Math.round(100 * part)} %`),
    });
    const name = `${fileNameOf(studio.scene.value?.facts.name ?? 'scene')}.mp4`;
    saveFile(new Blob([film.bytes as Uint8Array<ArrayBuffer>], { type: film.mimeType }), name);
    const seconds = (film.times.length / RATE).toFixed(1);
    studio.say(`Saved ${name}: ${film.times.length} pictures, ${seconds} s.`);
  } catch (error) {
    studio.refuse(describeComplaint('unexpected', `The film was not made: ${describeError(error)}`, undefined));
  }
}
