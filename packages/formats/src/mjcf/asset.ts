/** <asset>: meshes, materials, height fields and models to attach. */
import { type MeshAsset, NexdynError, type Quaternion, type Vec3 } from '@nexdyn/engine';
import { listDegenerate } from '../mesh/degenerate.ts';
import { readMesh } from '../mesh/mesh.ts';
import { fileNameOf, folderOf, resolvePath } from '../path.ts';
import type { XmlElement } from '../xml/xml.ts';
import { readMaterial } from './appearance.ts';
import {
  findSetting,
  locate,
  readInteger,
  readKeyword,
  readList,
  readText,
  readVec3,
  readVector,
  type Settings,
} from './attributes.ts';
import { makeBuiltinMesh } from './builtin-mesh.ts';
import { findClass, withDefaults } from './defaults.ts';
import { fail } from './failure.ts';
import { readHeightField } from './height-field.ts';
import { readReferenced } from './include.ts';
import { conjugate, rotate } from './orientation.ts';
import { findPlugin } from './plugin.ts';
import type { Reading } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { readTexture } from './texture.ts';

/** Reads the assets of one section; models to attach are left to the caller. */
export function readAssets(section: XmlElement, reading: Reading): XmlElement[] {
  const models: XmlElement[] = [];
  for (const element of section.children) {
    switch (element.name) {
      case 'mesh':
        readMeshAsset(element, reading);
        break;
      case 'material':
        readMaterial(element, reading);
        break;
      case 'hfield':
        readHeightField(element, reading);
        break;
      case 'model':
        models.push(element);
        break;
      case 'texture':
        readTexture(element, reading);
        break;
      case 'skin':
        // after all materials, which may follow it
        break;
      default:
        failUnknownElement(element, 'asset');
    }
  }
  return models;
}

function readMeshAsset(element: XmlElement, reading: Reading): void {
  checkAttributes(element, 'asset mesh');
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, reading.defaults.get('main')!));
  const file = readText(settings, 'file');
  const name = readText(settings, 'name') ?? (file && fileNameOf(file).replace(/\.[^.]*$/, ''));
  if (!name) fail('missing-value', element, "a mesh without a file needs the attribute 'name'", 'write name="..."');
  if (reading.meshes.has(name))
    fail(
      'duplicate-name',
      locate(settings, 'name'),
      `there are two meshes '${name}'`,
      "give one of them another 'name'",
    );
  if (readText(settings, 'material')) reading.meshMaterials.set(name, settings);
  const plugin = findPlugin(element, reading);
  if (plugin?.solid) {
    // its triangles are not made: geoms touch by the distance
    reading.meshes.set(name, undefined);
    reading.meshPlugins.set(name, plugin);
    return;
  }
  const isBuiltin = readText(settings, 'builtin') !== undefined;
  const built = isBuiltin ? makeBuiltinMesh(settings) : undefined;
  if (element.children.some((child) => child.name === 'plugin')) {
    const message = 'meshes made by a plugin are not supported';
    reading.unsupported.add(element, { affects: 'physics', message });
    reading.meshes.set(name, undefined);
    return;
  }
  const source = built ?? (file === undefined ? readInline(settings) : readFile(settings, file, reading));
  const mesh = buildMesh(name, source, settings);
  // a plate is flat: it weighs by its area
  if (readText(settings, 'builtin') === 'plate') mesh.inertia = 'shell';
  if (built?.tangents) reading.tangents.set(name, built.tangents);
  reading.meshes.set(name, mesh);
  reading.part.meshes.push(mesh);
  reading.origins.set(mesh, element);
  const degenerate = listDegenerate(mesh, reading.access.strictMeshes, () => ({
    file: element.file,
    line: element.line,
    column: element.column,
  }));
  if (degenerate) reading.unsupported.add(element, { affects: 'visual', message: degenerate });
  if (mesh.hullVertices !== undefined && isReshaped(settings)) {
    const message = 'the vertices of the hull are chosen after the mesh is turned and stretched; MuJoCo chooses before';
    reading.unsupported.add(element, { attribute: 'maxhullvert', affects: 'physics', message });
  }
}

interface Triangles {
  vertices: number[];
  faces: number[];
  textureCoordinates?: number[];
}

function readInline(settings: Settings): Triangles {
  const vertices = readList(settings, 'vertex');
  if (!vertices)
    fail('missing-value', settings.element, "a mesh needs the attribute 'file' or 'vertex'", 'write file="..."');
  const at = locate(settings, 'vertex');
  if (vertices.length % 3 !== 0) {
    fail(
      'invalid-mesh',
      at,
      `'vertex' needs three numbers per vertex, got ${vertices.length} in all`,
      'write x, y and z of each',
    );
  }
  if (vertices.length < 12)
    fail('invalid-mesh', at, 'a mesh needs at least four vertices', 'add vertices until they bound a solid');
  const faces = readList(settings, 'face') ?? [];
  const count = vertices.length / 3;
  if (faces.length % 3 !== 0) {
    fail(
      'invalid-mesh',
      locate(settings, 'face'),
      `'face' needs three indices per face, got ${faces.length} in all`,
      'split faces into triangles',
    );
  }
  const wrong = faces.find((index) => !Number.isInteger(index) || index < 0 || index >= count);
  if (wrong !== undefined) {
    fail(
      'invalid-mesh',
      locate(settings, 'face'),
      `vertex ${wrong} does not exist`,
      `indices go from 0 to ${count - 1}`,
    );
  }
  // MuJoCo holds vertices in single precision
  const texture = readList(settings, 'texcoord') ?? [];
  // MuJoCo counts rows of textures from the top
  const textureCoordinates =
    texture.length === 2 * count && faces.length > 0
      ? faces.flatMap((v) => [Math.fround(texture[2 * v]!), 1 - Math.fround(texture[2 * v + 1]!)])
      : undefined;
  return { vertices: vertices.map(Math.fround), faces, ...(textureCoordinates && { textureCoordinates }) };
}

function readFile(settings: Settings, file: string, reading: Reading): Triangles {
  const { path, bytes } = readAssetFile(settings, file, reading);
  try {
    const { limits, objects } = reading.access;
    const mesh = readMesh(namedByType(path, settings), bytes, limits, objects);
    const count = mesh.objectCount ?? 1;
    if (count > 1 && objects === 'first') {
      const message = `the first of ${count} objects is read, as in MuJoCo, though all vertices count for the convex hull; --objects all reads all`;
      reading.unsupported.add(settings.element, { attribute: 'file', affects: 'physics', message });
    }
    const { textureCoordinates: places } = mesh;
    return { ...mesh, ...(places && { textureCoordinates: places.map(roundPlace) }) };
  } catch (error) {
    // say also where the file is asked for
    if (!(error instanceof NexdynError)) throw error;
    const at = locate(settings, 'file');
    fail(error.code, at, `mesh file '${error.file ?? path}': ${error.reason}`, error.hint ?? 'export the mesh again');
  }
}

/** MuJoCo counts rows of textures from the top, and holds them in single precision. */
const roundPlace = (place: number, i: number): number =>
  i % 2 === 0 ? Math.fround(place) : 1 - Math.fround(1 - place);

/** Reads a file named by the attribute `file`, in the folder of meshes. */
export function readAssetFile(settings: Settings, file: string, reading: Reading): { path: string; bytes: Uint8Array } {
  const { compiler, access } = reading;
  const reference = compiler.stripPath ? fileNameOf(file) : file;
  const at = findSetting(settings, 'file')!;
  // a folder of the compiler settings may lie outside as long as the file itself does not
  const folder = resolvePath(folderOf(reading.path), compiler.meshFolder || '.', { allowOutside: true });
  return readReferenced(reference, [folder, folderOf(at.file)], access, at);
}

function namedByType(path: string, settings: Settings): string {
  const type = readText(settings, 'content_type');
  const extension = type && /^model\/(obj|stl|msh|vnd\.mujoco\.msh)$/.exec(type)?.[1]?.replace('vnd.mujoco.', '');
  return extension && !path.toLowerCase().endsWith(`.${extension}`) ? `${path}.${extension}` : path;
}

/** Scales a mesh and moves it to its reference frame. */
function buildMesh(name: string, { vertices, faces, textureCoordinates }: Triangles, settings: Settings): MeshAsset {
  const scale = readVec3(settings, 'scale') ?? [1, 1, 1];
  if (scale.some((factor) => factor === 0))
    fail('invalid-mesh', locate(settings, 'scale'), 'a scale is zero', 'use 1 along axes that keep their size');
  const origin = readVec3(settings, 'refpos') ?? [0, 0, 0];
  const turn = conjugate(readReferenceRotation(settings));
  const moved: number[] = [];
  for (let i = 0; i + 2 < vertices.length; i += 3) {
    // the reference frame is given in the units of the file: move, turn, then scale
    const shifted: Vec3 = [vertices[i]! - origin[0], vertices[i + 1]! - origin[1], vertices[i + 2]! - origin[2]];
    const turned = rotate(turn, shifted);
    // no zero keeps a sign
    moved.push(turned[0] * scale[0] + 0, turned[1] * scale[1] + 0, turned[2] * scale[2] + 0);
  }
  const mesh: MeshAsset = { name, vertices: moved };
  // a mirrored mesh is inside out: turn its faces round
  const mirrored = scale[0] * scale[1] * scale[2] < 0;
  if (faces.length > 0) mesh.faces = mirrored ? flipFaces(faces) : faces;
  if (textureCoordinates) mesh.textureCoordinates = mirrored ? flipCoordinates(textureCoordinates) : textureCoordinates;
  const inertia = readKeyword(settings, 'inertia', ['convex', 'legacy', 'exact', 'shell']);
  if (inertia && inertia !== 'legacy') mesh.inertia = inertia;
  const most = readInteger(settings, 'maxhullvert') ?? -1;
  if (most !== -1 && most < 4) {
    const place = locate(settings, 'maxhullvert');
    fail('invalid-value', place, `a hull of ${most} vertices has no volume`, 'write 4 or more, or -1 for all of them');
  }
  if (most >= 4) mesh.hullVertices = most;
  return mesh;
}

// whether its axes change, or their lengths among each other
function isReshaped(settings: Settings): boolean {
  const [x, y, z] = (readVec3(settings, 'scale') ?? [1, 1, 1]).map(Math.abs);
  const [, ...axis] = readReferenceRotation(settings);
  return x !== y || y !== z || axis.some((part) => part !== 0);
}

function readReferenceRotation(settings: Settings): Quaternion {
  const quaternion = readVector(settings, 'refquat', 4);
  if (!quaternion) return [1, 0, 0, 0];
  const norm = Math.hypot(...quaternion);
  if (norm < 1e-14)
    fail('invalid-value', locate(settings, 'refquat'), 'the quaternion is zero', 'no rotation is 1 0 0 0');
  return quaternion.map((value) => value / norm) as Quaternion;
}

function flipFaces(faces: readonly number[]): number[] {
  return faces.map((_, i) => faces[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]!);
}

function flipCoordinates(list: readonly number[]): number[] {
  return list.map((_, i) => list[i % 6 < 2 ? i : i % 6 < 4 ? i + 2 : i - 2]!);
}
