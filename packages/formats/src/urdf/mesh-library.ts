/** Mesh files of a URDF: found, read, scaled, and shared by all shapes that use the same file at the same scale. */
import { type MeshAsset, NexdynError, type Vec3 } from '@nexdyn/engine';
import type { LoadOptions, UnsupportedItem } from '../loaded-scene.ts';
import { listDegenerate } from '../mesh/degenerate.ts';
import { type MeshData, readMesh } from '../mesh/mesh.ts';
import { fileNameOf, folderOf, resolvePath } from '../path.ts';
import type { XmlElement } from '../xml/xml.ts';
import { failAt, placeOf, readVector, requireText } from './attribute.ts';

/** Where meshes are looked for, from the MuJoCo extension `<mujoco><compiler .../></mujoco>`. */
export interface MeshPaths {
  /** Folder that relative mesh paths start from, seen from the file. */
  meshFolder: string;
  /** Only the last part of each path counts. */
  stripPath: boolean;
}

export class MeshLibrary {
  readonly meshes: MeshAsset[] = [];
  readonly unsupported: UnsupportedItem[] = [];
  readonly #byKey: Map<string, string> = new Map();
  readonly #names: Set<string> = new Set();
  readonly #folder: string;
  readonly #options: LoadOptions;
  readonly #paths: MeshPaths;

  constructor(file: string, options: LoadOptions, paths: MeshPaths) {
    this.#folder = folderOf(file);
    this.#options = options;
    this.#paths = paths;
  }

  /** Name of the mesh asset of a `<mesh filename scale>` element. */
  add(element: XmlElement): string {
    const filename = requireText(element, 'filename');
    const scale = readVector(element, 'scale', [1, 1, 1]);
    if (scale.includes(0))
      failAt(
        element,
        'invalid-value',
        'a scale of 0 flattens the mesh',
        'use 1 along axes that keep their size',
        'scale',
      );
    const { path, bytes } = this.#find(filename, element);
    const key = JSON.stringify([path, scale]);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const name = this.#chooseName(fileNameOf(path).replace(/\.[^.]*$/, ''));
    const mesh: MeshAsset = { name, ...scaleMesh(this.#read(path, bytes, element), scale) };
    this.#byKey.set(key, name);
    this.meshes.push(mesh);
    const place = placeOf(element, 'filename');
    const message = listDegenerate(mesh, this.#options.strictMeshes, () => place);
    if (message) this.unsupported.push({ ...place, element: 'mesh', affects: 'visual', message });
    return name;
  }

  /** Reads a mesh; errors of the file without a line name the element that asks for it. */
  #read(path: string, bytes: Uint8Array, element: XmlElement): MeshData {
    try {
      return readMesh(path, bytes, this.#options.limits, this.#options.objects);
    } catch (error) {
      if (!(error instanceof NexdynError) || error.line !== undefined) throw error;
      const reason = `mesh file '${error.file ?? path}': ${error.reason}`;
      return failAt(element, error.code, reason, error.hint ?? 'export the mesh again', 'filename');
    }
  }

  /** Reads the file at the first of the places where it may be. */
  #find(filename: string, element: XmlElement): { path: string; bytes: Uint8Array } {
    const place = placeOf(element, 'filename');
    const { files, allowOutside } = this.#options;
    const tried: string[] = [];
    for (const [folder, reference] of this.#listPlaces(filename)) {
      const path = resolvePath(folder, reference, { allowOutside, place });
      const bytes = files.read(path);
      if (bytes) return { path, bytes };
      if (!tried.includes(path)) tried.push(path);
    }
    throw new NexdynError('file-not-found', `the mesh '${filename}' is not there`, {
      ...place,
      hint: `looked for ${tried.slice(0, 4).join(', ')}${tried.length > 4 ? ', ...' : ''}`,
    });
  }

  /** Folder and reference of each place where a file may be. */
  *#listPlaces(filename: string): Generator<[folder: string, reference: string]> {
    const { meshFolder, stripPath } = this.#paths;
    const home = joinPath(this.#folder, meshFolder);
    const inPackage = /^(?:package|model):\/\/([^/]+)\/(.+)$/.exec(filename);
    if (stripPath) {
      yield [home, fileNameOf(filename)];
    } else if (inPackage) {
      const [, name, rest] = inPackage as unknown as [string, string, string];
      const given = this.#options.packages?.[name];
      if (given !== undefined) {
        yield [given, rest];
        return;
      }
      // upwards from the file: the package as a folder, or the folder as the package
      for (const folder of listFoldersUpwards(this.#folder)) {
        yield [folder, `${name}/${rest}`];
        if (fileNameOf(folder) === name) yield [folder, rest];
      }
      // files that were taken out of their package
      for (const folder of listFoldersUpwards(this.#folder)) yield [folder, rest];
      yield [home, fileNameOf(rest)];
    } else {
      yield [home, filename.replace(/^file:\/\//, '')];
    }
  }

  #chooseName(wanted: string): string {
    let name = wanted || 'mesh';
    for (let i = 2; this.#names.has(name); i++) name = `${wanted}_${i}`;
    this.#names.add(name);
    return name;
  }
}

/** A mesh scaled along the axes; mirroring turns the faces so that they still look outwards. */
function scaleMesh(mesh: { vertices: number[]; faces: number[] }, scale: Vec3): Omit<MeshAsset, 'name'> {
  const vertices = mesh.vertices.map((value, i) => value * scale[i % 3]!);
  if (mesh.faces.length === 0) return { vertices };
  const faces = [...mesh.faces];
  if (scale[0] * scale[1] * scale[2] < 0) {
    for (let i = 0; i < faces.length; i += 3) [faces[i + 1], faces[i + 2]] = [faces[i + 2]!, faces[i + 1]!];
  }
  return { vertices, faces };
}

function listFoldersUpwards(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; at !== '' && at !== '/' && at !== '.' && fileNameOf(at) !== '..'; at = folderOf(at)) {
    folders.push(at);
  }
  return [...folders, folder.startsWith('/') ? '/' : ''];
}

function joinPath(folder: string, below: string): string {
  return folder && below ? `${folder}/${below}` : folder || below;
}
