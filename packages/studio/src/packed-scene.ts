/**
 * Scenes as text that fits into an address or a page: files as JSON, deflated, in the base64 of addresses. Links come from anywhere:
 * what they unpack to is bounded, and every part is tested before it is used.
 */
import { NexdynError } from '@nexdyn/engine';
import type { SceneFiles } from './session/protocol.ts';

export interface SceneBundle {
  files: SceneFiles;
  path: string;
}

/** A link unpacks to at most so many bytes; the page itself makes none that is nearly as large. */
const LARGEST_LINK = 2 ** 26;
const LINK = 'link';
const HINT = 'the link is cut off or damaged; copy it again';

export async function packScene({ files, path }: SceneBundle): Promise<string> {
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? content : { base64: encodeBase64(content) },
  ]);
  return packText(JSON.stringify({ path, files: Object.fromEntries(entries) }));
}

export async function unpackScene(packed: string): Promise<SceneBundle> {
  return readBundle(parsePacked(await unpackText(packed)), LINK);
}

/** The path and the files of a scene in a value that was read; `file` names it in errors. */
export function readBundle(value: unknown, file: string): SceneBundle {
  const fail = (reason: string, path: string): never => {
    throw new NexdynError('invalid-value', reason, { file, path, hint: HINT });
  };
  if (!isObject(value)) return fail('there is no scene in it', 'files');
  const { path, files } = value;
  if (typeof path !== 'string') return fail('the path of the scene is missing', 'path');
  if (!isObject(files)) return fail('the files of the scene are missing', 'files');
  const contents = Object.entries(files).map(([name, content]): [string, string | Uint8Array] => {
    if (typeof content === 'string') return [name, content];
    const base64 = isObject(content) ? content['base64'] : undefined;
    if (typeof base64 !== 'string')
      return fail('the content of a file is neither text nor base64', `files[${JSON.stringify(name)}]`);
    return [name, decodeBase64(base64, file, `files[${JSON.stringify(name)}]`)];
  });
  return { path, files: Object.fromEntries(contents) };
}

/** The value of the JSON in a link. */
export function parsePacked(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NexdynError('malformed-json', 'what the link holds is not JSON', { file: LINK, hint: HINT });
  }
}

/** Any text, deflated, in the base64 of addresses. */
export async function packText(text: string): Promise<string> {
  return encodeBase64(await deflate(new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function unpackText(packed: string): Promise<string> {
  const bytes = decodeBase64(packed.replaceAll('-', '+').replaceAll('_', '/'), LINK);
  return new TextDecoder().decode(await inflate(bytes, LARGEST_LINK, LINK));
}

export async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Unpacks piece by piece and stops beyond `largest` bytes; `file` names the source in errors. */
export async function inflate(bytes: Uint8Array, largest: number, file: string): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new NexdynError('file-unreadable', `it cannot be unpacked: ${describe(error)}`, { file, hint: HINT });
    });
    if (done) break;
    size += value.length;
    if (size > largest) {
      void reader.cancel().catch(() => undefined);
      throw new NexdynError('too-large', `it unpacks to more than ${largest} bytes`, {
        file,
        hint: 'save the scene as files and open those',
      });
    }
    pieces.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  // in parts: a call takes a limited number of arguments
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** The bytes of a text; `file` names the source in errors. */
export function decodeBase64(text: string, file = LINK, path?: string): Uint8Array {
  let characters: string;
  try {
    characters = atob(text);
  } catch {
    throw new NexdynError('file-unreadable', 'it has characters that are not base64', {
      file,
      ...(path !== undefined && { path }),
      hint: HINT,
    });
  }
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
