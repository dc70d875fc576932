/** <material>: what surfaces look like. */
import type { Appearance } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { locate, readBoolean, readNumber, readPair, readText, type Settings } from './attributes.ts';
import { readRgba } from './color.ts';
import { findClass, withDefaults } from './defaults.ts';
import { fail, suggestName } from './failure.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';

/** Reads a material. */
export function readMaterial(element: XmlElement, reading: Reading): void {
  checkAttributes(element, 'asset material');
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, reading.defaults.get('main')!));
  const name = readText(settings, 'name');
  if (!name) return;
  if (reading.materials.has(name))
    fail('duplicate-name', locate(settings, 'name'), `there are two materials '${name}'`, 'rename one of them');
  const color = readRgba(settings, reading.unsupported) ?? [1, 1, 1, 1];
  reading.materials.set(name, color);
  const appearance: Appearance = { name };
  if (color.some((value) => value !== 1)) appearance.color = color;
  readShares(appearance, settings, reading);
  if (appearance.reflectance)
    reading.unsupported.add(element, {
      attribute: 'reflectance',
      affects: 'visual',
      message: 'planes mirror in pictures of runs, not in the studio',
    });
  const repeat = readPair(settings, 'texrepeat');
  if (repeat && repeat[0] > 0 && repeat[1] > 0 && (repeat[0] !== 1 || repeat[1] !== 1))
    appearance.textureRepeat = repeat;
  if (readBoolean(settings, 'texuniform')) appearance.textureUniform = true;
  const own = readText(settings, 'texture');
  if (own) reading.wantedTextures.push({ appearance, texture: own, at: locate(settings, 'texture') });
  for (const layer of element.children) readLayer(layer, appearance, reading);
  reading.origins.set(appearance, element);
  reading.part.appearances.push(appearance);
}

function readShares(appearance: Appearance, settings: Settings, reading: Reading): void {
  const shares = { specular: 0.5, shininess: 0.5, reflectance: 0, metallic: -1, roughness: -1 } as const;
  const emission = readNumber(settings, 'emission');
  if (emission) appearance.emission = Math.max(0, emission);
  for (const [field, usual] of Object.entries(shares)) {
    const value = readNumber(settings, field);
    if (value === undefined || value === usual) continue;
    if (value < 0 || value > 1) {
      const message = `'${field}' is drawn between 0 and 1`;
      reading.unsupported.add(settings.element, { attribute: field, affects: 'visual', message });
    }
    appearance[field as keyof typeof shares] = Math.min(1, Math.max(0, value));
  }
}

/** One texture of many: colours are drawn, other roles are not. */
function readLayer(layer: XmlElement, appearance: Appearance, reading: Reading): void {
  const role = layer.attributes.get('role')?.value ?? '';
  const texture = layer.attributes.get('texture');
  if (texture && (role === 'rgb' || role === 'rgba')) {
    reading.wantedTextures.push({ appearance, texture: texture.value, at: { ...texture, file: layer.file } });
    return;
  }
  const message = `textures of the role '${role}' are not drawn`;
  reading.unsupported.add(layer, { affects: 'visual', message });
}

/** Textures may come after the materials that have them; one that could not be read is listed already. */
export function settleTextures({ wantedTextures, textures }: Reading): void {
  for (const { appearance, texture, at } of wantedTextures) {
    if (!textures.has(texture)) {
      const hint = suggestName(texture, textures.keys(), 'textures');
      fail('unknown-reference', at, `there is no texture '${texture}'`, hint);
    }
    if (textures.get(texture)) appearance.texture = texture;
  }
}
