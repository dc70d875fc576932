/** <texture>: patterns that MuJoCo makes, and PNG files. */
import { type CubeSide, NexdynError, type Texture } from '@nexdyn/engine';
import { encodeBase64 } from '../mesh/base64.ts';
import { fileNameOf, folderOf, resolvePath } from '../path.ts';
import type { XmlElement } from '../xml/xml.ts';
import {
  findSetting,
  locate,
  readBoolean,
  readInteger,
  readKeyword,
  readNumber,
  readPair,
  readText,
  readVec3,
  type Settings,
} from './attributes.ts';
import { findClass, withDefaults } from './defaults.ts';
import { fail } from './failure.ts';
import { readReferenced } from './include.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';

const SIDES = ['right', 'left', 'up', 'down', 'front', 'back'] as const satisfies readonly CubeSide[];
const PNG = [0x89, 0x50, 0x4e, 0x47];

/** Reads a texture; one whose files cannot be read is listed, and surfaces keep their colour. */
export function readTexture(element: XmlElement, reading: Reading): void {
  checkAttributes(element, 'asset texture');
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, reading.defaults.get('main')!));
  const kind = readKeyword(settings, 'type', ['2d', 'cube', 'skybox']) ?? 'cube';
  const file = readText(settings, 'file');
  const sides = SIDES.filter((side) => readText(settings, `file${side}`));
  const pattern = readKeyword(settings, 'builtin', ['none', 'gradient', 'checker', 'flat']) ?? 'none';
  const name = readText(settings, 'name') || (file && fileNameOf(file).replace(/\.[^.]*$/, ''));
  const texture: Texture = {};
  if (name) texture.name = name;
  if (name && reading.textures.has(name))
    fail('duplicate-name', locate(settings, 'name'), `there are two textures '${name}'`, 'rename one of them');
  if (name) reading.textures.set(name, undefined);
  if (kind !== 'cube') texture.kind = kind;
  if (pattern !== 'none') {
    texture.pattern = pattern;
    readPattern(texture, settings);
  } else if (file || sides.length > 0) {
    const read = (attribute: string): string | undefined => readImage(settings, attribute, reading);
    if (file) {
      const image = read('file');
      if (image === undefined) return;
      texture.image = image;
      readGrid(texture, settings, kind);
    } else {
      texture.sides = {};
      for (const side of sides) {
        const image = read(`file${side}`);
        if (image !== undefined) texture.sides[side] = image;
      }
    }
    if (readBoolean(settings, 'hflip')) texture.flipHorizontally = true;
    if (readBoolean(settings, 'vflip')) texture.flipVertically = true;
  } else {
    const message = "it has neither 'builtin' nor 'file': there is nothing to draw";
    reading.unsupported.add(element, { affects: 'visual', message });
    return;
  }
  if (name) reading.textures.set(name, texture);
  reading.origins.set(texture, element);
  reading.part.textures.push(texture);
}

function readPattern(texture: Texture, settings: Settings): void {
  const color = (attribute: string, usual: number): [number, number, number] | undefined => {
    const given = readVec3(settings, attribute)?.map((value) => Math.min(1, Math.max(0, value)));
    return given?.some((value) => value !== usual) ? (given as [number, number, number]) : undefined;
  };
  const [first, second, mark] = [color('rgb1', 0.8), color('rgb2', 0.5), color('markrgb', 0)];
  if (first) texture.color1 = first;
  if (second) texture.color2 = second;
  const word = readKeyword(settings, 'mark', ['none', 'edge', 'cross', 'random']) ?? 'none';
  if (word !== 'none') texture.mark = word;
  if (mark) texture.markColor = mark;
  const density = readNumber(settings, 'random');
  if (density !== undefined && density !== 0.01) texture.markDensity = Math.min(1, Math.max(0, density));
  for (const edge of ['width', 'height'] as const) {
    const pixels = readInteger(settings, edge);
    if (pixels !== undefined && pixels > 0) texture[edge] = pixels;
  }
  if (texture.width === undefined || (texture.height === undefined && texture.kind === '2d'))
    fail(
      'missing-value',
      settings.element,
      "a built-in texture needs 'width' and 'height'",
      'as in width="300" height="300"',
    );
}

function readGrid(texture: Texture, settings: Settings, kind: string): void {
  const size = readPair(settings, 'gridsize');
  if (kind === '2d' || !size || (size[0] === 1 && size[1] === 1)) return;
  texture.gridSize = size;
  const layout = readText(settings, 'gridlayout');
  if (layout) texture.gridLayout = layout;
}

/** A PNG file as base64. */
function readImage(settings: Settings, attribute: string, reading: Reading): string | undefined {
  const { compiler, access, unsupported } = reading;
  const at = findSetting(settings, attribute)!;
  const lose = (reason: string): undefined => {
    unsupported.add(settings.element, {
      attribute,
      affects: 'visual',
      message: `${reason}; surfaces keep their colour`,
    });
    return undefined;
  };
  const reference = compiler.stripPath ? fileNameOf(at.value) : at.value;
  try {
    const folder = resolvePath(folderOf(reading.path), compiler.textureFolder || '.', { allowOutside: true });
    const { path, bytes } = readReferenced(reference, [folder, folderOf(at.file)], access, at);
    if (PNG.some((byte, i) => bytes[i] !== byte)) return lose(`'${fileNameOf(path)}' is no PNG file`);
    return encodeBase64(bytes);
  } catch (error) {
    if (!(error instanceof NexdynError)) throw error;
    return lose(error.reason);
  }
}
