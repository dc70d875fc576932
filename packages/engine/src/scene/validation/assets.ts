import { NexdynError } from '../../error.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import type { SceneNames } from './names.ts';

/** Checks that the arrays of meshes, height fields and signed-distance fields fit together. */
export function checkAssets(scene: Scene, names: SceneNames): void {
  scene.meshes?.forEach((mesh, i) => {
    const place = placeBelow(undefined, 'meshes', i);
    checkMultiple(mesh.vertices, 3, placeBelow(place, 'vertices'));
    checkMultiple(mesh.faces ?? [], 3, placeBelow(place, 'faces'));
    checkIndices(mesh.faces ?? [], mesh.vertices.length / 3, 'invalid-mesh', placeBelow(place, 'faces'));
    if (mesh.textureCoordinates)
      checkCount(
        mesh.textureCoordinates,
        2 * (mesh.faces?.length ?? 0),
        'six per triangle',
        placeBelow(place, 'textureCoordinates'),
      );
  });
  scene.heightFields?.forEach((field, i) => {
    const place = placeBelow(undefined, 'heightFields', i, 'heights');
    checkCount(field.heights, field.rows * field.columns, 'rows × columns', place);
  });
  scene.signedDistanceFields?.forEach((field, i) => {
    const place = placeBelow(undefined, 'signedDistanceFields', i);
    if (field.kind === 'mesh') names.meshes.require(field.mesh, placeBelow(place, 'mesh'));
    if (field.kind !== 'grid') return;
    const [x, y, z] = field.counts;
    checkCount(field.values, x * y * z, 'the product of counts', placeBelow(place, 'values'));
  });
}

/** Raises an error unless the list divides into groups of `size`. */
export function checkMultiple(list: readonly number[], size: number, place: Place): void {
  if (list.length % size === 0) return;
  const reason = `must have a multiple of ${size} numbers, but has ${list.length}`;
  const hint = 'the list is cut off, or has a number too many';
  throw new NexdynError('invalid-mesh', reason, { path: formatPath(place), hint });
}

/** Raises an error at the first index that is not below `count`. */
export function checkIndices(
  list: readonly number[],
  count: number,
  code: 'invalid-mesh' | 'invalid-value',
  place: Place,
): void {
  for (let i = 0; i < list.length; i++) {
    if (list[i] < count) continue;
    const reason = `there is no vertex ${list[i]}: the mesh has ${count} vertices`;
    const path = formatPath(placeBelow(place, i));
    throw new NexdynError(code, reason, { path, hint: 'indices count from 0' });
  }
}

function checkCount(list: readonly number[], count: number, rule: string, place: Place): void {
  if (list.length === count) return;
  const reason = `must have ${count} numbers (${rule}), but has ${list.length}`;
  const hint = 'the list is cut off, or the counts belong to another one';
  throw new NexdynError('invalid-value', reason, { path: formatPath(place), hint });
}
