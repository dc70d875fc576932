/** Third part of a simulation: its contacts, now and in the last step, and questions about its geometry. */
import type { CollisionPlan } from '../collision/collision-plan.ts';
import { type Contact, type ContactForce, listContactForces, listContacts } from '../collision/contact.ts';
import type { ContactSet } from '../collision/contact-set.ts';
import { detectContacts } from '../collision/detect-contacts.ts';
import { type ContactPatch, scaleToForces } from '../collision/hydroelastic/contact-patches.ts';
import {
  type ClosestPoints,
  castRay,
  findClosestPoints,
  listOverlaps,
  type RayOptions,
  type RayResult,
} from '../collision/queries.ts';
import type { Vec3 } from '../scene/pose.ts';
import { findIndex } from '../state/inputs.ts';
import { DrawnState } from './drawn-state.ts';
import type { SimulationData } from './simulation-data.ts';

export abstract class ContactReadout extends DrawnState {
  readonly #data: SimulationData;

  constructor(data: SimulationData) {
    super(data);
    this.#data = data;
  }

  /** Where shapes are within their margins now, as arrays that the next call or `contactSet` overwrites: overlaps with their depths. */
  touchingSet(): ContactSet {
    detectContacts(this.model, this.derived, this.#data.queries);
    return this.#data.queries.contacts;
  }

  /** The contacts of the current state, as arrays that the next call overwrites; under `ipc` all that are nearer than d̂. */
  contactSet(): ContactSet {
    const { formulation, state } = this.#data;
    const contacts = this.touchingSet();
    formulation.addNearContacts?.(contacts, state, this.derived);
    return contacts;
  }

  /** The contacts of the current state: points, normals, gaps, names. */
  contacts(): Contact[] {
    return listContacts(this.model, this.contactSet());
  }

  /**
   * The contact surfaces of the current state where bodies touch by pressure: polygons with pressures, one patch per pair. After a step
   * or `forward` the pressures of a pair carry the normal force that it had there.
   */
  contactPatches(): ContactPatch[] {
    const { compliant } = this.#data.queries;
    if (!compliant) return [];
    compliant.keepCorners();
    this.touchingSet();
    const patches = compliant.listPatches(this.model);
    if (this.#data.hasSolved) scaleToForces(patches, this.solvedContacts);
    return patches;
  }

  /** The contacts of the last step or `forward`, where they were before it, with their forces; overwritten by the next. */
  get solvedContacts(): ContactSet {
    return this.#data.collision.contacts;
  }

  /** The shapes where the last step or `forward` has found its contacts. */
  get solvedShapes(): CollisionPlan {
    return this.#data.collision.plan;
  }

  /** The contacts of the last step or `forward` with the forces they had, N. */
  contactForces(): ContactForce[] {
    return listContactForces(this.model, this.solvedContacts);
  }

  /** The first shape that a ray meets, among those that can touch. */
  castRay(origin: Vec3, direction: Vec3, options: RayOptions = {}): RayResult | undefined {
    return castRay(this.model, this.derived, this.#data.queries, origin, direction, options);
  }

  /** The nearest points of two shapes, by name or number; the gap is negative where they overlap. */
  closestPoints(shapeA: string | number, shapeB: string | number): ClosestPoints {
    const a = findIndex(this.model.shape.name, shapeA, 'shape');
    const b = findIndex(this.model.shape.name, shapeB, 'shape');
    return findClosestPoints(this.model, this.derived, this.#data.queries, a, b);
  }

  /** Numbers of the shapes that touch an axis-aligned box, ascending. */
  overlaps(box: { low: Vec3; high: Vec3 }): number[] {
    return listOverlaps(this.model, this.derived, this.#data.queries, box.low, box.high);
  }
}
