import type { Scene } from '@nexdyn/engine';
import type { FileSource } from './file-source.ts';
import type { ReadLimits } from './limits.ts';

/** What a reader returns: the scene, and everything in the file that did not make it into the scene. */
export interface LoadedScene {
  /** What the file says, as a scene. */
  scene: Scene;
  /** What it says beyond that. */
  unsupported: UnsupportedItem[];
}

/** Something in a file that NexDyn does not support, with its place. Nothing is dropped in silence. */
export interface UnsupportedItem {
  /** Name of the file. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Name of the element. */
  element: string;
  /** The attribute, where the element itself is supported. */
  attribute?: string;
  /** What is lost: the motion differs, only the picture differs, or a measurement is missing. */
  affects: 'physics' | 'visual' | 'sensor';
  /** One plain sentence. */
  message: string;
}

/** How a file is read. */
export interface LoadOptions {
  /** Where the file and everything it refers to is found. */
  files: FileSource;
  /** Let references leave the folder of the file. Default: false. */
  allowOutside?: boolean;
  /** Refuse meshes with triangles without area instead of leaving those out and listing them. Default: false. */
  strictMeshes?: boolean;
  /** Which objects of an OBJ file make a mesh. Default: all in URDF and scenes, the first alone in MJCF, as MuJoCo reads it. */
  objects?: 'all' | 'first';
  /** Limits to raise or lower: sizes, counts, nesting, expansion. Default: `DEFAULT_LIMITS`. */
  limits?: Partial<ReadLimits>;
  /** Folder of each ROS package, for `package://name/...` (URDF). Default: searched upwards from the file. */
  packages?: Readonly<Record<string, string>>;
}
