/**
 * Forces of contacts over the picture: arrows as long as the force is strong, of the same width in pixels at every distance.
 *
 * A contact that sticks has a solid shaft, one that slides a dashed one, and each its colour. Arrows beyond the longest length
 * are cut there and have a break in the shaft. Lengths and colours are worked out on the graphics card.
 */
import {
  Color,
  Float32BufferAttribute,
  InstancedBufferGeometry,
  type InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector4,
  type WebGLRenderer,
} from 'three';
import { FORCE_OFFSET, MODE_OFFSET } from '../session/contact-frame.ts';
import { FORCE_COLORS } from './palette.ts';

export class ForceArrows extends Mesh<InstancedBufferGeometry, ShaderMaterial> {
  readonly #canvas = new Vector2(1, 1);
  readonly #area = new Vector4();
  readonly #highlighted = { value: -1 };
  readonly #metresPerNewton = { value: 0 };
  readonly #longest = { value: 1 };

  /** `points` hold the numbers of a contact frame. */
  constructor(points: InstancedInterleavedBuffer) {
    super(new InstancedBufferGeometry(), new ShaderMaterial());
    const { geometry, material } = this;
    geometry.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0], 3));
    geometry.setAttribute('point', new InterleavedBufferAttribute(points, 3, 0));
    geometry.setAttribute('force', new InterleavedBufferAttribute(points, 3, FORCE_OFFSET));
    geometry.setAttribute('mode', new InterleavedBufferAttribute(points, 1, MODE_OFFSET));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    geometry.instanceCount = 0;
    material.setValues({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      // forces act inside of bodies: they would hide them
      depthTest: false,
      depthWrite: false,
    });
    material.uniforms = {
      canvas: { value: this.#canvas },
      metresPerNewton: this.#metresPerNewton,
      longest: this.#longest,
      highlighted: this.#highlighted,
      colors: { value: [FORCE_COLORS.stick, FORCE_COLORS.slide].map((hex) => new Color().setHex(hex, '')) },
    };
    this.frustumCulled = false;
    this.renderOrder = 11;
    this.visible = false;
  }

  rescale(metresPerNewton: number, longest: number): void {
    this.#metresPerNewton.value = metresPerNewton;
    this.#longest.value = longest;
  }

  /** Make one arrow stand out, by its place in the frame. */
  highlight(index: number | undefined): void {
    this.#highlighted.value = index ?? -1;
  }

  override onBeforeRender = (renderer: WebGLRenderer): void => {
    const { z: width, w: height } = renderer.getViewport(this.#area);
    this.#canvas.set(width, height);
  };

  override dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

const VERTEX = /* glsl */ `
attribute vec3 point;
attribute vec3 force;
attribute float mode;
uniform vec2 canvas;
uniform float metresPerNewton;
uniform float longest;
uniform float highlighted;
varying vec2 local;
flat varying float kind;
flat varying float reach;
flat varying float scale;
flat varying float isCut;
flat varying float emphasis;

const float EDGE = 2.5;
const float HEAD_HALF = 5.5;

vec2 toPixels(vec4 clip) {
  return 0.5 * canvas * clip.xy / clip.w;
}

void main() {
  kind = mode - 1.0;
  emphasis = highlighted < 0.0 ? 0.0 : abs(highlighted - float(gl_InstanceID)) < 0.5 ? 1.0 : -1.0;
  scale = emphasis > 0.0 ? 1.4 : 1.0;
  float size = length(force);
  float full = size * metresPerNewton;
  isCut = full > longest ? 1.0 : 0.0;
  vec4 foot = projectionMatrix * modelViewMatrix * vec4(point, 1.0);
  vec4 head = projectionMatrix * modelViewMatrix * vec4(point + force * (min(full, longest) / max(size, 1e-30)), 1.0);
  vec2 start = toPixels(foot);
  vec2 axis = toPixels(head) - start;
  reach = length(axis);

  // no force, behind the camera, or too short to be seen
  if (mode < 0.5 || foot.w <= 0.0 || head.w <= 0.0 || reach < 1.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec2 along = axis / reach;
  local = vec2(position.x < 0.0 ? -EDGE : reach + EDGE, position.y * (HEAD_HALF * scale + EDGE));
  vec2 pixel = start + local.x * along + local.y * vec2(-along.y, along.x);
  gl_Position = vec4(2.0 * pixel / canvas, 0.0, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
uniform vec3 colors[2];
varying vec2 local;
flat varying float kind;
flat varying float reach;
flat varying float scale;
flat varying float isCut;
flat varying float emphasis;

const float DASH = 6.0;
const float PERIOD = 11.0;

void main() {
  // signed distances in pixels: the head is a triangle, which shrinks with short arrows
  float headLength = min(13.0 * scale, 0.75 * reach);
  float headHalf = headLength * 0.42;
  float base = reach - headLength;
  float side = abs(local.y);
  float head = max(dot(vec2(local.x - reach, side), normalize(vec2(headHalf, headLength))), base - local.x);

  // the shaft ends under the head
  float shaftHalf = min(1.7 * scale, 0.6 * headHalf);
  float shaft = max(side - shaftHalf, max(-local.x, local.x - base - 1.0));
  if (kind > 0.5) shaft = max(shaft, abs(mod(local.x, PERIOD) - 0.5 * DASH) - 0.5 * DASH);
  if (isCut > 0.5) shaft = max(shaft, 4.0 - abs(local.x - 0.5 * base));

  float off = min(head, shaft);
  float inside = 1.0 - smoothstep(-0.5, 0.5, off);
  float cover = 1.0 - smoothstep(0.8, 1.9, off);
  vec3 edge = emphasis > 0.0 ? vec3(1.0) : vec3(0.05, 0.06, 0.08);
  vec3 color = kind < 0.5 ? colors[0] : colors[1];
  gl_FragColor = vec4(mix(edge, color, inside), cover * (emphasis < 0.0 ? 0.35 : 1.0));
}
`;
