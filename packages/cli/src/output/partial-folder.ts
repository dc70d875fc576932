/**
 * Folders in which output waits until it is complete, beside the place where it goes. A process that is killed leaves
 * its folder; the marker in it says what NexDyn put there, so that a later `nexdyn clean` removes that and nothing else.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';

const MARKER = 'nexdyn-partial.json';
const FRESH_MARKER = `${MARKER}.new`;
const CONTENT = 'content';
const NAME = /^\.(.+)\.nexdyn-partial-(\d+)-\d+-\d+$/;

/** What the marker of a partial folder says. */
interface Marker {
  format: 'nexdyn-partial';
  version: 1;
  pid: number;
  host: string;
  /** Name of the file or folder that was to be written. */
  target: string;
  /** `moving`: all files are complete and go into the folder around this one, one after the other. */
  state: 'writing' | 'moving';
  /** Names of the files that NexDyn puts into this folder. */
  files: string[];
}

/** A partial folder that was found on the disk. */
export interface PartialFolder {
  path: string;
  target: string;
  state: Marker['state'];
  files: string[];
  /** Whether the process that writes into it still runs. */
  isInUse: boolean;
  /** Bytes of its files. */
  bytes: number;
}

let count = 0;
const own = new Set<string>();

/** Creates the partial folder of a target in a folder; files go into its `content`. */
export function createPartialFolder(folder: string, target: string, files: readonly string[]): string {
  const path = join(folder, `.${basename(target) || 'output'}.nexdyn-partial-${process.pid}-${Date.now()}-${count++}`);
  mkdirSync(path);
  own.add(path);
  writeMarker(path, { ...describeWriter(target), state: 'writing', files: [...files] });
  mkdirSync(join(path, CONTENT));
  return path;
}

/** Where a file of a partial folder is. */
export function locateContent(path: string, name = ''): string {
  return join(path, CONTENT, name);
}

/** Notes that all files are complete and are being moved into the folder around. */
export function markMoving(path: string, target: string, files: readonly string[]): void {
  writeMarker(path, { ...describeWriter(target), state: 'moving', files: [...files] });
}

/** Removes the files that the marker lists, and the folder if nothing else is in it; whether it is gone. */
export function removePartialFolder(path: string): boolean {
  for (const name of readMarker(path)?.files ?? []) rmSync(locateContent(path, name), { force: true });
  try {
    if (existsSync(locateContent(path))) rmdirSync(locateContent(path));
    if (readdirSync(path).some((name) => name !== MARKER && name !== FRESH_MARKER)) return false;
    for (const name of [FRESH_MARKER, MARKER]) rmSync(join(path, name), { force: true });
    rmdirSync(path);
    own.delete(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a name is that of a partial folder. */
export function isPartialName(name: string): boolean {
  return NAME.test(name);
}

/** The partial folders directly in a folder that other processes have left or still use. */
export function listPartialFolders(folder: string): PartialFolder[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => NAME.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const marker = own.has(path) ? undefined : (readMarker(path) ?? describeBare(path));
      if (!marker) return [];
      const { target, state, files } = marker;
      const bytes = files.reduce(
        (sum, file) => sum + (statSync(locateContent(path, file), { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
      return [{ path, target, state, files, isInUse: isRunning(marker), bytes }];
    });
}

function describeWriter(target: string): Omit<Marker, 'state' | 'files'> {
  return {
    format: 'nexdyn-partial',
    version: 1,
    pid: process.pid,
    host: hostname(),
    target: basename(target) || 'output',
  };
}

/** Written whole, so that it can be read at any moment. */
function writeMarker(path: string, marker: Marker): void {
  const fresh = join(path, FRESH_MARKER);
  writeFileSync(fresh, `${JSON.stringify(marker, null, 2)}\n`);
  renameSync(fresh, join(path, MARKER));
}

/** The marker of a folder that NexDyn has made; undefined for any other. */
function readMarker(path: string): Marker | undefined {
  try {
    const marker = JSON.parse(readFileSync(join(path, MARKER), 'utf8')) as Partial<Marker> | null;
    if (marker?.format !== 'nexdyn-partial' || marker.version !== 1 || !Array.isArray(marker.files)) return undefined;
    // a marker that points elsewhere was not written by NexDyn
    const isPlain = (name: unknown): name is string => typeof name === 'string' && isPlainName(name);
    if (!marker.files.every(isPlain) || !isPlain(marker.target)) return undefined;
    if (marker.state !== 'writing' && marker.state !== 'moving') return undefined;
    return marker as Marker;
  } catch {
    return undefined;
  }
}

/** A folder whose writer was killed before it had a marker: nothing is in it. Its name says whose it was. */
function describeBare(path: string): Marker | undefined {
  try {
    if (readdirSync(path).some((name) => name !== FRESH_MARKER)) return undefined;
  } catch {
    return undefined;
  }
  const [, target = '', pid] = NAME.exec(basename(path)) ?? [];
  return { ...describeWriter(target), pid: Number(pid), state: 'writing', files: [] };
}

/** Whether a name means a file in the same folder. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[\\/\0]/.test(name);
}

/** Processes of other machines are taken for running: they cannot be asked. */
function isRunning({ pid, host }: Marker): boolean {
  if (host !== hostname()) return true;
  // the number of this process, but not its folder: an earlier process had the same number
  if (pid === process.pid || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
