/**
 * One small drawing per contact of a frame, over the picture: what marks, arrows and patches have in common.
 *
 * The numbers of a frame go to the graphics card as they came; form, size and colour are worked out there. Drawings lie over bodies,
 * since contacts lie inside of them.
 */
import {
  Float32BufferAttribute,
  InstancedBufferGeometry,
  type InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  type IUniform,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector4,
  type WebGLRenderer,
} from 'three';

export interface InstanceLook {
  /** Width and place of the numbers of a contact that the shader reads, by name. */
  numbers: Readonly<Record<string, readonly [width: number, offset: number]>>;
  /** Squares per contact; their number is z of a corner. Default: 1. */
  squares?: number;
  vertexShader: string;
  fragmentShader: string;
  uniforms?: Record<string, IUniform>;
  /** Later ones lie over earlier ones. */
  order: number;
}

export class ContactInstances extends Mesh<InstancedBufferGeometry, ShaderMaterial> {
  readonly #canvas = new Vector2(1, 1);
  readonly #area = new Vector4();
  readonly #highlighted = { value: -1 };

  /** `points` hold the numbers of a contact frame. */
  constructor(points: InstancedInterleavedBuffer, look: InstanceLook) {
    const { numbers, squares = 1, vertexShader, fragmentShader, uniforms, order } = look;
    super(new InstancedBufferGeometry(), new ShaderMaterial());
    const { geometry, material } = this;
    // squares from −1 to 1
    const all = Array.from({ length: squares }, (_, i) => i);
    const corners = all.flatMap((i) => [-1, -1, i, 1, -1, i, -1, 1, i, 1, 1, i]);
    geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
    geometry.setIndex(all.flatMap((i) => [0, 1, 2, 2, 1, 3].map((corner) => 4 * i + corner)));
    for (const [name, [width, offset]] of Object.entries(numbers)) {
      geometry.setAttribute(name, new InterleavedBufferAttribute(points, width, offset));
    }
    geometry.instanceCount = 0;
    material.setValues({
      vertexShader: VERTEX_START + vertexShader,
      fragmentShader: FRAGMENT_START + fragmentShader,
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    material.uniforms = { canvas: { value: this.#canvas }, highlighted: this.#highlighted, ...uniforms };
    this.frustumCulled = false;
    this.renderOrder = order;
    this.visible = false;
  }

  /** Make one contact stand out, by its place in the frame. */
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

/** Pixels of clip space, a place that is never seen, whether a contact stands out (1), stands back (−1) or neither, and its size. */
const VERTEX_START = /* glsl */ `
uniform vec2 canvas;
uniform float highlighted;
varying vec2 local;
flat varying float emphasis;

const float EDGE = 2.5;
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);

vec4 toClip(vec3 place) {
  return projectionMatrix * modelViewMatrix * vec4(place, 1.0);
}
vec2 toPixels(vec4 clip) {
  return 0.5 * canvas * clip.xy / clip.w;
}
vec4 fromPixels(vec2 pixel) {
  return vec4(2.0 * pixel / canvas, 0.0, 1.0);
}
float findEmphasis() {
  return highlighted < 0.0 ? 0.0 : abs(highlighted - float(gl_InstanceID)) < 0.5 ? 1.0 : -1.0;
}
// drawings are smaller where the picture is, so that they do not hide it
float findScale(float standsOut) {
  return clamp(canvas.y / 560.0, 0.6, 1.0) * (emphasis > 0.0 ? standsOut : 1.0);
}
`;

/** A colour with a dark edge, which is white where the contact stands out. */
const FRAGMENT_START = /* glsl */ `
varying vec2 local;
flat varying float emphasis;

vec4 edged(vec3 color, float inside, float cover) {
  vec3 edge = emphasis > 0.0 ? vec3(1.0) : vec3(0.05, 0.06, 0.08);
  return vec4(mix(edge, color, inside), cover * (emphasis < 0.0 ? 0.35 : 1.0));
}
`;
