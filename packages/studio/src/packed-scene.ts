/** Scenes as text that fits into an address or a page: files as JSON, deflated, in the base64 of addresses. */
import type { SceneFiles } from './session/protocol.ts';

export interface SceneBundle {
  files: SceneFiles;
  path: string;
}

export async function packScene({ files, path }: SceneBundle): Promise<string> {
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? content : { base64: encodeBase64(content) },
  ]);
  return packText(JSON.stringify({ path, files: Object.fromEntries(entries) }));
}

export async function unpackScene(packed: string): Promise<SceneBundle> {
  const { path, files } = JSON.parse(await unpackText(packed)) as {
    path: string;
    files: Record<string, string | { base64: string }>;
  };
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? content : decodeBase64(content.base64),
  ]);
  return { path, files: Object.fromEntries(entries) as SceneFiles };
}

/** Any text, deflated, in the base64 of addresses. */
export async function packText(text: string): Promise<string> {
  return encodeBase64(await deflate(new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function unpackText(packed: string): Promise<string> {
  const bytes = await inflate(decodeBase64(packed.replaceAll('-', '+').replaceAll('_', '/')));
  return new TextDecoder().decode(bytes);
}

export function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  return pipe(bytes, new CompressionStream('deflate-raw'));
}

export function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  return pipe(bytes, new DecompressionStream('deflate-raw'));
}

async function pipe(bytes: Uint8Array, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  // in parts: a call takes a limited number of arguments
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
