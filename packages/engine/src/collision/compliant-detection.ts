/** Faces between shapes that press on each other, then vertices of soft bodies, then faces of soft bodies, in this order. */
import type { Workspace } from '../dynamics/workspace.ts';
import type { ContactPoints } from '../geometry/contact-points.ts';
import type { Model } from '../model/model.ts';
import type { CollisionPlan } from './collision-plan.ts';
import type { CompliantContacts } from './compliant-contacts.ts';
import type { ContactChoice } from './contact-choice.ts';
import type { ContactSet } from './contact-set.ts';
import { type ContactPatch, listContactPatches } from './hydroelastic/contact-patches.ts';
import { PressureContacts } from './hydroelastic/pressure-contacts.ts';
import { SoftPressure } from './hydroelastic/soft-pressure.ts';
import { SoftPoints } from './soft-points/soft-points.ts';
import type { TouchingPairs } from './touching-pairs.ts';

export class CompliantDetection implements CompliantContacts {
  readonly hasSoft: boolean;
  readonly #shapes: PressureContacts = new PressureContacts();
  readonly #softPoints: SoftPoints;
  readonly #softPressure: SoftPressure;

  constructor(model: Model) {
    this.#softPoints = new SoftPoints(model);
    this.#softPressure = new SoftPressure(model);
    this.hasSoft = this.#softPoints.isActive || this.#softPressure.isActive;
  }

  clear(): void {
    this.#shapes.clear();
  }

  testShapes(
    points: ContactPoints,
    model: Model,
    plan: CollisionPlan,
    choice: ContactChoice,
    a: number,
    b: number,
  ): void {
    this.#shapes.test(points, model, plan, choice, a, b);
  }

  writeShapes(contacts: ContactSet, touching: TouchingPairs): void {
    this.#shapes.write(contacts, touching);
  }

  addSoft(model: Model, work: Workspace, plan: CollisionPlan, contacts: ContactSet, h: number): void {
    this.#softPoints.detect(model, work, plan, contacts, h);
    this.#softPressure.detect(model, work, plan, contacts, this.#shapes.runs);
  }

  keepCorners(): void {
    this.#shapes.runs.faces.keepsCorners = true;
  }

  listPatches(model: Model): ContactPatch[] {
    return listContactPatches(model, this.#shapes.runs);
  }
}
