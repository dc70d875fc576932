/** Speed of the fastest prescribed motion in the scene (moving surfaces, mocap bodies, held vertices, wind), m/s. */
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';

/** m: meshes do not say how large they are. */
const LEAST_REACH = 1;

export class SourceSpeed {
  /** Whether a scene has nothing of the kind. */
  readonly isNever: boolean;
  /** Of surfaces and wind. */
  readonly #constant: number;
  readonly #hasHeld: boolean;
  /** m: how far the surface of a mocap body may be from its frame. */
  readonly #reach: number;
  readonly #position: Float64Array;
  readonly #orientation: Float64Array;
  readonly #markedPosition: Float64Array;
  readonly #markedOrientation: Float64Array;

  constructor(model: Model) {
    const { size, shape, options, soft, body } = model;
    const { wind, density, viscosity } = options.medium;
    let fastest = density > 0 || viscosity > 0 ? Math.hypot(wind[0], wind[1], wind[2]) : 0;
    let reach = 0;
    for (let s = 0; s < size.shape; s++) {
      const o = 6 * s;
      const { surfaceMotion: u, position: p, size: extent } = shape;
      const radius = Math.max(LEAST_REACH, extent[3 * s], extent[3 * s + 1], extent[3 * s + 2]);
      const spin = Math.hypot(u[o + 3], u[o + 4], u[o + 5]);
      fastest = Math.max(fastest, Math.hypot(u[o], u[o + 1], u[o + 2]) + spin * radius);
      if (body.mocap[body.root[shape.body[s]]] < 0) continue;
      reach = Math.max(reach, radius + Math.hypot(p[3 * s], p[3 * s + 1], p[3 * s + 2]));
    }
    this.#constant = fastest;
    this.#reach = reach;
    this.#hasHeld =
      soft.holds.some(({ driven }) => driven.length > 0) ||
      soft.attachment.body.some((b) => body.mocap[body.root[b]] >= 0);
    this.#position = new Float64Array(3 * size.mocap);
    this.#orientation = new Float64Array(4 * size.mocap);
    this.#markedPosition = new Float64Array(3 * size.mocap);
    this.#markedOrientation = new Float64Array(4 * size.mocap);
    this.isNever = fastest === 0 && size.mocap === 0 && !this.#hasHeld;
  }

  /** Notes where mocap bodies are. */
  begin({ mocapPosition, mocapOrientation }: State): void {
    this.#position.set(mocapPosition);
    this.#orientation.set(mocapOrientation);
  }

  /** Notes where they were, so that steps from here can be taken back. */
  mark(): void {
    this.#markedPosition.set(this.#position);
    this.#markedOrientation.set(this.#orientation);
  }

  returnToMark(): void {
    this.#position.set(this.#markedPosition);
    this.#orientation.set(this.#markedOrientation);
  }

  /** Speed in the step that has led to the state. */
  measure(state: State, h: number): number {
    let speed = this.#constant;
    const { mocapPosition: p, mocapOrientation: o, softHeld, softVelocity: v } = state;
    for (let m = 0; 3 * m < p.length; m++) {
      let square = 0;
      let turn = 0;
      for (let k = 3 * m; k < 3 * m + 3; k++) square += (p[k] - this.#position[k]) ** 2;
      for (let k = 4 * m; k < 4 * m + 4; k++) turn += (o[k] - this.#orientation[k]) ** 2;
      // the angle between two near quaternions is twice their distance
      speed = Math.max(speed, (Math.sqrt(square) + 2 * Math.sqrt(turn) * this.#reach) / h);
    }
    this.begin(state);
    if (!this.#hasHeld) return speed;
    for (let n = 0; n < softHeld.length; n++) {
      if (softHeld[n] !== 0) speed = Math.max(speed, Math.hypot(v[3 * n], v[3 * n + 1], v[3 * n + 2]));
    }
    return speed;
  }
}
