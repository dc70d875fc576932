/**
 * Triangles of one part of a picture, corner by corner, in its own frame and in the world.
 *
 * A texture is laid on as in MuJoCo 4.0, r times over a surface, or r/2 times per metre where it is uniform: planes and sides of boxes
 * from their upper left corner, round solids around z and down along it, meshes and floors without end from above about the origin.
 * A cube is read in the direction of the corner: over half sizes, or as it is where it is uniform. Meshes may have coordinates of their own.
 */
import type { Appearance, Model } from '@nexdyn/engine';
import type { Solid } from '../recording/motion/solid.ts';
import { type Surface, triangulate } from '../recording/motion/surface.ts';
import type { Finish } from './lamps.ts';
import type { TextureSampler } from './texture-sampler.ts';

/** What a part looks like. */
export interface Look extends Finish {
  readonly color: readonly number[];
  readonly texture: TextureSampler | undefined;
  /** Share of what is mirrored. */
  readonly reflectance: number;
}

export interface DrawnPart {
  readonly count: number;
  /** Nine numbers per triangle each. */
  readonly local: Float32Array;
  readonly localNormal: Float32Array;
  readonly world: Float64Array;
  readonly worldNormal: Float32Array;
  /** Places in the texture, three numbers per corner. */
  readonly coordinates: Float32Array | undefined;
  readonly look: Look;
  /** Body that carries it; −1 where it is placed in the world. */
  readonly body: number;
  readonly position: readonly number[];
  readonly orientation: readonly number[];
  /** A floor without end fades into the sky. */
  readonly isEndless: boolean;
  /** A plane: its front may mirror. */
  readonly isFlat: boolean;
  /** Seen from its front alone. */
  readonly cullsBack: boolean;
  /** A floor without a texture has squares. */
  readonly hasSquares: boolean;
  /** Whether it may cast shadows. */
  readonly castsShadow: boolean;
}

const PLAIN: Finish = { emission: 0, specular: 0.5, shininess: 0.5 };

/** The look of an appearance in a colour. */
export function createLook(
  color: readonly number[],
  appearance: Readonly<Appearance> | undefined,
  textures: ReadonlyMap<string, TextureSampler>,
): Look {
  if (!appearance) return { ...PLAIN, color, texture: undefined, reflectance: 0 };
  const { emission = 0, specular = 0.5, shininess = 0.5, reflectance = 0, texture } = appearance;
  const image = texture === undefined ? undefined : textures.get(texture);
  return { emission, specular, shininess, reflectance, color, texture: image };
}

/** Spreads indexed triangles out to corners. */
export function spreadSurface({ positions, normals, indices }: Surface): [Float32Array, Float32Array] {
  const local = new Float32Array(3 * indices.length);
  const normal = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) {
      local[3 * i + k] = positions[3 * indices[i]! + k]!;
      normal[3 * i + k] = normals[3 * indices[i]! + k]!;
    }
  }
  return [local, normal];
}

/** Half sizes of a solid; 0 where it has no end. */
export function measureSolid(solid: Solid, isEndless: boolean): [number, number, number] {
  switch (solid.kind) {
    case 'rectangle':
      return isEndless ? [0, 0, 0] : [solid.halfSize[0], solid.halfSize[1], 0];
    case 'ellipsoid':
      return solid.radii;
    case 'box':
      return solid.halfSize;
    case 'capsule':
    case 'cylinder':
      return [solid.radius, solid.radius, solid.halfLength];
    case 'torus':
      return [solid.majorRadius, solid.majorRadius, solid.minorRadius];
    case 'mesh': {
      const low = [Infinity, Infinity, Infinity];
      const high = [-Infinity, -Infinity, -Infinity];
      solid.vertices.forEach((value, i) => {
        low[i % 3] = Math.min(low[i % 3]!, value);
        high[i % 3] = Math.max(high[i % 3]!, value);
      });
      return low.map((value, k) => (high[k]! - value) / 2) as [number, number, number];
    }
  }
}

/** Places of corners in the texture of an appearance. */
export function layTexture(
  local: Float32Array,
  normal: Float32Array,
  solid: Solid,
  appearance: Readonly<Appearance>,
  isCube: boolean,
  size: readonly [number, number, number],
): Float32Array {
  const { textureRepeat: [rx, ry] = [1, 1], textureUniform = false } = appearance;
  const out = new Float32Array(local.length);
  const over = size.map((half) => (half > 0 ? half : 1));
  const isScaled = solid.kind !== 'mesh' && size[0] > 0;
  for (let i = 0; i < local.length; i += 3) {
    if (isCube) {
      // primitives are unit solids that are scaled, meshes are not
      for (let k = 0; k < 3; k++) {
        const unit = isScaled ? local[i + k]! / over[k]! : local[i + k]!;
        out[i + k] = textureUniform ? unit * over[k]! : unit;
      }
    } else if (isScaled) {
      const [u, v] = unroll(solid, local, normal, i, over);
      out[i] = rx * u * (textureUniform ? over[0]! : 1);
      out[i + 1] = ry * v * (textureUniform ? over[1]! : 1);
    } else {
      const [a, b] = textureUniform ? [1, 1] : over;
      out[i] = (0.5 * rx * local[i]!) / a! - 0.5;
      out[i + 1] = (-0.5 * ry * local[i + 1]!) / b! - 0.5;
    }
  }
  if (!isCube && isScaled && solid.kind !== 'box' && solid.kind !== 'rectangle')
    closeSeam(out, rx * (textureUniform ? over[0]! : 1));
  return out;
}

// where a corner lies on the surface that is rolled out, each from 0 to 1
function unroll(
  solid: Solid,
  local: Float32Array,
  normal: Float32Array,
  i: number,
  over: readonly number[],
): [number, number] {
  const unit = (k: number): number => local[i + k]! / over[k]!;
  const faces = [Math.abs(normal[i]!), Math.abs(normal[i + 1]!), Math.abs(normal[i + 2]!)];
  const isCap = solid.kind === 'cylinder' && faces[2]! > 0.99;
  if (solid.kind === 'rectangle' || isCap) return [(1 + unit(0)) / 2, (1 - unit(1)) / 2];
  if (solid.kind === 'box') {
    const axis = faces.indexOf(Math.max(...faces));
    if (axis === 2) return [(1 + unit(0)) / 2, (1 - unit(1)) / 2];
    return [(1 + unit(axis === 0 ? 1 : 0)) / 2, (1 - unit(2)) / 2];
  }
  const angle = Math.atan2(local[i + 1]! / over[1]!, local[i]! / over[0]!) / (2 * Math.PI);
  const around = angle < 0 ? angle + 1 : angle;
  if (solid.kind === 'ellipsoid') return [around, Math.acos(Math.min(1, Math.max(-1, unit(2)))) / Math.PI];
  const half = solid.kind === 'capsule' ? solid.halfLength + solid.radius : over[2]!;
  return [around, (1 - local[i + 2]! / half) / 2];
}

/** Triangles that reach across the seam of a round solid continue beyond it. */
function closeSeam(coordinates: Float32Array, turn: number): void {
  for (let t = 0; t < coordinates.length; t += 9) {
    const most = Math.max(coordinates[t]!, coordinates[t + 3]!, coordinates[t + 6]!);
    for (let c = 0; c < 9; c += 3) if (most - coordinates[t + c]! > 0.5 * turn) coordinates[t + c]! += turn;
  }
}

/** Corners and normals in the world. */
export function placePart(part: DrawnPart, bodyPosition: ArrayLike<number>, bodyRotation: ArrayLike<number>): void {
  const { local, localNormal, world, worldNormal, body, position, orientation } = part;
  if (body < 0) return;
  // R = R_body R(q), p = x_body + R_body p
  const [w, x, y, z] = orientation as [number, number, number, number];
  const q = [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
  const r = new Float64Array(9);
  const p = new Float64Array(3);
  for (let i = 0; i < 3; i++) {
    p[i] = bodyPosition[3 * body + i]!;
    for (let k = 0; k < 3; k++) {
      p[i]! += bodyRotation[9 * body + 3 * i + k]! * position[k]!;
      for (let j = 0; j < 3; j++) r[3 * i + j]! += bodyRotation[9 * body + 3 * i + k]! * q[3 * k + j]!;
    }
  }
  for (let i = 0; i < local.length; i += 3) {
    const [a, b, c] = [local[i]!, local[i + 1]!, local[i + 2]!];
    const [na, nb, nc] = [localNormal[i]!, localNormal[i + 1]!, localNormal[i + 2]!];
    for (let k = 0; k < 3; k++) {
      world[i + k] = p[k]! + r[3 * k]! * a + r[3 * k + 1]! * b + r[3 * k + 2]! * c;
      worldNormal[i + k] = r[3 * k]! * na + r[3 * k + 1]! * nb + r[3 * k + 2]! * nc;
    }
  }
}

/** Triangles of a mesh with its own places in a texture. */
export function findTexturedMesh(model: Model, shape: number): Model['look']['texturedMeshes'][number] | undefined {
  const name = model.shape.asset[shape]!;
  return model.look.texturedMeshes.find(({ mesh }) => mesh === name);
}

/** Corners, normals and places in a texture, three numbers each. */
export interface LaidSurface {
  /** Nine numbers per triangle, m. */
  positions: Float32Array<ArrayBuffer>;
  /** Unit normals, nine numbers per triangle. */
  normals: Float32Array<ArrayBuffer>;
  /** Places in the texture, three numbers per corner. */
  places: Float32Array<ArrayBuffer>;
}

/**
 * A surface with its texture laid on. @param solid a primitive, or undefined for triangles @param source triangles, corner by corner
 * @param own places of the corners of a mesh in a texture
 */
export function layOut(
  solid: Solid | undefined,
  source: { positions: Float32Array; normals: Float32Array } | undefined,
  own: { vertices: Float64Array; faces: Int32Array; coordinates: Float32Array } | undefined,
  appearance: Readonly<Appearance>,
  isCube: boolean,
): LaidSurface | undefined {
  if (own) {
    const [positions, normals] = spreadSurface(triangulate({ kind: 'mesh', vertices: own.vertices, faces: own.faces }));
    if (positions.length === 3 * own.faces.length)
      return { positions, normals, places: widenCoordinates(own.coordinates) } as LaidSurface;
  }
  const [positions, normals] = solid ? spreadSurface(triangulate(solid)) : [source?.positions, source?.normals];
  if (!positions || !normals) return undefined;
  const shape: Solid = solid ?? {
    kind: 'mesh',
    vertices: Float64Array.from(positions),
    faces: new Int32Array(0),
  };
  const places = layTexture(positions, normals, shape, appearance, isCube, measureSolid(shape, false));
  return { positions, normals, places } as LaidSurface;
}

/** Rows of images go down, coordinates go up. */
export function widenCoordinates(coordinates: Float32Array): Float32Array {
  const out = new Float32Array((3 * coordinates.length) / 2);
  for (let i = 0; 2 * i < coordinates.length; i++) {
    out[3 * i] = coordinates[2 * i]!;
    out[3 * i + 1] = 1 - coordinates[2 * i + 1]!;
  }
  return out;
}
