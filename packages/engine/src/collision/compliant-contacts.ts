/** Contacts of compliant bodies for detection: hydroelastic shapes and soft bodies. */
import type { Workspace } from '../dynamics/workspace.ts';
import type { ContactPoints } from '../geometry/contact-points.ts';
import type { Model } from '../model/model.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import type { CollisionPlan } from './collision-plan.ts';
import type { ContactChoice } from './contact-choice.ts';
import type { ContactSet } from './contact-set.ts';
import type { ContactPatch } from './hydroelastic/contact-patches.ts';
import type { TouchingPairs } from './touching-pairs.ts';

export interface CompliantContacts {
  /** Whether a soft body may touch anything. */
  readonly hasSoft: boolean;
  /** Before a detection. */
  clear(): void;
  /** Adds the faces where shapes a and b press on each other as contact points, with normals from a to b. */
  testShapes(
    points: ContactPoints,
    model: Model,
    plan: CollisionPlan,
    choice: ContactChoice,
    a: number,
    b: number,
  ): void;
  /** Gives the contacts of shapes that are such faces their areas, pressures and stiffnesses. */
  writeShapes(contacts: ContactSet, touching: TouchingPairs): void;
  /** Appends the contacts of soft bodies, with shapes and with each other, in a step of length h; 0 where none is taken. */
  addSoft(model: Model, work: Workspace, plan: CollisionPlan, contacts: ContactSet, h: number): void;
  /** From the next detection on polygons are kept, not only their centroids. */
  keepCorners(): void;
  /** Contact surfaces of the last detection. */
  listPatches(model: Model): ContactPatch[];
}

/** Comes with '@nexdyn/engine/compliance'. */
export const COMPLIANT_CONTACTS: LazyModule<(model: Model) => CompliantContacts> = new LazyModule(
  'compliance',
  'contacts by pressure and of soft bodies',
);

/** For models with compliant bodies. */
export function createCompliantContacts(model: Model): CompliantContacts | undefined {
  if (model.size.softBody === 0 && !model.pressure.isActive) return undefined;
  return COMPLIANT_CONTACTS.require()(model);
}
