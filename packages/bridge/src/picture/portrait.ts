/** Pictures of a simulation: its shapes as triangles, placed where its bodies are. */
import { createRecorder } from '@nexdyn/cli';
import type { Simulation } from '@nexdyn/engine';
import { createMotion, type Motion, type MotionPart, type Surface, triangulate } from '@nexdyn/formats';
import { type CameraPlace, createView } from './camera.ts';
import { Rasterizer } from './rasterizer.ts';

/** How a picture is taken; what is left out fits the scene. */
export interface PictureOptions {
  readonly width?: number;
  readonly height?: number;
  readonly camera?: Partial<CameraPlace>;
  /** A body that the camera follows. */
  readonly follow?: string | number;
}

const WIDTH = 480;
const HEIGHT = 480;
const VIEW: Omit<CameraPlace, 'target' | 'distance'> = { azimuth: -1.2, elevation: 0.35, fieldOfView: 0.8 };

export class Portrait {
  readonly #parts: { part: MotionPart; surface: Surface; corners: Float64Array }[];
  readonly #motion: Motion;
  #rasterizer: Rasterizer | undefined;

  constructor(simulation: Simulation) {
    this.#motion = describe(simulation);
    const surfaces = new Map<unknown, Surface>();
    this.#parts = this.#motion.parts
      .filter(({ color }) => color[3] > 0)
      .map((part) => {
        const surface = surfaces.get(part.solid) ?? triangulate(part.solid);
        surfaces.set(part.solid, surface);
        return { part, surface, corners: new Float64Array(3 * surface.indices.length) };
      });
  }

  /** Red, green and blue of every pixel, row by row from the top. */
  take(simulation: Simulation, { width = WIDTH, height = HEIGHT, camera, follow }: PictureOptions): Uint8Array {
    if (this.#rasterizer?.width !== width || this.#rasterizer.height !== height) {
      this.#rasterizer = new Rasterizer(width, height);
    }
    const rasterizer = this.#rasterizer;
    const { bodyPosition, bodyRotation } = simulation.derived;
    const view = createView({ ...VIEW, ...this.#fit(simulation, follow), ...camera });
    rasterizer.clear();
    for (const { part, surface, corners } of this.#parts) {
      place(corners, surface, part, bodyPosition, bodyRotation);
      const isFloor = part.solid.kind === 'rectangle' && part.body === 0;
      rasterizer.draw({ corners, count: surface.indices.length / 3, color: part.color, isFloor }, view);
    }
    if (simulation.model.size.softBody > 0) this.#drawSoftBodies(simulation, rasterizer, view);
    return rasterizer.read();
  }

  #drawSoftBodies(simulation: Simulation, rasterizer: Rasterizer, view: ReturnType<typeof createView>): void {
    for (const { faces, positions, color } of describe(simulation).softSurfaces) {
      const corners = Float64Array.from(
        { length: 3 * faces.length },
        (_, i) => positions[3 * faces[(i - (i % 3)) / 3]! + (i % 3)]!,
      );
      rasterizer.draw({ corners, count: faces.length / 3, color, isFloor: false }, view);
    }
  }

  /** A target in the middle of what moves, and a distance at which it fills the picture. */
  #fit(simulation: Simulation, follow: string | number | undefined): Pick<CameraPlace, 'target' | 'distance'> {
    const moving = this.#motion.bodies.map((_, b) => b).filter((b) => simulation.model.body.lastDof[b]! >= 0);
    const { bodyPosition: x } = simulation;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const b of moving.length > 0 ? moving : [0]) {
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k]!, x[3 * b + k]!);
        high[k] = Math.max(high[k]!, x[3 * b + k]!);
      }
    }
    const middle = low.map((value, k) => (value + high[k]!) / 2) as [number, number, number];
    const size = Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
    const target = follow === undefined ? middle : simulation.pose(follow).position;
    return { target, distance: 1.6 + 1.4 * size };
  }
}

/** What there is to see of a simulation now. */
function describe(simulation: Simulation): Motion {
  const recorder = createRecorder(simulation.model, 1);
  recorder.record(simulation, 0);
  return createMotion(simulation.model, recorder.finish({ bodies: true }));
}

/** Corners of the triangles of a part in the world. */
function place(
  corners: Float64Array,
  { positions, indices }: Surface,
  { body, position, orientation }: MotionPart,
  bodyPosition: Float64Array,
  bodyRotation: Float64Array,
): void {
  const r = bodyRotation.subarray(9 * body, 9 * body + 9);
  const [w, x, y, z] = orientation;
  for (let i = 0; i < indices.length; i++) {
    const at = 3 * indices[i]!;
    const [px, py, pz] = [positions[at]!, positions[at + 1]!, positions[at + 2]!];
    // p + 2 w (u × p) + 2 u × (u × p)
    const [cx, cy, cz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
    const lx = px + w * cx + y * cz - z * cy + position[0];
    const ly = py + w * cy + z * cx - x * cz + position[1];
    const lz = pz + w * cz + x * cy - y * cx + position[2];
    for (let k = 0; k < 3; k++) {
      corners[3 * i + k] = bodyPosition[3 * body + k]! + r[3 * k]! * lx + r[3 * k + 1]! * ly + r[3 * k + 2]! * lz;
    }
  }
}
