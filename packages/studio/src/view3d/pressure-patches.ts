/** Faces of pressure fields as discs of their area, in the colour of their pressure: together they show the patch. */
import {
  Float32BufferAttribute,
  InstancedBufferGeometry,
  type InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  ShaderMaterial,
} from 'three';
import { AREA_OFFSET } from '../session/contact-frame.ts';
import { MAP_GLSL } from './color-map.ts';

export class PressurePatches extends Mesh<InstancedBufferGeometry, ShaderMaterial> {
  readonly #full = { value: 1 };

  /** `points` hold the numbers of a contact frame. */
  constructor(points: InstancedInterleavedBuffer) {
    super(new InstancedBufferGeometry(), new ShaderMaterial());
    const { geometry, material } = this;
    geometry.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0], 3));
    geometry.setAttribute('point', new InterleavedBufferAttribute(points, 3, 0));
    geometry.setAttribute('direction', new InterleavedBufferAttribute(points, 3, 3));
    geometry.setAttribute('face', new InterleavedBufferAttribute(points, 2, AREA_OFFSET));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    geometry.instanceCount = 0;
    material.setValues({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      // the patch lies inside of bodies: they would hide it
      depthTest: false,
      depthWrite: false,
    });
    material.uniforms = { full: this.#full };
    this.frustumCulled = false;
    this.renderOrder = 9;
    this.visible = false;
  }

  /** Pressure of the brightest colour, Pa. */
  rescale(full: number): void {
    this.#full.value = full > 0 ? full : 1;
  }

  override dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

const VERTEX = /* glsl */ `
attribute vec3 point;
attribute vec3 direction;
attribute vec2 face;
uniform float full;
varying vec2 local;
flat varying float part;

void main() {
  if (face.x <= 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  local = position.xy;
  part = face.y / full;
  vec3 side = normalize(abs(direction.x) < 0.9 ? cross(direction, vec3(1.0, 0.0, 0.0)) : cross(direction, vec3(0.0, 1.0, 0.0)));
  vec3 other = cross(direction, side);
  // a little larger than the face, so that neighbours meet
  float radius = 1.25 * sqrt(face.x / 3.14159265);
  vec3 corner = point + radius * (position.x * side + position.y * other);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(corner, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
varying vec2 local;
flat varying float part;
${MAP_GLSL}
void main() {
  float off = length(local);
  if (off > 1.0) discard;
  gl_FragColor = vec4(mapColor(part), 0.85);
}
`;
