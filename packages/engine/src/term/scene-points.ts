/** Points of terms as scenes write them. */
import { NexdynError } from '../error.ts';
import { name, number, object, optional, type Schema, vector } from '../scene/schema.ts';
import type { SceneTermPoint } from '../scene/term.ts';
import type { TermPoint } from './point-term.ts';

export const scenePoint: Schema<SceneTermPoint> = /* @__PURE__ */ object<SceneTermPoint>({
  body: optional(name()),
  at: optional(vector(3)),
  softBody: optional(name()),
  vertex: optional(number({ minimum: 0, integer: true })),
});

/** The points of a scene's term by number. */
export class ScenePoints {
  readonly #points: readonly TermPoint[];

  constructor(points: readonly SceneTermPoint[]) {
    this.#points = points.map((point, i) => {
      if ((point.body === undefined) === (point.softBody === undefined))
        fail(
          `points[${i}]`,
          'a point is of a body or of a soft body',
          'give `body` and `at`, or `softBody` and `vertex`',
        );
      if (point.body !== undefined) return { body: point.body, at: point.at ?? [0, 0, 0] };
      if (point.vertex === undefined) fail(`points[${i}].vertex`, 'is missing', 'number of the vertex, from 0');
      return { softBody: point.softBody as string, vertex: point.vertex as number };
    });
  }

  get all(): readonly TermPoint[] {
    return this.#points;
  }

  get(n: number): TermPoint {
    const point = this.#points[n];
    if (!point) fail('points', `there is no point ${n}`, `there are ${this.#points.length}, numbered from 0`);
    return point;
  }
}

export function readScenePoints(points: readonly SceneTermPoint[]): ScenePoints {
  return new ScenePoints(points);
}

function fail(path: string, reason: string, hint: string): never {
  throw new NexdynError('invalid-value', reason, { path, hint });
}
