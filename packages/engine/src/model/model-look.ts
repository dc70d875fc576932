import type { Appearance, Skin, Texture } from '../scene/appearance.ts';
import type { Camera, Light } from '../scene/camera.ts';
import type { SceneView } from '../scene/view.ts';

/** What a scene says about its pictures. Nothing of it has an effect on motion. */
export interface ModelLook {
  /** Cameras. */
  readonly camera: ModelViews;
  /** Lights; their frame has the direction of the light as its −z. */
  readonly light: ModelViews;
  /** Cameras as the scene writes them, in the same order. */
  readonly cameras: readonly Camera[];
  /** Lights as the scene writes them, in the same order. */
  readonly lights: readonly Light[];
  /** Appearances as the scene writes them. */
  readonly appearances: readonly Appearance[];
  /** Textures as the scene writes them. */
  readonly textures: readonly Texture[];
  /** Skins as the scene writes them. */
  readonly skins: readonly Skin[];
  /** How the scene is looked at. */
  readonly view: SceneView;
  /** Per shape: number of its appearance, or −1. */
  readonly shapeAppearance: Int32Array;
  /** Per site: number of its appearance, or −1. */
  readonly siteAppearance: Int32Array;
  /** Per site: its layer. */
  readonly siteLayer: Uint8Array;
  /** Meshes that have a place in textures. */
  readonly texturedMeshes: readonly TexturedMesh[];
}

/** Triangles of a mesh with the place of their corners in a texture. */
export interface TexturedMesh {
  /** Number of the mesh. */
  readonly mesh: number;
  /** x, y, z of each vertex, m. */
  readonly vertices: Float64Array;
  /** Three vertices per triangle. */
  readonly faces: Int32Array;
  /** Two numbers per corner, from the lower left. */
  readonly coordinates: Float32Array;
}

/** Values of `ModelViews.mode`. */
export const VIEW_MODE = { fixed: 0, track: 1, trackCenter: 2, target: 3, targetCenter: 4 } as const;

/** Cameras or lights as arrays: frames that bodies carry, or that follow or face bodies. */
export interface ModelViews {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** Number of the body that carries each. */
  readonly body: Int32Array;
  /** Number of the body that it faces, or −1. */
  readonly target: Int32Array;
  /** See VIEW_MODE. */
  readonly mode: Uint8Array;
  /** In the body frame, m. */
  readonly position: Float64Array;
  /** Quaternion w x y z from its frame to the body's; of lights the direction alone counts. */
  readonly orientation: Float64Array;
  /** Bodies whose centre of mass it follows or faces, by number; empty where it follows none. */
  readonly followed: readonly Int32Array[];
  /** Masses of those bodies, in the same order, kg. */
  readonly followedMass: readonly Float64Array[];
  /** Their centres of mass in their own frames, three numbers each, m. */
  readonly followedCenter: readonly Float64Array[];
  /** In the initial pose: its place seen from what it follows, world axes, m. */
  readonly offset: Float64Array;
  /** In the initial pose: its orientation in the world. */
  readonly initialOrientation: Float64Array;
}
