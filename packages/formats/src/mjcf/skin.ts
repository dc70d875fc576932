/**
 * <skin>: a surface that bodies pull along. Its file (.skn) is little endian: four int32 counts (vertices, texture coordinates, faces,
 * bones), float32 vertices (3 each) and texture coordinates (2), int32 faces (3), then for each bone the name of its body (40 bytes),
 * float32 bind position (3) and quaternion (4), an int32 count n, n int32 vertices and n float32 weights.
 */
import type { Skin, SkinBone } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { readAssetFile } from './asset.ts';
import {
  locate,
  readInteger,
  readList,
  readNumber,
  readText,
  readVec3,
  readVector,
  requireText,
  type Settings,
  settingsOf,
} from './attributes.ts';
import { readColor } from './color.ts';
import { copyPlain } from './copy.ts';
import { fail } from './failure.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';

const NAME_BYTES = 40;

/** Reads a skin. */
export function readSkin(element: XmlElement, reading: Reading): void {
  checkAttributes(element, 'skin');
  const settings = settingsOf(element);
  const file = readText(settings, 'file');
  const name = readText(settings, 'name');
  const content = file ? readSkinFile(settings, file, reading) : readInline(settings, element);
  const skin: Skin = { ...(name && { name }), ...content };
  const material = readText(settings, 'material');
  const color = readColor(settings, reading);
  if (color) skin.color = color;
  if (material) skin.appearance = material;
  const inflate = readNumber(settings, 'inflate');
  if (inflate) skin.inflate = inflate;
  const layer = readInteger(settings, 'group');
  if (layer) skin.layer = Math.min(5, Math.max(0, layer));
  reading.origins.set(skin, element);
  reading.part.skins.push(skin);
}

type Content = Pick<Skin, 'vertices' | 'faces' | 'bones' | 'textureCoordinates'>;

function readInline(settings: Settings, element: XmlElement): Content {
  const need = (attribute: string, group: number): number[] => {
    const list = readList(settings, attribute);
    if (!list || list.length === 0 || list.length % group !== 0)
      fail(
        'missing-value',
        locate(settings, attribute),
        `a skin needs '${attribute}', ${group} numbers each`,
        `or file="..."`,
      );
    return list;
  };
  const vertices = need('vertex', 3).map(Math.fround);
  // MuJoCo counts rows of textures from the top
  const texture = readList(settings, 'texcoord')?.map((value, i) =>
    i % 2 === 0 ? Math.fround(value) : 1 - Math.fround(value),
  );
  return {
    vertices,
    faces: need('face', 3),
    ...(texture && texture.length > 0 && { textureCoordinates: texture }),
    bones: element.children.filter(({ name }) => name === 'bone').map(readBone),
  };
}

function readBone(element: XmlElement): SkinBone {
  checkAttributes(element, 'skin bone');
  const settings = settingsOf(element);
  const position = readVec3(settings, 'bindpos');
  const turn = readVector(settings, 'bindquat', 4) as [number, number, number, number] | undefined;
  return {
    body: requireText(settings, 'body'),
    vertices: readList(settings, 'vertid') ?? [],
    weights: (readList(settings, 'vertweight') ?? []).map(Math.fround),
    ...expressPose(position, turn),
  };
}

/** A pose without what is nought. */
function expressPose(
  position: SkinBone['bindPosition'],
  turn: SkinBone['bindOrientation'],
): Pick<SkinBone, 'bindPosition' | 'bindOrientation'> {
  return {
    ...(position?.some((value) => value !== 0) && { bindPosition: position }),
    ...(turn?.some((value, k) => value !== (k === 0 ? 1 : 0)) && { bindOrientation: turn }),
  };
}

function readSkinFile(settings: Settings, file: string, reading: Reading): Content {
  const { bytes } = readAssetFile(settings, file, reading);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (count: number, size: number): number => {
    if (count < 0 || at + count * size > bytes.length)
      fail('malformed-mesh', locate(settings, 'file'), `skin file '${file}' ends too early`, 'export the skin again');
    const start = at;
    at += count * size;
    return start;
  };
  const integers = (count: number): number[] => {
    const start = take(count, 4);
    return Array.from({ length: count }, (_, i) => view.getInt32(start + 4 * i, true));
  };
  const floats = (count: number): number[] => {
    const start = take(count, 4);
    return Array.from({ length: count }, (_, i) => view.getFloat32(start + 4 * i, true));
  };
  const [vertexCount, textureCount, faceCount, boneCount] = integers(4) as [number, number, number, number];
  const vertices = floats(3 * vertexCount);
  const texture = floats(2 * textureCount).map((value, i) => (i % 2 === 0 ? value : 1 - value));
  const faces = integers(3 * faceCount);
  const bones: SkinBone[] = [];
  for (let b = 0; b < boneCount; b++) {
    const start = take(NAME_BYTES, 1);
    const letters = bytes.subarray(start, start + NAME_BYTES);
    const end = letters.indexOf(0);
    const body = new TextDecoder().decode(end < 0 ? letters : letters.subarray(0, end));
    const pose = expressPose(floats(3) as [number, number, number], floats(4) as [number, number, number, number]);
    const [count] = integers(1) as [number];
    bones.push({ body, vertices: integers(count), weights: floats(count), ...pose });
  }
  return { vertices, faces, ...(texture.length > 0 && { textureCoordinates: texture }), bones };
}

/** A skin for copies of the bodies that pull it; none where it is pulled by others, which is listed if it is also pulled by them. */
export function copySkin(
  skin: Skin,
  bodies: ReadonlySet<string>,
  rename: (name: string) => string,
  reading: Reading,
  source: Reading = reading,
): Skin | undefined {
  const inside = skin.bones.filter(({ body }) => bodies.has(body)).length;
  const element = source.origins.get(skin);
  if (inside < skin.bones.length) {
    const message = 'it is pulled by bodies inside and outside of what is copied; the copy is left out';
    if (inside > 0 && element) reading.unsupported.add(element, { affects: 'visual', message });
    return undefined;
  }
  const copy = copyPlain(skin);
  if (copy.name) copy.name = rename(copy.name);
  for (const bone of copy.bones) bone.body = rename(bone.body);
  if (element) reading.origins.set(copy, element);
  return copy;
}

/** Copies skins of bodies that were copied. Skins whose bodies are not there under their name are listed and left out. */
export function settleSkins(reading: Reading, bodies: ReadonlySet<string>): void {
  const { part, origins, unsupported } = reading;
  for (const skin of [...part.skins])
    for (const region of reading.ownCopies) {
      const copy = copySkin(skin, region.bodies, region.rename, reading);
      if (copy) part.skins.push(copy);
    }
  part.skins = part.skins.filter((skin) => {
    const lost = skin.bones.find(({ body }) => !bodies.has(body));
    if (!lost) return true;
    const element = origins.get(skin);
    const message = `there is no body '${lost.body}' to pull it; the skin is left out`;
    if (element) unsupported.add(element, { affects: 'visual', message });
    return false;
  });
}
