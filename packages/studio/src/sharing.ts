/** What a user takes away: a link, a command, a picture, a page that replays the run. */
import { type Address, formatAddress, formatCommand } from './address.ts';
import { describeComplaint } from './complaint.ts';
import { describeAddress } from './navigation.ts';
import { nameRunFile } from './run-file.ts';
import { fileNameOf, saveFile } from './save-file.ts';
import { tellAll } from './session/input-log.ts';
import type { RunRecord } from './session/protocol.ts';
import type { Studio } from './studio.ts';

/** Longer addresses are cut by programs that pass them on. */
const LONGEST_LINK = 60_000;

/** Copy an address that opens this scene with these options, at this time, with this camera and all inputs. */
export async function copyLink(studio: Studio): Promise<void> {
  const address = describeAddress(studio, true);
  const run = await findInputs(studio);
  const whole = await formatLink({ ...address, run: run && shorten(run) });
  if (whole.length <= LONGEST_LINK) {
    await copyText(studio, whole, run ? `Link copied, with ${describeInputs(run)}.` : 'Link copied.');
    return;
  }
  const bare = run ? await formatLink(address) : whole;
  if (bare.length > LONGEST_LINK) {
    const reason = `The scene is too large for a link: ${Math.round(bare.length / 1000)} kB`;
    studio.refuse(describeComplaint('too-large', reason, 'Save the run as a file instead.'));
    return;
  }
  const loss = run ? describeInputs(run) : '';
  await copyText(
    studio,
    bare,
    `Link copied without ${loss}: too long for a link. It opens another run; save this one with S.`,
  );
}

/** The address of the studio with what is open here, from the page itself or from inside another page. */
export function formatStudioAddress(studio: Studio): Promise<string> {
  return formatLink(describeAddress(studio, true));
}

async function formatLink(address: Address): Promise<string> {
  return location.href.replace(/[?#].*$/, '') + (await formatAddress(address));
}

/** Copy the command that gives the same run in a terminal. */
export async function copyCommand(studio: Studio): Promise<void> {
  const source = studio.source.value;
  const { facts } = studio.scene.value ?? {};
  if (!source || !facts) return;
  const run = await findInputs(studio);
  if (run) {
    const replay = `nexdyn replay ${nameRunFile(studio)}`;
    await copyText(studio, replay, `Copied: ${replay}. Save that file with S: it holds ${describeInputs(run)}.`);
    return;
  }
  const seconds = (studio.frame.value?.step ?? 0) * facts.timestep;
  const command = formatCommand(describeAddress(studio, true), source.path, seconds);
  await copyText(studio, command, `Copied: ${command}`);
}

/** The record of a run that scene, options and time alone do not give; undefined where they do. */
async function findInputs(studio: Studio): Promise<RunRecord | undefined> {
  const record = await studio.runs.record();
  if (!record) return undefined;
  const { pulls, drives = [], changes } = record;
  return pulls.length > 0 || drives.length > 0 || changes.some(({ step }) => step > 0) ? record : undefined;
}

/** The record without what follows from the movements of the hand and of sliders. */
function shorten(run: RunRecord): RunRecord {
  const { pulls, hands = [] } = run;
  const rest = { ...run, writes: undefined };
  return tellAll(hands, pulls) ? { ...rest, pulls: [] } : { ...rest, hands: undefined };
}

/** As in `35 steps of pulling and 1 change of options`. */
function describeInputs({ pulls, drives = [], changes }: RunRecord): string {
  const parts = [
    ...(pulls.length > 0 ? [`${pulls.length} steps of pulling`] : []),
    ...(drives.length > 0 ? [`${drives.length} slider ${drives.length === 1 ? 'move' : 'moves'}`] : []),
    ...(changes.length > 0
      ? [changes.length === 1 ? '1 change of options' : `${changes.length} changes of options`]
      : []),
  ];
  return new Intl.ListFormat('en').format(parts);
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

export { saveFilm } from './film/save-film.ts';
export { saveRunFile } from './run-file.ts';
