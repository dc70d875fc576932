/** The parts of a picture: shapes, sites, skins and soft bodies of a model, each with its look. */
import { type Appearance, describePicture, type Model, NexdynError, SITE_SHAPE } from '@nexdyn/engine';
import type { Motion } from '../recording/motion/motion.ts';
import type { Solid } from '../recording/motion/solid.ts';
import { type Surface, triangulate } from '../recording/motion/surface.ts';
import {
  createLook,
  type DrawnPart,
  findTexturedMesh,
  layTexture,
  measureSolid,
  spreadSurface,
  widenCoordinates,
} from './drawn-part.ts';
import { createSkins, type SkinSurface } from './skin-surface.ts';
import { makeTexture } from './texture-image.ts';
import { TextureSampler } from './texture-sampler.ts';

/** A skin and its triangles. */
export interface SkinnedPart {
  readonly part: DrawnPart;
  readonly skin: SkinSurface;
}

interface Parts {
  shapes: DrawnPart[];
  sites: DrawnPart[];
  skins: SkinnedPart[];
  soft: DrawnPart[];
}

/** Half extents of floors without end, m, as a multiple of how far they are drawn elsewhere. */
const ENDLESS = 40;
/** Layers from here on start hidden. */
const FIRST_HIDDEN_LAYER = 3;

/** Textures by name, and the sky; a damaged image is left out. */
export function loadTextures({ look }: Model): {
  textures: Map<string, TextureSampler>;
  sky: TextureSampler | undefined;
} {
  const textures = new Map<string, TextureSampler>();
  let sky: TextureSampler | undefined;
  for (const texture of look.textures) {
    try {
      const sampler = new TextureSampler(makeTexture(texture));
      if (texture.kind === 'skybox') sky ??= sampler;
      if (texture.name) textures.set(texture.name, sampler);
    } catch (error) {
      if (!(error instanceof NexdynError)) throw error;
    }
  }
  return { textures, sky };
}

export function listParts(model: Model, motion: Motion, textures: ReadonlyMap<string, TextureSampler>): Parts {
  const appearanceOf = (number: number): Readonly<Appearance> | undefined => model.look.appearances[number];
  const surfaces = new Map<Solid, Surface>();
  const shapes = motion.parts
    .filter(({ color }) => color[3] > 0)
    .map((part) => {
      const { solid, shape, color, body, position, orientation } = part;
      const isEndless = solid.kind === 'rectangle' && isWithoutEnd(model, shape);
      const appearance = appearanceOf(model.look.shapeAppearance[shape]!);
      const look = createLook(color, appearance, textures);
      const own =
        look.texture && !look.texture.isCube && solid.kind === 'mesh' ? findTexturedMesh(model, shape) : undefined;
      const drawn: Solid = isEndless ? stretch(solid) : own ? { kind: 'mesh', ...own } : solid;
      const surface = surfaces.get(drawn) ?? triangulate(drawn);
      surfaces.set(drawn, surface);
      const [local, localNormal] = own ? spreadTextured(own, surface) : spreadSurface(surface);
      const size = measureSolid(solid, isEndless);
      const laid = (): Float32Array => layTexture(local, localNormal, solid, appearance!, look.texture!.isCube, size);
      return createPart(local, localNormal, {
        coordinates: look.texture && (own ? widenCoordinates(own.coordinates) : laid()),
        look,
        body,
        position,
        orientation,
        isEndless,
        isFlat: solid.kind === 'rectangle',
        cullsBack: solid.kind === 'rectangle',
        hasSquares: solid.kind === 'rectangle' && body === 0 && !appearance,
        castsShadow: solid.kind !== 'rectangle',
      });
    });
  return { shapes, sites: listSites(model, textures), skins: listSkins(model, textures), soft: listSoft(motion) };
}

function createPart(
  local: Float32Array,
  localNormal: Float32Array,
  rest: Pick<DrawnPart, 'look'> & Partial<DrawnPart>,
): DrawnPart {
  return {
    count: local.length / 9,
    local,
    localNormal,
    world: new Float64Array(local.length),
    worldNormal: new Float32Array(local.length),
    coordinates: undefined,
    body: -1,
    position: [0, 0, 0],
    orientation: [1, 0, 0, 0],
    isEndless: false,
    isFlat: false,
    cullsBack: false,
    hasSquares: false,
    castsShadow: true,
    ...rest,
  };
}

function isWithoutEnd(model: Model, shape: number): boolean {
  const picture = describePicture(model, shape);
  return picture?.isEndless === true && picture.size[0] === 0 && picture.size[1] === 0;
}

function stretch(solid: Solid): Solid {
  if (solid.kind !== 'rectangle') return solid;
  return { kind: 'rectangle', halfSize: [ENDLESS * solid.halfSize[0], ENDLESS * solid.halfSize[1]] };
}

/** Corners of a mesh in the order of its texture coordinates; normals are those of the nearest facet of the smooth surface. */
function spreadTextured(
  { vertices, faces }: { vertices: Float64Array; faces: Int32Array },
  { positions, normals, indices }: Surface,
): [Float32Array, Float32Array] {
  const local = Float32Array.from(
    { length: 3 * faces.length },
    (_, i) => vertices[3 * faces[(i - (i % 3)) / 3]! + (i % 3)]!,
  );
  const normal = new Float32Array(local.length);
  // the smooth surface has the same triangles in the same order where none was left out
  if (indices.length === faces.length) {
    for (let i = 0; i < indices.length; i++)
      for (let k = 0; k < 3; k++) normal[3 * i + k] = normals[3 * indices[i]! + k]!;
    if (isSame(local, positions, indices)) return [local, normal];
  }
  for (let t = 0; t < local.length; t += 9) {
    const e = (c: number, k: number): number => local[t + 3 * c + k]! - local[t + k]!;
    const n = [0, 1, 2].map((k) => {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      return e(1, l) * e(2, m) - e(1, m) * e(2, l);
    });
    const length = Math.hypot(...n) || 1;
    for (let i = 0; i < 9; i++) normal[t + i] = n[i % 3]! / length;
  }
  return [local, normal];
}

function isSame(local: Float32Array, positions: Float32Array, indices: Uint32Array): boolean {
  for (let i = 0; i < indices.length; i++)
    for (let k = 0; k < 3; k++) if (local[3 * i + k] !== positions[3 * indices[i]! + k]) return false;
  return true;
}

function listSites(model: Model, textures: ReadonlyMap<string, TextureSampler>): DrawnPart[] {
  const { site, look } = model;
  return site.name.flatMap((_, s) => {
    if (look.siteLayer[s]! >= FIRST_HIDDEN_LAYER) return [];
    const [a, b, c] = site.size.subarray(3 * s, 3 * s + 3) as unknown as [number, number, number];
    const solids: Record<number, Solid> = {
      [SITE_SHAPE.sphere]: { kind: 'ellipsoid', radii: [a, a, a] },
      [SITE_SHAPE.ellipsoid]: { kind: 'ellipsoid', radii: [a, b, c] },
      [SITE_SHAPE.box]: { kind: 'box', halfSize: [a, b, c] },
      [SITE_SHAPE.capsule]: { kind: 'capsule', radius: a, halfLength: b },
      [SITE_SHAPE.cylinder]: { kind: 'cylinder', radius: a, halfLength: b },
    };
    const [local, normal] = spreadSurface(triangulate(solids[site.shape[s]!]!));
    const color = [...site.color.subarray(4 * s, 4 * s + 4)];
    return createPart(local, normal, {
      look: { ...createLook(color, look.appearances[look.siteAppearance[s]!], textures), texture: undefined },
      body: site.body[s]!,
      position: [...site.position.subarray(3 * s, 3 * s + 3)],
      orientation: [...site.orientation.subarray(4 * s, 4 * s + 4)],
      castsShadow: false,
    });
  });
}

function listSkins(model: Model, textures: ReadonlyMap<string, TextureSampler>): SkinnedPart[] {
  return createSkins(model).flatMap((skin, n) => {
    const { color, appearance, textureCoordinates, layer = 0 } = model.look.skins[n]!;
    if (layer >= FIRST_HIDDEN_LAYER) return [];
    const found = model.look.appearances.find(({ name }) => name === appearance);
    const look = createLook(color ?? found?.color ?? [0.7, 0.7, 0.7, 1], found, textures);
    const corners = 3 * skin.faces.length;
    const isTextured = textureCoordinates !== undefined && look.texture && !look.texture.isCube;
    const coordinates = isTextured
      ? widenCoordinates(
          Float32Array.from(skin.faces).length > 0 ? gather(textureCoordinates, skin.faces) : new Float32Array(),
        )
      : undefined;
    const plain = coordinates ? look : { ...look, texture: undefined };
    const part = createPart(new Float32Array(corners), new Float32Array(corners), { look: plain, coordinates });
    return { part, skin };
  });
}

function gather(coordinates: readonly number[], faces: Uint32Array): Float32Array {
  return Float32Array.from({ length: 2 * faces.length }, (_, i) => coordinates[2 * faces[i >> 1]! + (i & 1)]!);
}

/** Skins where the bodies pull them. */
export function placeSkins(
  skins: readonly SkinnedPart[],
  bodyPosition: Float64Array,
  bodyOrientation: Float64Array,
): void {
  for (const { part, skin } of skins) {
    skin.deform(bodyPosition, bodyOrientation);
    for (let i = 0; i < skin.faces.length; i++) {
      for (let k = 0; k < 3; k++) {
        part.world[3 * i + k] = skin.positions[3 * skin.faces[i]! + k]!;
        part.worldNormal[3 * i + k] = skin.normals[3 * skin.faces[i]! + k]!;
      }
    }
  }
}

function listSoft({ softSurfaces }: Motion): DrawnPart[] {
  return softSurfaces.map(({ faces, positions, color }) => {
    const part = createPart(new Float32Array(3 * faces.length), new Float32Array(3 * faces.length), {
      look: createLook(color, undefined, new Map()),
    });
    for (let t = 0; t < faces.length; t += 3) {
      const x = (c: number, k: number): number => positions[3 * faces[t + c]! + k]!;
      const n = [0, 1, 2].map((k) => {
        const [l, m] = [(k + 1) % 3, (k + 2) % 3];
        return (x(1, l) - x(0, l)) * (x(2, m) - x(0, m)) - (x(1, m) - x(0, m)) * (x(2, l) - x(0, l));
      });
      const length = Math.hypot(...n) || 1;
      for (let i = 0; i < 9; i++) {
        part.world[3 * t + i] = x(Math.floor(i / 3), i % 3);
        part.worldNormal[3 * t + i] = n[i % 3]! / length;
      }
    }
    return part;
  });
}
