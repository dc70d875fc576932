/**
 * Light on a surface, as OpenGL and MuJoCo have it, sum over all lamps:
 *   colour (ambient + a s diffuse (n · l)) + mirror a s specular (n · h)^(128 shininess)
 * l points to the lamp, h is half way between l and the eye, a the attenuation, s what the cone and shadows leave.
 */
import { type Light, type Model, placeView, type SceneView, type Vec3 } from '@nexdyn/engine';
import type { ShadowMap } from './shadow-map.ts';
import type { View } from './view.ts';

export interface Lamp {
  readonly kind: 'spot' | 'directional' | 'point';
  readonly position: Vec3;
  /** Where it shines, of length one. */
  readonly direction: Vec3;
  readonly ambient: Vec3;
  readonly diffuse: Vec3;
  readonly specular: Vec3;
  readonly attenuation: Vec3;
  readonly cutoffCosine: number;
  readonly exponent: number;
  readonly castsShadow: boolean;
  shadow?: ShadowMap;
}

/** What a surface is like. */
export interface Finish {
  readonly emission: number;
  readonly specular: number;
  readonly shininess: number;
}

interface Posed {
  readonly bodyPosition: Float64Array;
  readonly bodyOrientation: Float64Array;
}

const PARALLEL: Pick<Lamp, 'kind' | 'attenuation' | 'cutoffCosine' | 'exponent' | 'castsShadow'> = {
  kind: 'directional',
  attenuation: [1, 0, 0],
  cutoffCosine: -1,
  exponent: 0,
  castsShadow: false,
};

/** All lamps that are on: those of the scene and the one at the camera. A scene without a word about light gets a plain one. */
export function listLamps({ look }: Model, bodies: Posed, view: View): Lamp[] {
  const lamps: Lamp[] = [];
  const pose = { position: new Float64Array(3), rotation: new Float64Array(9) };
  look.lights.forEach((light, l) => {
    if (light.active === false) return;
    const { position, rotation } = placeView(pose, look.light, l, bodies);
    lamps.push(createLamp(light, [...position] as Vec3, [-rotation[2]!, -rotation[5]!, -rotation[8]!]));
  });
  if (lamps.length === 0 && look.view.headlight === undefined) return [createPlainLamp(view)];
  const head = createHeadlight(look.view, view);
  return head ? [head, ...lamps] : lamps;
}

function createLamp(light: Readonly<Light>, position: Vec3, direction: Vec3): Lamp {
  return {
    kind: light.kind ?? 'spot',
    position,
    direction,
    ambient: light.ambient ?? [0, 0, 0],
    diffuse: light.diffuse ?? [0.7, 0.7, 0.7],
    specular: light.specular ?? [0.3, 0.3, 0.3],
    attenuation: light.attenuation ?? [1, 0, 0],
    cutoffCosine: Math.cos(light.cutoff ?? Math.PI / 4),
    exponent: light.exponent ?? 10,
    castsShadow: light.castShadow ?? true,
  };
}

function createHeadlight({ headlight = {} }: SceneView, { eye, back }: View): Lamp | undefined {
  if (headlight.active === false) return undefined;
  return {
    ...PARALLEL,
    position: [...eye] as Vec3,
    direction: [-back[0], -back[1], -back[2]],
    ambient: headlight.ambient ?? [0.1, 0.1, 0.1],
    diffuse: headlight.diffuse ?? [0.4, 0.4, 0.4],
    specular: headlight.specular ?? [0.5, 0.5, 0.5],
  };
}

/** Over the head of who looks. */
function createPlainLamp({ eye, back, up }: View): Lamp {
  const toLamp = [0, 1, 2].map((k) => back[k]! + 0.6 * up[k]!);
  const length = Math.hypot(...toLamp);
  return {
    ...PARALLEL,
    position: [...eye] as Vec3,
    direction: toLamp.map((value) => -value / length) as Vec3,
    ambient: [0.45, 0.45, 0.45],
    diffuse: [0.55, 0.55, 0.55],
    specular: [0, 0, 0],
  };
}

/** Light that a surface of a colour sends to the eye, added up in `out`; n and the direction to the eye have length one. */
export function shade(
  out: Float64Array,
  lamps: readonly Lamp[],
  point: Float64Array,
  normal: Float64Array,
  toEye: Float64Array,
  color: Float64Array,
  finish: Finish,
): void {
  const nx = normal[0]!;
  const ny = normal[1]!;
  const nz = normal[2]!;
  for (let k = 0; k < 3; k++) out[k] = finish.emission * color[k]!;
  for (const lamp of lamps) {
    let lx = -lamp.direction[0];
    let ly = -lamp.direction[1];
    let lz = -lamp.direction[2];
    let strength = 1;
    if (lamp.kind !== 'directional') {
      lx = lamp.position[0] - point[0]!;
      ly = lamp.position[1] - point[1]!;
      lz = lamp.position[2] - point[2]!;
      const d = Math.sqrt(lx * lx + ly * ly + lz * lz) || 1;
      lx /= d;
      ly /= d;
      lz /= d;
      const fall = lamp.attenuation;
      strength = 1 / Math.max(1e-9, fall[0] + fall[1] * d + fall[2] * d * d);
      if (lamp.kind === 'spot') {
        const cosine = -(lx * lamp.direction[0] + ly * lamp.direction[1] + lz * lamp.direction[2]);
        strength *= cosine < lamp.cutoffCosine ? 0 : cosine ** lamp.exponent;
      }
    }
    for (let k = 0; k < 3; k++) out[k]! += lamp.ambient[k]! * color[k]!;
    const facing = nx * lx + ny * ly + nz * lz;
    if (facing <= 0 || strength <= 0) continue;
    if (lamp.shadow) strength *= lamp.shadow.measureLight(point, normal);
    if (strength <= 0) continue;
    for (let k = 0; k < 3; k++) out[k]! += strength * facing * lamp.diffuse[k]! * color[k]!;
    if (finish.specular === 0 || lamp.specular[0] + lamp.specular[1] + lamp.specular[2] === 0) continue;
    const hx = lx + toEye[0]!;
    const hy = ly + toEye[1]!;
    const hz = lz + toEye[2]!;
    const size = Math.sqrt(hx * hx + hy * hy + hz * hz) || 1;
    const mirrored = Math.max(0, (nx * hx + ny * hy + nz * hz) / size);
    const highlight = strength * finish.specular * mirrored ** (128 * finish.shininess);
    for (let k = 0; k < 3; k++) out[k]! += highlight * lamp.specular[k]!;
  }
}
