/**
 * Forces of contacts over the picture: arrows as long as the force is strong, of the same width in pixels at every distance.
 *
 * A contact that sticks has a solid shaft, one that slides a dashed one, and each its colour. Arrows beyond the longest length
 * are cut there and have a break in the shaft. Lengths and colours are worked out on the graphics card.
 */
import { Color, type InstancedInterleavedBuffer } from 'three';
import { FORCE_OFFSET, MODE_OFFSET } from '../session/contact-frame.ts';
import { ContactInstances } from './contact-instances.ts';
import { FORCE_COLORS } from './palette.ts';

export class ForceArrows extends ContactInstances {
  readonly #metresPerNewton: { value: number };
  readonly #longest: { value: number };

  constructor(points: InstancedInterleavedBuffer) {
    const [metresPerNewton, longest] = [{ value: 0 }, { value: 1 }];
    super(points, {
      numbers: { point: [3, 0], force: [3, FORCE_OFFSET], mode: [1, MODE_OFFSET] },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        metresPerNewton,
        longest,
        colors: { value: [FORCE_COLORS.stick, FORCE_COLORS.slide].map((hex) => new Color().setHex(hex, '')) },
      },
      order: 11,
    });
    this.#metresPerNewton = metresPerNewton;
    this.#longest = longest;
  }

  rescale(metresPerNewton: number, longest: number): void {
    this.#metresPerNewton.value = metresPerNewton;
    this.#longest.value = longest;
  }
}

const VERTEX = /* glsl */ `
attribute vec3 point;
attribute vec3 force;
attribute float mode;
uniform float metresPerNewton;
uniform float longest;
flat varying float kind;
flat varying float reach;
flat varying float scale;
flat varying float isCut;

const float HEAD_HALF = 5.5;

void main() {
  kind = mode - 1.0;
  emphasis = findEmphasis();
  scale = findScale(1.4);
  float size = length(force);
  float full = size * metresPerNewton;
  isCut = full > longest ? 1.0 : 0.0;
  vec4 foot = toClip(point);
  vec4 head = toClip(point + force * (min(full, longest) / max(size, 1e-30)));
  vec2 start = toPixels(foot);
  vec2 axis = toPixels(head) - start;
  reach = length(axis);

  // no force, behind the camera, or too short to be seen
  if (mode < 0.5 || foot.w <= 0.0 || head.w <= 0.0 || reach < 1.0) {
    gl_Position = NOWHERE;
    return;
  }
  vec2 along = axis / reach;
  local = vec2(position.x < 0.0 ? -EDGE : reach + EDGE, position.y * (HEAD_HALF * max(scale, 1.0) + EDGE));
  vec2 pixel = start + local.x * along + local.y * vec2(-along.y, along.x);
  gl_Position = fromPixels(pixel);
}
`;

const FRAGMENT = /* glsl */ `
uniform vec3 colors[2];
flat varying float kind;
flat varying float reach;
flat varying float scale;
flat varying float isCut;

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
  gl_FragColor = edged(kind < 0.5 ? colors[0] : colors[1], inside, cover);
}
`;
