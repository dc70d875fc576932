/** <asset>: meshes and height fields, with their numbers in the file, and the meshes of plugins. */
import type { HeightFieldAsset, MeshAsset, Scene } from '@nexdyn/engine';
import { findMeshScale } from './mesh-scale.ts';
import { writeObj } from './obj-file.ts';
import type { Unwritten } from './unwritten.ts';
import { findVertexCoordinates, type PictureWriter } from './write-pictures.ts';
import type { WrittenPlugin } from './write-plugin.ts';
import { element, type WrittenElement } from './xml-element.ts';

export function writeAssets(
  scene: Scene,
  pictures: PictureWriter,
  plugins: ReadonlyMap<string, WrittenPlugin>,
  unwritten: Unwritten,
): WrittenElement {
  const { meshes = [], heightFields = [] } = scene;
  const written = meshes.filter((mesh, i) => {
    if (!mesh.edges) return true;
    unwritten.add(`meshes[${i}]`, 'a wire frame is no mesh of MJCF');
    return false;
  });
  const made = Array.from(plugins, ([instance, { mesh }]) =>
    element('mesh', { name: mesh }, [element('plugin', { instance })]),
  );
  return element('asset', {}, [
    ...pictures.write(scene),
    ...written.map((mesh) => writeMesh(mesh, `meshes[${meshes.indexOf(mesh)}]`, pictures, unwritten)),
    ...made,
    ...heightFields.map(writeHeightField),
  ]);
}

function writeMesh(mesh: MeshAsset, path: string, pictures: PictureWriter, unwritten: Unwritten): WrittenElement {
  const { name, vertices, faces, inertia, hullVertices: maxhullvert, textureCoordinates } = mesh;
  const texcoord = textureCoordinates && findVertexCoordinates(faces ?? [], textureCoordinates, vertices.length / 3);
  const single = findMeshScale(vertices);
  if (faces && textureCoordinates && !texcoord) {
    const bytes = writeObj(single?.vertices ?? vertices, faces, textureCoordinates);
    const file = pictures.addFile(name, 'obj', bytes);
    if (file !== undefined) return element('mesh', { name, file, inertia, maxhullvert, scale: single?.scale });
    unwritten.add(`${path}.textureCoordinates`, 'a vertex of MJCF has one place in a texture');
  }
  return element('mesh', {
    name,
    inertia,
    maxhullvert,
    scale: single?.scale,
    vertex: single?.vertices ?? vertices,
    texcoord,
    face: faces && faces.length > 0 ? faces : undefined,
  });
}

/** The lowest and the highest height, m. */
export function measureHeights({ heights }: HeightFieldAsset): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const height of heights) {
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  return [low, high];
}

/** Heights go from 0 to 1, the row of the largest y first. */
function writeHeightField(field: HeightFieldAsset): WrittenElement {
  const { name, rows, columns, halfSize, baseDepth, heights } = field;
  const [low, high] = measureHeights(field);
  const range = high - low;
  const elevation = Array.from({ length: rows * columns }, (_, i) => {
    const row = rows - 1 - Math.floor(i / columns);
    const height = heights[row * columns + (i % columns)]!;
    return range > 0 ? (height - low) / range : 0;
  });
  const size = [...halfSize, range > 0 ? range : 1, baseDepth];
  return element('hfield', { name, nrow: rows, ncol: columns, size, elevation });
}
