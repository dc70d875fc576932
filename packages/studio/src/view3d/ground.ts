/**
 * Ground with a grid that stays sharp at every distance and fades out before its edge.
 *
 * Lines are drawn in the shader: the distance to the nearest multiple of the spacing, divided by how much that distance
 * changes from one pixel to the next, is a distance in pixels.
 */
import { Color, DoubleSide, FrontSide, Mesh, MeshStandardMaterial, PlaneGeometry, type Texture, Vector2 } from 'three';
import { findHue } from './palette.ts';

export interface GroundLook {
  ground: number;
  gridLine: number;
}

export interface GroundOptions {
  /** Half extents of the rectangle, m. */
  halfSize: [number, number];
  /** Distance between lines, m; every fifth is stronger. */
  spacing: number;
  /** Centre and radius of the fading, m; undefined: the edge is sharp. */
  fade: { center: [number, number]; radius: number } | undefined;
  /** How much of what is behind is hidden, 0 to 1. */
  opacity: number;
  /** Also seen from below. */
  twoSided: boolean;
}

export class Ground extends Mesh<PlaneGeometry, MeshStandardMaterial> {
  readonly #line = { value: new Color() };
  readonly #lineStrength = { value: 1 };
  /** Colour of the plane itself where the scene gives one. */
  #own: Color | undefined;
  #isDressed = false;
  readonly halfSize: readonly [number, number];

  constructor(options: GroundOptions, own: Color | undefined) {
    const { halfSize, spacing, fade, opacity, twoSided } = options;
    super(
      new PlaneGeometry(2 * halfSize[0], 2 * halfSize[1]),
      new MeshStandardMaterial({
        roughness: 0.95,
        metalness: 0,
        transparent: true,
        opacity,
        side: twoSided ? DoubleSide : FrontSide,
        depthWrite: false,
      }),
    );
    this.#own = own;
    this.halfSize = halfSize;
    this.receiveShadow = true;
    // after nothing, before every other transparent thing
    this.renderOrder = -1;
    const uniforms = {
      gridLine: this.#line,
      gridStrength: this.#lineStrength,
      gridSpacing: { value: spacing },
      fadeCenter: { value: new Vector2(...(fade?.center ?? [0, 0])) },
      fadeRadius: { value: fade?.radius ?? 0 },
    };
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec2 groundPoint;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\ngroundPoint = position.xy;');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${GRID_FUNCTIONS}`)
        .replace('#include <color_fragment>', `#include <color_fragment>\n${GRID_MIX}`);
    };
  }

  paint(look: GroundLook): void {
    this.#line.value.set(look.gridLine);
    this.material.color.set(this.#own ?? look.ground);
  }

  set hasGrid(shown: boolean) {
    this.#lineStrength.value = shown && !this.#isDressed ? 1 : 0;
  }

  /** The texture and colour of a file take the place of the grid. */
  wear(map: Texture | undefined, color: Color): void {
    this.#isDressed = map !== undefined;
    this.#own = map || findHue([color.r, color.g, color.b, 1]) ? color : this.#own;
    if (map) this.material.map = map;
    this.material.needsUpdate = true;
    if (this.#own) this.material.color.set(this.#own);
    if (map) this.#lineStrength.value = 0;
  }

  override dispose(): void {
    this.geometry.dispose();
    this.material.map?.dispose();
    this.material.dispose();
  }
}

const GRID_FUNCTIONS = /* glsl */ `
varying vec2 groundPoint;
uniform vec3 gridLine;
uniform float gridStrength;
uniform float gridSpacing;
uniform vec2 fadeCenter;
uniform float fadeRadius;

float gridCover(vec2 point, float spacing, float width) {
  vec2 cell = point / spacing;
  vec2 pixel = fwidth(cell);
  vec2 off = abs(fract(cell - 0.5) - 0.5);
  vec2 line = 1.0 - smoothstep(pixel * (width - 0.5), pixel * (width + 0.5), off);
  // where cells get smaller than a few pixels, lines would only shimmer
  line *= 1.0 - smoothstep(vec2(0.15), vec2(0.45), pixel);
  return max(line.x, line.y);
}
`;

const GRID_MIX = /* glsl */ `
float fine = 0.45 * gridCover(groundPoint, gridSpacing, 0.6);
float bold = 0.9 * gridCover(groundPoint, 5.0 * gridSpacing, 0.8);
float cover = gridStrength * max(fine, bold);
diffuseColor.rgb = mix(diffuseColor.rgb, gridLine, cover);
diffuseColor.a = max(diffuseColor.a, cover);
if (fadeRadius > 0.0) {
  diffuseColor.a *= 1.0 - smoothstep(0.25 * fadeRadius, fadeRadius, length(groundPoint - fadeCenter));
}
`;
