/** Reads the files of a zip archive: sizes and checksums are tested, and nothing is unpacked beyond what the archive claims. */
import { checkUnpacked, listZipEntries, type ReadLimits } from '@nexdyn/formats';
import { inflate } from '../packed-scene.ts';

export async function readZip(
  path: string,
  bytes: Uint8Array,
  limits?: Partial<ReadLimits>,
): Promise<[string, Uint8Array][]> {
  const files: [string, Uint8Array][] = [];
  for (const entry of listZipEntries(path, bytes, limits)) {
    const { name, packed, isDeflated, size } = entry;
    const content = isDeflated ? await inflate(packed, size, path) : packed.slice();
    files.push([name, checkUnpacked(entry, content, path)]);
  }
  return files;
}
