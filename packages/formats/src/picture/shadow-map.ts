/** What a lamp sees: where something else is nearer to it than a point, the point is in shadow. */
import type { Lamp } from './lamps.ts';
import { Rasterizer } from './rasterizer.ts';
import type { View } from './view.ts';

/** Pixels along an edge. */
const SIZE = 1024;

/** A ball that holds what casts shadows. */
export interface Ball {
  readonly center: readonly [number, number, number];
  readonly radius: number;
}

export class ShadowMap {
  readonly raster: Rasterizer = new Rasterizer(SIZE, SIZE);
  #pixel = 0;

  /** Looks from a lamp at a ball; false where it cannot. */
  begin(lamp: Lamp, { center, radius }: Ball): boolean {
    const d = lamp.direction;
    const back = [-d[0], -d[1], -d[2]] as const;
    const helper = Math.abs(d[2]) > 0.9 ? ([1, 0, 0] as const) : ([0, 0, 1] as const);
    const right = unit(cross(helper, back));
    const up = cross(back, right);
    if (lamp.kind === 'directional') {
      const eye = [0, 1, 2].map((k) => center[k]! + 2 * radius * back[k]!) as unknown as View['eye'];
      const window = [-radius, radius, -radius, radius] as const;
      this.#pixel = (2 * radius) / SIZE;
      this.raster.begin({ eye, right, up, back, isFlat: true, window }, 0);
      return true;
    }
    if (lamp.kind === 'point') return false;
    // no wider than the ball, no wider than the cone
    const eye = lamp.position;
    const away = Math.hypot(center[0] - eye[0], center[1] - eye[1], center[2] - eye[2]);
    const cone = Math.tan(Math.min(1.4, Math.acos(Math.max(-1, lamp.cutoffCosine))));
    const half = Math.max(0.01, cone);
    this.#pixel = (2 * half * Math.max(away, radius)) / SIZE;
    this.raster.begin({ eye, right, up, back, isFlat: false, window: [-half, half, -half, half] }, 0.01 * radius);
    return true;
  }

  /** 1 where a point is lit, 0 in full shadow, between at the edge. */
  measureLight(point: Float64Array, normal: Float64Array): number {
    const { view, nearness, width, height } = this.raster;
    const { eye, right, up, back, isFlat, window } = view;
    // a little off the surface, so that it does not shade itself
    const lift = 1.5 * this.#pixel;
    let a = 0;
    let b = 0;
    let d = 0;
    for (let k = 0; k < 3; k++) {
      const x = point[k]! + lift * normal[k]! - eye[k]!;
      a += x * right[k]!;
      b += x * up[k]!;
      d -= x * back[k]!;
    }
    if (d <= 0) return 1;
    const scale = isFlat ? 1 : d;
    const u = ((a / scale - window[0]) / (window[1] - window[0])) * width - 0.5;
    const v = ((window[3] - b / scale) / (window[3] - window[2])) * height - 0.5;
    const x0 = Math.floor(u);
    const y0 = Math.floor(v);
    if (x0 < 0 || y0 < 0 || x0 + 1 >= width || y0 + 1 >= height) return 1;
    const fx = u - x0;
    const fy = v - y0;
    let light = 0;
    for (let i = 0; i < 4; i++) {
      const near = nearness[(y0 + (i >> 1)) * width + x0 + (i & 1)]!;
      const depth = near === -Infinity ? Infinity : isFlat ? -near : 1 / near;
      if (depth >= d - this.#pixel) light += (i & 1 ? fx : 1 - fx) * (i >> 1 ? fy : 1 - fy);
    }
    return light;
  }
}

type Vec3 = readonly [number, number, number];

function cross(a: Vec3, b: Vec3): [number, number, number] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(v: [number, number, number]): [number, number, number] {
  const length = Math.hypot(...v) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}
