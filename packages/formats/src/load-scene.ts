import { NexdynError } from '@nexdyn/engine';
import { limitFiles, resolveLimits } from './limits.ts';
import type { LoadedScene, LoadOptions } from './loaded-scene.ts';
import { readMjcf } from './mjcf/mjcf.ts';
import { resolvePath } from './path.ts';
import { readSceneJson } from './scene-json/read-scene-json.ts';
import { readRequiredFile } from './text-file.ts';
import { readUrdf } from './urdf/urdf.ts';
import { findRootElement } from './xml/root-element.ts';

/** How each format is read. */
const READERS: Record<'json' | 'mjcf' | 'urdf', (path: string, options: LoadOptions) => LoadedScene> = {
  json: readSceneJson,
  mjcf: readMjcf,
  urdf: readUrdf,
};

/** Reads a scene in NexDyn's JSON, MJCF or URDF; the extension tells the format, or the content where it cannot. */
export function loadScene(path: string, options: LoadOptions): LoadedScene {
  // a path that the caller gives may lie anywhere; references inside the file may not
  const file = resolvePath('', path, { allowOutside: true });
  const files = limitFiles(options.files, resolveLimits(options.limits));
  const bytes = readRequiredFile(file, files);
  return READERS[detectFormat(file, bytes)](file, { ...options, files });
}

/** The format of a file. */
function detectFormat(path: string, bytes: Uint8Array): keyof typeof READERS {
  const extension = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (extension === 'json' || extension === 'urdf' || extension === 'mjcf') return extension;
  const root = findRootElement(new TextDecoder().decode(bytes.subarray(0, 1 << 16)));
  if (root === 'robot') return 'urdf';
  if (root === 'mujoco' || extension === 'xml') return 'mjcf';
  if (root === '{') return 'json';
  throw new NexdynError('unknown-format', 'this is not a scene that NexDyn can read', {
    file: path,
    hint: explainExtension(extension),
  });
}

function explainExtension(extension: string): string {
  switch (extension) {
    case 'obj':
    case 'stl':
    case 'msh':
    case 'dae':
    case 'glb':
    case 'gltf':
      return 'a mesh alone is not a scene; refer to it from a scene file';
    case 'xacro':
      return 'expand the macros first: xacro robot.xacro > robot.urdf';
    case 'usd':
    case 'usda':
    case 'usdc':
    case 'usdz':
      return 'USD is not read: convert it to MJCF (.xml), URDF (.urdf) or NexDyn JSON (.json)';
    case 'sdf':
      return 'SDF of Gazebo is not read: convert it to MJCF (.xml), URDF (.urdf) or NexDyn JSON (.json)';
    default:
      return 'scenes are NexDyn JSON (.json), MJCF (.xml) and URDF (.urdf)';
  }
}
