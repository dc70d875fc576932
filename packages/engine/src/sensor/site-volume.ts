/** The volume of a site: whether a point lies in it, and whether a ray meets it. */

import type { Workspace } from '../dynamics/workspace.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import { placeShape } from '../geometry/placed-shape.ts';
import { castRayShape, RayHit } from '../geometry/ray/cast-ray.ts';
import { box } from '../geometry/shapes/box.ts';
import { capsule } from '../geometry/shapes/capsule.ts';
import { cylinder } from '../geometry/shapes/cylinder.ts';
import { ellipsoid } from '../geometry/shapes/ellipsoid.ts';
import { numberKind } from '../geometry/shapes/shape-table.ts';
import { sphere } from '../geometry/shapes/sphere.ts';
import type { SignedDistanceField } from '../geometry/signed-distance/field.ts';
import type { Model } from '../model/model.ts';
import { findIndex } from '../state/inputs.ts';
import { type CarriedFrame, frameOfSite } from './carried-frame.ts';

/** By SITE_SHAPE. */
const KINDS = [sphere, capsule, cylinder, ellipsoid, box] as const;

const hit = /* @__PURE__ */ new RayHit();
const up = [0, 0, 1] as const;

export class SiteVolume {
  readonly frame: CarriedFrame;
  readonly shape: PlacedShape;
  /** Its signed distance, in its own frame. */
  readonly field: SignedDistanceField;

  constructor(model: Model, name: string) {
    const s = findIndex(model.site.name, name, 'site');
    this.frame = frameOfSite(model, name);
    const { shape, size } = model.site;
    const kind = KINDS[shape[s]];
    const own = size.subarray(3 * s, 3 * s + 3);
    this.field = kind.field!(own);
    this.shape = placeShape(numberKind(kind), own, this.frame.position, this.frame.rotation);
  }

  place(work: Workspace): void {
    this.frame.place(work);
    this.shape.position.set(this.frame.position);
    this.shape.rotation.set(this.frame.rotation);
  }

  /** Whether a ray meets it, or begins in it. */
  meets(origin: ArrayLike<number>, direction: ArrayLike<number>): boolean {
    return castRayShape(hit, this.shape, origin, direction, Infinity);
  }

  /** Whether a point is in it: a ray from there leaves it, and meets its surface from within. */
  contains(point: ArrayLike<number>): boolean {
    return castRayShape(hit, this.shape, point, up, Infinity) && hit.normal[2] > 0;
  }
}
