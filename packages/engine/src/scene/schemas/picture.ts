import type { Appearance, CubeSides, Skin, SkinBone, Texture } from '../appearance.ts';
import type { Camera, Light, ViewMode } from '../camera.ts';
import {
  array,
  boolean,
  name,
  number,
  numbers,
  object,
  oneOf,
  optional,
  type Schema,
  string,
  vector,
} from '../schema.ts';
import type { Headlight, SceneView } from '../view.ts';
import { amount, color, direction, iterations, layer, poseFields, positive, quaternion, vec3 } from './parts.ts';

const mode: Schema<ViewMode> = oneOf('fixed', 'track', 'trackCenter', 'target', 'targetCenter');
const angle = number({ exclusiveMinimum: 0, maximum: Math.PI });
const share = number({ minimum: 0, maximum: 1 });
const lights: Schema<[number, number, number]> = vector(3, { minimum: 0 });
const rgb: Schema<[number, number, number]> = vector(3, { minimum: 0, maximum: 1 });
const pixels: Schema<[number, number]> = vector(2, { minimum: 1, integer: true });

export const camera: Schema<Camera> = object<Camera>(
  {
    ...poseFields,
    name: optional(name()),
    mode: optional(mode),
    target: optional(name()),
    projection: optional(oneOf('perspective', 'orthographic')),
    fieldOfView: optional(angle),
    extent: optional(positive),
    resolution: optional(pixels),
    sensorSize: optional(vector(2, { exclusiveMinimum: 0 })),
    focalLength: optional(vector(2, { exclusiveMinimum: 0 })),
    principalPoint: optional(vector(2)),
    eyeDistance: optional(amount),
  },
  'Camera',
);

export const light: Schema<Light> = object<Light>(
  {
    name: optional(name()),
    kind: optional(oneOf('spot', 'directional', 'point')),
    mode: optional(mode),
    target: optional(name()),
    position: optional(vec3),
    direction: optional(direction),
    active: optional(boolean()),
    castShadow: optional(boolean()),
    ambient: optional(lights),
    diffuse: optional(lights),
    specular: optional(lights),
    attenuation: optional(vector(3, { minimum: 0 })),
    cutoff: optional(angle),
    exponent: optional(amount),
    bulbRadius: optional(amount),
    intensity: optional(amount),
    range: optional(amount),
  },
  'Light',
);

export const texture: Schema<Texture> = object<Texture>(
  {
    name: optional(name()),
    kind: optional(oneOf('2d', 'cube', 'skybox')),
    pattern: optional(oneOf('gradient', 'checker', 'flat')),
    color1: optional(rgb),
    color2: optional(rgb),
    mark: optional(oneOf('edge', 'cross', 'random')),
    markColor: optional(rgb),
    markDensity: optional(share),
    width: optional(iterations),
    height: optional(iterations),
    image: optional(string()),
    sides: optional(
      object<CubeSides>(
        {
          right: optional(string()),
          left: optional(string()),
          up: optional(string()),
          down: optional(string()),
          front: optional(string()),
          back: optional(string()),
        },
        'CubeSides',
      ),
    ),
    gridSize: optional(pixels),
    gridLayout: optional(string()),
    flipHorizontally: optional(boolean()),
    flipVertically: optional(boolean()),
  },
  'Texture',
);

export const appearance: Schema<Appearance> = object<Appearance>(
  {
    name: name(),
    color: optional(color),
    texture: optional(name()),
    textureRepeat: optional(vector(2, { exclusiveMinimum: 0 })),
    textureUniform: optional(boolean()),
    emission: optional(amount),
    specular: optional(share),
    shininess: optional(share),
    reflectance: optional(share),
    metallic: optional(share),
    roughness: optional(share),
  },
  'Appearance',
);

const bone = object<SkinBone>(
  {
    body: name(),
    bindPosition: optional(vec3),
    bindOrientation: optional(quaternion),
    vertices: numbers({ minimum: 0, integer: true }),
    weights: numbers({ minimum: 0 }),
  },
  'SkinBone',
);

export const skin: Schema<Skin> = object<Skin>(
  {
    name: optional(name()),
    appearance: optional(name()),
    color: optional(color),
    vertices: numbers({ minimumLength: 9 }),
    faces: numbers({ minimumLength: 3, minimum: 0, integer: true }),
    textureCoordinates: optional(numbers()),
    inflate: optional(number()),
    layer: optional(layer),
    bones: array(bone),
  },
  'Skin',
);

const headlight = object<Headlight>(
  {
    active: optional(boolean()),
    ambient: optional(lights),
    diffuse: optional(lights),
    specular: optional(lights),
  },
  'Headlight',
);

export const view: Schema<SceneView> = object<SceneView>(
  {
    center: optional(vec3),
    extent: optional(positive),
    meanSize: optional(positive),
    azimuth: optional(number()),
    elevation: optional(number()),
    fieldOfView: optional(angle),
    pictureSize: optional(pixels),
    near: optional(positive),
    far: optional(positive),
    haze: optional(share),
    hazeColor: optional(color),
    headlight: optional(headlight),
  },
  'SceneView',
);
