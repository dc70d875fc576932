import type { Film } from '../session/protocol.ts';
import type { SceneDrawing } from '../session/scene-drawing.ts';
import type { Theme } from '../view3d/palette.ts';
import type { CameraPlace } from '../view3d/viewport.ts';

/** A run as stored in a replay page. */
export interface ReplayData extends Film {
  title: string;
  /** What to look at; may be empty. */
  description: string;
  formulation: string;
  /** s. */
  timestep: number;
  theme: Theme;
  camera: CameraPlace;
  /** Width of the view by its height. */
  aspect: number;
  layers: number[];
  /** Stress of the brightest colour, Pa. */
  fullStress: number | undefined;
  grid: boolean;
  shadows: boolean;
  drawing: SceneDrawing;
}
