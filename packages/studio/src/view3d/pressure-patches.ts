/** Faces of pressure fields as discs of their area, in the colour of their pressure: together they show the patch. */
import type { InstancedInterleavedBuffer } from 'three';
import { AREA_OFFSET } from '../session/contact-frame.ts';
import { MAP_GLSL } from './color-map.ts';
import { ContactInstances } from './contact-instances.ts';

export class PressurePatches extends ContactInstances {
  readonly #full: { value: number };

  constructor(points: InstancedInterleavedBuffer) {
    const full = { value: 1 };
    super(points, {
      numbers: { point: [3, 0], direction: [3, 3], face: [2, AREA_OFFSET] },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { full },
      order: 9,
    });
    this.#full = full;
  }

  /** Pressure of the brightest colour, Pa. */
  rescale(full: number): void {
    this.#full.value = full > 0 ? full : 1;
  }
}

const VERTEX = /* glsl */ `
attribute vec3 point;
attribute vec3 direction;
attribute vec2 face;
uniform float full;
flat varying float part;

void main() {
  if (face.x <= 0.0) {
    gl_Position = NOWHERE;
    return;
  }
  local = position.xy;
  part = face.y / full;
  vec3 side = normalize(abs(direction.x) < 0.9 ? cross(direction, vec3(1.0, 0.0, 0.0)) : cross(direction, vec3(0.0, 1.0, 0.0)));
  vec3 other = cross(direction, side);
  // a little larger than the face, so that neighbours meet
  float radius = 1.25 * sqrt(face.x / 3.14159265);
  vec3 corner = point + radius * (position.x * side + position.y * other);
  emphasis = 0.0;
  gl_Position = toClip(corner);
}
`;

const FRAGMENT = /* glsl */ `
flat varying float part;
${MAP_GLSL}
void main() {
  float off = length(local);
  if (off > 1.0) discard;
  gl_FragColor = vec4(mapColor(part), 0.85);
}
`;
