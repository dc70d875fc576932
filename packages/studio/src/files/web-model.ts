/**
 * A model by its address on the web. The readers ask for one file after the other and wait for each, so files are fetched as they are
 * asked for; that is possible in a worker only. The host must allow other pages to read its files (CORS).
 */
import { NexdynError } from '@nexdyn/engine';
import type { FileSource } from '@nexdyn/formats';
import type { SceneFiles } from '../session/protocol.ts';
import { readPicked, type SortedFiles } from './file-reading.ts';
import { LARGEST_DROP } from './picked-files.ts';

/** A model of more files is refused. */
const MOST_FILES = 5000;

/** Whether a reader asks for more files: other files are whole by themselves. */
const REFERS = /\.(xml|mjcf|urdf|json)$/i;

/** Fetches a model with the files it refers to. */
export async function fetchModel(address: string): Promise<SortedFiles> {
  const url = parseModelAddress(address);
  const files = new WebFiles(url);
  const bytes = files.read(files.main);
  if (!bytes) throw files.describeMissing(files.main);
  const name = files.main.slice(files.main.lastIndexOf('/') + 1);
  if (!REFERS.test(name)) return readPicked([{ path: name, file: new File([bytes as Uint8Array<ArrayBuffer>], name) }]);
  const isRun = new TextDecoder().decode(bytes.subarray(0, 64)).includes('"nexdyn-run"');
  if (isRun) return readPicked([{ path: name, file: new File([bytes as Uint8Array<ArrayBuffer>], name) }]);
  const { loadScene } = await import('../session/every-format.ts');
  // read for the files it asks for: a fault of the scene is told when the scene is opened
  try {
    loadScene(files.main, { files, allowOutside: true });
  } catch (error) {
    if (files.missing !== undefined) throw files.describeMissing(files.missing);
    if (error instanceof NexdynError && error.code === 'too-large') throw error;
  }
  return { files: files.found, choices: [files.main] };
}

/** The address of a model, which must be one of the web. */
export function parseModelAddress(address: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(address);
  } catch {
    // told below
  }
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new NexdynError('invalid-argument', `${JSON.stringify(address)} is not an address of the web`, {
      hint: 'give a full address, as in ?model=https://example.org/robot/scene.xml',
    });
  }
  return url;
}

/** Files of one host, by their path there. */
class WebFiles implements FileSource {
  readonly main: string;
  readonly found: SceneFiles = {};
  /** The first file that could not be had. */
  missing: string | undefined;
  readonly #url: URL;
  #size = 0;
  #count = 0;
  #reason = '';

  constructor(url: URL) {
    this.#url = url;
    this.main = decodeURIComponent(url.pathname).replace(/^\/+/, '');
  }

  read(path: string): Uint8Array | undefined {
    const known = this.found[path];
    if (known instanceof Uint8Array) return known;
    this.#count++;
    const request = new XMLHttpRequest();
    // the main file may be asked for with a query, as some hosts want it
    const isMain = path === this.main;
    request.open('GET', isMain ? this.#url.href : new URL(`/${encodePath(path)}`, this.#url).href, false);
    request.responseType = 'arraybuffer';
    try {
      request.send();
    } catch {
      return this.#miss(path, 'the host does not answer, or does not let other pages read it (CORS)');
    }
    if (request.status !== 200) return this.#miss(path, `the host answers ${request.status}`);
    const bytes = new Uint8Array(request.response as ArrayBuffer);
    this.#size += bytes.length;
    if (this.#size > LARGEST_DROP || this.#count > MOST_FILES) {
      throw new NexdynError('too-large', `the model has more than ${MOST_FILES} files or ${LARGEST_DROP >> 20} MiB`, {
        file: path,
        hint: 'open a smaller model, or one from files of this machine',
      });
    }
    this.found[path] = bytes;
    return bytes;
  }

  describeMissing(path: string): NexdynError {
    return new NexdynError('file-not-found', `${path} could not be fetched from ${this.#url.host}: ${this.#reason}`, {
      file: path,
      hint: 'download the model and drop its folder on the page',
    });
  }

  #miss(path: string, reason: string): undefined {
    if (this.missing === undefined) this.#reason = reason;
    this.missing ??= path;
    return undefined;
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
