/**
 * How far a convex thing A juts out of the volume S of a site: the largest signed distance to S of its points, max over x in A of φ(x), negative where
 * all of A is inside. φ is convex, so the largest is at a corner; on round shapes x ↦ the support of A along ∇φ(x) never lowers φ and ends where it
 * stays, and is followed from several starts. Source: MuJoCo 4.0, <insidesite enclosed="true">: the directed Hausdorff distance.
 */
import { NexdynError } from '../error.ts';
import { CORE } from '../geometry/convex/core-kind.ts';
import { supportShape } from '../geometry/convex/support.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import type { SignedDistanceField } from '../geometry/signed-distance/field.ts';
import type { Model } from '../model/model.ts';
import type { ProtrusionSensor } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import type { SensorReader } from './sensor-reader.ts';
import { SiteVolume } from './site-volume.ts';

export function createProtrusion(model: Model, { object, site }: ProtrusionSensor): SensorReader {
  const volume = new SiteVolume(model, site);
  if (object.kind === 'site') {
    const other = new SiteVolume(model, object.name);
    return {
      needs: [],
      read({ work }, out, at): void {
        volume.place(work);
        other.place(work);
        out[at] = measure(volume.field, volume.shape, other.shape);
      },
    };
  }
  const shapes = listShapes(model, object);
  return {
    needs: ['shapes'],
    read({ work, queries }, out, at): void {
      volume.place(work);
      let most = Number.NEGATIVE_INFINITY;
      for (const s of shapes) most = Math.max(most, measure(volume.field, volume.shape, queries.plan.placed[s]));
      out[at] = most;
    },
  };
}

const MOST_ROUNDS = 200;
const SIGNS = [-1, 0, 1];
/** Corners of a cube, middles of its sides and of its edges. */
const DIRECTIONS: readonly number[] = /* @__PURE__ */ SIGNS.flatMap((x) =>
  SIGNS.flatMap((y) => SIGNS.flatMap((z) => (x || y || z ? [x, y, z] : []))),
);
const point = /* @__PURE__ */ new Float64Array(3);
const slope = /* @__PURE__ */ new Float64Array(3);

function measure(field: SignedDistanceField, site: PlacedShape, solid: PlacedShape): number {
  const { rotation: R, position: p, hull } = solid;
  let most = Number.NEGATIVE_INFINITY;
  if (solid.core === CORE.polyhedron && hull) {
    const { vertices: v } = hull;
    for (let i = 0; i < v.length; i += 3) {
      for (let k = 0; k < 3; k++) point[k] = p[k] + R[3 * k] * v[i] + R[3 * k + 1] * v[i + 1] + R[3 * k + 2] * v[i + 2];
      most = Math.max(most, climb(field, site));
    }
    return most;
  }
  for (let i = 0; i < DIRECTIONS.length; i += 3) {
    for (let k = 0; k < 3; k++)
      slope[k] = R[3 * k] * DIRECTIONS[i] + R[3 * k + 1] * DIRECTIONS[i + 1] + R[3 * k + 2] * DIRECTIONS[i + 2];
    let reached = Number.NEGATIVE_INFINITY;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const length = Math.sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
      if (length === 0) break;
      supportShape(point, 0, solid, slope[0] / length, slope[1] / length, slope[2] / length);
      const next = climb(field, site);
      if (next <= reached) break;
      reached = next;
    }
    most = Math.max(most, reached);
  }
  return most;
}

/** φ at `point`; `slope` = its gradient, both in the world. */
function climb(field: SignedDistanceField, { rotation: S, position }: PlacedShape): number {
  const x = point[0] - position[0];
  const y = point[1] - position[1];
  const z = point[2] - position[2];
  const value = field.gradient(
    slope,
    S[0] * x + S[3] * y + S[6] * z,
    S[1] * x + S[4] * y + S[7] * z,
    S[2] * x + S[5] * y + S[8] * z,
  );
  const a = slope[0];
  const b = slope[1];
  const c = slope[2];
  for (let k = 0; k < 3; k++) slope[k] = S[3 * k] * a + S[3 * k + 1] * b + S[3 * k + 2] * c;
  return value;
}

/** Shapes of a thing: all of a body, and for `body` all below it as well. */
function listShapes(model: Model, { kind, name }: ProtrusionSensor['object']): number[] {
  const { shape, body } = model;
  if (kind === 'shape' || kind === 'shapeCenter') return [findIndex(shape.name, name, 'shape')];
  const b = findIndex(body.name, name, 'body');
  const isOf = (of: number): boolean => of === b || (kind === 'body' && of > b && isOf(body.parent[of]));
  const shapes = Array.from(shape.body, (of, s) => (isOf(of) ? s : -1)).filter((s) => s >= 0);
  if (shapes.length > 0) return shapes;
  throw new NexdynError('invalid-value', `the body '${name}' has no shape that could jut out of a site`, {
    hint: 'name a shape, a site, or a body with shapes',
  });
}
