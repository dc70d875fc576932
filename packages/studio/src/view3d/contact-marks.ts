/**
 * Contacts over the picture: a dot at each point and a stem along its normal, of the same size in pixels at every distance.
 *
 * Kinds differ in form as well as in colour: penetrating is a full dot, touching a ring, near a small dot. The numbers of a
 * contact frame go to the graphics card as they came; gap, size and colour are worked out there.
 */
import { Color, type InstancedInterleavedBuffer } from 'three';
import { AREA_OFFSET, GAP_OFFSET, TOUCH } from '../session/contact-frame.ts';
import { ContactInstances } from './contact-instances.ts';
import { CONTACT_COLORS } from './palette.ts';

export class ContactMarks extends ContactInstances {
  constructor(points: InstancedInterleavedBuffer) {
    const { penetrating, touching, near } = CONTACT_COLORS;
    super(points, {
      numbers: { point: [3, 0], direction: [3, 3], gap: [1, GAP_OFFSET], area: [1, AREA_OFFSET] },
      // the stem, and the dot over it
      squares: 2,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        touch: { value: TOUCH },
        colors: { value: [penetrating, touching, near].map((hex) => new Color().setHex(hex, '')) },
      },
      order: 10,
    });
  }
}

const VERTEX = /* glsl */ `
attribute vec3 point;
attribute vec3 direction;
attribute float gap;
attribute float area;
uniform float touch;
flat varying float kind;
flat varying float part;
flat varying float reach;
flat varying float size;

const float STEM = 30.0;

void main() {
  kind = gap < -touch ? 0.0 : gap <= touch ? 1.0 : 2.0;
  part = position.z;
  emphasis = findEmphasis();
  float scale = findScale(1.6);

  // a length of STEM pixels at the depth of the point, in metres
  vec4 foot = toClip(point);
  float span = scale * STEM * 2.0 * foot.w / (projectionMatrix[1][1] * canvas.y);
  vec4 head = toClip(point + span * direction);
  // behind the camera; or a face of a patch, which is drawn as such
  if (foot.w <= 0.0 || head.w <= 0.0 || (area > 0.0 && emphasis <= 0.0)) {
    gl_Position = NOWHERE;
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
  gl_Position = fromPixels(pixel);
}
`;

const FRAGMENT = /* glsl */ `
uniform vec3 colors[3];
flat varying float kind;
flat varying float part;
flat varying float reach;
flat varying float size;

void main() {
  // distance from the axis of the stem or from the middle of the dot, in pixels
  float off = part < 0.5 ? length(local - vec2(clamp(local.x, 0.0, reach), 0.0)) : length(local);
  float inside = 1.0 - smoothstep(size - 0.6, size + 0.6, off);
  float cover = 1.0 - smoothstep(size + 0.9, size + 2.1, off);
  // a ring has a dark middle
  if (part > 0.5 && kind > 0.5 && kind < 1.5) inside *= smoothstep(0.42 * size - 0.6, 0.42 * size + 0.6, off);
  gl_FragColor = edged(kind < 0.5 ? colors[0] : kind < 1.5 ? colors[1] : colors[2], inside, cover);
}
`;
