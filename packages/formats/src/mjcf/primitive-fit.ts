import type { MeshAsset } from '@nexdyn/engine';
import { type Frame, IDENTITY } from './orientation.ts';
export function fitPrimitive(
  _mesh: MeshAsset,
  _type: string,
  _box: boolean,
): { size: [number, number, number]; frame: Frame } {
  return { size: [1, 1, 1], frame: IDENTITY };
}
