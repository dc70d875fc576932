/** A scene as a file that MuJoCo reads: MJCF and URDF as they are, other files as MJCF in a temporary folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { writeMjcf } from '@nexdyn/formats';
import { loadSceneFile } from '../scene-file.ts';
import { findRoot } from './model-files.ts';

export interface PeerFile {
  file: string;
  /** Folder that holds every file it names. */
  root: string;
  /** Parts of the scene that MJCF cannot say. */
  unwritten: string[];
  /** Deletes what was written. */
  remove(): void;
}

export function openPeerFile(file: string, root: string = findRoot(file)): PeerFile {
  if (extname(file).toLowerCase() !== '.json') return { file, root, unwritten: [], remove: () => {} };
  const { text, unwritten, images } = writeMjcf(loadSceneFile(file).scene);
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-peer-'));
  const copy = join(folder, 'scene.xml');
  writeFileSync(copy, text);
  for (const { name, bytes } of images) writeFileSync(join(folder, name), bytes);
  return {
    file: copy,
    root: folder,
    unwritten: unwritten.map(({ path }) => path),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
