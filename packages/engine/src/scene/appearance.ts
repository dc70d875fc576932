/** An image on surfaces or around the scene, made from two colours or from PNG files. */
export interface Texture {
  /** Unique among textures. */
  name?: string;
  /** `2d` is laid on a surface, `cube` has six sides and wraps around a shape, `skybox` is a cube around the scene. Default: 'cube'. */
  kind?: '2d' | 'cube' | 'skybox';
  /** The pattern of a texture without images. */
  pattern?: 'gradient' | 'checker' | 'flat';
  /** Red, green, blue, each 0 to 1. Default: 0.8 0.8 0.8. */
  color1?: [number, number, number];
  /** The second colour. Default: 0.5 0.5 0.5. */
  color2?: [number, number, number];
  /** What is drawn over the pattern. Default: none. */
  mark?: 'edge' | 'cross' | 'random';
  /** Colour of the mark. Default: 0 0 0. */
  markColor?: [number, number, number];
  /** Share of pixels with a random mark. Default: 0.01. */
  markDensity?: number;
  /** Width of a pattern, pixels; a cube has as many along each edge. */
  width?: number;
  /** Height of a pattern, pixels; for a skybox it may be less than six times the width. */
  height?: number;
  /** A PNG file as base64; for a cube, one image for all sides, or a grid of images. */
  image?: string;
  /** PNG files of the six sides, as base64. */
  sides?: CubeSides;
  /** Rows and columns of a grid of sides. Default: 1 1. */
  gridSize?: [number, number];
  /** Which side each cell of the grid holds, row by row: R right, L left, U up, D down, F front, B back, or a dot for none. */
  gridLayout?: string;
  /** Images are mirrored. Default: false. */
  flipHorizontally?: boolean;
  /** Images are turned upside down. Default: false. */
  flipVertically?: boolean;
}

/** Images of the sides of a cube, PNG files as base64. */
export interface CubeSides {
  /** Along x. */
  right?: string;
  /** Along −x. */
  left?: string;
  /** Along y; around a scene, z. */
  up?: string;
  /** Along −y; around a scene, −z. */
  down?: string;
  /** Along z; around a scene, −y. */
  front?: string;
  /** Along −z; around a scene, y. */
  back?: string;
}

/** A side of a cube. */
export type CubeSide = keyof CubeSides;

/** How surfaces look. Their physical properties are those of a material. */
export interface Appearance {
  /** Unique among appearances. */
  name: string;
  /** Colour: red, green, blue, opacity, each 0 to 1; multiplies the texture. Default: 1 1 1 1. */
  color?: [number, number, number, number];
  /** Name of a texture. */
  texture?: string;
  /** How often a texture is repeated along x and y: over the surface, or per metre with `textureUniform`. Default: 1 1. */
  textureRepeat?: [number, number];
  /** Textures are repeated per metre, and cubes keep their shape. Default: false. */
  textureUniform?: boolean;
  /** Light that the surface emits, as a multiple of its colour. Default: 0. */
  emission?: number;
  /** Strength of its highlights, 0 to 1. Default: 0.5. */
  specular?: number;
  /** Sharpness of its highlights, 0 to 1. Default: 0.5. */
  shininess?: number;
  /** How strongly a plane or box reflects its surroundings, 0 to 1. Default: 0. */
  reflectance?: number;
  /** For viewers with physical light: 0 to 1. */
  metallic?: number;
  /** For viewers with physical light: 0 to 1. */
  roughness?: number;
}

/** A surface that follows bodies and is only drawn. */
export interface Skin {
  /** Unique among skins. */
  name?: string;
  /** Name of an appearance. */
  appearance?: string;
  /** Colour: red, green, blue, opacity, each 0 to 1. */
  color?: [number, number, number, number];
  /** x, y, z of each vertex in the world when every bone is at its bind pose, m. */
  vertices: number[];
  /** Three vertex indices per triangle. */
  faces: number[];
  /** Two numbers per vertex, from the lower left corner of a texture. */
  textureCoordinates?: number[];
  /** Distance by which vertices are moved outwards, m. Default: 0. */
  inflate?: number;
  /** Layer that viewers can show and hide, 0 to 5. Default: 0. */
  layer?: number;
  /** Bodies that it follows; a vertex moves as the weighted mean of its bones. */
  bones: SkinBone[];
}

/** A body with the vertices that follow it. */
export interface SkinBone {
  /** Name of the body. */
  body: string;
  /** Position of the body when the vertices are as given, m. Default: 0 0 0. */
  bindPosition?: [number, number, number];
  /** Orientation of the body when the vertices are as given, w x y z. Default: 1 0 0 0. */
  bindOrientation?: [number, number, number, number];
  /** Indices of the vertices. */
  vertices: number[];
  /** Their weights; the weights of each vertex are scaled to sum to 1. */
  weights: number[];
}
