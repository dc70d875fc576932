/** What a user takes away: a link, a command, a picture, a page that replays the run. */
import { formatAddress, formatCommand } from './address.ts';
import { describeComplaint } from './complaint.ts';
import { describeAddress } from './navigation.ts';
import { fileNameOf, saveFile } from './save-file.ts';
import type { Studio } from './studio.ts';

/** Longer addresses are cut by programs that pass them on. */
const LONGEST_LINK = 60_000;

/** Copy an address that opens this scene with these options, at this time, seen from here. */
export async function copyLink(studio: Studio): Promise<void> {
  const url = location.href.replace(/#.*$/, '') + (await formatAddress(describeAddress(studio, true)));
  if (url.length > LONGEST_LINK) {
    const reason = `The scene is too large for a link: ${Math.round(url.length / 1000)} kB`;
    studio.refuse(describeComplaint('too-large', reason, 'Save the run as a file instead.'));
    return;
  }
  const isPulled = ((await studio.session.record())?.pulls.length ?? 0) > 0 && !studio.comparison.value;
  const words = isPulled ? 'Link copied. It has no pulls of the mouse: save the run to keep them.' : 'Link copied.';
  await copyText(studio, url, words);
}

/** Copy the command that gives the same run in a terminal. */
export async function copyCommand(studio: Studio): Promise<void> {
  const source = studio.source.value;
  const { facts } = studio.scene.value ?? {};
  if (!source || !facts) return;
  const seconds = (studio.frame.value?.step ?? 0) * facts.timestep;
  const command = formatCommand(describeAddress(studio, true), source.path, seconds);
  await copyText(studio, command, `Copied: ${command}`);
}

async function copyText(studio: Studio, text: string, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    studio.say(words);
  } catch {
    // a page without the right to the clipboard shows the text
    studio.say(text);
  }
}

/** Save the view as a PNG file. */
export async function saveScreenshot(studio: Studio): Promise<void> {
  const blob = await studio.viewport?.screenshot();
  if (blob) saveFile(blob, `${nameRun(studio)}.png`);
}

/** Save a page that plays the run without this one. */
export async function saveReplay(studio: Studio): Promise<void> {
  const { exportReplay } = await import('./replay/export-replay.ts');
  const page = await exportReplay(studio);
  if (page) saveFile(page, `${nameRun(studio)}.html`);
}

function nameRun(studio: Studio): string {
  return `${fileNameOf(studio.scene.value?.facts.name ?? 'scene')}-${(studio.frame.value?.time ?? 0).toFixed(3)}s`;
}

export { saveRunFile } from './run-file.ts';
