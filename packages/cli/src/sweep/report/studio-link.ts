import { deflateRawSync } from 'node:zlib';
import type { Scene } from '@nexdyn/engine';
import { writeSceneJson } from '@nexdyn/formats';

/** Longer addresses are cut off by some programs. */
const LONGEST_LINK = 60_000;

/** Address of a scene in the studio of this machine (`nexdyn studio`); undefined where the scene is too large for one. */
export function formatStudioLink(scene: Scene, name: string): string | undefined {
  const path = `${name}.json`;
  const bundle = JSON.stringify({ path, files: { [path]: writeSceneJson(scene) } });
  const packed = deflateRawSync(Buffer.from(bundle), { level: 9 }).toString('base64url');
  return packed.length > LONGEST_LINK ? undefined : `http://localhost:4810/#file:${packed}`;
}
