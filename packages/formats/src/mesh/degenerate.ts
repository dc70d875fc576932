/** Triangles without area in the meshes of a file: listed, or refused where the reader is told to be strict. */
import { type MeshAsset, NexdynError } from '@nexdyn/engine';
import { describeDegenerateTriangles, findDegenerateTriangles } from '@nexdyn/engine/geometry';

/** Where the mesh is, for the error. */
type Place = NonNullable<ConstructorParameters<typeof NexdynError>[2]>;

/**
 * What to list about a mesh, or undefined where every triangle has an area. The engine leaves the others out.
 *
 * @param isStrict raise an error instead
 */
export function listDegenerate(mesh: MeshAsset, isStrict: boolean | undefined, place: () => Place): string | undefined {
  const numbers = findDegenerateTriangles(mesh.vertices, mesh.faces ?? []);
  if (numbers.length === 0) return undefined;
  const what = `mesh '${mesh.name}': ${describeDegenerateTriangles(numbers)}`;
  if (isStrict || mesh.strict) {
    throw new NexdynError('invalid-mesh', what, {
      hint: 'remove the triangles, or read the file without strict meshes: they are then left out and listed',
      ...place(),
    });
  }
  return `${what}; left out`;
}
