/** <visual>, <statistic>, textures, materials and skins of <asset>, <camera> and <light>. */
import type { Appearance, Camera, Light, Scene, SceneView, Skin, Texture, ViewMode } from '@nexdyn/engine';
import { decodeBase64 } from '../../mesh/base64.ts';
import type { Unwritten } from './unwritten.ts';
import { type AttributeValue, element, type WrittenElement } from './xml-element.ts';

/** An image beside the file. */
export interface WrittenImage {
  /** Name of the file. */
  name: string;
  /** Its content: PNG. */
  bytes: Uint8Array;
}

const MODES: Readonly<Record<ViewMode, string>> = {
  fixed: 'fixed',
  track: 'track',
  trackCenter: 'trackcom',
  target: 'targetbody',
  targetCenter: 'targetbodycom',
};

/** Angles of cameras are in degrees, whatever the file says; the number that was read comes back. */
function toDegrees(angle: number | undefined): number | undefined {
  return angle === undefined ? undefined : Number(((angle * 180) / Math.PI).toPrecision(14));
}

/** Both sections, where the scene says something. */
export function writeView(view: SceneView = {}): WrittenElement[] {
  const { headlight, pictureSize } = view;
  const isGiven = ({ attributes }: WrittenElement): boolean =>
    Object.values(attributes).some((value) => value !== undefined);
  const parts = [
    element('global', {
      fovy: toDegrees(view.fieldOfView),
      azimuth: toDegrees(view.azimuth),
      elevation: toDegrees(view.elevation),
      offwidth: pictureSize?.[0],
      offheight: pictureSize?.[1],
    }),
    element('headlight', {
      active: headlight?.active === undefined ? undefined : headlight.active ? 1 : 0,
      ambient: headlight?.ambient,
      diffuse: headlight?.diffuse,
      specular: headlight?.specular,
    }),
    element('map', { znear: view.near, zfar: view.far, haze: view.haze }),
    element('rgba', { haze: view.hazeColor }),
  ].filter(isGiven);
  const statistic = element('statistic', { center: view.center, extent: view.extent, meansize: view.meanSize });
  return [...(isGiven(statistic) ? [statistic] : []), ...(parts.length > 0 ? [element('visual', {}, parts)] : [])];
}

export function writeCamera(camera: Camera): WrittenElement {
  return element('camera', {
    name: camera.name,
    mode: camera.mode && MODES[camera.mode],
    target: camera.target,
    pos: camera.position,
    quat: camera.orientation,
    projection: camera.projection,
    fovy: camera.projection === 'orthographic' ? camera.extent : toDegrees(camera.fieldOfView),
    resolution: camera.resolution,
    sensorsize: camera.sensorSize,
    focal: camera.focalLength,
    principal: camera.principalPoint,
    ipd: camera.eyeDistance,
  });
}

export function writeLight(light: Light): WrittenElement {
  return element('light', {
    name: light.name,
    type: light.kind,
    mode: light.mode && MODES[light.mode],
    target: light.target,
    pos: light.position,
    dir: light.direction,
    active: light.active,
    castshadow: light.castShadow,
    ambient: light.ambient,
    diffuse: light.diffuse,
    specular: light.specular,
    attenuation: light.attenuation,
    cutoff: toDegrees(light.cutoff),
    exponent: light.exponent,
    bulbradius: light.bulbRadius,
    intensity: light.intensity,
    range: light.range,
  });
}

/** Writes textures and appearances; images become files where they have a place. */
export class PictureWriter {
  /** Images that the file names. */
  readonly images: WrittenImage[] = [];
  readonly #prefix: string | undefined;
  readonly #unwritten: Unwritten;
  readonly #written = new Set<string>();

  /** @param prefix of the names of images; without one they are not written */
  constructor(prefix: string | undefined, unwritten: Unwritten) {
    this.#prefix = prefix;
    this.#unwritten = unwritten;
  }

  /** Adds a file beside that of the scene, and gives its name; undefined where there is no place for files. */
  addFile(name: string, extension: string, bytes: Uint8Array): string | undefined {
    if (this.#prefix === undefined) return undefined;
    const stem = `${this.#prefix}${name.replace(/[^\w-]/g, '-')}`;
    let file = `${stem}.${extension}`;
    for (let n = 2; this.images.some((image) => image.name === file); n++) file = `${stem}-${n}.${extension}`;
    this.images.push({ name: file, bytes });
    return file;
  }

  write({ textures = [], appearances = [], skins = [] }: Scene): WrittenElement[] {
    return [
      ...textures.flatMap((texture, i) => this.#writeTexture(texture, i) ?? []),
      ...appearances.map((appearance) => this.#writeAppearance(appearance)),
      ...skins.map(writeSkin),
    ];
  }

  #writeTexture(texture: Texture, i: number): WrittenElement | undefined {
    const { name, image, sides, gridSize } = texture;
    const files: Record<string, AttributeValue> = {};
    if (image !== undefined || sides) {
      if (this.#prefix === undefined) {
        this.#unwritten.add(`textures[${i}]`, 'an image is a file of its own');
        return undefined;
      }
      const stem = `${this.#prefix}${(name ?? `texture-${i}`).replace(/[^\w-]/g, '-')}`;
      const add = (file: string, data: string): string => {
        this.images.push({ name: `${file}.png`, bytes: decodeBase64(data) ?? new Uint8Array() });
        return `${file}.png`;
      };
      if (image !== undefined) files.file = add(stem, image);
      for (const [side, data] of Object.entries(sides ?? {})) files[`file${side}`] = add(`${stem}-${side}`, data);
    }
    if (name) this.#written.add(name);
    return element('texture', {
      name,
      type: texture.kind ?? 'cube',
      builtin: texture.pattern,
      ...files,
      gridsize: gridSize,
      gridlayout: texture.gridLayout,
      rgb1: texture.color1,
      rgb2: texture.color2,
      mark: texture.mark,
      markrgb: texture.markColor,
      random: texture.markDensity,
      width: texture.width,
      height: texture.height,
      hflip: texture.flipHorizontally,
      vflip: texture.flipVertically,
    });
  }

  #writeAppearance(appearance: Appearance): WrittenElement {
    const { texture } = appearance;
    return element('material', {
      name: appearance.name,
      texture: texture !== undefined && this.#written.has(texture) ? texture : undefined,
      texrepeat: appearance.textureRepeat,
      texuniform: appearance.textureUniform,
      emission: appearance.emission,
      specular: appearance.specular,
      shininess: appearance.shininess,
      reflectance: appearance.reflectance,
      metallic: appearance.metallic,
      roughness: appearance.roughness,
      rgba: appearance.color,
    });
  }
}

function writeSkin({ vertices, faces, textureCoordinates, bones, ...skin }: Skin): WrittenElement {
  return element(
    'skin',
    {
      name: skin.name,
      material: skin.appearance,
      rgba: skin.color,
      inflate: skin.inflate,
      group: skin.layer,
      vertex: vertices,
      // rows of textures are counted from the top
      texcoord: textureCoordinates?.map((value, i) => (i % 2 === 0 ? value : 1 - value)),
      face: faces,
    },
    bones.map((bone) =>
      element('bone', {
        body: bone.body,
        bindpos: bone.bindPosition ?? [0, 0, 0],
        bindquat: bone.bindOrientation ?? [1, 0, 0, 0],
        vertid: bone.vertices,
        vertweight: bone.weights,
      }),
    ),
  );
}

/** Places of vertices in a texture; undefined where a vertex has several, which MJCF cannot say. */
export function findVertexCoordinates(
  faces: readonly number[],
  coordinates: readonly number[],
  count: number,
): number[] | undefined {
  const found = new Array<number | undefined>(2 * count);
  for (let i = 0; i < faces.length; i++) {
    for (let k = 0; k < 2; k++) {
      const at = 2 * faces[i]! + k;
      const value = k === 0 ? coordinates[2 * i]! : 1 - coordinates[2 * i + 1]!;
      if (found[at] !== undefined && found[at] !== value) return undefined;
      found[at] = value;
    }
  }
  return Array.from(found, (value) => value ?? 0);
}
