/**
 * Contacts over the picture: a dot at each point and a stem along its normal, of the same size in pixels at every distance.
 *
 * Kinds differ in form as well as in colour: penetrating is a full dot, touching a ring, near a small dot. The numbers of a
 * contact frame go to the graphics card as they came; gap, size and colour are worked out there.
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
import { AREA_OFFSET, GAP_OFFSET, TOUCH } from '../session/contact-frame.ts';
import { CONTACT_COLORS } from './palette.ts';

export class ContactMarks extends Mesh<InstancedBufferGeometry, ShaderMaterial> {
  readonly #canvas = new Vector2(1, 1);
  readonly #area = new Vector4();
  readonly #highlighted = { value: -1 };

  /** `points` hold the numbers of a contact frame. */
  constructor(points: InstancedInterleavedBuffer) {
    super(new InstancedBufferGeometry(), new ShaderMaterial());
    const { geometry, material } = this;
    geometry.setAttribute('position', new Float32BufferAttribute(CORNERS, 3));
    geometry.setAttribute('point', new InterleavedBufferAttribute(points, 3, 0));
    geometry.setAttribute('direction', new InterleavedBufferAttribute(points, 3, 3));
    geometry.setAttribute('gap', new InterleavedBufferAttribute(points, 1, GAP_OFFSET));
    geometry.setAttribute('area', new InterleavedBufferAttribute(points, 1, AREA_OFFSET));
    geometry.setIndex([0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7]);
    geometry.instanceCount = 0;
    material.setValues({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      // contacts lie inside of bodies: they would hide them
      depthTest: false,
      depthWrite: false,
    });
    const { penetrating, touching, near } = CONTACT_COLORS;
    material.uniforms = {
      canvas: { value: this.#canvas },
      touch: { value: TOUCH },
      highlighted: this.#highlighted,
      colors: { value: [penetrating, touching, near].map((hex) => new Color().setHex(hex, '')) },
    };
    this.frustumCulled = false;
    this.renderOrder = 10;
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

/** Two squares: x and y from −1 to 1; z is 0 for the stem and 1 for the dot, which is drawn over it. */
const CORNERS = [0, 1].flatMap((part) => [-1, -1, part, 1, -1, part, -1, 1, part, 1, 1, part]);

const VERTEX = /* glsl */ `
attribute vec3 point;
attribute vec3 direction;
attribute float gap;
attribute float area;
uniform vec2 canvas;
uniform float touch;
uniform float highlighted;
varying vec2 local;
flat varying float kind;
flat varying float part;
flat varying float reach;
flat varying float size;
flat varying float emphasis;

const float STEM = 30.0;
const float EDGE = 2.5;

vec2 toPixels(vec4 clip) {
  return 0.5 * canvas * clip.xy / clip.w;
}

void main() {
  kind = gap < -touch ? 0.0 : gap <= touch ? 1.0 : 2.0;
  part = position.z;
  emphasis = highlighted < 0.0 ? 0.0 : abs(highlighted - float(gl_InstanceID)) < 0.5 ? 1.0 : -1.0;
  float scale = emphasis > 0.0 ? 1.6 : 1.0;

  // a length of STEM pixels at the depth of the point, in metres
  vec4 foot = projectionMatrix * modelViewMatrix * vec4(point, 1.0);
  float span = scale * STEM * 2.0 * foot.w / (projectionMatrix[1][1] * canvas.y);
  vec4 head = projectionMatrix * modelViewMatrix * vec4(point + span * direction, 1.0);
  // behind the camera; or a face of a patch, which is drawn as such
  if (foot.w <= 0.0 || head.w <= 0.0 || (area > 0.0 && emphasis <= 0.0)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }

  vec2 start = toPixels(foot);
  vec2 axis = toPixels(head) - start;
  reach = sqrt(dot(axis, axis));
  vec2 along = reach > 0.01 ? axis / reach : vec2(0.0, 1.0);
  vec2 pixel;
  if (part < 0.5) {
    size = 1.3 * scale;
    float width = size + EDGE;
    local = vec2(position.x < 0.0 ? -width : reach + width, width * position.y);
    pixel = start + local.x * along + local.y * vec2(-along.y, along.x);
  } else {
    size = (kind > 1.5 ? 3.6 : 5.4) * scale;
    local = (size + EDGE) * position.xy;
    pixel = start + local;
  }
  gl_Position = vec4(2.0 * pixel / canvas, 0.0, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
uniform vec3 colors[3];
varying vec2 local;
flat varying float kind;
flat varying float part;
flat varying float reach;
flat varying float size;
flat varying float emphasis;

void main() {
  // distance from the axis of the stem or from the middle of the dot, in pixels
  float off = part < 0.5 ? length(local - vec2(clamp(local.x, 0.0, reach), 0.0)) : length(local);
  float inside = 1.0 - smoothstep(size - 0.6, size + 0.6, off);
  float cover = 1.0 - smoothstep(size + 0.9, size + 2.1, off);
  // a ring has a dark middle
  if (part > 0.5 && kind > 0.5 && kind < 1.5) inside *= smoothstep(0.42 * size - 0.6, 0.42 * size + 0.6, off);
  vec3 edge = emphasis > 0.0 ? vec3(1.0) : vec3(0.05, 0.06, 0.08);
  vec3 color = kind < 0.5 ? colors[0] : kind < 1.5 ? colors[1] : colors[2];
  gl_FragColor = vec4(mix(edge, color, inside), cover * (emphasis < 0.0 ? 0.35 : 1.0));
}
`;
