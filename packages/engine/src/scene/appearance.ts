/** An image on surfaces, or around the scene: made of two colours, or from PNG files. */
export interface Texture {
  /** Unique among textures. */
  name?: string;
  /** `2d` is laid on, `cube` has six sides and wraps round, `skybox` is a cube around the scene. Default: 'cube'. */
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
  /** Pixels of a pattern; a cube has as many along each edge. */
  width?: number;
  /** Rows of a pattern; a skybox may have less than six times its width. */
  height?: number;
  /** A PNG file as base64; of a cube: one for all sides, or a grid of them. */
  image?: string;
  /** PNG files of the six sides, as base64. */
  sides?: CubeSides;
  /** Rows and columns of a grid of sides. Default: 1 1. */
  gridSize?: [number, number];
  /** Which side each place of the grid has, row by row: R right, L left, U up, D down, F front, B back, or a dot. */
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

/** How surfaces look. What they are made of is a material. */
export interface Appearance {
  /** Unique among appearances. */
  name: string;
  /** Colour: red, green, blue, opacity, each 0 to 1; multiplies the texture. Default: 1 1 1 1. */
  color?: [number, number, number, number];
  /** Name of a texture. */
  texture?: string;
  /** How often a texture is repeated along x and y: over the surface, or per metre. Default: 1 1. */
  textureRepeat?: [number, number];
  /** Textures are repeated per metre, and cubes keep their shape. Default: false. */
  textureUniform?: boolean;
  /** Light that it emits, as a multiple of its colour. Default: 0. */
  emission?: number;
  /** How much light it mirrors, 0 to 1. Default: 0.5. */
  specular?: number;
  /** How sharply, 0 to 1. Default: 0.5. */
  shininess?: number;
  /** How much of its surroundings a plane or box shows, 0 to 1. Default: 0. */
  reflectance?: number;
  /** For viewers with physical light: 0 to 1. */
  metallic?: number;
  /** For viewers with physical light: 0 to 1. */
  roughness?: number;
}

/** A surface that follows bodies. It is only drawn. */
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
  /** Vertices are moved outwards by this, m. Default: 0. */
  inflate?: number;
  /** Layer a viewer may switch on and off, 0 to 5. Default: 0. */
  layer?: number;
  /** Bodies that it follows; a vertex moves as the weighted mean of its bones. */
  bones: SkinBone[];
}

/** A body with the vertices that follow it. */
export interface SkinBone {
  /** Name of the body. */
  body: string;
  /** Where the body is when the vertices are as given, m. Default: 0 0 0. */
  bindPosition?: [number, number, number];
  /** How it is turned then, w x y z. Default: 1 0 0 0. */
  bindOrientation?: [number, number, number, number];
  /** Numbers of vertices. */
  vertices: number[];
  /** Their weights; those of a vertex are scaled to a sum of 1. */
  weights: number[];
}
